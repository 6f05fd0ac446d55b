"""Models of 8 bits are products of integers, beside ONNX Runtime."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.onnx import InferenceSession

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")
helper = onnx.helper
DRAW = np.random.default_rng(3)
UINT8, INT8, FLOAT = (onnx.TensorProto.DataType.Value(n) for n in ("UINT8", "INT8", "FLOAT"))


def stored(name, array):
    """An initializer."""
    return onnx.numpy_helper.from_array(np.asarray(array), name)


def model(nodes, inputs, initializers):
    """A model as bytes, whose output is y; inputs are types and shapes by name."""
    declared = [helper.make_tensor_value_info(n, t, s) for n, (t, s) in inputs.items()]
    graph = helper.make_graph(
        nodes, "graph", declared, [onnx.ValueInfoProto(name="y")],
        [stored(n, v) for n, v in initializers.items()],
    )  # fmt: skip
    imports = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString()


def octets(*shape):
    """Random bytes."""
    return DRAW.integers(0, 256, shape).astype(np.uint8)


def weights(*shape):
    """Random weights of 7 bits.

    With those of 8, ONNX Runtime saturates sums of two products on processors without VNNI.
    """
    return DRAW.integers(-63, 64, shape).astype(np.int8)


def scales(count):
    """A scale for each of some channels, or one."""
    return DRAW.uniform(0.001, 0.01, count).astype(np.float32) if count else np.float32(0.01)


X = {"xs": np.float32(0.05), "xz": np.uint8(7)}
NODES = {
    "Conv": helper.make_node("Conv", ["a", "b", "bias"], ["y"], pads=[1, 1, 1, 1]),
    "Conv of three": helper.make_node("Conv", ["a", "b", "bias"], ["y"], pads=[1, 1, 1, 1]),
    "Conv of groups of one": helper.make_node(
        "Conv", ["a", "b", "bias"], ["y"], pads=[1, 1, 1, 1], group=16
    ),
    "Gemm": helper.make_node("Gemm", ["a", "b", "bias"], ["y"], transB=1),
    "MatMul": helper.make_node("MatMul", ["a", "b"], ["y"]),
}  # fmt: skip
SHAPES = {"Conv": ((2, 8, 9, 9), (16, 8, 3, 3), 0),
          "Conv of three": ((2, 3, 9, 9), (16, 3, 3, 3), 0),
          "Conv of groups of one": ((2, 16, 9, 9), (16, 1, 3, 3), 0),
          "Gemm": ((6, 32), (16, 32), 0),
          "MatMul": ((2, 6, 32), (32, 16), 1)}  # fmt: skip


@pytest.mark.parametrize("channels", [0, 16])
@pytest.mark.parametrize("operator", NODES)
def test_dequantized_operands_are_multiplied_as_integers(operator: str, channels: int) -> None:
    shape, kernel, axis = SHAPES[operator]
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "xs", "xz"], ["a"]),
        helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["b"], axis=axis),
        NODES[operator],
    ]
    zeros = np.zeros(channels, np.int8) if channels else np.int8(0)
    content = model(
        nodes, {"x": (UINT8, [None, *shape[1:]])},
        {**X, "w": weights(*kernel), "ws": scales(channels), "wz": zeros,
         "bias": DRAW.normal(size=16).astype(np.float32)},
    )  # fmt: skip
    feeds = {"x": octets(*shape)}
    (expected,) = runtime.InferenceSession(content).run(None, feeds)
    (found,) = InferenceSession(content).run(None, feeds)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3)
    assert "!quant.uniform<i32" in str(sm.load(content))


@pytest.mark.parametrize("kind", [np.int8, np.uint8])
@pytest.mark.parametrize("columns", [0, 16])
def test_zero_points_come_out_of_sums(kind, columns: int) -> None:
    w = DRAW.integers(0, 100, (32, 16)).astype(kind)
    wz = DRAW.integers(0, 9, columns).astype(kind) if columns else kind(3)
    node = helper.make_node("MatMulInteger", ["x", "w", "xz", "wz"], ["y"])
    inputs = {"x": (UINT8, [None, 5, 32]), "xz": (UINT8, [])}
    content = model([node], inputs, {"w": w, "wz": wz})
    feeds = {"x": octets(2, 5, 32), "xz": np.uint8(9)}
    (found,) = InferenceSession(content).run(None, feeds)
    expected = (feeds["x"].astype(np.int32) - 9) @ (w.astype(np.int32) - wz)
    assert found.tolist() == expected.tolist()


def test_sums_of_matrices_that_are_inputs() -> None:
    node = helper.make_node("MatMulInteger", ["a", "b", "p", "q"], ["y"])
    inputs = {"a": (INT8, [4, 8]), "b": (UINT8, [8, 3]), "p": (INT8, [4]), "q": (UINT8, [3])}
    content = model([node], inputs, {})
    a, b, p, q = weights(4, 8), octets(8, 3), weights(4), octets(3)
    (found,) = InferenceSession(content).run(None, {"a": a, "b": b, "p": p, "q": q})
    expected = (a.astype(int) - p[:, None]) @ (b.astype(int) - q)
    assert found.tolist() == expected.tolist()


def test_quantized_convolutions_are_those_of_integers() -> None:
    node = helper.make_node("QLinearConv", ["x", "xs", "xz", "w", "ws", "wz", "ys", "yz", "bias"],
                            ["y"], pads=[1, 1, 1, 1])  # fmt: skip
    content = model(
        [node], {"x": (UINT8, [None, 8, 9, 9])},
        {**X, "w": weights(16, 8, 3, 3), "ws": scales(16), "wz": np.zeros(16, np.int8),
         "ys": np.float32(0.3), "yz": np.uint8(100),
         "bias": DRAW.integers(-999, 999, 16).astype(np.int32)},
    )  # fmt: skip
    feeds = {"x": octets(2, 8, 9, 9)}
    (expected,) = runtime.InferenceSession(content).run(None, feeds)
    (found,) = InferenceSession(content).run(None, feeds)
    assert np.abs(found.astype(int) - expected.astype(int)).max() <= 1
    assert "!quant.uniform<i32" in str(sm.load(content))


@pytest.mark.parametrize("scale", [X["xs"], np.float32(0.07)])
def test_maxima_of_dequantized_numbers_are_those_of_the_numbers(scale) -> None:
    """Numbers that are quantized by the same scale again stay what they are."""
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "xs", "xz"], ["a"]),
        helper.make_node("MaxPool", ["a"], ["b"], kernel_shape=[3, 3], strides=[2, 2],
                         pads=[1, 1, 1, 1]),
        helper.make_node("QuantizeLinear", ["b", "ys", "xz"], ["c"]),
        helper.make_node("DequantizeLinear", ["c", "ys", "xz"], ["y"]),
    ]  # fmt: skip
    content = model(nodes, {"x": (UINT8, [2, 4, 9, 10])}, {**X, "ys": scale})
    feeds = {"x": octets(2, 4, 9, 10)}
    (expected,) = runtime.InferenceSession(content).run(None, feeds)
    session = InferenceSession(content)
    np.testing.assert_array_equal(session.run(None, feeds)[0], expected)
    module = sm.load(content)
    assert ("round_nearest_even" in str(module)) == (scale != X["xs"])
