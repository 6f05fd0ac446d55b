"""Graphs of PyTorch as programs: sizes, strides, locations, errors."""

from __future__ import annotations

import gc
import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from weakref import ref

import numpy as np
import pytest

import stablemate as sm

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from stablemate.api import known_programs, torch_export
from stablemate.api.torch_export import TorchModule
from stablemate.bridges.torch.backend import stablemate
from stablemate.compiler import executable
from stablemate.formats.mapped_files import mapped_file
from stablemate.frontends.torch.table import lowerings

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")


@pytest.fixture(autouse=True)
def _fresh() -> None:
    torch.manual_seed(0)
    torch._dynamo.reset()


def test_one_program_for_all_sizes() -> None:
    graphs: list[Any] = []

    def backend(graph: Any, inputs: Any) -> Any:
        graphs.append(graph)
        return stablemate(graph, inputs)

    def run(x: Any, y: Any) -> Any:
        joined = torch.cat([x, y]) * x.shape[0]
        return torch.softmax(joined, 0)[1:], joined.reshape(-1).flip(0)

    compiled = torch.compile(run, backend=backend, dynamic=True)
    for rows, columns in ((3, 6), (5, 8), (7, 11)):
        x, y = torch.randn(rows, columns), torch.randn(rows + 1, columns)
        torch.testing.assert_close(compiled(x, y), run(x, y))
    assert len(graphs) == 1


@pytest.mark.parametrize(
    "x",
    [
        torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1),
        torch.arange(48.0).reshape(1, 3, 4, 4).to(memory_format=torch.channels_last),
        torch.arange(24.0).reshape(4, 6)[:, ::2],
        torch.arange(4.0).expand(3, 4),
        torch.zeros(0, 3),
    ],
    ids=["permuted", "channels_last", "every second", "expanded", "empty"],
)
def test_results_have_the_strides_of_pytorch(x: Any) -> None:
    def run(x: Any) -> Any:
        return x + 1, x.transpose(0, 1) * 2, x.contiguous()

    got, expected = torch.compile(run, backend=stablemate)(x), run(x)
    for one, other in zip(got, expected, strict=True):
        torch.testing.assert_close(one, other, check_stride=bool(x.numel()))


def test_conjugates_and_negatives_that_are_not_computed() -> None:
    x = torch.tensor([1 + 2j, 3 - 1j])
    run = torch.compile(lambda x: (x * 2, x.imag + 1), backend=stablemate)
    for argument in (x, x.conj()):
        torch.testing.assert_close(run(argument), (argument * 2, argument.imag + 1))


class Factorization(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return torch.linalg.lu(x, pivot=False)[1]


def test_operators_that_are_not_there_are_named_with_the_line() -> None:
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(Factorization(), torch.eye(3))
    assert "aten.linalg_lu.default: a factorization without pivoting" in str(caught.value)
    assert "test_importer.py" in str(caught.value)


class Sine(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return torch.sin(x)


def test_locations_point_into_the_model() -> None:
    m = sm.from_torch(Sine(), torch.ones(2))
    assert "test_importer.py" in m.to_text(debug_info=True)


def test_exported_programs_are_loaded(tmp_path: Path) -> None:
    net, x = torch.nn.Linear(4, 3).eval(), torch.randn(2, 4)
    path = tmp_path / "model.pt2"
    torch.export.save(torch.export.export(net, (x,)), path)
    m = sm.load(path)
    np.testing.assert_allclose(m.run(x.numpy()), net(x).detach(), rtol=1e-5, atol=1e-6)
    text = path.read_bytes().replace(b'"schema_version"', b'"schema_versiom"')
    (tmp_path / "damaged.pt2").write_bytes(text)
    with pytest.raises(sm.ParseError, match="is damaged"):
        sm.load(tmp_path / "damaged.pt2")


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed there")
def test_weights_of_a_large_file_are_dropped_when_it_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("HELD_BYTES", "FORGOTTEN_BYTES"):
        monkeypatch.setattr(known_programs, name, 0)
    monkeypatch.setattr(executable, "MOST_CONSTANT_BYTES", 0)
    net, x = torch.nn.Linear(257, 96).eval(), torch.randn(40, 257)
    path = tmp_path / "model.pt2"
    torch.export.save(torch.export.export(net, (x,)), path)
    expected = net(x).detach()
    text = sm.load(path).to_text()
    for _ in range(2):  # the disk cache is empty, then it has the program
        m = sm.load(path)
        assert isinstance(m, TorchModule)
        held = [ref(value) for value in m.torch_program.state_dict.values()]
        compiled: Any = sm.compile(m)
        gc.collect()
        assert not [value for value in held if value() is not None]
        np.testing.assert_allclose(compiled(x), expected, rtol=1e-4, atol=1e-5)
        assert m.is_unread
    path.unlink()
    stages = compiled.emit("fusion")
    assert sm.compile(m).emit("fusion") == stages
    assert m.to_text() == text
    np.testing.assert_allclose(m.run(x), expected, rtol=1e-4, atol=1e-5)
    interpreted: Any = m.run(x.numpy(), backend="interpreter")
    np.testing.assert_allclose(interpreted, expected, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(m.torch_program.module()(x).detach(), expected)


@pytest.mark.skipif(os.name != "posix", reason="files of other systems have names")
@pytest.mark.parametrize("has_disk", [True, False])
def test_large_constants_are_copies_outside_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_disk: bool
) -> None:
    cache, file = tmp_path / "cache", tmp_path / "file"
    file.touch()
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(cache if has_disk else file / "cache"))
    monkeypatch.setattr(torch_export, "FORGOTTEN_BYTES", 0)
    net, x = torch.nn.Linear(257, 96, bias=False).eval(), torch.randn(40, 257)
    expected = net(x).detach()
    m = sm.from_torch(net, x)
    (constant,) = [one for one in m.operation.walk() if one.name == "stablehlo.constant"]
    literal: Any = constant.attributes["value"]
    assert (mapped_file(literal.data) is not None) == has_disk
    assert not has_disk or not [*cache.iterdir()]  # it goes with the program
    with torch.no_grad():
        net.weight.zero_()
    for backend in ("interpreter", "cpu"):
        result: Any = m.run(x, backend=backend)
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-5)


def test_examples_as_torch_export_takes_them() -> None:
    def run(x: Any, y: Any) -> Any:
        return {"sum": x + y, "both": [x, (y,)]}

    x, y = torch.ones(2), torch.full((2,), 3.0)
    for m in (sm.from_torch(run, x, y), sm.from_torch(run, (x, y))):
        result = m.run(x.numpy(), y.numpy())
        assert result["sum"].tolist() == [4, 4]
        assert result["both"][1][0].tolist() == [3, 3]
    with pytest.raises(sm.ArgumentError, match="another structure than the example inputs"):
        m.run({"x": x.numpy()})


def test_every_operator_of_the_core_has_a_translation_or_a_decomposition() -> None:
    from torch._decomp import core_aten_decompositions, decomposition_table

    known = {*decomposition_table, *core_aten_decompositions()}
    missing = [
        str(overload)
        for name in dir(torch.ops.aten)
        for packet in [getattr(torch.ops.aten, name)]
        for variant in getattr(packet, "overloads", tuple)()
        for overload in [getattr(packet, variant)]
        if torch.Tag.core in overload.tags
        and str(overload) not in lowerings()
        and f"{overload}" not in known
        and overload not in known
    ]
    # Symbolic sizes, and what reads or makes them, are part of the importer itself.
    # Nothing resizes a tensor in a graph that is functional.
    allowed = ("sym_", "_local_scalar_dense", "nonzero", ".out", "resize_")
    assert [name for name in missing if not any(part in name for part in allowed)] == []
