"""Models of ONNX as programs: sizes, constants, functions, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablemate as sm
import stablemate.onnx as ort

pytest.importorskip("onnx")
import onnx
from onnx import helper

from stablemate.frontends.onnx.element_types import DATA_TYPES, STRING
from stablemate.frontends.onnx.onnx_package import read_model, read_tensor
from tests.frontends.onnx.models import model


def test_shapes_that_a_graph_computes_are_sizes() -> None:
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Split", ["s"], ["n", "c", "d"], num_outputs=3),
        helper.make_node("Constant", [], ["rest"], value_ints=[-1]),
        helper.make_node("Concat", ["n", "rest"], ["to"], axis=0),
        helper.make_node("Reshape", ["x", "to"], ["y"]),
    ]
    module = sm.load(model(nodes, {"x": ["batch", 4, "n"]}, {"y": None}).SerializeToString())
    x = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
    np.testing.assert_array_equal(module.run(x), x.reshape(2, 12))
    signature = module.entry(None).own_signature
    assert str(signature) == "main(x: tensor<?x4x?xf32>) -> (tensor<?x?xf32>)"


def test_unknown_operators_are_listed_all_at_once() -> None:
    nodes = [
        helper.make_node("Spin", ["x"], ["a"], name="first", domain="wheels"),
        helper.make_node("Spin", ["a"], ["b"], name="second", domain="wheels"),
        helper.make_node("ImageDecoder", ["b"], ["y"], name="third"),
    ]
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.load(model(nodes, {"x": [2]}, {"y": None}).SerializeToString())
    assert str(caught.value).splitlines() == [
        "no translation of the operator Spin in version 1 of wheels, at node 'first' and 1 other",
        "no translation of the operator ImageDecoder in version 21 of the default domain, at "
        "node 'third'",
        "note: <bytes> was read as a model of ONNX",
    ]


@pytest.mark.parametrize("axes", [None, []])
def test_reductions_without_axes_reduce_all(axes: list[int] | None) -> None:
    node = helper.make_node("ReduceMax", ["x"], ["y"], keepdims=0)
    if axes is not None:
        node.attribute.append(onnx.AttributeProto(name="axes", type=onnx.AttributeProto.INTS))
    module = sm.load(model([node], {"x": [2, 3]}, {"y": []}, version=13).SerializeToString())
    assert module.run(np.arange(6, dtype=np.float32).reshape(2, 3)) == 5


def test_fractions_are_true() -> None:
    nodes = [helper.make_node("Cast", ["x"], ["b"], to=9), helper.make_node("Not", ["b"], ["y"])]
    made = model(nodes, {"x": [3]}, {"y": [3]})
    made.graph.output[0].type.tensor_type.elem_type = 9
    x = np.array([0.25, 0, -0.5], np.float32)
    assert sm.load(made.SerializeToString()).run(x).tolist() == [False, True, False]


def test_sizes_that_are_gathered_and_divided() -> None:
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        *[helper.make_node("Constant", [], [f"c{i}"], value_int=i) for i in range(3)],
        *[helper.make_node("Gather", ["s", f"c{i}"], [f"n{i}"]) for i in range(2)],
        helper.make_node("Div", ["n1", "c2"], ["half"]),
        helper.make_node("Constant", [], ["zero"], value_ints=[0]),
        *[
            helper.make_node("Unsqueeze", [name, "zero"], [f"{name}_"])
            for name in ("n0", "c2", "half")
        ],
        helper.make_node("Concat", ["n0_", "c2_", "half_"], ["to"], axis=0),
        helper.make_node("Reshape", ["x", "to"], ["y"]),
    ]
    for sizes in (["batch", 4], ["batch", "width"]):
        module = sm.load(model(nodes, {"x": sizes}, {"y": None}).SerializeToString())
        x = np.arange(12, dtype=np.float32).reshape(3, 4)
        np.testing.assert_array_equal(module.run(x), x.reshape(3, 2, 2))


def test_weights_are_arguments_by_name(tmp_path) -> None:
    weight = onnx.numpy_helper.from_array(np.ones((3, 2), np.float32), "fc.weight")
    flat = onnx.numpy_helper.from_array(np.array([-1, 3]), "shape")
    nodes = [helper.make_node("Reshape", ["x", "shape"], ["rows"]),
             helper.make_node("MatMul", ["rows", "fc.weight"], ["y"])]  # fmt: skip
    made = model(nodes, {"x": [6]}, {"y": [2, 2]}, initializers=[weight, flat])
    (tmp_path / "model.onnx").write_bytes(made.SerializeToString())
    module = sm.load(tmp_path / "model.onnx").with_weights_as_arguments()
    assert list(module.weights) == ["fc.weight"]
    x = np.arange(6, dtype=np.float32)
    y = module.run(x, module.weights["fc.weight"] * 2)
    assert y.tolist() == [[6.0, 6.0], [24.0, 24.0]]


def test_profiles_are_trace_events(tmp_path) -> None:
    options = ort.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "profile")
    made = model([helper.make_node("Relu", ["x"], ["y"])], {"x": [4]}, {"y": [4]})
    session = ort.InferenceSession(made.SerializeToString(), options)
    session.run(None, {"x": np.ones(4, np.float32)})
    events = json.loads(Path(session.end_profiling()).read_text())
    assert [event["name"] for event in events] == ["model_run", "stablehlo.maximum"]
    assert all(event["ph"] == "X" and event["dur"] >= 0 for event in events)


def test_sizes_that_may_not_fit_make_a_program_for_known_ones() -> None:
    one, rest = (
        onnx.numpy_helper.from_array(np.array([number]), name)
        for name, number in (("one", 1), ("rest", -1))
    )
    nodes = [
        helper.make_node("Shape", ["x"], ["n"]),
        helper.make_node("Sub", ["n", "one"], ["less"]),
        helper.make_node("Concat", ["rest", "less"], ["to"], axis=0),
        helper.make_node("Reshape", ["y", "to"], ["z"]),
    ]
    made = model(nodes, {"x": ["n"], "y": ["m"]}, {"z": None}, initializers=[one, rest])
    session = ort.InferenceSession(made.SerializeToString())
    y = np.arange(6, dtype=np.float32)
    (z,) = session.run(None, {"x": np.ones(4, np.float32), "y": y})
    np.testing.assert_array_equal(z, y.reshape(2, 3))


def test_sizes_of_resized_images_are_rounded_as_factors_of_32_bits() -> None:
    factors = onnx.numpy_helper.from_array(np.float32([1, 1, 10 / 62, 12 / 78]), "factors")
    node = helper.make_node("Resize", ["x", "", "factors"], ["y"], mode="linear")
    made = model([node], {"x": [1, 1, 62, 78]}, {"y": [1, 1, 10, 12]}, initializers=[factors])
    assert sm.load(made.SerializeToString()).run(np.ones((1, 1, 62, 78), np.float32)).shape == (
        1, 1, 10, 12,
    )  # fmt: skip


def test_as_many_of_the_largest_as_there_are() -> None:
    """What PyTorch writes for the smaller of a number and of a count that depends on values."""
    limit = helper.make_tensor("limit", onnx.TensorProto.FLOAT, [], [0.5])
    most = helper.make_tensor("most", onnx.TensorProto.INT64, [1], [3])
    nodes = [
        helper.make_node("Greater", ["x", "limit"], ["mask"]),
        helper.make_node("Compress", ["x", "mask"], ["kept"], axis=0),
        helper.make_node("Shape", ["kept"], ["count"]),
        helper.make_node("Concat", ["count", "most"], ["both"], axis=0),
        helper.make_node("Cast", ["both"], ["floats"], to=onnx.TensorProto.FLOAT),
        helper.make_node("ReduceMin", ["floats"], ["smaller"], axes=[0], keepdims=1),
        helper.make_node("Cast", ["smaller"], ["k"], to=onnx.TensorProto.INT64),
        helper.make_node("TopK", ["kept", "k"], ["y", "i"], axis=0),
    ]
    made = model(nodes, {"x": [5]}, {"y": None}, version=10, initializers=[limit, most])
    module = sm.load(made.SerializeToString())
    for x, expected in (
        ([0.6, 0.1, 0.9, 0.7, 0.8], [0.9, 0.8, 0.7]),
        ([0.6, 0.1, 0.2, 0.7, 0.3], [0.7, 0.6]),
        ([0, 0, 0, 0, 0], []),
    ):
        result = module.run(np.array(x, np.float32))
        np.testing.assert_array_equal(result, np.array(expected, np.float32))


def test_maxima_of_regions() -> None:
    """Corners are rounded to elements, which belong to the region; bins share elements."""
    node = helper.make_node("MaxRoiPool", ["x", "rois"], ["y"], pooled_shape=[2, 2])
    made = model([node], {"x": [2, 1, 4, 5], "rois": ["n", 5]}, {"y": ["n", 1, 2, 2]})
    x = np.arange(40, dtype=np.float32).reshape(2, 1, 4, 5) - 20
    rois = np.array(
        [
            [1, 1, 0, 3, 2],  # rows 0 to 2 and columns 1 to 3: bins of 1.5 elements
            [0, 0.5, 0.4, 1.4, 1.4],  # half away from zero: rows 0 and 1, column 1
            [0, 3, 2, 8, 7],  # the last bin of each dimension is outside of the image
        ],
        np.float32,
    )
    result = sm.load(made.SerializeToString()).run(x, rois)
    image = x[:, 0]
    np.testing.assert_array_equal(
        result[:, 0],
        [
            [[image[1, 1, 2], image[1, 1, 3]], [image[1, 2, 2], image[1, 2, 3]]],
            [[image[0, 0, 1], image[0, 0, 1]], [image[0, 1, 1], image[0, 1, 1]]],
            [[image[0, 3, 4], 0], [0, 0]],
        ],
    )


def test_sizes_are_larger_where_windows_do_not_fit_into_small_ones() -> None:
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"], name="frames", strides=[10])]
    filters = onnx.numpy_helper.from_array(np.full((2, 1, 100), 0.5, np.float32), "w")
    module = sm.load(
        model(nodes, {"x": [1, 1, "samples"]}, {"y": [1, 2, None]}, initializers=[filters])
        .SerializeToString()
    )  # fmt: skip
    result = module.run(np.ones((1, 1, 310), np.float32))
    np.testing.assert_array_equal(result, np.full((1, 2, 22), 50))


def typed_tensor(number: int) -> Any:
    """A tensor of an element type, whose elements are not raw."""
    values = np.array([0, 1, 1, 0, 1]) if number >= 23 else np.arange(5)
    if number in (14, 15):
        values = values + 2j
    return helper.make_tensor("t", number, [5], values.tolist())


KINDS = [n for n in DATA_TYPES if n in onnx.TensorProto.DataType.values() and n != STRING]


@pytest.mark.parametrize("number", KINDS)
def test_elements_that_are_not_raw(number: int) -> None:
    """Source: onnx.numpy_helper."""
    tensor = typed_tensor(number)
    assert not tensor.HasField("raw_data")
    expected = onnx.numpy_helper.to_array(tensor)
    read = read_tensor(tensor.SerializeToString(), "t")
    assert read.shape == (5,)
    assert read.astype(expected.dtype).tobytes() == expected.tobytes()


@pytest.mark.parametrize("padding", range(4))
def test_large_tensors_are_views_of_the_file_at_any_place(padding: int) -> None:
    """A message puts them anywhere, also where no address of floats is."""
    weights = np.arange(1 << 15, dtype=np.float32)
    stored = onnx.numpy_helper.from_array(weights, "w" * (padding + 1))
    node = helper.make_node("Add", ["x", stored.name], ["y"])
    shapes = {"x": [1 << 15]}, {"y": [1 << 15]}
    content = model([node], *shapes, initializers=[stored]).SerializeToString()
    read = read_model(content, "model", None).graph.initializers[stored.name].read()
    assert np.shares_memory(read, np.frombuffer(content, np.uint8))
    loaded = sm.load(content)
    bias = onnx.numpy_helper.from_array(weights[:4], "b")
    small = model([node], *shapes, initializers=[stored, bias]).SerializeToString()
    read = read_model(small, "model", None).graph.initializers["b"].read()
    assert not np.shares_memory(read, np.frombuffer(small, np.uint8))  # a view holds all of it
    for backend in ("cpu", "interpreter"):
        np.testing.assert_array_equal(loaded.run(weights, backend=backend), 2 * weights)
