"""Messages that ONNX does not allow, each by itself; its checker and ONNX Runtime refuse all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import stablemate as sm

pytest.importorskip("onnx")
import onnx
from onnx import helper, numpy_helper

from tests.frontends.onnx.models import model

Model = Any  # onnx.ModelProto
WEIGHT = numpy_helper.from_array(np.ones(2, np.float32), "w")


def base() -> Model:
    """A model whose nodes have an attribute, a constant and an optional output."""
    nodes = [
        helper.make_node("LeakyRelu", ["x"], ["a"], name="act", alpha=0.5),
        helper.make_node("Add", ["a", "w"], ["y"], name="add"),
    ]
    return model(nodes, {"x": [2]}, {"y": [2]}, initializers=[WEIGHT])


def second_attribute(made: Model) -> None:
    made.graph.node[0].attribute.append(made.graph.node[0].attribute[0])


def integer_beside_float(made: Model) -> None:
    made.graph.node[0].attribute[0].i = 1


def list_beside_float(made: Model) -> None:
    made.graph.node[0].attribute[0].ints.append(1)


def attribute_of_another_type(made: Model) -> None:
    made.graph.node[0].attribute[0].type = onnx.AttributeProto.INTS


def floats_beside_bytes(made: Model) -> None:
    made.graph.initializer[0].float_data.extend([1, 2])


def integers_beside_bytes(made: Model) -> None:
    made.graph.initializer[0].int32_data.append(1)


def constant_without_element_type(made: Model) -> None:
    made.graph.initializer[0].data_type = 0


def input_without_element_type(made: Model) -> None:
    made.graph.input[0].type.tensor_type.elem_type = 0


def output_without_element_type(made: Model) -> None:
    made.graph.output[0].type.tensor_type.elem_type = 0


def output_of_an_unknown_element_type(made: Model) -> None:
    made.graph.output[0].type.tensor_type.elem_type = 99


def output_without_a_name(made: Model) -> None:
    made.graph.output[0].name = ""


def two_constants_of_a_name(made: Model) -> None:
    made.graph.initializer.append(WEIGHT)


def node_that_writes_an_input(made: Model) -> None:
    made.graph.node[0].output[0] = "x"


def node_that_writes_a_constant(made: Model) -> None:
    made.graph.node[0].output[0] = "w"


def more_outputs_than_the_operator_has(made: Model) -> None:
    made.graph.node[0].output.append("more")


def output_that_is_written_twice(made: Model) -> None:
    made.graph.node[0].output.append("a")


def no_version_of_the_format(made: Model) -> None:
    made.ir_version = 0


def version_of_the_format_to_come(made: Model) -> None:
    made.ir_version = 10000


def version_of_operators_below_one(made: Model) -> None:
    made.opset_import[0].version = 0


def two_versions_of_operators(made: Model) -> None:
    made.opset_import.append(helper.make_opsetid("ai.onnx", 13))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (second_attribute, "<bytes>: two attributes are called 'alpha', at node 'act'"),
        (
            integer_beside_float,
            "<bytes>: the value of the attribute 'alpha' belongs in f, not in i, at node 'act'",
        ),
        (
            list_beside_float,
            "<bytes>: the value of the attribute 'alpha' belongs in f, not in ints, at node 'act'",
        ),
        (
            attribute_of_another_type,
            "<bytes>: the value of the attribute 'alpha' belongs in ints, not in f, at node 'act'",
        ),
        (
            floats_beside_bytes,
            "<bytes>: the tensor 'w' has elements in float_data and in raw_data",
        ),
        (
            integers_beside_bytes,
            "<bytes>: the tensor 'w' has elements in int32_data and in raw_data",
        ),
        (constant_without_element_type, "<bytes>: the tensor 'w' has no element type"),
        (input_without_element_type, "<bytes>: the input 'x' has no element type"),
        (output_without_element_type, "<bytes>: the output 'y' has no element type"),
        (
            output_of_an_unknown_element_type,
            "<bytes>: the output 'y' has the element type 99, which ONNX does not have",
        ),
        (output_without_a_name, "<bytes>: an output has no name"),
        (two_constants_of_a_name, "<bytes>: two constants are called 'w'"),
        (
            node_that_writes_an_input,
            "<bytes>: the node 'act' writes 'x', an input or constant of its graph",
        ),
        (
            node_that_writes_a_constant,
            "<bytes>: the node 'act' writes 'w', an input or constant of its graph",
        ),
        (
            more_outputs_than_the_operator_has,
            "LeakyRelu: the number of its outputs is 2, which must be 1, at node 'act'",
        ),
        (output_that_is_written_twice, "<bytes>: two of its outputs are called 'a', at node 'act'"),
        (no_version_of_the_format, "<bytes>: the model of ONNX states no version of the format"),
        (
            version_of_the_format_to_come,
            f"<bytes>: the model is of version 10000 of the format; the package onnx knows "
            f"{onnx.IR_VERSION} of them",
        ),
        (
            version_of_operators_below_one,
            "<bytes>: the model states the version 0 of the default domain",
        ),
        (
            two_versions_of_operators,
            "<bytes>: the model states two versions of the default domain: 21 and 13",
        ),
    ],
)
def test_a_message_that_onnx_does_not_allow(change: Callable[[Model], None], message: str) -> None:
    made = base()
    sm.load(made.SerializeToString())
    change(made)
    with pytest.raises(sm.StablemateError) as caught:
        sm.load(made.SerializeToString(), format="onnx")
    assert str(caught.value).splitlines()[0].removeprefix("error: ") == message


def test_a_value_beside_a_reference() -> None:
    made = base()
    made.graph.node[0].attribute[0].ref_attr_name = "slope"
    with pytest.raises(sm.ParseError, match="refers to another one, and has a value in f"):
        sm.load(made.SerializeToString())


def test_an_operator_that_comes_later() -> None:
    nodes = [helper.make_node("Celu", ["x"], ["y"], name="act")]
    made = model(nodes, {"x": [2]}, {"y": [2]})
    made.opset_import[0].version = 11
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.load(made.SerializeToString())
    assert str(caught.value).startswith(
        "there is no operator Celu in version 11 of the default domain, at node 'act'"
    )


def test_an_operator_that_a_function_replaces_takes_no_unknown_attribute() -> None:
    nodes = [helper.make_node("CenterCropPad", ["x", "s"], ["y"], name="n", bogus=1)]
    sizes = numpy_helper.from_array(np.array([2, 2], np.int64), "s")
    with pytest.raises(sm.ParseError, match=r"has no attributes \['bogus'\], at node 'n'"):
        sm.load(model(nodes, {"x": [3, 3]}, {"y": None}, initializers=[sizes]).SerializeToString())


def test_an_output_of_a_branch_of_another_element_type() -> None:
    inner = helper.make_graph(
        [helper.make_node("Neg", ["x"], ["z"], name="neg")], "branch", [],
        [helper.make_tensor_value_info("z", onnx.TensorProto.INT64, [2])],
    )  # fmt: skip
    node = helper.make_node("If", ["c"], ["y"], name="n", then_branch=inner, else_branch=inner)
    made = model([node], {"x": [2]}, {"y": [2]})
    made.graph.input.append(helper.make_tensor_value_info("c", onnx.TensorProto.BOOL, []))
    with pytest.raises(
        sm.StablemateError, match="Neg at node 'neg' gives f32 for 'z', which is declared as i64"
    ):
        sm.load(made.SerializeToString())


def test_types_that_a_function_does_not_take() -> None:
    nodes = [helper.make_node("DynamicQuantizeLinear", ["i"], ["y", "s", "z"], name="n")]
    made = model(nodes, {}, {"s": None})
    made.graph.input.append(helper.make_tensor_value_info("i", onnx.TensorProto.INT32, [2]))
    with pytest.raises(sm.VerifyError, match="DynamicQuantizeLinear at node 'n'"):
        sm.load(made.SerializeToString())


@pytest.mark.parametrize(
    ("operator", "shapes", "attributes", "message"),
    [
        ("AveragePool", {"x": [1, 1, 4, 4]}, {"kernel_shape": [2, 2], "auto_pad": "relu"}, "relu"),
        ("ReduceMax", {"x": [2, 3]}, {"keepdims": 2}, "'keepdims' is 2, which must be one of 0, 1"),
        ("LpNormalization", {"x": [2, 3]}, {"p": 3}, "'p' is 3, which must be one of 1, 2"),
        ("Mod", {"x": [2], "w": [2]}, {"fmod": 2}, "'fmod' is 2, which must be one of 0, 1"),
        ("DepthToSpace", {"x": [1, 4, 2, 2]}, {"blocksize": 2, "mode": "DRC"}, "'DRC'"),
        ("Gelu", {"x": [2]}, {"approximate": "tan"}, "must be one of 'none', 'tanh'"),
        ("RMSNormalization", {"x": [2, 3], "w": [3]}, {"axis": 5}, "no dimension 5 of 2"),
        (
            "Conv",
            {"x": [1, 1, 4, 4], "w": [1, 1, 3, 3]},
            {"kernel_shape": [2, 3]},
            "kernel_shape is [2, 3], and the weights have [3, 3]",
        ),
        (
            "ConvTranspose",
            {"x": [1, 1, 4, 4], "w": [1, 1, 3, 3]},
            {"output_padding": [3, 0]},
            "output_padding is [3, 0]",
        ),
        ("MaxPool", {"x": [1, 1, 9, 9]}, {"kernel_shape": [2, 2], "pads": [2, 0, 0, 0]}, "pads"),
        (
            "AveragePool",
            {"x": [1, 1, 9, 9]},
            {"kernel_shape": [0, 2]},
            "must only contain positive",
        ),
        ("Split", {"x": [6]}, {"num_outputs": 2}, "num_outputs is 2, of 1 outputs"),
        ("LRN", {"x": [1, 3, 2, 2]}, {"size": 3, "alpha": -1.0}, "-1.0"),
        (
            "GroupNormalization",
            {"x": [1, 4, 2, 2], "s": [4], "b": [4]},
            {"num_groups": 3},
            "num_groups is 3, for 4 channels",
        ),
    ],
)
def test_an_attribute_that_is_none_of_its_values(
    operator: str, shapes: dict[str, list[int]], attributes: dict[str, Any], message: str
) -> None:
    node = helper.make_node(operator, list(shapes), ["y"], name="n", **attributes)
    made = model([node], shapes, {"y": None}, version=23)
    with pytest.raises(sm.StablemateError) as caught:
        sm.load(made.SerializeToString())
    assert message in str(caught.value)
    assert "at node 'n'" in str(caught.value)


@pytest.mark.parametrize("attributes", [{}, {"value_float": 1.0, "value_int": 2}])
def test_a_constant_has_one_value(attributes: dict[str, Any]) -> None:
    made = model([helper.make_node("Constant", [], ["y"], name="n", **attributes)], {}, {"y": None})
    with pytest.raises(sm.ParseError, match="attributes state the value, of one"):
        sm.load(made.SerializeToString(), format="onnx")


@pytest.mark.parametrize("operator", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"hidden_size": 5}, "W has the shape"),
        ({"hidden_size": -4}, "W has the shape"),
        ({"r": [1, 4, 3]}, "R has the shape"),
        ({"b": [1, 7]}, "B has the shape"),
        ({"w": [1, 4, 9]}, "W has the shape"),
    ],
)
def test_weights_of_recurrent_layers_that_do_not_fit(
    operator: str, changed: dict[str, Any], message: str
) -> None:
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[operator]
    shapes = {"x": [2, 3, 5], "w": [1, gates * 4, 5], "r": [1, gates * 4, 4], "b": [1, gates * 8]}
    hidden = changed.get("hidden_size", 4)
    weights = {k: v for k, v in changed.items() if k != "hidden_size"}
    weights = {k: [1, v[1] * gates if k in "wr" else v[1], *v[2:]] for k, v in weights.items()}
    node = helper.make_node(operator, list(shapes), ["y"], name="n", hidden_size=hidden)
    sm.load(model([without_size(node)], shapes, {"y": None}).SerializeToString())
    made = model([node], {**shapes, **weights}, {"y": None})
    with pytest.raises(sm.StablemateError) as caught:
        sm.load(made.SerializeToString())
    assert message in str(caught.value)


def without_size(node: Any) -> Any:
    """The node without the number of elements of a state, which its weights have."""
    plain = onnx.NodeProto()
    plain.CopyFrom(node)
    del plain.attribute[:]
    return plain
