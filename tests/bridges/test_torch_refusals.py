"""What PyTorch gives and programs cannot have is refused with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

import stablemate as sm

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from stablemate.frontends.torch import pytorch

pytestmark = pytest.mark.filterwarnings("ignore")
ON_CPU = "stablemate compiles for tensors on the CPU"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: torch.ones(2, device="meta"), f"input 0 is on meta; {ON_CPU}"),
        (
            lambda: torch.eye(2).to_sparse(),
            "input 0 is a sparse_coo tensor; programs have dense ones, as to_dense() gives",
        ),
        (
            lambda: torch.eye(2).to_sparse_csr(),
            "input 0 is a sparse_csr tensor; programs have dense ones, as to_dense() gives",
        ),
        (
            lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
            "input 0 is a nested tensor; programs have dense ones, as "
            "torch.nested.to_padded_tensor gives",
        ),
        (
            lambda: torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8),
            "input 0 has elements of torch.qint8; programs have plain ones, as dequantize() gives",
        ),
        (
            lambda: torch.ones(2, dtype=torch.complex32),
            "StableHLO has no element type like torch.complex32",
        ),
    ],
    ids=["meta", "sparse", "csr", "nested", "quantized", "complex32"],
)
def test_tensors(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(torch.nn.Identity(), make())
    assert str(caught.value).partition("\n")[0] == message


def test_weights_on_other_devices() -> None:
    with pytest.raises(sm.UnsupportedError, match=f"^weight is on meta; {ON_CPU}$"):
        sm.from_torch(torch.nn.Linear(2, 2, device="meta"), torch.ones(2))


def test_models() -> None:
    with pytest.raises(sm.ArgumentError, match="from_torch takes a module or a function, not 5"):
        sm.from_torch(5)
    with pytest.raises(sm.UnsupportedError, match="a program of TorchScript cannot be exported"):
        sm.from_torch(torch.jit.script(torch.nn.Linear(2, 2)), torch.ones(2))
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(lambda x: x if x.sum() > 0 else -x, torch.ones(2))
    assert str(caught.value).startswith("torch.export cannot export this model: ")
    assert caught.value.__cause__ is not None


def test_what_torch_compile_returned_is_the_model() -> None:
    m = sm.from_torch(torch.compile(torch.nn.Tanh()), torch.ones(2))
    assert m.run(np.zeros(2, np.float32)).tolist() == [0, 0]


def test_old_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "__version__", "2.5.1")
    pytorch.reject_version.cache_clear()
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(torch.nn.Identity(), torch.ones(2))
    assert str(caught.value) == "stablemate works with PyTorch 2.6 and newer, not with 2.5.1"


def rewritten(content: bytes, ending: str, change: Callable[[bytes], bytes]) -> bytes:
    """An archive of which one member is changed."""
    stream = BytesIO()
    with ZipFile(BytesIO(content)) as old, ZipFile(stream, "w") as new:
        for name in old.namelist():
            member = old.read(name)
            new.writestr(name, change(member) if name.endswith(ending) else member)
    return stream.getvalue()


def exported() -> bytes:
    stream = BytesIO()
    torch.export.save(torch.export.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),)), stream)
    return stream.getvalue()


def test_files_of_a_newer_schema() -> None:
    def newer(member: bytes) -> bytes:
        program = json.loads(member)
        version = {"major": 99, "minor": 1}
        return json.dumps({**program, "schema_version": version, "torch_version": "3.1"}).encode()

    with pytest.raises(sm.ParseError) as caught:
        sm.load(rewritten(exported(), "model.json", newer), name="m.pt2")
    assert caught.value.diagnostics[0].message == (
        "m.pt2 is an exported program of schema 99, written by PyTorch 3.1; PyTorch "
        f"{torch.__version__} reads schema {pytorch.newest_schema()}"
    )


@pytest.mark.parametrize("name", ["permute", "no_such_operator"])
def test_files_with_other_operators(name: str) -> None:
    content, operator = exported(), f"torch.ops.aten.{name}".encode()
    other = rewritten(content, ".json", lambda m: m.replace(b"torch.ops.aten.linear", operator))
    assert other != content
    with pytest.raises(sm.ParseError):
        sm.load(other)


def test_tensors_of_torch_save() -> None:
    stream = BytesIO()
    torch.save({"x": torch.ones(2)}, stream)
    with pytest.raises(sm.UnsupportedError, match=r"a file of torch\.save, which holds tensors"):
        sm.load(stream.getvalue())
