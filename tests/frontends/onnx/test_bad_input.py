"""Models that are damaged, or say what cannot be: every error names the place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablemate as sm

pytest.importorskip("onnx")
import onnx
from onnx import helper

from stablemate.frontends.onnx import importer
from stablemate.onnx import InferenceSession
from tests.frontends.onnx.models import FLOAT, model

RELU = [helper.make_node("Relu", ["x"], ["y"], name="act")]


def first_line(model_: object) -> str:
    """What is said first about a model."""
    with pytest.raises(sm.StablemateError) as caught:
        sm.load(model_.SerializeToString())  # type: ignore[attr-defined]
    return str(caught.value).splitlines()[0]


def test_a_damaged_file() -> None:
    content = model(RELU, {"x": [2]}, {"y": [2]}).SerializeToString()
    with pytest.raises(sm.ParseError, match="the model of ONNX is damaged"):
        sm.load(content[:-9])


def test_a_model_without_versions_of_operators() -> None:
    made = model(RELU, {"x": [2]}, {"y": [2]})
    del made.opset_import[:]
    assert first_line(made) == "<bytes>: the model of ONNX states no opset_import"


def test_two_inputs_of_one_name() -> None:
    made = model(RELU, {"x": [2]}, {"y": [2]})
    made.graph.input.append(made.graph.input[0])
    assert first_line(made) == "<bytes>: two inputs are called 'x'"


def test_an_element_type_that_onnx_does_not_have() -> None:
    made = model(RELU, {"x": [2]}, {"y": [2]})
    made.graph.input[0].type.tensor_type.elem_type = 99
    line = "<bytes>: the input 'x' has the element type 99, which ONNX does not have"
    assert first_line(made) == line


def test_too_few_strings() -> None:
    strings = onnx.TensorProto(name="x", data_type=onnx.TensorProto.STRING, dims=[2, 3])
    nodes = [helper.make_node("Identity", ["x"], ["y"], name="one")]
    line = first_line(model(nodes, {}, {"y": None}, initializers=[strings]))
    assert line == "<bytes>: the tensor 'x' of 6 strings has 0"


def test_a_domain_whose_version_is_not_stated() -> None:
    made = model(RELU, {"x": [2]}, {"y": [2]})
    made.opset_import[0].domain = "com.microsoft"
    module = sm.load(made.SerializeToString())  # as in ONNX Runtime, it is the newest one
    assert module.run(np.array([1, -2], np.float32)).tolist() == [1, 0]


def test_nodes_that_need_each_other() -> None:
    nodes = [
        helper.make_node("Add", ["x", "b"], ["a"], name="one"),
        helper.make_node("Relu", ["a"], ["b"], name="two"),
    ]
    assert first_line(model(nodes, {"x": [2]}, {"b": [2]})) == (
        "the nodes 'one', 'two' need each other's outputs"
    )


def test_a_value_that_nothing_writes() -> None:
    nodes = [helper.make_node("Relu", ["z"], ["y"], name="act")]
    assert first_line(model(nodes, {"x": [2]}, {"y": [2]})) == (
        "the node 'act' reads 'z', which no node before it writes"
    )


def test_nodes_in_any_order() -> None:
    nodes = [helper.make_node("Relu", ["a"], ["y"]), helper.make_node("Neg", ["x"], ["a"])]
    module = sm.load(model(nodes, {"x": [2]}, {"y": [2]}).SerializeToString())
    assert module.run(np.array([1, -2], np.float32)).tolist() == [0, 2]


def test_a_declared_shape_that_is_wrong() -> None:
    nodes = [*RELU, helper.make_node("Neg", ["y"], ["z"], name="end")]
    wrong = helper.make_tensor_value_info("y", FLOAT, [3])
    assert first_line(model(nodes, {"x": [2]}, {"z": [2]}, types=[wrong])) == (
        "Relu at node 'act' gives the shape [2] for 'y', which is declared as [3]"
    )


def test_an_attribute_that_the_operator_has_not() -> None:
    nodes = [helper.make_node("Relu", ["x"], ["y"], name="act", slope=2.0)]
    assert first_line(model(nodes, {"x": [2]}, {"y": [2]})) == (
        "Relu: the attributes ['slope'] have no translation, at node 'act'"
    )


def test_inputs_that_do_not_fit() -> None:
    nodes = [helper.make_node("Relu", ["x", "x"], ["y"], name="act")]
    assert first_line(model(nodes, {"x": [2]}, {"y": [2]})) == (
        "Relu: the number of its inputs is 2, which must be 1, at node 'act'"
    )


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (
            helper.make_node("MatMul", ["x"], ["y"], name="n"),
            "MatMul: the number of its inputs is 1, which must be 2",
        ),
        (
            helper.make_node("Add", ["x"], ["y"], name="n"),
            "Add: the number of its inputs is 1, which must be 2",
        ),
        (
            helper.make_node("Less", ["x", "x", "x"], ["y"], name="n"),
            "Less: the number of its inputs is 3, which must be 2",
        ),
        (
            helper.make_node("Mul", ["x", ""], ["y"], name="n"),
            "Mul: 'B', one of its inputs, has no name, and is not optional",
        ),
        (
            helper.make_node("TopK", ["x", "x"], ["", "y"], name="n"),
            "TopK: 'Values', one of its outputs, has no name, and is not optional",
        ),
        (
            helper.make_node("Concat", ["x", "x"], ["y"], name="n", axis="zero"),
            "Concat: the attribute 'axis' is of type STRING, which must be INT",
        ),
        (
            helper.make_node("Cast", ["x"], ["y"], name="n"),
            "Cast: the attribute 'to' is missing",
        ),
    ],
)
def test_nodes_that_contradict_their_schema(node: onnx.NodeProto, message: str) -> None:
    assert first_line(model([node], {"x": [2]}, {"y": [2]})) == f"{message}, at node 'n'"


@pytest.mark.parametrize(
    ("node", "shapes", "message"),
    [
        (
            helper.make_node("MatMul", ["x", "w"], ["y"], name="n"), ([2, 3], [4, 5]),
            "MatMul at node 'n': Incompatible dimensions for matrix multiplication; its inputs are "
            "'x' f32[2, 3], 'w' f32[4, 5]",
        ),
        (
            helper.make_node("Gemm", ["x", "w"], ["y"], name="n"), ([2, 3, 1], [3, 5]),
            "Gemm at node 'n': Input 0 expected to have rank 2 but has rank 3 in node Gemm (n); "
            "its inputs are 'x' f32[2, 3, 1], 'w' f32[3, 5]",
        ),
        (
            helper.make_node("Concat", ["x", "w"], ["y"], name="n", axis=1), ([2, 3], [2, 3, 1]),
            "Concat at node 'n': All inputs to Concat must have same rank. Input 1 has rank 3 != "
            "2; its inputs are 'x' f32[2, 3], 'w' f32[2, 3, 1]",
        ),
        (
            helper.make_node("Conv", ["x", "w"], ["y"], name="n"), ([1, 3, 8, 8], [4, 5, 3, 3]),
            "error: Conv at node 'n': its inputs do not fit together: 'x' f32[1, 3, 8, 8], "
            "'w' f32[4, 5, 3, 3]",
        ),
        (
            helper.make_node("GatherElements", ["x", "w"], ["y"], name="n"), ([2, 3], [2, 3]),
            "GatherElements at node 'n': indices typestr: Tind, has unsupported type: "
            "tensor(float); its inputs are 'x' f32[2, 3], 'w' f32[2, 3]",
        ),
    ],
    ids=lambda item: item.op_type if isinstance(item, onnx.NodeProto) else "",
)  # fmt: skip
def test_shapes_that_do_not_fit(node: onnx.NodeProto, shapes: Any, message: str) -> None:
    made = model([node], dict(zip("xw", shapes, strict=True)), {"y": None})
    assert first_line(made).removeprefix("error: ") == message.removeprefix("error: ")


def test_the_rule_that_shapes_break_is_a_note() -> None:
    nodes = [helper.make_node("PRelu", ["x", "w"], ["y"], name="n")]
    with pytest.raises(sm.VerifyError) as caught:
        sm.load(model(nodes, {"x": [2, 3], "w": [4]}, {"y": None}).SerializeToString())
    _, note, *_ = str(caught.value).splitlines()
    assert note.startswith("note: stablehlo.broadcast_in_dim C5")


@pytest.mark.parametrize(
    ("operator", "x", "indices", "more"),
    [
        ("Gather", [3, 4], [3], ()), ("Gather", [3, 4], [-4], ()),
        ("GatherElements", [3, 4], [[0, 3, 0, 0]], ()), ("GatherND", [3, 4], [[0, 4]], ()),
        ("ScatterElements", [3, 4], [[0, 3, 0, 0]], [1, 4]),
        ("ScatterND", [3, 4], [[3]], [1, 4]), ("CumSum", [3, 4], 2, ()),
        ("Gather", [3, 4], [1, 0, 7], ()),
    ],
)  # fmt: skip
def test_constant_indices_outside_of_a_dimension(
    operator: str, x: list[int], indices: Any, more: Any
) -> None:
    inputs = ["x", "i", "u"] if more else ["x", "i"]
    node = helper.make_node(operator, inputs, ["y"], name="n")
    shapes = {"x": x, "u": more} if more else {"x": x}
    constants = [onnx.numpy_helper.from_array(np.array(indices, np.int64), "i")]
    made = model([node], shapes, {"y": None}, initializers=constants)
    wrong = {-4: "the index -4 is", 4: "the index 4 is", 7: "the index 7 is"}
    texts = [text for number, text in wrong.items() if number in np.ravel(indices)]
    text = "no dimension 2 of 2" if operator == "CumSum" else (texts or ["the index 3 is"])[0]
    assert text in first_line(made)
    assert "at node 'n'" in first_line(made)


def test_inputs_that_a_translation_does_not_take() -> None:
    node = helper.make_node(
        "Attention", [*"xwb", "", "", "", "n"], ["y"], name="n", domain="com.microsoft",
        num_heads=2,
    )  # fmt: skip
    made = model([node], {"x": [1, 2, 4], "w": [4, 12], "b": [12], "n": [1]}, {"y": None})
    made.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    assert first_line(made) == (
        "com.microsoft.Attention: the inputs ['n'], after the first 6, have no translation, at "
        "node 'n'"
    )


def test_a_function_that_calls_itself() -> None:
    imports = [helper.make_opsetid("own", 1), helper.make_opsetid("", 21)]
    call = helper.make_node("Loops", ["x"], ["y"], name="call", domain="own")
    function = helper.make_function("own", "Loops", ["x"], ["y"], [call], imports)
    graph = helper.make_graph(
        [call], "graph", [helper.make_tensor_value_info("x", FLOAT, [2])],
        [helper.make_tensor_value_info("y", FLOAT, [2])],
    )  # fmt: skip
    made = helper.make_model(graph, functions=[function], opset_imports=imports)
    assert first_line(made) == "the function own.Loops calls itself, at node 'call'"


def called(functions: list[onnx.FunctionProto]) -> onnx.ModelProto:
    """A model that calls the first of some functions."""
    call = helper.make_node("F0", ["x"], ["y"], name="call", domain="own")
    made = model([call], {"x": [2]}, {"y": [2]})
    made.functions.extend(functions)
    made.opset_import.append(helper.make_opsetid("own", 1))
    return made


def function(number: int, nodes: list[onnx.NodeProto]) -> onnx.FunctionProto:
    """A function of one tensor."""
    imports = [helper.make_opsetid("own", 1), helper.make_opsetid("", 21)]
    return helper.make_function("own", f"F{number}", ["a"], ["b"], nodes, imports)


def test_functions_that_call_one_another() -> None:
    nodes = [helper.make_node(f"F{n}", ["a"], ["b"], domain="own") for n in (1, 2, 1)]
    functions = [function(number, [node]) for number, node in enumerate(nodes)]
    assert first_line(called(functions)) == "the function own.F1 calls itself, at node 'call'"


def test_calls_that_grow_exponentially() -> None:
    functions = [function(40, [helper.make_node("Relu", ["a"], ["b"])])]
    for number in range(40):
        twice = [
            helper.make_node(f"F{number + 1}", ["a"], ["t"], domain="own"),
            helper.make_node(f"F{number + 1}", ["t"], ["b"], domain="own"),
        ]
        functions.append(function(number, twice))
    made = called(functions)
    message = "calls of functions stand for more than 131072 nodes, at node 'call'"
    assert first_line(made) == message
    with pytest.raises(sm.LimitError, match="stand for more than 131072 nodes"):
        InferenceSession(made.SerializeToString())


def test_calls_that_are_nested_deeply() -> None:
    functions = [
        function(number, [helper.make_node(f"F{number + 1}", ["a"], ["b"], domain="own")])
        for number in range(2000)
    ]
    functions.append(function(2000, [helper.make_node("Relu", ["a"], ["b"])]))
    message = "calls of functions are nested more than 100 deep, at node 'call'"
    assert first_line(called(functions)) == message
    made = called(functions[1901:])
    made.graph.node[0].op_type = "F1901"
    result = sm.load(made.SerializeToString()).run(np.array([-1, 2], np.float32))
    assert result.tolist() == [0, 2]


def test_a_value_that_two_nodes_write() -> None:
    nodes = [*RELU, helper.make_node("Neg", ["x"], ["y"], name="neg")]
    assert first_line(model(nodes, {"x": [2]}, {"y": [2]})) == (
        "the nodes 'act' and 'neg' write the same value 'y'"
    )


def test_a_declared_output_that_is_wrong() -> None:
    assert first_line(model(RELU, {"x": [2]}, {"y": [3]})) == (
        "Relu at node 'act' gives the shape [2] for 'y', which is declared as [3]"
    )
    made = model(RELU, {"x": [2]}, {"y": [2]})
    made.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.INT64
    assert first_line(made) == ("Relu at node 'act' gives f32 for 'y', which is declared as i64")
    made.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.STRING
    assert first_line(made) == (
        "Relu at node 'act' gives f32 for 'y', which is declared as strings"
    )


@pytest.mark.parametrize(
    ("location", "offset", "message"),
    [
        ("../secret.bin", 0, "are outside of the model's folder: '../secret.bin'"),
        ("/etc/passwd", 0, "are outside of the model's folder: '/etc/passwd'"),
        ("none.bin", 0, "cannot be read: none.bin: no such file or directory"),
        ("pipe.bin", 0, "cannot be read: pipe.bin is no regular file"),
        ("", 0, "have the location '', which names no file"),
        ("a\0b", 0, "have the location 'a\\x00b', which names no file"),
        ("w.bin", 4, "are 16 bytes at offset 4 of w.bin, which has 16 bytes"),
    ],
)
def test_external_data(tmp_path: Path, location: str, offset: int, message: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(bytes(16))
    (folder / "w.bin").write_bytes(bytes(16))
    os.mkfifo(folder / "pipe.bin")
    weight = onnx.TensorProto(name="w", data_type=FLOAT, dims=[4], data_location=1)
    for key, value in (("location", location), ("offset", str(offset)), ("length", "16")):
        weight.external_data.add(key=key, value=value)
    nodes = [helper.make_node("Add", ["x", "w"], ["y"])]
    path = folder / "model.onnx"
    content = model(nodes, {"x": [4]}, {"y": [4]}, initializers=[weight]).SerializeToString()
    path.write_bytes(content)
    with pytest.raises(sm.FileError) as caught:
        sm.load(path)
    assert message in str(caught.value)
    assert "the external data of 'w'" in str(caught.value)


def test_external_data_inside_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/w.bin").write_bytes(np.arange(8, dtype=np.float32).tobytes())
    weight = onnx.TensorProto(name="w", data_type=FLOAT, dims=[4], data_location=1)
    for key, value in (("location", "data/w.bin"), ("offset", "16"), ("length", "16")):
        weight.external_data.add(key=key, value=value)
    nodes = [helper.make_node("Add", ["x", "w"], ["y"])]
    made = model(nodes, {"x": [4]}, {"y": [4]}, initializers=[weight])
    (tmp_path / "model.onnx").write_bytes(made.SerializeToString())
    result = sm.load(tmp_path / "model.onnx").run(np.zeros(4, np.float32))
    assert result.tolist() == [4, 5, 6, 7]


def test_declared_shapes_that_an_opened_size_contradicts() -> None:
    wrong = helper.make_tensor_value_info("y", FLOAT, [1])
    nodes = [*RELU, helper.make_node("Neg", ["y"], ["z"], name="end")]
    made = model(nodes, {"x": ["n"]}, {"z": [3, 1]}, types=[wrong]).SerializeToString()
    session = InferenceSession(made)
    with pytest.warns(UserWarning, match="is declared as"):
        (found,) = session.run(None, {"x": np.array([1, -2], np.float32)})
    assert found.tolist() == [-1, 0]
    with pytest.warns(UserWarning, match="'z', which is declared as"):
        sm.load(made)


@pytest.mark.parametrize(
    ("operator", "attributes"),
    [("Concat", {"axis": 2}), ("Softmax", {"axis": -3}), ("Flatten", {"axis": 3}),
     ("ReduceMax", {"axes": [2]}), ("Squeeze", {"axes": [-4]}), ("Unsqueeze", {"axes": [4]}),
     ("Gather", {"axis": 2})],
)  # fmt: skip
def test_axes_that_a_tensor_does_not_have(operator: str, attributes: dict[str, object]) -> None:
    inputs = ["x", "i"] if operator == "Gather" else ["x"]
    node = helper.make_node(operator, inputs, ["y"], name="one", **attributes)
    index = helper.make_tensor("i", onnx.TensorProto.INT64, [], [0])
    made = model([node], {"x": [2, 3]}, {"y": None}, initializers=[index], version=11)
    line = first_line(made)
    assert line.startswith(operator)
    assert "at node 'one'" in line
    assert "axis" in line or "axes" in line or "there is no dimension" in line


def test_an_axis_that_is_named_twice() -> None:
    node = helper.make_node("Unsqueeze", ["x"], ["y"], axes=[0, 0])
    line = first_line(model([node], {"x": [2]}, {"y": None}, version=11))
    assert "'axes' attribute must not contain any duplicates" in line


def test_a_version_that_does_not_exist() -> None:
    assert first_line(model(RELU, {"x": [2]}, {"y": [2]}, version=999)).startswith(
        "the model is of version 999 of the default domain; the package onnx knows "
    )


def test_branches_inside_of_branches_are_translated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    labels: list[str] = []
    translate = importer.Importer.call

    def counted(self: importer.Importer, node: Any, *rest: Any) -> None:
        labels.append(node.label)
        translate(self, node, *rest)

    monkeypatch.setattr(importer.Importer, "call", counted)

    def branch(depth: int, side: str) -> onnx.GraphProto:
        name = f"{side}{depth}"
        if not depth:
            nodes = [helper.make_node("Relu", ["x"], [name])]
        else:
            inner = {f"{way}_branch": branch(depth - 1, side + way) for way in ("then", "else")}
            nodes = [helper.make_node("If", ["c"], [name], **inner)]
        output = helper.make_tensor_value_info(name, FLOAT, None)
        return helper.make_graph(nodes, "branch", [], [output])

    graph = branch(5, "")
    graph.input.append(helper.make_tensor_value_info("x", FLOAT, [2]))
    graph.input.append(helper.make_tensor_value_info("c", onnx.TensorProto.BOOL, []))
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    sm.load(made.SerializeToString())
    assert len(labels) == len({*labels}) == 63


@pytest.mark.parametrize("scale", [0, np.nan])
def test_scales_that_are_not_positive(scale: float) -> None:
    scales = onnx.numpy_helper.from_array(np.array([scale, 1], np.float32), "s")
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], name="n")
    line = first_line(model([node], {"x": [2, 3]}, {"y": None}, initializers=[scales]))
    assert line.startswith("Resize: ")
    assert "are not all greater than 0" in line


@pytest.mark.parametrize("mode", ["edge", "reflect", "wrap"])
def test_a_padded_dimension_that_is_too_large(mode: str) -> None:
    node = helper.make_node("Pad", ["x", "p"], ["y"], name="n", mode=mode)
    pads = onnx.numpy_helper.from_array(np.array([1 << 40, 0], np.int64), "p")
    line = first_line(model([node], {"x": [2]}, {"y": None}, initializers=[pads]))
    assert "at node 'n'" in line
    assert "are more than" in line or "are no reflection of" in line
