"""Sizes that depend on values, as detectors have them, beside ONNX Runtime."""

from __future__ import annotations

import numpy as np
import pytest

from stablemate.onnx import InferenceSession

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")
helper, numpy_helper = onnx.helper, onnx.numpy_helper
FLOAT, INT64, BOOL = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64, onnx.TensorProto.BOOL
INFO = helper.make_tensor_value_info


def model(nodes, inputs, outputs, constants=None, version=17):
    """The bytes of a model."""
    tensors = [numpy_helper.from_array(np.asarray(v), k) for k, v in (constants or {}).items()]
    graph = helper.make_graph(nodes, "graph", inputs, outputs, tensors)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)], ir_version=8)
    return made.SerializeToString()


def compare(content, runs, backend="cpu"):
    """Compares runs with ONNX Runtime's; the session."""
    mine = InferenceSession(content, backend=backend)
    judge = runtime.InferenceSession(content, providers=["CPUExecutionProvider"])
    for feeds in runs:
        pairs = zip(mine.run(None, feeds), judge.run(None, feeds), strict=True)
        for found, expected in pairs:
            assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    return mine


def masked(*counts, size=12):
    """Inputs of which some elements are not zero."""
    draw = np.random.default_rng(7)
    for count in counts:
        x = np.zeros(size, np.float32)
        x[draw.permutation(size)[:count]] = draw.uniform(1, 2, count)
        yield {"x": x}


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_nothing_can_be_selected(backend):
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Transpose", ["places"], ["points"]),
        helper.make_node("GatherND", ["x", "points"], ["chosen"]),
        helper.make_node("Shape", ["chosen"], ["count"]),
        helper.make_node("Min", ["count", "five"], ["k"]),
        helper.make_node("TopK", ["chosen", "k"], ["best", "which"], axis=0),
        helper.make_node("Gather", ["points", "which"], ["y"]),
        helper.make_node("Mul", ["best", "best"], ["z"]),
    ]
    inputs = [INFO("x", FLOAT, [12])]
    outputs = [INFO("y", INT64, None), INFO("z", FLOAT, None)]
    content = model(nodes, inputs, outputs, {"five": np.array([5], np.int64)})
    session = compare(content, masked(7, 0, 3, 1, 12, 2), backend)
    assert len(session.programs.programs) == 1


@pytest.mark.parametrize("most", [0, 2, 100])
def test_boxes_that_overlap_no_better_one(most):
    nodes = [
        helper.make_node(
            "NonMaxSuppression", ["boxes", "scores", "most", "overlap", "least"], ["chosen"]
        ),
        helper.make_node("Slice", ["chosen", "two", "three", "one"], ["column"]),
        helper.make_node("Squeeze", ["column", "one"], ["index"]),
        helper.make_node("Squeeze", ["boxes", "zero"], ["rows"]),
        helper.make_node("Gather", ["rows", "index"], ["y"]),
    ]
    inputs = [INFO("boxes", FLOAT, [1, 30, 4]), INFO("scores", FLOAT, [1, 3, 30])]
    constants = {
        "most": np.array([most], np.int64), "overlap": np.array([0.3], np.float32),
        "least": np.array([0.4], np.float32), "zero": np.array([0], np.int64),
        "one": np.array([1], np.int64), "two": np.array([2], np.int64),
        "three": np.array([3], np.int64),
    }  # fmt: skip
    outputs = [INFO("chosen", INT64, None), INFO("y", FLOAT, None)]
    draw = np.random.default_rng(3)
    runs = []
    for scale in (1.0, 0.8, 0.1):
        corners = draw.uniform(0, 4, (1, 30, 2))
        boxes = np.concatenate([corners, corners + draw.uniform(0.5, 2, (1, 30, 2))], 2)
        scores = scale * draw.uniform(0, 1, (1, 3, 30))
        runs.append({"boxes": boxes.astype(np.float32), "scores": scores.astype(np.float32)})
    compare(model(nodes, inputs, outputs, constants), runs)


def test_a_loop_appends_as_many_rows_as_are_selected():
    body = helper.make_graph(
        [
            helper.make_node("Gather", ["chosen", "i"], ["row"]),
            helper.make_node("Mul", ["row", "row"], ["square"]),
            helper.make_node("Unsqueeze", ["square", "zero"], ["one_row"]),
            helper.make_node("Concat", ["rows", "one_row"], ["more"], axis=0),
            helper.make_node("Identity", ["go"], ["on"]),
        ],
        "body",
        [INFO("i", INT64, []), INFO("go", BOOL, []), INFO("rows", FLOAT, None)],
        [INFO("on", BOOL, []), INFO("more", FLOAT, None)],
    )
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Transpose", ["places"], ["points"]),
        helper.make_node("GatherND", ["x", "points"], ["chosen"]),
        helper.make_node("Shape", ["chosen"], ["sizes"]),
        helper.make_node("Squeeze", ["sizes"], ["count"]),
        helper.make_node("Loop", ["count", "", "none"], ["rows_after"], body=body),
        helper.make_node("Neg", ["rows_after"], ["y"]),
    ]
    constants = {"none": np.zeros(0, np.float32), "zero": np.array([0], np.int64)}
    content = model(nodes, [INFO("x", FLOAT, [12])], [INFO("y", FLOAT, None)], constants)
    session = compare(content, masked(4, 0, 1, 12))
    assert len(session.programs.programs) == 1


def test_branches_have_other_sizes():
    then = helper.make_graph(
        [helper.make_node("Slice", ["x", "zero", "three"], ["a"])],
        "then", [], [INFO("a", FLOAT, None)],
    )  # fmt: skip
    other = helper.make_graph(
        [helper.make_node("Exp", ["x"], ["b"])], "other", [], [INFO("b", FLOAT, None)]
    )
    nodes = [
        helper.make_node("ReduceSum", ["x"], ["total"], keepdims=0),
        helper.make_node("Greater", ["total", "limit"], ["is_large"]),
        helper.make_node("If", ["is_large"], ["part"], then_branch=then, else_branch=other),
        helper.make_node("Sqrt", ["part"], ["y"]),
    ]
    constants = {
        "zero": np.array([0], np.int64), "three": np.array([3], np.int64),
        "limit": np.float32(5),
    }  # fmt: skip
    content = model(nodes, [INFO("x", FLOAT, [12])], [INFO("y", FLOAT, None)], constants)
    compare(content, masked(12, 1, 10))


@pytest.mark.parametrize(("start", "end", "step"), [(9, -10, -2), (-1, -100, -1), (-2, 1, -3)])
def test_slices_backwards_of_what_is_selected(start, end, step):
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Slice", ["places", "start", "end", "axis", "step"], ["y"]),
    ]
    numbers = {"start": start, "end": end, "axis": 1, "step": step}
    constants = {name: np.array([number], np.int64) for name, number in numbers.items()}
    content = model(nodes, [INFO("x", FLOAT, [12])], [INFO("y", INT64, None)], constants)
    compare(content, masked(12, 9, 4, 0, 1))


def test_sizes_that_are_dropped_where_they_are_1_are_known():
    nodes = [
        helper.make_node("Compress", ["x", "c"], ["chosen"]),
        helper.make_node("Squeeze", ["chosen"], ["y"]),
    ]
    inputs = [INFO("x", INT64, [4]), INFO("c", BOOL, [4])]
    x = np.arange(4)
    runs = [{"x": x, "c": np.arange(4) < count} for count in (3, 1, 2)]
    compare(model(nodes, inputs, [INFO("y", INT64, None)]), runs)


def test_a_loop_pastes_images_of_computed_sizes():
    """As Mask R-CNN does: each is resized to its box, and padded to the whole image."""
    body = helper.make_graph(
        [
            helper.make_node("Gather", ["heights", "i"], ["height"]),
            helper.make_node("Add", ["height", "two"], ["width"]),
            helper.make_node("Concat", ["ones", "height", "width"], ["sizes"], axis=0),
            helper.make_node(
                "Resize", ["image", "", "", "sizes"], ["resized"], mode="linear",
                coordinate_transformation_mode="half_pixel",
            ),
            helper.make_node("Sub", ["nine", "height"], ["below"]),
            helper.make_node("Concat", ["below", "three"], ["rest"], axis=0),
            helper.make_node("ConstantOfShape", ["rest"], ["zeros"]),
            helper.make_node("Squeeze", ["resized", "both"], ["plane"]),
            helper.make_node("Slice", ["plane", "zero", "three", "one"], ["part"]),
            helper.make_node("Concat", ["part", "zeros"], ["whole"], axis=0),
            helper.make_node("Unsqueeze", ["whole", "zero"], ["layer"]),
            helper.make_node("Concat", ["layers", "layer"], ["more"], axis=0),
            helper.make_node("Identity", ["go"], ["on"]),
        ],
        "body",
        [INFO("i", INT64, []), INFO("go", BOOL, []), INFO("layers", FLOAT, None)],
        [INFO("on", BOOL, []), INFO("more", FLOAT, None)],
    )  # fmt: skip
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Transpose", ["places"], ["points"]),
        helper.make_node("GatherND", ["x", "points"], ["chosen"]),
        helper.make_node("Floor", ["chosen"], ["whole_heights"]),
        helper.make_node("Cast", ["whole_heights"], ["flat_heights"], to=INT64),
        helper.make_node("Unsqueeze", ["flat_heights", "one"], ["heights"]),
        helper.make_node("Shape", ["chosen"], ["counts"]),
        helper.make_node("Squeeze", ["counts"], ["count"]),
        helper.make_node("Loop", ["count", "", "none"], ["layers_after"], body=body),
        helper.make_node("Neg", ["layers_after"], ["y"]),
    ]
    numbers = {"zero": [0], "one": [1], "two": [2], "three": [3], "nine": [9], "ones": [1, 1]}
    constants = {name: np.array(value, np.int64) for name, value in numbers.items()}
    constants["both"] = np.array([0, 1], np.int64)
    constants["none"] = np.zeros((0, 9, 3), np.float32)
    constants["image"] = np.random.default_rng(2).normal(size=(1, 1, 4, 5)).astype(np.float32)
    content = model(nodes, [INFO("x", FLOAT, [12])], [INFO("y", FLOAT, None)], constants)
    runs = [{"x": 4 * feeds["x"]} for feeds in masked(3, 0, 5)]
    session = compare(content, runs)
    assert len(session.programs.programs) == 1


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("places", ["half_pixel", "align_corners", "pytorch_half_pixel"])
def test_images_of_any_size_are_resized_by_one_program(mode, places):
    nodes = [
        helper.make_node("Shape", ["like"], ["sizes"]),
        helper.make_node(
            "Resize", ["x", "", "", "sizes"], ["y"], mode=mode,
            coordinate_transformation_mode=places,
        ),
        helper.make_node(
            "Resize", ["x", "", "twice"], ["z"], mode=mode, coordinate_transformation_mode=places
        ),
    ]  # fmt: skip
    inputs = [INFO("x", FLOAT, [1, 2, "h", "w"]), INFO("like", FLOAT, [1, 2, "i", "j"])]
    outputs = [INFO("y", FLOAT, None), INFO("z", FLOAT, None)]
    content = model(nodes, inputs, outputs, {"twice": np.array([1, 1, 2, 2], np.float32)})
    draw = np.random.default_rng(4)
    runs = [
        {
            "x": draw.normal(size=(1, 2, *before)).astype(np.float32),
            "like": np.zeros((1, 2, *after), np.float32),
        }
        for before, after in (((4, 5), (8, 7)), ((6, 6), (3, 9)), ((9, 3), (5, 12)))
    ]
    session = compare(content, runs, "interpreter")
    assert not session.programs.is_specialized


def doubling_loop(count):
    """A loop that doubles three floats until they are large; its steps give their sums."""
    nodes = [
        helper.make_node("Mul", ["v", "two"], ["twice"]),
        helper.make_node("ReduceSum", ["twice"], ["sum"], keepdims=0),
        helper.make_node("Less", ["sum", "much"], ["goes_on"]),
        helper.make_node("Identity", ["sum"], ["given"]),
    ]
    inputs = [INFO("step", INT64, []), INFO("went_on", BOOL, []), INFO("v", FLOAT, [3])]
    outputs = [INFO("goes_on", BOOL, []), INFO("twice", FLOAT, [3]), INFO("given", FLOAT, [])]
    body = helper.make_graph(nodes, "body", inputs, outputs)
    loop = helper.make_node("Loop", [count, "first", "x"], ["last", "sums"], body=body)
    return [
        helper.make_node("Less", ["start", "much"], ["first"]), loop,
        helper.make_node("Shape", ["sums"], ["steps"]),
        helper.make_node("Mul", ["sums", "two"], ["y"]),
    ]  # fmt: skip


@pytest.mark.parametrize("count", ["", "any", "three"])
def test_steps_that_only_a_condition_counts_give_values(count):
    inputs = [INFO("x", FLOAT, [3]), INFO("start", FLOAT, [])]
    outputs = [INFO("last", FLOAT, [3]), INFO("y", FLOAT, None), INFO("steps", INT64, [1])]
    constants = {
        "two": np.array(2, np.float32), "much": np.array(100, np.float32),
        "any": np.array(2**63 - 1), "three": np.array(3),
    }  # fmt: skip
    content = model(doubling_loop(count), inputs, outputs, constants)
    runs = [
        {"x": np.full(3, x, np.float32), "start": np.array(start, np.float32)}
        for x, start in ((1, 0), (10, 0), (1000, 0), (1, 1000))
    ]
    session = compare(content, runs)
    assert len(session.programs.programs) == 1


def test_tokens_are_appended_until_all_sequences_ended():
    nodes = [
        helper.make_node("Gather", ["embeddings", "tokens"], ["rows"]),
        helper.make_node("ReduceMean", ["rows"], ["mean"], axes=[1], keepdims=0),
        helper.make_node("MatMul", ["mean", "weights"], ["logits"]),
        helper.make_node("ArgMax", ["logits"], ["next"], axis=1, keepdims=1),
        helper.make_node("Concat", ["tokens", "next"], ["longer"], axis=1),
        helper.make_node("Equal", ["next", "end"], ["ended"]),
        helper.make_node("Cast", ["ended"], ["numbers"], to=INT64),
        helper.make_node("ReduceMin", ["numbers"], ["all"], keepdims=0),
        helper.make_node("Equal", ["all", "zero"], ["goes_on"]),
    ]
    state = [INFO("step", INT64, []), INFO("went_on", BOOL, []), INFO("tokens", INT64, None)]
    body = helper.make_graph(
        nodes, "body", state, [INFO("goes_on", BOOL, []), INFO("longer", INT64, None)]
    )
    draw = np.random.default_rng(2)
    constants = {
        "embeddings": draw.normal(size=(20, 8)).astype(np.float32),
        "weights": draw.normal(size=(8, 20)).astype(np.float32),
        "end": np.array(3), "zero": np.array(0), "most": np.array(12), "true": np.array(True),
    }  # fmt: skip
    loop = helper.make_node("Loop", ["most", "true", "x"], ["y"], body=body)
    content = model([loop], [INFO("x", INT64, ["n", "t"])], [INFO("y", INT64, None)], constants)
    runs = [{"x": draw.integers(0, 20, shape)} for shape in ((2, 3), (3, 4), (2, 3), (2, 6))]
    session = compare(content, runs)
    assert len(session.programs.programs) == 1  # not one for each prompt


@pytest.mark.parametrize("corners", [0, 1])
def test_grids_of_one_affine_map_and_of_several(corners):
    nodes = [
        helper.make_node("Shape", ["x"], ["size"]),
        helper.make_node("AffineGrid", ["maps", "size"], ["grid"], align_corners=corners),
        helper.make_node("GridSample", ["x", "grid"], ["y"], align_corners=corners),
    ]
    inputs = [INFO("maps", FLOAT, ["n", 2, 3]), INFO("x", FLOAT, ["n", 2, "h", "w"])]
    outputs = [INFO("grid", FLOAT, None), INFO("y", FLOAT, None)]
    draw = np.random.default_rng(4)
    runs = [
        {
            "maps": draw.normal(size=(n, 2, 3)).astype(np.float32),
            "x": draw.normal(size=(n, 2, *image)).astype(np.float32),
        }
        for n, image in ((1, (3, 4)), (2, (6, 4)), (3, (2, 5)))
    ]
    compare(model(nodes, inputs, outputs, version=20), runs, "interpreter")
