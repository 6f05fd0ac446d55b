"""Operations that move elements, and those that make them from indices or bits."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from benchmarks.op_cases.case import Case, Work, draw, i64s, reducer, square, tensor
from tests.oracle.elements import DTYPES

ELEMENTS: Final = ("f32", "bf16", "f8E4M3FN", "i4", "i32", "complex<f32>", "i1")
Maker = Callable[[str, int], Work]


def matrix(element: str, n: int) -> Any:
    """A square matrix."""
    return draw(element, square(n), square(n))


def broadcast_in_dim(element: str, n: int) -> Work:
    """A row to a matrix."""
    side = square(n)
    return Work(
        [draw(element, side)],
        [tensor(element, side, side)],
        f"broadcast_dimensions = {i64s(1)}",
        numpy=lambda x: np.broadcast_to(x, (side, side)).copy(),
        steps=side * side,
    )


def concatenate(element: str, n: int) -> Work:
    """Two matrices along the second dimension."""
    x = matrix(element, n // 2)
    rows, columns = x.shape
    return Work(
        [x, x],
        [tensor(element, rows, 2 * columns)],
        "dimension = 1 : i64",
        numpy=lambda x, y: np.concatenate([x, y], 1),
    )


def iota(element: str, n: int) -> Work:
    """Along the second dimension of a matrix."""
    side = square(n)
    dtype = DTYPES[element]
    return Work(
        [],
        [tensor(element, side, side)],
        "iota_dimension = 1 : i64",
        numpy=lambda: np.broadcast_to(np.arange(side).astype(dtype), (side, side)).copy(),
        steps=side * side,
    )


def pad(element: str, n: int) -> Work:
    """With padding inside and outside."""
    x = matrix(element, n)
    side = x.shape[0]
    wide = 2 * side + 1
    return Work(
        [x, draw(element)],
        [tensor(element, wide, wide)],
        f"edge_padding_low = {i64s(1, 1)}, edge_padding_high = {i64s(1, 1)}, "
        f"interior_padding = {i64s(1, 1)}",
        numpy=lambda x, p: padded(x, p, wide),
    )


def padded(x: Any, value: Any, wide: int) -> Any:
    """Every other element, from the second one on."""
    array = np.full((wide, wide), value)
    array[1:-1:2, 1:-1:2] = x
    return array


def reshape(element: str, n: int) -> Work:
    """A matrix to a vector."""
    x = matrix(element, n)
    return Work([x], [tensor(element, x.size)], numpy=lambda x: x.reshape(-1).copy())


def reverse(element: str, n: int) -> Work:
    """Along both dimensions."""
    x = matrix(element, n)
    return Work(
        [x], [tensor(element, *x.shape)], f"dimensions = {i64s(0, 1)}",
        numpy=lambda x: x[::-1, ::-1].copy(),
    )  # fmt: skip


def transpose(element: str, n: int) -> Work:
    """Of a matrix."""
    x = matrix(element, n)
    return Work(
        [x], [tensor(element, *x.shape)], f"permutation = {i64s(1, 0)}",
        numpy=lambda x: x.T.copy(),
    )  # fmt: skip


def slice_(element: str, n: int) -> Work:
    """Every other row and column."""
    x = matrix(element, n)
    rows, columns = x.shape
    return Work(
        [x],
        [tensor(element, -(-rows // 2), -(-columns // 2))],
        f"start_indices = {i64s(0, 0)}, limit_indices = {i64s(rows, columns)}, "
        f"strides = {i64s(2, 2)}",
        numpy=lambda x: x[::2, ::2].copy(),
    )


def dynamic_slice(element: str, n: int) -> Work:
    """Half of a matrix."""
    x = matrix(element, n)
    half = x.shape[0] // 2
    one = np.ones((), np.int32)
    return Work(
        [x, one, one],
        [tensor(element, half, half)],
        f"slice_sizes = {i64s(half, half)}",
        numpy=lambda x, i, j: x[i : i + half, j : j + half].copy(),
    )


def dynamic_update_slice(element: str, n: int) -> Work:
    """Half of a matrix."""
    x = matrix(element, n)
    half = x.shape[0] // 2
    one = np.ones((), np.int32)

    def numpy(x: Any, update: Any, i: Any, j: Any) -> Any:
        copied = x.copy()
        copied[i : i + half, j : j + half] = update
        return copied

    return Work([x, x[:half, :half], one, one], [tensor(element, *x.shape)], numpy=numpy)


def gather(element: str, n: int) -> Work:
    """Single elements, at random."""
    indices = np.random.default_rng(1).integers(0, n, (n, 1))
    return Work(
        [draw(element, n), indices],
        [tensor(element, n)],
        "dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], "
        f"index_vector_dim = 1>, slice_sizes = {i64s(1)}, indices_are_sorted = false",
        numpy=lambda x, i: x[i[:, 0]],
    )


def gather_rows(element: str, n: int) -> Work:
    """Rows of a matrix, at random."""
    x = matrix(element, n)
    rows, columns = x.shape
    indices = np.random.default_rng(1).integers(0, rows, (rows, 1))
    return Work(
        [x, indices],
        [tensor(element, rows, columns)],
        "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
        f"start_index_map = [0], index_vector_dim = 1>, slice_sizes = {i64s(1, columns)}, "
        "indices_are_sorted = false",
        numpy=lambda x, i: x[i[:, 0]],
    )


SCATTERED: Final = {"add": np.add, "maximum": np.maximum, "multiply": np.multiply}


def scatter(name: str, element: str, n: int) -> Work:
    """Single elements, at random; ``name`` is the computation, or ``second`` for none."""
    indices = np.random.default_rng(1).integers(0, n, (n, 1))
    scalar = tensor(element)
    region = (
        f'{{\n^bb0(%x: {scalar}, %y: {scalar}):\n  "stablehlo.return"(%y) : ({scalar}) -> ()\n}}'
        if name == "second"
        else reducer(name, element)
    )

    def numpy(x: Any, i: Any, y: Any) -> Any:
        copied = x.copy()
        if name == "second":
            copied[i[:, 0]] = y
        else:
            SCATTERED[name].at(copied, i[:, 0], y)
        return copied

    can = name == "second" or name in SCATTERED
    return Work(
        [draw(element, n), indices, draw(element, n, seed=2)],
        [tensor(element, n)],
        "scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, "
        "unique_indices = false",
        [region],
        numpy=numpy if can else None,
    )


def scatter_rows(element: str, n: int) -> Work:
    """Rows of a matrix, at random, added."""
    x = matrix(element, n)
    rows, _ = x.shape
    indices = np.random.default_rng(1).integers(0, rows, (rows, 1))

    def numpy(x: Any, i: Any, y: Any) -> Any:
        copied = x.copy()
        np.add.at(copied, i[:, 0], y)
        return copied

    return Work(
        [x, indices, x],
        [tensor(element, *x.shape)],
        "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], "
        "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, "
        "indices_are_sorted = false, unique_indices = false",
        [reducer("add", element)],
        numpy=numpy,
    )


def torch_index_select(element: str, n: int) -> Work:
    """Rows of a matrix, at random."""
    x = matrix(element, n)
    indices = np.random.default_rng(1).integers(0, x.shape[0], x.shape[0])
    return Work(
        [x, indices],
        [tensor(element, *x.shape)],
        "dim = 0 : i64, batch_dims = 0 : i64",
        numpy=lambda x, i: x[i],
    )


def dynamic_broadcast_in_dim(element: str, n: int) -> Work:
    """A row to a matrix whose shape is an operand."""
    side = square(n)
    return Work(
        [draw(element, side), np.array([side, side])],
        [tensor(element, side, side)],
        f"broadcast_dimensions = {i64s(1)}",
        numpy=lambda x, shape: np.broadcast_to(x, shape).copy(),
        steps=side * side,
    )


def dynamic_iota(element: str, n: int) -> Work:
    """Along the second dimension of a matrix whose shape is an operand."""
    side = square(n)
    dtype = DTYPES[element]
    return Work(
        [np.array([side, side])],
        [tensor(element, side, side)],
        "iota_dimension = 1 : i64",
        numpy=lambda shape: np.broadcast_to(np.arange(shape[1]).astype(dtype), shape).copy(),
        steps=side * side,
    )


def dynamic_reshape(element: str, n: int) -> Work:
    """A matrix to a vector."""
    x = matrix(element, n)
    return Work(
        [x, np.array([x.size])], [tensor(element, x.size)], numpy=lambda x, s: x.reshape(s).copy()
    )


def dynamic_pad(element: str, n: int) -> Work:
    """With padding inside and outside that are operands."""
    work = pad(element, n)
    ones = np.ones(2, np.int64)
    wide = 2 * work.arguments[0].shape[0] + 1
    return Work(
        [*work.arguments, ones, ones, ones],
        work.results,
        numpy=lambda x, p, *_: padded(x, p, wide),
    )


def real_dynamic_slice(element: str, n: int) -> Work:
    """Every other row and column, by operands."""
    x = matrix(element, n)
    return Work(
        [x, np.zeros(2, np.int64), np.array(x.shape), np.full(2, 2)],
        slice_(element, n).results,
        numpy=lambda x, *_: x[::2, ::2].copy(),
    )


def dynamic_gather(element: str, n: int) -> Work:
    """Rows of a matrix; the sizes of slices are an operand."""
    work = gather_rows(element, n)
    sizes = np.array([1, work.arguments[0].shape[1]])
    return Work(
        [*work.arguments, sizes],
        work.results,
        "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
        "start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false",
        numpy=lambda x, i, _: x[i[:, 0]],
    )


def rng_bits(algorithm: str, element: str) -> Case:
    """Random bits."""

    def make(n: int) -> Work:
        return Work(
            [np.array([1, 2, 3][: 3 - (algorithm == "THREE_FRY")], np.uint64)],
            [tensor("ui64", 3 - (algorithm == "THREE_FRY")), tensor(element, n)],
            f"rng_algorithm = #stablehlo<rng_algorithm {algorithm}>",
            numpy=lambda _: np.random.default_rng(1).integers(0, 100, n, np.int64),
            steps=n,
        )

    return Case("stablehlo.rng_bit_generator", f"{element} {algorithm}", make)


def rng(distribution: str, element: str) -> Case:
    """Random numbers."""

    def make(n: int) -> Work:
        return Work(
            [draw(element, low=0, high=0), np.ones((), DTYPES[element]) + 4, np.array([n])],
            [tensor(element, n)],
            f"rng_distribution = #stablehlo<rng_distribution {distribution}>",
            numpy=lambda a, b, shape: np.random.default_rng(1).uniform(a, b, shape),
            steps=n,
        )

    return Case("stablehlo.rng", f"{element} {distribution}", make)


def several(
    name: str, make: Maker, *elements: str, dialect: str = "stablehlo", kind: str = ""
) -> list[Case]:
    """A case for each element type."""
    return [
        Case(f"{dialect}.{name}", f"{element} {kind}".rstrip(), lambda n, e=element: make(e, n))
        for element in elements
    ]


CASES: Final[tuple[Case, ...]] = (
    *several("broadcast_in_dim", broadcast_in_dim, *ELEMENTS),
    *several("concatenate", concatenate, *ELEMENTS),
    *several("iota", iota, "f32", "bf16", "f8E4M3FN", "i4", "i8", "i32", "complex<f32>"),
    *several("pad", pad, *ELEMENTS),
    *several("reshape", reshape, *ELEMENTS),
    *several("reverse", reverse, *ELEMENTS),
    *several("transpose", transpose, *ELEMENTS),
    *several("slice", slice_, *ELEMENTS),
    *several("dynamic_slice", dynamic_slice, *ELEMENTS),
    *several("dynamic_update_slice", dynamic_update_slice, *ELEMENTS),
    *several("gather", gather, *ELEMENTS, kind="elements"),
    *several("gather", gather_rows, *ELEMENTS, kind="rows"),
    *several("scatter", lambda e, n: scatter("second", e, n), *ELEMENTS, kind="replace"),
    *several("scatter", lambda e, n: scatter("add", e, n), *ELEMENTS, kind="add"),
    *several("scatter", lambda e, n: scatter("multiply", e, n), "f32", "i32", kind="multiply"),
    *several("scatter", lambda e, n: scatter("maximum", e, n), "f32", "bf16", "i4", kind="maximum"),
    *several("scatter", lambda e, n: scatter("subtract", e, n), "f32", "i32", kind="subtract"),
    *several("scatter", scatter_rows, "f32", "bf16", "i32", kind="rows add"),
    *several("torch_index_select", torch_index_select, "f32", "i4"),
    *several("dynamic_broadcast_in_dim", dynamic_broadcast_in_dim, "f32", "i4"),
    *several("dynamic_iota", dynamic_iota, "f32", "bf16", "i4", "i32"),
    *several("dynamic_reshape", dynamic_reshape, "f32", "i4"),
    *several("dynamic_pad", dynamic_pad, "f32", "i4"),
    *several("real_dynamic_slice", real_dynamic_slice, "f32", "i4"),
    *several("dynamic_gather", dynamic_gather, "f32", "i4"),
    *(
        rng_bits(a, e)
        for a in ("THREE_FRY", "PHILOX", "DEFAULT")
        for e in ("ui32", "ui64", "ui8", "f32")
    ),
    *(rng("UNIFORM", element) for element in ("f32", "f64", "bf16", "i32")),
    *(rng("NORMAL", element) for element in ("f32", "bf16")),
)
