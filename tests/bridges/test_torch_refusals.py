"""What PyTorch gives and programs cannot have is refused with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from inspect import getsourcelines
from io import BytesIO
from types import ModuleType
from typing import Any
from warnings import catch_warnings, simplefilter
from zipfile import ZipFile

import numpy as np
import pytest

import stablemate as sm

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from stablemate.api import torch_export
from stablemate.bridges.torch.backend import stablemate
from stablemate.frontends.torch import pytorch, table
from stablemate.frontends.torch.decompositions import decompositions

pytestmark = pytest.mark.filterwarnings("ignore")
ON_CPU = "stablemate compiles for tensors on the CPU"


@pytest.fixture
def _fresh_caches() -> Iterator[None]:
    yield
    forget()


def forget() -> None:
    """Empties what is cached of a version of PyTorch."""
    caches = (
        pytorch.reject_version, pytorch.private, pytorch.decomposition_table, decompositions,
    )  # fmt: skip
    for cached in caches:
        cached.cache_clear()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: torch.ones(2, device="meta"), f"the argument input is on meta; {ON_CPU}"),
        (
            lambda: torch.eye(2).to_sparse(),
            "the argument input is a sparse_coo tensor; programs have dense ones, as to_dense() "
            "gives",
        ),
        (
            lambda: torch.eye(2).to_sparse_csr(),
            "the argument input is a sparse_csr tensor; programs have dense ones, as to_dense() "
            "gives",
        ),
        (
            lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
            "the argument input is a nested tensor; programs have dense ones, as "
            "torch.nested.to_padded_tensor gives",
        ),
        (
            lambda: torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8),
            "the argument input has elements of torch.qint8; programs have plain ones, as "
            "dequantize() gives",
        ),
        (
            lambda: torch.ones(2, dtype=torch.uint8).view(torch.bits8),
            "the argument input has elements of torch.bits8, a type that StableHLO does not have",
        ),
    ],
    ids=["meta", "sparse", "csr", "nested", "quantized", "bits"],
)
def test_tensors(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(torch.nn.Identity(), make())
    assert str(caught.value).partition("\n")[0] == message


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.eye(2).to_sparse(),
        lambda: torch.eye(2).to_sparse_csr(),
        lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
        lambda: torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8),
    ],
    ids=["sparse", "csr", "nested", "quantized"],
)
def test_tensors_before_which_torchdynamo_breaks_graphs(make: Callable[[], Any]) -> None:
    """PyTorch runs such functions itself, for every backend; or TorchDynamo says what it met."""

    def padded(x: Any) -> Any:
        if x.is_nested:
            return torch.nested.to_padded_tensor(x, 0.0)
        return x.dequantize() if x.is_quantized else x.to_dense()

    torch._dynamo.reset()
    torch.testing.assert_close(torch.compile(padded, backend=stablemate)(make()), padded(make()))
    torch._dynamo.reset()
    whole = torch.compile(padded, backend=stablemate, fullgraph=True)
    with pytest.raises(torch._dynamo.exc.Unsupported, match=r"sparse|nested|Nested|quantized"):
        whole(make())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: torch.ones(2, device="meta"), f"is on meta; {ON_CPU}"),
        (
            lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged),
            "is a nested tensor; programs have dense ones",
        ),
    ],
    ids=["meta", "jagged"],
)
def test_tensors_that_torchdynamo_traces(make: Callable[[], Any], message: str) -> None:
    torch._dynamo.reset()
    with pytest.raises(RuntimeError, match=f"UnsupportedError: the argument x {message}"):
        torch.compile(lambda x: x * 2, backend=stablemate)(make())


class Masked(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(2, 2)

    def forward(self, x: Any, *more: Any, masks: Any) -> Any:
        return self.inner(x) * masks["keys"][0] + sum(more)


@pytest.mark.parametrize(
    ("arguments", "mask", "name"),
    [((), "meta", r"masks\['keys'\]\[0\]"), (("cpu", "meta"), "cpu", r"more\[1\]")],
)
def test_parts_of_arguments_have_their_paths(
    arguments: tuple[str, ...], mask: str, name: str
) -> None:
    more = [torch.ones(2, device=device) for device in arguments]
    masks = {"keys": [torch.ones(2, device=mask)]}
    with pytest.raises(sm.UnsupportedError, match=f"^the argument {name} is on meta; {ON_CPU}"):
        sm.from_torch(Masked(), torch.ones(2), *more, kwargs={"masks": masks})


def test_members_of_modules_have_their_paths() -> None:
    """The names of TorchDynamo's sources are those of the program."""
    found: list[str] = []

    def note(graph: Any, inputs: Any) -> Any:
        found.extend(name for name, _ in pytorch.named_inputs(graph, inputs))
        return graph

    torch._dynamo.reset()
    torch.compile(Masked(), backend=note)(torch.ones(2), masks={"keys": [torch.ones(2)]})
    assert {"the argument x", "the argument masks['keys'][0]"} < set(found)
    assert "the argument self.inner.weight" in found


def test_tensors_that_the_program_makes() -> None:
    line = getsourcelines(made_sparse)[1] + 1
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(made_sparse, torch.eye(2))
    assert str(caught.value).startswith(
        "the result _to_sparse is a sparse_coo tensor; programs have dense ones, as to_dense() "
        f'gives\n  File "{__file__}", line {line}'
    )


def made_sparse(x: Any) -> Any:
    return torch.sparse.mm(x.to_sparse(), x)


def test_tensors_that_the_program_holds() -> None:
    held = torch.eye(2).to_sparse()
    with pytest.raises(sm.UnsupportedError, match=r"^the constant \w+ is a sparse_coo tensor; "):
        sm.from_torch(lambda x: torch.sparse.mm(held, x), torch.ones(2, 2))
    exported = torch.export.export(
        torch.nn.Linear(2, 2, device="meta"), (torch.ones(1, 2, device="meta"),)
    )
    with pytest.raises(sm.UnsupportedError, match=f"^weight is on meta; {ON_CPU}$"):
        sm.from_torch(exported)


def test_weights_that_are_objects() -> None:
    linear = torch.nn.Sequential(torch.nn.Linear(2, 2))
    packed = torch.ao.quantization.quantize_dynamic(linear, {torch.nn.Linear}, torch.qint8)
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(packed, torch.ones(1, 2))
    assert str(caught.value).startswith("0._packed_params._packed_params is an object of C++, and ")


def test_operators_whose_results_have_no_shapes() -> None:
    library = torch.library.Library("refusals", "FRAGMENT")
    library.define("shapeless(Tensor x) -> Tensor")
    library.impl("shapeless", lambda x: x * 2, "CPU")
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(lambda x: torch.ops.refusals.shapeless(x), torch.ones(2))
    assert 'torch.library.register_fake("refusals::shapeless")' in str(caught.value)


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


@pytest.mark.usefixtures("_fresh_caches")
def test_old_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "__version__", "2.5.1")
    forget()
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(torch.nn.Identity(), torch.ones(2))
    assert str(caught.value) == "stablemate works with PyTorch 2.6 and newer, not with 2.5.1"


@pytest.mark.usefixtures("_fresh_caches")
def test_new_versions_work_with_one_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "__version__", "2.99.0+cpu")
    forget()
    with catch_warnings(record=True) as caught:
        simplefilter("always")
        for _ in range(2):
            sm.from_torch(torch.nn.Identity(), torch.ones(2))
    (said,) = [str(item.message) for item in caught if "stablemate" in str(item.message)]
    assert said == f"{pytorch.tested_versions()}; this is 2.99.0+cpu"


@pytest.mark.usefixtures("_fresh_caches")
@pytest.mark.parametrize("compiles", [False, True])
def test_new_versions_that_lack_a_private_function(
    compiles: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch._dynamo.reset()
    monkeypatch.setattr(torch, "__version__", "2.99.0")
    find = pytorch.torch_module
    lost = ModuleType("torch._decomp")
    monkeypatch.setattr(
        pytorch, "torch_module",
        lambda name="torch": lost if name == lost.__name__ else find(name),
    )  # fmt: skip
    forget()
    run: Any = torch.compile(torch.sin, backend=stablemate)
    translate: Any = run if compiles else partial(sm.from_torch, torch.nn.Tanh())
    with pytest.raises((sm.UnsupportedError, RuntimeError)) as caught:
        translate(torch.ones(2))
    assert (
        f"PyTorch 2.99.0 has no torch._decomp.decomposition_table; {pytorch.tested_versions()}"
    ) in str(caught.value)


@pytest.mark.usefixtures("_fresh_caches")
def test_new_versions_whose_objects_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "__version__", "2.99.0")
    monkeypatch.setattr(torch_export, "input_rows", lambda core: core.no_such_signature)
    forget()
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(torch.nn.Tanh(), torch.ones(2))
    assert str(caught.value) == (
        "PyTorch 2.99.0 lacks something: 'ExportedProgram' object has no attribute "
        f"'no_such_signature'; {pytorch.tested_versions()}"
    )


def test_results_on_other_devices() -> None:
    torch._dynamo.reset()
    run = torch.compile(lambda x: torch.ones(2, device="meta") + x.shape[0], backend=stablemate)
    with pytest.raises(Exception, match=f"^.*\n.*the result .* is on meta; {ON_CPU}"):
        run(torch.ones(2))


def fake_ones() -> torch.Tensor:
    with FakeTensorMode():
        return torch.ones(2)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (lambda: torch.ones(2, device="meta"), f"the argument x is on meta; {ON_CPU}"),
        (
            lambda: torch.ones(2).to_sparse(),
            "the argument x is a sparse_coo tensor; programs have dense ones, as to_dense() gives",
        ),
        (
            lambda: torch.ones(2, dtype=torch.bfloat16),
            "argument 0 (x) of main is tensor<2xf32>, but tensor<2xbf16> was given",
        ),
        (
            lambda: torch.ones(3),
            "argument 0 (x) of main is tensor<2xf32>, but tensor<3xf32> was given",
        ),
        (fake_ones, "the argument x is a fake tensor, which has no elements to compute with"),
    ],
    ids=["meta", "sparse", "element type", "shape", "fake"],
)
def test_arguments_of_runs(value: Callable[[], Any], message: str) -> None:
    def double(x: Any) -> Any:
        return x * 2

    m = sm.from_torch(double, torch.ones(2))
    with pytest.raises(sm.StablemateError) as caught:
        m.run(value())
    assert str(caught.value) == message


def test_arguments_of_another_structure() -> None:
    def total(x: Any, y: Any) -> Any:
        return x + y["z"]

    m = sm.from_torch(total, torch.ones(2), {"z": torch.ones(2)})
    with pytest.raises(sm.ArgumentError) as caught:
        m.run(np.ones(2, np.float32), {"w": np.ones(2, np.float32)})
    assert str(caught.value) == (
        "the arguments have another structure than the example inputs of the model, x, y_z"
    )


def test_tensors_in_the_place_of_arrays() -> None:
    x = torch.tensor([1 + 2j, 3 - 1j])
    m = sm.from_torch(lambda x: x * 2, x)
    assert m.run(x.conj()).tolist() == [2 - 4j, 6 + 2j]
    narrow = torch.nn.Parameter(torch.tensor([0.5, -3], dtype=torch.bfloat16))
    assert sm.from_torch(lambda x: -x, narrow.detach()).run(narrow).tolist() == [-0.5, 3]
    program = sm.parse(sm.from_torch(lambda x: x * 2, torch.ones(2)).to_text())
    with pytest.raises(sm.ArgumentError) as caught:
        program.run(torch.ones(2, requires_grad=True))
    assert str(caught.value).startswith(
        "argument 0 (x) of main is tensor<2xf32>, and this Tensor is no array in memory: "
    )


class Sines(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return torch.sin(x) * 2  # the line without a translation


def test_an_operator_without_a_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(table.lowerings(), "aten.sin.default")
    line = getsourcelines(Sines.forward)[1] + 1
    said = (
        "no translation of the operator aten.sin.default to StableHLO; register one with "
        '@stablemate.torch_lowering("aten::sin"), or let PyTorch run such graphs of '
        "torch.compile: torch._dynamo.config.suppress_errors = True"
    )
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(Sines(), torch.ones(2))
    assert str(caught.value).startswith(f'{said}\n  File "{__file__}", line {line}, in forward')
    torch._dynamo.reset()
    run = torch.compile(Sines(), backend=stablemate)
    with pytest.raises(RuntimeError) as found:
        run(torch.ones(2))
    assert f'UnsupportedError: {said}\n  File "{__file__}", line {line}' in str(found.value)
    with torch._dynamo.config.patch(suppress_errors=True):
        torch._dynamo.reset()
        torch.testing.assert_close(run(torch.ones(2)), torch.ones(2).sin() * 2)


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
        f"m.pt2 is an exported program of schema 99.1, written by PyTorch 3.1; {reads_schema()}"
    )


def reads_schema() -> str:
    major, minor = pytorch.newest_schema() or (0, 0)
    return f"PyTorch {torch.__version__} reads schema {major}.{minor}"


def test_a_schema_that_only_adds_to_what_is_known() -> None:
    """The newer number is said where something is not understood, and does not matter else."""
    major, minor = pytorch.newest_schema() or (0, 0)

    def newer(member: bytes, **argument: int) -> bytes:
        program = json.loads(member)
        if argument:
            program["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"] = argument
        program["schema_version"] = {"major": major, "minor": minor + 1}
        return json.dumps({**program, "torch_version": "3.1", "unknown": 1}).encode()

    sm.load(rewritten(exported(), "model.json", newer)).verify()
    later = rewritten(exported(), "model.json", partial(newer, as_later=1))
    assert reading_fault(later).endswith(
        "it refers to 'as_later', which is not known; "
        f"it is of schema {major}.{minor + 1}, written by PyTorch 3.1; {reads_schema()}"
    )


def reading_fault(content: bytes) -> str:
    with pytest.raises(sm.ParseError) as caught:
        sm.load(content, name="m.pt2")
    return caught.value.diagnostics[0].message.partition("exported program: ")[2]


STRUCTURE = "its members do not have the structure that this version reads"


@pytest.mark.parametrize(
    ("ending", "change", "fault"),
    [
        ("weights_config.json", lambda p: {}, "its PayloadConfig has no 'config'"),
        ("weights_config.json", lambda p: {"config": []}, STRUCTURE),
        ("weights_config.json", lambda p: [], "its PayloadConfig has no 'config'"),
        (
            "model.json", lambda p: {**p, "graph_module": []},
            "its GraphModule has no 'graph', 'signature', and 'module_call_graph'",
        ),
        (
            "model.json", lambda p: {**p, "range_constraints": {"s0": {"min_val": 1}}},
            "its RangeConstraint has no 'max_val'",
        ),
    ],
)  # fmt: skip
def test_files_of_another_structure(ending: str, change: Callable[[Any], Any], fault: str) -> None:
    def changed(member: bytes) -> bytes:
        return json.dumps(change(json.loads(member))).encode()

    assert reading_fault(rewritten(exported(), ending, changed)) == fault


def test_a_file_with_an_operator_of_a_library_that_is_not_imported() -> None:
    other = rewritten(exported(), "model.json", lambda m: m.replace(b"aten.linear", b"lib.linear"))
    assert reading_fault(other).startswith("it calls lib.linear.default, and this version has no ")


@pytest.mark.parametrize("name", ["permute", "no_such_operator"])
def test_files_with_other_operators(name: str) -> None:
    content, operator = exported(), f"torch.ops.aten.{name}".encode()
    other = rewritten(content, ".json", lambda m: m.replace(b"torch.ops.aten.linear", operator))
    assert other != content
    with pytest.raises(sm.ParseError):
        sm.load(other)


def test_damage_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    damaged = rewritten(exported(), "archive_version", lambda _: b"no number")
    with pytest.raises(sm.ParseError, match="cannot read this exported program"):
        sm.load(damaged)
    assert [record for record in caplog.records if record.name == "torch.export"] == []


def test_damage_is_what_pytorch_logs() -> None:
    damaged = rewritten(exported(), "weight_0", lambda _: b"\0" * 32)
    damaged = rewritten(damaged, "model.pt", lambda _: b"no archive")
    with pytest.raises(sm.ParseError) as caught:
        sm.load(damaged)
    assert "We ran into an error" not in str(caught.value)


def test_tensors_of_torch_save() -> None:
    stream = BytesIO()
    torch.save({"x": torch.ones(2)}, stream)
    with pytest.raises(sm.UnsupportedError, match=r"a file of torch\.save, which holds tensors"):
        sm.load(stream.getvalue())


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (
            [torch.nn.Linear(2, 2).state_dict()], {},
            "from_torch takes a module or a function, not OrderedDict([",
        ),
        ([torch.nn.Linear], {}, "from_torch takes a module, not the class Linear"),
        (
            [torch.nn.Identity()], {"kwargs": [1]},
            "kwargs is a dictionary of inputs by name, not [1]",
        ),
        (
            [torch.nn.Identity()], {"dynamic_shapes": 5},
            "dynamic_shapes is a dictionary, a tuple or a list with an entry for each input, not 5",
        ),
    ],
)  # fmt: skip
def test_arguments_of_from_torch(
    arguments: list[Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(sm.ArgumentError) as caught:
        sm.from_torch(*arguments, torch.ones(2), **options)
    assert str(caught.value).startswith(message)
