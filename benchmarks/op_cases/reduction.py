"""Reductions, windows and batch normalization."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from benchmarks.op_cases.case import Case, Work, comparator, draw, i64s, reducer, square, tensor
from benchmarks.op_cases.movement import matrix, several
from tests.oracle.elements import DTYPES

UFUNCS: Final = {"add": np.add, "maximum": np.maximum, "multiply": np.multiply,
                 "minimum": np.minimum, "and": np.logical_and, "subtract": np.subtract}  # fmt: skip
SUMMED: Final = ("f32", "f64", "bf16", "f8E4M3FN", "i4", "i8", "i32", "complex<f32>", "i1")


def reduce(name: str, element: str, dimensions: Sequence[int], n: int) -> Work:
    """A matrix over some dimensions."""
    x = matrix(element, n)
    kept = [size for d, size in enumerate(x.shape) if d not in dimensions]
    formula = UFUNCS[name]
    return Work(
        [x, np.zeros((), DTYPES[element])],
        [tensor(element, *kept)],
        f"dimensions = {i64s(*dimensions)}",
        [reducer(name, element)],
        numpy=lambda x, _: folded(formula, x, dimensions),
    )


def folded(formula: Any, x: Any, dimensions: Sequence[int]) -> Any:
    """A reduction that stays in the type; by accumulating where NumPy cannot reduce."""
    return (
        formula.reduce(x, axis=tuple(dimensions))
        if formula is not np.subtract
        else formula.reduce(x, axis=dimensions[0])
    )


def argmax(element: str, n: int) -> Work:
    """The largest element of every row and where it is, as JAX computes it."""
    x = matrix(element, n)
    rows, columns = x.shape
    indices = np.broadcast_to(np.arange(columns, dtype=np.int32), x.shape).copy()
    scalar, index, truth = tensor(element), tensor("i32"), tensor("i1")
    pairs = {scalar: "(%x, %y)", index: "(%i, %j)"}

    def compared(name: str, kind: str, direction: str) -> str:
        return (
            f'  {name} = "stablehlo.compare"{pairs[kind]} <{{comparison_direction = '
            f"#stablehlo<comparison_direction {direction}>}}> : ({kind}, {kind}) -> {truth}\n"
        )

    region = (
        f"{{\n^bb0(%x: {scalar}, %i: {index}, %y: {scalar}, %j: {index}):\n"
        + compared("%gt", scalar, "GT")
        + compared("%eq", scalar, "EQ")
        + compared("%lt", index, "LT")
        + f'  %and = "stablehlo.and"(%eq, %lt) : ({truth}, {truth}) -> {truth}\n'
        f'  %or = "stablehlo.or"(%gt, %and) : ({truth}, {truth}) -> {truth}\n'
        f'  %0 = "stablehlo.select"(%gt, %x, %y) : ({truth}, {scalar}, {scalar}) -> {scalar}\n'
        f'  %1 = "stablehlo.select"(%or, %i, %j) : ({truth}, {index}, {index}) -> {index}\n'
        f'  "stablehlo.return"(%0, %1) : ({scalar}, {index}) -> ()\n}}'
    )
    lowest = np.full((), -9, DTYPES[element])
    return Work(
        [x, indices, lowest, np.zeros((), np.int32)],
        [tensor(element, rows), tensor("i32", rows)],
        f"dimensions = {i64s(1)}",
        [region],
        numpy=lambda x, *_: (np.max(x, 1), np.argmax(x, 1)),
    )


def reduce_window(name: str, element: str, n: int) -> Work:
    """Windows of 3x3, padded, with stride 2."""
    x = matrix(element, n)
    counts = [(size + 2 - 3) // 2 + 1 for size in x.shape]
    formula = UFUNCS[name]

    def numpy(x: Any, _: Any) -> Any:
        windows = sliding_window_view(np.pad(x, 1), (3, 3))[::2, ::2]
        return formula.reduce(windows, axis=(2, 3)) if name != "subtract" else windows[..., 0, 0]

    return Work(
        [x, np.zeros((), DTYPES[element])],
        [tensor(element, *counts)],
        f"window_dimensions = {i64s(3, 3)}, window_strides = {i64s(2, 2)}, "
        "padding = dense<1> : tensor<2x2xi64>",
        [reducer(name, element)],
        numpy=numpy if name != "subtract" else None,
    )


def dilated_window(element: str, n: int) -> Work:
    """Windows of 5x5 with holes over an input with holes, with stride 3."""
    x = matrix(element, n // 4)
    wide = 2 * x.shape[0] - 1
    counts = [(wide - 9) // 3 + 1] * 2

    def numpy(x: Any, _: Any) -> Any:
        array = np.zeros((wide, wide), x.dtype)
        array[::2, ::2] = x
        windows = sliding_window_view(array, (9, 9))[::3, ::3, ::2, ::2]
        return np.add.reduce(windows, axis=(2, 3))

    return Work(
        [x, np.zeros((), DTYPES[element])],
        [tensor(element, *counts)],
        f"window_dimensions = {i64s(5, 5)}, window_strides = {i64s(3, 3)}, "
        f"base_dilations = {i64s(2, 2)}, window_dilations = {i64s(2, 2)}",
        [reducer("add", element)],
        numpy=numpy,
    )


def cumulative(name: str, element: str, n: int) -> Work:
    """Prefixes of a vector: a window as long as it, padded in front."""
    formula = UFUNCS[name]
    return Work(
        [draw(element, n), np.zeros((), DTYPES[element])],
        [tensor(element, n)],
        f"window_dimensions = {i64s(n)}, padding = dense<[[{n - 1}, 0]]> : tensor<1x2xi64>",
        [reducer(name, element)],
        numpy=lambda x, _: formula.accumulate(x),
    )


def select_and_scatter(element: str, n: int) -> Work:
    """The gradient of a maximum over windows of 2x2."""
    x = draw(element, 2 * (square(n) // 2), 2 * (square(n) // 2))
    rows, columns = (size // 2 for size in x.shape)
    source = draw(element, rows, columns, seed=1)

    def numpy(x: Any, source: Any, _: Any) -> Any:
        blocks = x.reshape(rows, 2, columns, 2).swapaxes(1, 2).reshape(rows, columns, 4)
        array = np.zeros(blocks.shape, x.dtype)
        np.put_along_axis(array, np.argmax(blocks, -1)[..., None], source[..., None], -1)
        return array.reshape(rows, columns, 2, 2).swapaxes(1, 2).reshape(x.shape)

    return Work(
        [x, source, np.zeros((), DTYPES[element])],
        [tensor(element, *x.shape)],
        f"window_dimensions = {i64s(2, 2)}, window_strides = {i64s(2, 2)}",
        [comparator(element, direction="GE"), reducer("add", element)],
        numpy=numpy,
    )


def overlapping(element: str, n: int) -> Work:
    """The gradient of a maximum over windows of 3x3 with stride 2, padded."""
    x = matrix(element, n)
    counts = [(size + 2 - 3) // 2 + 1 for size in x.shape]
    source = draw(element, *counts, seed=1)

    def numpy(x: Any, source: Any, _: Any) -> Any:
        wide = np.pad(x, 1, constant_values=-9)
        windows = sliding_window_view(wide, (3, 3))[::2, ::2].reshape(*counts, 9)
        argmax_result = np.argmax(windows, -1)
        i, j = np.indices(counts)
        array = np.zeros(wide.shape, x.dtype)
        np.add.at(array, (2 * i + argmax_result // 3, 2 * j + argmax_result % 3), source)
        return array[1:-1, 1:-1]

    return Work(
        [x, source, np.zeros((), DTYPES[element])],
        [tensor(element, *x.shape)],
        f"window_dimensions = {i64s(3, 3)}, window_strides = {i64s(2, 2)}, "
        "padding = dense<1> : tensor<2x2xi64>",
        [comparator(element, direction="GE"), reducer("add", element)],
        numpy=numpy,
    )


def mapped(element: str, n: int) -> Work:
    """The deprecated map."""
    return Work(
        [draw(element, n), draw(element, n, seed=1)],
        [tensor(element, n)],
        f"dimensions = {i64s(0)}",
        [reducer("multiply", element)],
        numpy=np.multiply,
    )


ATTRIBUTES: Final = "epsilon = 0.001 : f32, feature_index = 1 : i64"


def features(element: str, n: int) -> tuple[Any, Any]:
    """A matrix with few features, and a vector of as many."""
    return draw(element, n // 4, 4), draw(element, 4, low=0.5)


def batch_norm_inference(element: str, n: int) -> Work:
    """With given statistics."""
    x, v = features(element, n)
    return Work(
        [x, v, v, v, v],
        [tensor(element, *x.shape)],
        ATTRIBUTES,
        numpy=lambda x, a, b, c, d: (x - c) / np.sqrt(d + x.dtype.type(0.001)) * a + b,
    )


def batch_norm_training(element: str, n: int) -> Work:
    """With statistics of the batch."""
    x, v = features(element, n)

    def numpy(x: Any, a: Any, b: Any) -> Any:
        mean, variance = np.mean(x, 0), np.var(x, 0)
        return (x - mean) / np.sqrt(variance + x.dtype.type(0.001)) * a + b, mean, variance

    vector = tensor(element, 4)
    return Work([x, v, v], [tensor(element, *x.shape), vector, vector], ATTRIBUTES, numpy=numpy)


def batch_norm_grad(element: str, n: int) -> Work:
    """The gradient."""
    x, v = features(element, n)

    def numpy(x: Any, scale: Any, mean: Any, variance: Any, dy: Any) -> Any:
        s = np.sqrt(variance + x.dtype.type(0.001))
        d = (x - mean) / s
        rows = x.dtype.type(len(x))
        dscale, doffset = np.sum(dy * d, 0), np.sum(dy, 0)
        return scale / s / rows * (rows * dy - doffset - d * dscale), dscale, doffset

    vector = tensor(element, 4)
    results = [tensor(element, *x.shape), vector, vector]
    return Work([x, v, v, v, x], results, ATTRIBUTES, numpy=numpy)


CASES: Final[tuple[Case, ...]] = (
    *several("reduce", lambda e, n: reduce("add", e, [0, 1], n), *SUMMED, kind="add, all"),
    *several("reduce", lambda e, n: reduce("add", e, [0], n), *SUMMED, kind="add, columns"),
    *several("reduce", lambda e, n: reduce("add", e, [1], n), *SUMMED, kind="add, rows"),
    *several("reduce", lambda e, n: reduce("maximum", e, [1], n), *SUMMED, kind="maximum"),
    *several(
        "reduce", lambda e, n: reduce("multiply", e, [1], n), "f32", "bf16", "i32", kind="multiply"
    ),
    *several("reduce", lambda e, n: reduce("subtract", e, [0], n), "f32", "i32", kind="subtract"),
    *several("reduce", argmax, "f32", "bf16", "i32", kind="argmax"),
    *several("reduce_window", lambda e, n: reduce_window("add", e, n), *SUMMED, kind="add 3x3"),
    *several(
        "reduce_window", lambda e, n: reduce_window("maximum", e, n), *SUMMED, kind="maximum 3x3"
    ),
    *several(
        "reduce_window", lambda e, n: reduce_window("subtract", e, n), "f32", kind="subtract 3x3"
    ),
    *several("reduce_window", dilated_window, "f32", "i32", kind="dilated"),
    *several(
        "reduce_window",
        lambda e, n: cumulative("add", e, n),
        "f32",
        "bf16",
        "i32",
        "i4",
        kind="cumulative add",
    ),
    *several(
        "reduce_window",
        lambda e, n: cumulative("maximum", e, n),
        "f32",
        "i32",
        kind="cumulative maximum",
    ),
    *several("select_and_scatter", select_and_scatter, "f32", "bf16", "i32", "i4", kind="2x2"),
    *several("select_and_scatter", overlapping, "f32", "bf16", "i32", kind="3x3"),
    *several("map", mapped, "f32", "bf16", "i32"),
    *several("batch_norm_inference", batch_norm_inference, "f32", "f64", "bf16", "f8E4M3FN"),
    *several("batch_norm_training", batch_norm_training, "f32", "f64", "bf16", "f8E4M3FN"),
    *several("batch_norm_grad", batch_norm_grad, "f32", "f64", "bf16", "f8E4M3FN"),
)
