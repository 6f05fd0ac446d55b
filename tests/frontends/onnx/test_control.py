"""Recurrent layers, branches, loops and scans, beside ONNX Runtime."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.onnx import InferenceSession

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")
helper, numpy_helper = onnx.helper, onnx.numpy_helper
DRAW = np.random.default_rng(5)
TYPES = {
    "float32": onnx.TensorProto.FLOAT,
    "int32": onnx.TensorProto.INT32,
    "int64": onnx.TensorProto.INT64,
    "bool": onnx.TensorProto.BOOL,
}


def info(name, element="float32", shape=None):
    """A declared value."""
    return helper.make_tensor_value_info(name, TYPES[element], shape)


def floats(*shape):
    """Random floats."""
    return DRAW.normal(size=shape).astype(np.float32)


def compare_with_runtime(nodes, feeds, outputs, *, version=21, initializers=(), open_sizes=False):
    """Compares a graph with what ONNX Runtime computes."""
    inputs = [
        info(name, str(value.dtype), [None] * value.ndim if open_sizes else value.shape)
        for name, value in feeds.items()
    ]
    results = [info(name, element) for name, element in outputs.items()]
    tensors = [numpy_helper.from_array(value, name) for name, value in dict(initializers).items()]
    graph = helper.make_graph(nodes, "graph", inputs, results, tensors)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", version)], ir_version=10
    )
    content = model.SerializeToString()
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    judge = runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    found = InferenceSession(content).run(None, feeds)
    for mine, expected in zip(found, judge.run(None, feeds), strict=True):
        assert mine.dtype == expected.dtype
        np.testing.assert_allclose(mine, expected, rtol=1e-4, atol=1e-5)


GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
STATES = {"RNN": 1, "GRU": 1, "LSTM": 2}


@pytest.mark.parametrize("lengths", [False, True])
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("operator", GATES)
def test_recurrent_layers(operator: str, direction: str, lengths: bool) -> None:
    directions, hidden, steps, batch, size = 1 + (direction == "bidirectional"), 5, 6, 3, 4
    rows = GATES[operator] * hidden
    feeds = {
        "x": floats(steps, batch, size),
        "w": floats(directions, rows, size),
        "r": floats(directions, rows, hidden),
        "b": floats(directions, 2 * rows),
    }
    if lengths:
        feeds["n"] = np.array([6, 1, 4], np.int32)
    names = ["x", "w", "r", "b", "n" if lengths else ""]
    for state in ("h", "c")[: STATES[operator]]:
        feeds[state] = floats(directions, batch, hidden)
        names.append(state)
    outputs = ["y", "y_h", "y_c"][: 1 + STATES[operator]]
    node = helper.make_node(operator, names, outputs, hidden_size=hidden, direction=direction)
    compare_with_runtime([node], feeds, dict.fromkeys(outputs, "float32"))


@pytest.mark.parametrize(
    ("operator", "attributes"),
    [
        ("RNN", {"activations": ["Relu"], "clip": 0.5}),
        ("RNN", {"activations": ["Affine"], "activation_alpha": [0.5], "activation_beta": [0.1]}),
        ("RNN", {"activations": ["ScaledTanh"], "activation_alpha": [2.0],
                 "activation_beta": [0.3]}),
        ("GRU", {"linear_before_reset": 1}),
        ("GRU", {"activations": ["HardSigmoid", "Softsign"], "activation_alpha": [0.3],
                 "activation_beta": [0.4]}),
        ("LSTM", {"input_forget": 1}),
        ("LSTM", {"clip": 0.7}),
        ("LSTM", {"activations": ["Sigmoid", "LeakyRelu", "Elu"],
                  "activation_alpha": [0.1, 0.7]}),
    ],
)  # fmt: skip
def test_attributes_of_recurrent_layers(operator: str, attributes: dict[str, object]) -> None:
    hidden, rows = 4, GATES[operator] * 4
    feeds = {"x": floats(5, 2, 3), "w": floats(1, rows, 3), "r": floats(1, rows, hidden)}
    feeds["b"] = floats(1, 2 * rows)
    node = helper.make_node(
        operator, ["x", "w", "r", "b"], ["y", "h"], hidden_size=hidden, **attributes
    )
    compare_with_runtime([node], feeds, {"y": "float32", "h": "float32"}, open_sizes=True)


def test_peepholes_of_an_lstm() -> None:
    feeds = {"x": floats(5, 2, 3), "w": floats(1, 16, 3), "r": floats(1, 16, 4)}
    feeds["p"] = floats(1, 12)
    node = helper.make_node("LSTM", ["x", "w", "r", "", "", "", "", "p"], ["y"], hidden_size=4)
    compare_with_runtime([node], feeds, {"y": "float32"})


def test_what_is_wrong_with_a_recurrent_layer_is_said() -> None:
    nodes = [helper.make_node("RNN", ["x", "w", "r"], ["y"], activations=["Sine"])]
    feeds = {"x": floats(5, 2, 3), "w": floats(1, 4, 3), "r": floats(1, 4, 4)}
    with pytest.raises(sm.UnsupportedError, match="RNN: 'Sine' is no activation"):
        compare_loaded(nodes, feeds)


def compare_loaded(nodes, feeds):
    """Runs a graph of one output here."""
    inputs = [info(name, str(value.dtype), value.shape) for name, value in feeds.items()]
    graph = helper.make_graph(nodes, "graph", inputs, [info("y")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])
    return InferenceSession(model.SerializeToString()).run(None, feeds)


def branch(nodes, *outputs):
    """A graph without inputs."""
    return helper.make_graph(nodes, "branch", [], [info(name) for name in outputs])


@pytest.mark.parametrize("condition", [True, False])
def test_branches_of_one_type_depend_on_a_value(condition: bool) -> None:
    node = helper.make_node(
        "If", ["c"], ["y", "z"],
        then_branch=branch([helper.make_node("Exp", ["x"], ["a"]),
                            helper.make_node("Neg", ["x"], ["b"])], "a", "b"),
        else_branch=branch([helper.make_node("Abs", ["x"], ["d"]),
                            helper.make_node("Add", ["x", "d"], ["e"])], "d", "e"),
    )  # fmt: skip
    feeds = {"c": np.array(condition), "x": floats(2, 3)}
    compare_with_runtime([node], feeds, {"y": "float32", "z": "float32"})


@pytest.mark.parametrize("condition", [True, False])
def test_branches_of_two_shapes_are_chosen_by_the_input(condition: bool) -> None:
    node = helper.make_node(
        "If", ["c"], ["y"],
        then_branch=branch([helper.make_node("Transpose", ["x"], ["a"], perm=[1, 0])], "a"),
        else_branch=branch([helper.make_node("Identity", ["x"], ["b"])], "b"),
    )  # fmt: skip
    feeds = {"c": np.array(condition), "x": floats(2, 3)}
    compare_with_runtime([node], feeds, {"y": "float32"})


def loop_of(body_nodes, outputs, names=("s",), *, condition="c_in", shapes=None):
    """A loop's body: its state has the names with ``_in`` and what it gives the outputs."""
    inputs = [info("i", "int64", []), info("c_in", "bool", [])]
    inputs += [info(f"{name}_in", "float32", (shapes or {}).get(name)) for name in names]
    return helper.make_graph(
        body_nodes, "body", inputs, [info(condition, "bool"), *[info(name) for name in outputs]]
    )


@pytest.mark.parametrize("count", [0, 1, 5])
def test_loops_of_a_number_of_steps_stack_what_steps_give(count: int) -> None:
    body = loop_of(
        [helper.make_node("Add", ["s_in", "x"], ["s"]), helper.make_node("Exp", ["s"], ["t"])],
        ["s", "t"], shapes={"s": [3]},
    )  # fmt: skip
    node = helper.make_node("Loop", ["n", "", "x"], ["y", "z"], body=body)
    feeds = {"n": np.array(count), "x": floats(3)}
    compare_with_runtime([node], feeds, {"y": "float32", "z": "float32"})


def test_loops_end_by_a_condition() -> None:
    nodes = [
        helper.make_node("Add", ["s_in", "s_in"], ["s"]),
        helper.make_node("ReduceSum", ["s"], ["total"], keepdims=0),
        helper.make_node("Less", ["total", "limit"], ["c"]),
        helper.make_node("Neg", ["s"], ["t"]),
    ]
    body = loop_of(nodes, ["s", "t"], condition="c", shapes={"s": [2]})
    node = helper.make_node("Loop", ["n", "go", "x"], ["y", "z"], body=body)
    for limit in (0.0, 100.0, 1e30):
        feeds = {
            "n": np.array(9), "go": np.array(True), "x": np.array([1, 2], np.float32),
            "limit": np.array(limit, np.float32),
        }  # fmt: skip
        compare_with_runtime([node], feeds, {"y": "float32", "z": "float32"})


def test_loops_whose_values_grow_are_unrolled() -> None:
    body = loop_of([helper.make_node("Concat", ["s_in", "x"], ["s"], axis=0)], ["s"])
    node = helper.make_node("Loop", ["n", "", "x"], ["y"], body=body)
    feeds = {"n": np.array(4), "x": floats(2)}
    compare_with_runtime([node], feeds, {"y": "float32"}, open_sizes=True)


def test_loops_of_too_many_steps_are_refused_before_the_first_one() -> None:
    # A second step would be refused for the index that it takes.
    nodes = [
        helper.make_node("Gather", ["x", "i"], ["one"]),
        helper.make_node("Unsqueeze", ["one", "axes"], ["row"]),
        helper.make_node("Concat", ["s_in", "row"], ["s"], axis=0),
    ]
    around = [
        helper.make_node("Constant", [], ["n"], value_int=1 << 40),
        helper.make_node("Constant", [], ["axes"], value_ints=[0]),
        helper.make_node("Loop", ["n", "", "x"], ["y"], body=loop_of(nodes, ["s"]), name="grow"),
    ]
    with pytest.raises(sm.UnsupportedError, match="has more than 4096 steps, at node 'grow'"):
        compare_loaded(around, {"x": floats(1)})


def test_scans_along_other_dimensions_and_backwards() -> None:
    body = helper.make_graph(
        [
            helper.make_node("Add", ["s_in", "x_in"], ["s"]),
            helper.make_node("Mul", ["s", "w_in"], ["t"]),
        ],
        "body",
        [info("s_in", shape=[2]), info("x_in", shape=[2]), info("w_in", shape=[2])],
        [info("s"), info("t")],
    )
    node = helper.make_node(
        "Scan", ["a", "x", "w"], ["y", "z"], body=body, num_scan_inputs=2, scan_input_axes=[1, 0],
        scan_input_directions=[1, 0], scan_output_axes=[1], scan_output_directions=[1],
    )  # fmt: skip
    feeds = {"a": floats(2), "x": floats(2, 5), "w": floats(5, 2)}
    compare_with_runtime([node], feeds, {"y": "float32", "z": "float32"})


def test_positions_outside_of_a_sequence_are_refused() -> None:
    nodes = [
        helper.make_node("SequenceConstruct", ["x", "x"], ["s"]),
        helper.make_node("Constant", [], ["p"], value_int=2),
        helper.make_node("SequenceAt", ["s", "p"], ["y"], name="pick"),
    ]
    with pytest.raises(sm.UnsupportedError) as caught:
        compare_loaded(nodes, {"x": floats(2)})
    assert str(caught.value).splitlines()[0] == (
        "SequenceAt: the position 2 is outside of a sequence of 2 items, at node 'pick'"
    )


def test_graphs_that_are_nested_too_deep_are_refused() -> None:
    inner = branch([helper.make_node("Exp", ["x"], ["y0"])], "y0")
    for level in range(1, 20):
        other = branch([helper.make_node("Abs", ["x"], ["a"])], "a")
        node = helper.make_node("If", ["c"], [f"y{level}"], then_branch=inner, else_branch=other)
        inner = branch([node], f"y{level}")
    nodes = [*inner.node, helper.make_node("Neg", ["y19"], ["y"])]
    with pytest.raises(sm.UnsupportedError, match="graphs are nested more than 12 deep"):
        compare_loaded(nodes, {"c": np.array(True), "x": floats(2)})


def test_a_branch_that_does_not_fit_the_sizes_of_a_call() -> None:
    fits = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["a"])], "fits", [], [info("a")]
    )
    other = helper.make_graph(
        [helper.make_node("MatMul", ["x", "v"], ["b"])], "other", [], [info("b")]
    )
    choice = helper.make_node("If", ["c"], ["y"], then_branch=fits, else_branch=other)
    feeds = {"x": floats(2, 3), "c": np.array(True)}
    compare_with_runtime(
        [choice], feeds, {"y": "float32"}, open_sizes=True,
        initializers={"w": floats(3, 4), "v": floats(5, 4)},
    )  # fmt: skip
