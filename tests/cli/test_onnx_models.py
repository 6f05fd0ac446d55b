"""Models of ONNX at the command line: their names, their test data, what ``info`` tells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper

from tests.frontends.onnx.models import model

Invoke = Callable[..., Any]
X = np.array([[1, -2, 3], [4, 5, -6]], np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A model, and a folder of its inputs and outputs."""
    made = model(
        [helper.make_node("Relu", ["x"], ["y"], name="act")], {"x": ["n", 3]}, {"y": ["n", 3]}
    )
    (tmp_path / "model.onnx").write_bytes(made.SerializeToString())
    folder = tmp_path / "test_data_set_0"
    folder.mkdir()
    for name, array in (("input_0", X), ("output_0", np.maximum(X, 0))):
        content = numpy_helper.from_array(array).SerializeToString()
        (folder / f"{name}.pb").write_bytes(content)
    return tmp_path / "model.onnx"


def test_inputs_by_name(path: Path, stablemate: Invoke) -> None:
    np.save(path.parent / "x.npy", X)
    result = stablemate("run", path, f"--input=x=@{path.parent / 'x.npy'}")
    assert result.stdout == "2x3xf32=[1 0 3][4 5 0]\n"


def test_folders_of_test_data(path: Path, stablemate: Invoke) -> None:
    folder = path.parent / "test_data_set_0"
    result = stablemate("run", path, f"--input=@{folder}", f"--expected=@{folder}")
    assert result.exit_code == 0
    assert result.stdout == "result 0 (y): matches\n"


def test_a_folder_without_test_data(path: Path, stablemate: Invoke) -> None:
    result = stablemate("run", path, f"--input=@{path.parent}")
    assert result.exit_code == 2
    assert "has no files input_0.pb, input_1.pb, ..." in result.stderr


def test_info_tells_what_the_model_says(path: Path, stablemate: Invoke) -> None:
    text = stablemate("info", path).stdout
    assert "operator sets: ai.onnx 21\n" in text
    assert "inputs: x: float[n,3]\n" in text
    assert "operators: 1 Relu\n" in text


def test_locations_are_names_of_nodes(path: Path, stablemate: Invoke) -> None:
    output = path.parent / "out.mlir"
    stablemate("convert", path, output, "--debug-info")
    assert 'loc("act")' in output.read_text()


def test_the_outline_has_the_names_of_nodes(tmp_path: Path, stablemate: Invoke) -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], name="/encoder/act/Relu"),
        helper.make_node("Gelu", ["a"], ["b"], name="/encoder/gelu/Gelu"),
        helper.make_node("Neg", ["b"], ["y"], name="negate"),
    ]
    made = model(nodes, {"x": [2, 3]}, {"y": [2, 3]})
    (tmp_path / "model.onnx").write_bytes(made.SerializeToString())
    lines = stablemate("view", tmp_path / "model.onnx", "--depth=3").stdout.splitlines()
    assert [" ".join(line.split()[:-2]) for line in lines[2:]] == [
        "├─ encoder", "│ ├─ act/Relu", "│ └─ gelu/Gelu", "└─ negate",
    ]  # fmt: skip


def test_a_library_needs_sizes(path: Path, stablemate: Invoke) -> None:
    result = stablemate("build", path, "-o", path.parent / "net", "--static")
    assert result.exit_code == 4
    assert result.stderr == (
        "error: the sizes of a library have bounds, but main takes (x: tensor<?x3xf32>); --batch=8 "
        "builds it for up to 8 rows, and --types='tensor<1x3xf32>' for static types\n"
    )


def test_a_library_of_stated_sizes(path: Path, stablemate: Invoke) -> None:
    folder = path.parent / "net"
    result = stablemate("build", path, "-o", folder, "--static", "--types=tensor<2x3xf32>")
    assert result.exit_code == 0
    assert "argument 0 (x): tensor<2x3xf32>" in (folder / "net.h").read_text()


def test_sizes_by_name(path: Path, stablemate: Invoke) -> None:
    assert stablemate("run", path, "--size=n=2", "--input=x=1").stdout == "2x3xf32=[1 1 1][1 1 1]\n"
    folder = path.parent / "net"
    assert stablemate("build", path, "-o", folder, "--static", "--sizes=n=2").exit_code == 0
    assert "argument 0 (x): tensor<2x3xf32>" in (folder / "net.h").read_text()


def test_the_cost_of_sizes_by_name(path: Path, stablemate: Invoke) -> None:
    named = stablemate("cost", path, "--sizes=n=2")
    typed = stablemate("cost", path, "--sizes=x:0=2")
    assert named.exit_code == 0
    assert "tensor<2x3xf32>" in named.stdout
    assert "called 'x:0': it has n" in typed.stderr


def test_sizes_that_a_model_does_not_have(path: Path, stablemate: Invoke) -> None:
    result = stablemate("info", path, "--sizes=batch=2")
    assert result.exit_code == 2
    assert result.stderr == (
        "error: the model has no size that it leaves open called 'batch': it has n\n"
    )
    assert stablemate("info", path, "--sizes=n=x").exit_code == 2


def test_sizes_are_those_of_models(path: Path, stablemate: Invoke) -> None:
    program = path.parent / "program.mlir"
    stablemate("convert", path, program)
    result = stablemate("info", program, "--sizes=n=2")
    assert "only models of ONNX have names for their sizes" in result.stderr


@pytest.fixture
def branching(tmp_path: Path) -> Path:
    """A model whose result has the shape of x, or of its sum, by the value of ``rate``."""
    shape = numpy_helper.from_array(np.array([3], np.int64), "shape")
    makes = {"then": helper.make_node("Reshape", ["x", "shape"], ["then_y"]),
             "else": helper.make_node("ReduceSum", ["x"], ["else_y"], keepdims=0)}  # fmt: skip
    branches = {
        f"{name}_branch": helper.make_graph(
            [node], name, [], [helper.make_tensor_value_info(f"{name}_y", TensorProto.FLOAT, None)],
            [shape] if name == "then" else [],
        )
        for name, node in makes.items()
    }  # fmt: skip
    cast = helper.make_node("Cast", ["rate"], ["flag"], to=TensorProto.BOOL)
    choice = helper.make_node("If", ["flag"], ["y"], name="choice", **branches)
    made = model([cast, choice], {"x": [3], "rate": []}, {"y": None})
    (tmp_path / "branching.onnx").write_bytes(made.SerializeToString())
    return tmp_path / "branching.onnx"


@pytest.mark.parametrize("inputs", [["x=2", "rate=1"], ["2", "1"], ["x=2", "1"]])
def test_values_that_a_program_needs(
    branching: Path, stablemate: Invoke, inputs: list[str]
) -> None:
    result = stablemate("run", branching, *[f"--input={text}" for text in inputs])
    assert result.stdout == "3xf32=2 2 2\n"


def test_a_model_from_stdin_gets_the_values_that_it_needs(
    branching: Path, stablemate: Invoke
) -> None:
    inputs = ("--input=x=2", "--input=rate=0")
    expected = stablemate("run", branching, *inputs).stdout
    assert expected == "f32=6\n"
    assert stablemate("run", "-", *inputs, stdin=branching.read_bytes()).stdout == expected


def test_values_that_are_constants(branching: Path, stablemate: Invoke) -> None:
    assert stablemate("run", branching, "--input=x=2", "--value=rate=0").stdout == "f32=6\n"
    result = stablemate("run", branching, "--input=x=2")
    assert result.exit_code == 3
    assert "depends on rate, at node 'choice'\n" in result.stderr
    assert "note: --value=rate=VALUE, or an --input of a run, gives the value" in result.stderr
    assert stablemate("info", branching, "--value=rat=0").exit_code == 2


def test_a_trace_names_nodes(path: Path, stablemate: Invoke) -> None:
    text = stablemate("trace", path, "--input=x=2x3xf32=1").stdout
    assert "stablehlo.maximum 'act'" in text


def test_a_profile_names_nodes(path: Path, stablemate: Invoke) -> None:
    text = stablemate("profile", path, "--input=x=2x3xf32=random:0").stdout
    assert text.splitlines()[1].endswith("  act")


def test_external_data_that_are_missing(path: Path, stablemate: Invoke) -> None:
    weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[3], data_location=1)
    weight.external_data.add(key="location", value="w.bin")
    nodes = [helper.make_node("Add", ["x", "w"], ["y"])]
    made = model(nodes, {"x": [2, 3]}, {"y": [2, 3]}, initializers=[weight])
    path.write_bytes(made.SerializeToString())
    result = stablemate("run", path)
    assert result.exit_code == 2
    assert result.stderr == (
        f"error: cannot read {path}: the external data of 'w' cannot be read: w.bin: "
        "no such file or directory\n"
    )
