"""The examples of XLA's documents on operation semantics, in the order of the English page."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stablemate.xla.builder.builder import ModuleBuilder
from stablemate.xla.builder.operations.contraction import DotDimensionNumbers
from stablemate.xla.shape import Shape
from tests.oracle.client import Oracle
from tests.xla.builder.execution import agree, value

V = [
    [[10, 11, 12], [15, 16, 17]],
    [[20, 21, 22], [25, 26, 27]],
    [[30, 31, 32], [35, 36, 37]],
    [[40, 41, 42], [45, 46, 47]],
]
FLAT = [x for plane in V for row in plane for x in row]
OUT_OF_ORDER = [
    *(10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42),
    *(15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47),
]
B4X3 = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]


def rows(values: list[Any], width: int) -> list[list[Any]]:
    """Values in rows."""
    return [values[start : start + width] for start in range(0, len(values), width)]


@pytest.fixture
def b() -> ModuleBuilder:
    """A builder."""
    return ModuleBuilder("example")


def test_bitcast_convert_type(b: ModuleBuilder) -> None:
    narrow = b.bitcast_convert_type(b.parameter(0, "f32[10]"), "f16")
    assert str(b.shape(narrow)) == "f16[10,2]{1,0}"
    scalar = b.bitcast_convert_type(b.parameter(1, "f32[]"), "f16")
    assert str(b.shape(scalar)) == "f16[2]{0}"
    wide = b.bitcast_convert_type(b.parameter(2, "f16[10,2]"), "f32")
    assert str(b.shape(wide)) == "f32[10]{0}"


def test_bitcast_convert_type_of_a_word_to_bytes(oracle: Oracle, b: ModuleBuilder) -> None:
    b.bitcast_convert_type(b.constant(0x04030201), "s8")
    agree(oracle, b, expected=[[1, 2, 3, 4]])


def test_broadcast(oracle: Oracle, b: ModuleBuilder) -> None:
    b.broadcast(b.constant(2.0), [2, 3])
    agree(oracle, b, expected=[[[2.0] * 3] * 2])


def test_broadcast_in_dim(oracle: Oracle, b: ModuleBuilder) -> None:
    x = b.constant([[1.0], [2.0]])
    b.broadcast_in_dim(x, [2, 2, 3], [1, 2])
    agree(oracle, b, expected=[[[[1.0] * 3, [2.0] * 3]] * 2])


def test_clamp(oracle: Oracle, b: ModuleBuilder) -> None:
    b.clamp(b.constant(0), b.constant([-1, 5, 9]), b.constant(6))
    agree(oracle, b, expected=[[0, 5, 6]])


@pytest.mark.parametrize(
    ("dimensions", "expected"),
    [((0, 1, 2), FLAT), ((0, 1), rows(FLAT, 3)), ((1, 2), rows(FLAT, 6))],
)
def test_collapse(
    oracle: Oracle, b: ModuleBuilder, dimensions: tuple[int, ...], expected: list[Any]
) -> None:
    b.collapse(b.constant(V, "f32"), dimensions)
    agree(oracle, b, expected=[expected])


def test_concatenate(oracle: Oracle, b: ModuleBuilder) -> None:
    first = b.concatenate([b.constant([2, 3]), b.constant([4, 5]), b.constant([6, 7])], 0)
    second = b.concat_in_dim([b.constant([[1, 2], [3, 4], [5, 6]]), b.constant([[7, 8]])], 0)
    b.tuple([first, second])
    agree(oracle, b, expected=[[2, 3, 4, 5, 6, 7], [[1, 2], [3, 4], [5, 6], [7, 8]]])


def test_conditional_of_a_predicate(oracle: Oracle) -> None:
    for predicate, expected in ((True, 3.0), (False, 40.0)):
        b = ModuleBuilder("conditional")
        pred = b.parameter(0, "pred[]")
        one, four = b.constant(1.0), b.constant(4.0)
        b.conditional(pred, one, lambda x: x + 2.0, four, lambda x: x * 10.0)
        agree(oracle, b, np.array(predicate), expected=[expected])


def test_conditional_of_an_index(oracle: Oracle) -> None:
    for index, expected in ((0, 1.0), (1, 4.0), (2, 9.0), (-1, 9.0), (7, 9.0)):
        b = ModuleBuilder("conditional")
        branches = [lambda x: x, lambda x: x * 2.0, lambda x: x * 3.0]
        b.conditional(b.parameter(0, "s32[]"), branches, [b.constant(v) for v in (1.0, 2.0, 3.0)])
        agree(oracle, b, np.int32(index), expected=[expected])


def test_convolution_of_the_pseudocode(oracle: Oracle, b: ModuleBuilder) -> None:
    # value += input(b, iz, iy, ix) * kernel(oz, iz, ky, kx), iy = oy*stride_y + ky - pad_low_y
    image = np.arange(2 * 2 * 5 * 4, dtype=np.float32).reshape(2, 2, 5, 4)
    kernel = np.arange(3 * 2 * 3 * 2, dtype=np.float32).reshape(3, 2, 3, 2) - 7
    strides, pads = (2, 1), ((1, 0), (2, 1))
    b.conv_with_general_padding(
        b.parameter(0, "f32[2,2,5,4]"), b.parameter(1, "f32[3,2,3,2]"), strides, pads
    )
    (result,) = agree(oracle, b, image, kernel)
    expected = np.zeros(result.shape, np.float32)
    for batch, oz, oy, ox in np.ndindex(*expected.shape):
        for iz, ky, kx in np.ndindex(2, 3, 2):
            iy, ix = oy * strides[0] + ky - pads[0][0], ox * strides[1] + kx - pads[1][0]
            if 0 <= iy < 5 and 0 <= ix < 4:
                expected[batch, oz, oy, ox] += image[batch, iz, iy, ix] * kernel[oz, iz, ky, kx]
    assert expected.tolist() == result.tolist()


def test_convert_element_type(oracle: Oracle, b: ModuleBuilder) -> None:
    b.convert_element_type(b.constant([0, 1, 2]), "f32")
    (result,) = agree(oracle, b, expected=[[0.0, 1.0, 2.0]])
    assert result.dtype == np.float32


def test_dot(oracle: Oracle, b: ModuleBuilder) -> None:
    vector = b.constant([1.0, 2.0, 3.0])
    matrix = b.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    other = b.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    b.tuple([b.dot(vector, vector), b.dot(matrix, vector), b.dot(matrix, other)])
    agree(oracle, b, expected=[14.0, [14.0, 32.0], [[4.0, 5.0], [10.0, 11.0]]])


def test_dot_general_contracting(oracle: Oracle, b: ModuleBuilder) -> None:
    lhs = b.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    rhs = b.constant([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]])
    b.dot_general(lhs, rhs, DotDimensionNumbers([1], [1]))
    agree(oracle, b, expected=[[[6.0, 12.0], [15.0, 30.0]]])


def test_dot_general_batch(oracle: Oracle, b: ModuleBuilder) -> None:
    lhs = [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]
    rhs = [[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]
    b.dot_general(b.constant(lhs), b.constant(rhs), DotDimensionNumbers([2], [1], [0], [0]))
    agree(oracle, b, expected=[lhs])


@pytest.mark.parametrize(
    ("lhs", "rhs", "batch", "result"),
    [
        ("f32[5,2,3]", "f32[5,3,4]", 1, "f32[5,2,4]"),
        ("f32[5,6,2,3]", "f32[5,6,3,4]", 2, "f32[5,6,2,4]"),
    ],
)
def test_dot_general_shapes(b: ModuleBuilder, lhs: str, rhs: str, batch: int, result: str) -> None:
    batches = list(range(batch))
    numbers = DotDimensionNumbers([-1], [-2], batches, batches)
    op = b.dot_general(b.parameter(0, lhs), b.parameter(1, rhs), numbers)
    assert b.shape(op) == Shape(result)


def test_dynamic_slice(oracle: Oracle, b: ModuleBuilder) -> None:
    first = b.dynamic_slice(b.constant([0.0, 1.0, 2.0, 3.0, 4.0]), b.constant([2]), [2])
    second = b.dynamic_slice(b.constant(B4X3), [b.constant(2), b.constant(1)], [2, 2])
    b.tuple([first, second])
    agree(oracle, b, expected=[[2.0, 3.0], [[7.0, 8.0], [10.0, 11.0]]])


def test_dynamic_update_slice(oracle: Oracle, b: ModuleBuilder) -> None:
    a, u = b.constant([0.0, 1.0, 2.0, 3.0, 4.0]), b.constant([5.0, 6.0])
    first = b.dynamic_update_slice(a, u, b.constant([2]))
    update = b.constant([[12.0, 13.0], [14.0, 15.0], [16.0, 17.0]])
    second = b.dynamic_update_slice(b.constant(B4X3), update, b.constant([1, 1]))
    b.tuple([first, second])
    expected = [[0, 1, 2], [3, 12, 13], [6, 14, 15], [9, 16, 17]]
    agree(oracle, b, expected=[[0.0, 1.0, 5.0, 6.0, 4.0], expected])


def test_gather_of_slices(oracle: Oracle, b: ModuleBuilder) -> None:
    operand = b.parameter(0, "s32[16,11]")
    indices = b.parameter(1, "s64[5,2]")
    b.gather(operand, indices, [1, 2], [], [8, 6], [0, 1])
    array = np.arange(176, dtype=np.int32).reshape(16, 11)
    starts = np.array([[0, 0], [1, 2], [8, 5], [20, 20], [-3, 1]])
    (result,) = agree(oracle, b, array, starts)
    clamped = np.clip(starts, 0, [8, 5])
    expected = [array[x : x + 8, y : y + 6].tolist() for x, y in clamped]
    assert result.tolist() == expected


def test_gather_nd(oracle: Oracle, b: ModuleBuilder) -> None:
    operand, indices = b.parameter(0, "s32[16,11]"), b.parameter(1, "s32[2,3,1]")
    b.gather(operand, indices, [2], [0], [1, 11], [0], indices_are_sorted=True)
    array = np.arange(176, dtype=np.int32).reshape(16, 11)
    rows_taken = np.array([[[0], [3], [5]], [[7], [9], [15]]], np.int32)
    (result,) = agree(oracle, b, array, rows_taken)
    assert result.tolist() == array[rows_taken[..., 0]].tolist()


def test_set_dimension_size() -> None:
    # The result of a reduction ignores what lies behind the size.
    for size, total in ((5, 15.0), (6, 21.0)):
        b = ModuleBuilder("padded")
        v = b.constant([float(x) for x in range(1, 11)])
        padded = b.set_dimension_size(v, b.constant(size), 0)
        assert str(b.shape(padded)) == "f32[<=10]{0}"
        b.reduce(padded, 0.0, lambda x, y: x + y, [0])
        assert value(b) == total
    b = ModuleBuilder("product")
    v = b.constant([float(x) for x in range(1, 11)])
    padded = b.set_dimension_size(v, 5, -1)
    b.reduce(padded, 1.0, lambda x, y: x * y, [0])
    assert value(b) == 120.0


def test_get_tuple_element(oracle: Oracle, b: ModuleBuilder) -> None:
    v, s = b.iota("f32", 10), b.constant(5)
    t = b.tuple([v, s])
    element_1 = b.get_tuple_element(t, 1)
    assert str(b.shape(t)) == "(f32[10]{0}, s32[])"
    assert str(b.shape(element_1)) == "s32[]"
    agree(oracle, b, expected=[5])


def test_iota(oracle: Oracle, b: ModuleBuilder) -> None:
    b.tuple([b.iota("s32[4,8]", 0), b.iota("s32[4,8]", 1)])
    agree(oracle, b, expected=[[[n] * 8 for n in range(4)], [list(range(8))] * 4])


def test_map(oracle: Oracle, b: ModuleBuilder) -> None:
    vectors = [b.constant(values) for values in ([1.0, 2.0], [10.0, 20.0], [3.0, 4.0])]
    b.map(vectors, lambda x, y, z, par1: x * y + z - par1, [0], [b.constant(1.0)])
    agree(oracle, b, expected=[[12.0, 43.0]])


def test_pad(oracle: Oracle, b: ModuleBuilder) -> None:
    x = b.constant([[1.0, 2.0], [3.0, 4.0]])
    wide = b.pad(x, 0.0, [(1, 0, 1), (0, 2, 0)])
    cropped = b.pad(x, 0.0, [{"edge_padding_low": -1}, (0, 0, 1)])
    same = b.pad(x, 0.0, [(0, 0, 0), (0, 0, 0)])
    b.tuple([wide, cropped, same])
    padded = [[0.0] * 4, [1.0, 2.0, 0.0, 0.0], [0.0] * 4, [3.0, 4.0, 0.0, 0.0]]
    agree(oracle, b, expected=[padded, [[3.0, 0.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]])


def test_reduce_in_one_dimension(oracle: Oracle, b: ModuleBuilder) -> None:
    b.reduce(b.constant([10, 11, 12, 13]), 0, lambda x, y: x + y, [0])
    agree(oracle, b, expected=[46])


@pytest.mark.parametrize(
    ("dimensions", "expected"),
    [
        ([0], [[4, 8, 12], [16, 20, 24]]),
        ([2], [[6, 15]] * 4),
        ([0, 1], [20, 28, 36]),
        ([0, 1, 2], 84),
        ([-1, 0], [24, 60]),
    ],
)
def test_reduce_in_three_dimensions(
    oracle: Oracle, b: ModuleBuilder, dimensions: list[int], expected: Any
) -> None:
    x = b.constant([[[1, 2, 3], [4, 5, 6]]] * 4)
    b.reduce(operand=x, init_value=0, computation=lambda x, y: x + y, dimensions=dimensions)
    agree(oracle, b, expected=[expected])


def test_variadic_reduce_is_argmax(oracle: Oracle, b: ModuleBuilder) -> None:
    def f(best: Any, argmax: Any, value: Any, index: Any) -> Any:
        pred = value >= best
        builder = value.builder
        return builder.select(pred, value, best), builder.select(pred, index, argmax)

    v = b.parameter(0, "f32[5]")
    b.reduce([v, b.iota("s32", 5)], [b.constant(-np.inf), b.constant(0)], f, [0])
    agree(oracle, b, np.float32([3, 9, 1, 7, 2]), expected=[9.0, 1])


def test_reduce_precision(oracle: Oracle, b: ModuleBuilder) -> None:
    x = b.parameter(0, "f32[4]")
    b.reduce_precision(x, exponent_bits=5, mantissa_bits=10)
    values = np.float32([1.00048828125, 70000.0, -1e30, 1.0009765625])
    agree(oracle, b, values, expected=[[1.0, np.inf, -np.inf, 1.0009765625]])


def maximum(name: str = "max") -> ModuleBuilder:
    """The computation of the document: the larger of two scalars."""
    builder = ModuleBuilder(name)
    y = builder.parameter(0, Shape("f32[]"), "y")
    x = builder.parameter(1, Shape("f32[]"), "x")
    builder.max(y, x)
    return builder


def test_reduce_window(oracle: Oracle) -> None:
    b = ModuleBuilder("reduce_window_2x3")
    x = b.parameter(0, "f32[4,6]", "input")
    low = b.constant_literal(np.float32(-3.4e38))
    b.reduce_window(
        x,
        low,
        maximum().tree(),
        window_dimensions=[2, 3],
        window_strides=[2, 3],
        padding="VALID",
    )
    values = np.arange(24, dtype=np.float32).reshape(4, 6)
    agree(oracle, b, values, expected=[[[8.0, 11.0], [20.0, 23.0]]])


@pytest.mark.parametrize(("padding", "expected"), [("kValid", [100, 1]), ("kSame", [1000, 10, 1])])
def test_reduce_window_padding(
    oracle: Oracle, b: ModuleBuilder, padding: str, expected: list[int]
) -> None:
    x = b.constant([10000.0, 1000.0, 100.0, 10.0, 1.0])
    b.reduce_window(x, float("inf"), lambda x, y: x.builder.min(x, y), [3], [2], padding)
    agree(oracle, b, expected=[expected])


@pytest.mark.parametrize(
    ("dimensions", "sizes", "values"),
    [
        ([0, 1, 2], [24], FLAT),
        ([0, 1, 2], [8, 3], FLAT),
        (
            [1, 2, 0],
            [24],
            OUT_OF_ORDER,
        ),
        (
            [1, 2, 0],
            [8, 3],
            OUT_OF_ORDER,
        ),
        (
            [1, 2, 0],
            [2, 6, 2],
            OUT_OF_ORDER,
        ),
    ],
)
def test_reshape_with_dimensions(
    oracle: Oracle, b: ModuleBuilder, dimensions: list[int], sizes: list[int], values: list[int]
) -> None:
    b.reshape(b.constant(V, "f32"), dimensions, sizes)
    (result,) = agree(oracle, b)
    assert result.shape == tuple(sizes)
    assert result.reshape(-1).tolist() == values


def test_reshape_to_and_from_scalars(oracle: Oracle, b: ModuleBuilder) -> None:
    b.tuple([b.reshape(b.constant([[5.0]]), [0, 1], []), b.reshape(b.constant(5.0), [], [1, 1])])
    agree(oracle, b, expected=[5.0, [[5.0]]])


def test_rev(oracle: Oracle, b: ModuleBuilder) -> None:
    # Index i of a dimension of size N becomes N - 1 - i.
    b.rev(b.constant([[1, 2, 3], [4, 5, 6]]), [-1])
    agree(oracle, b, expected=[[[3, 2, 1], [6, 5, 4]]])


def test_scatter_is_the_inverse_of_gather(oracle: Oracle, b: ModuleBuilder) -> None:
    x = b.parameter(0, "s32[16,11]")
    indices = b.constant([[1, 2], [8, 5], [16, 0]])
    updates = b.constant(np.ones((3, 8, 6), np.int32))
    b.scatter(x, indices, updates, lambda current, update: current + update, 1, [1, 2], [], [0, 1])
    array = np.zeros((16, 11), np.int32)
    expected = array.copy()
    expected[1:9, 2:8] += 1
    expected[8:16, 5:11] += 1  # no element of the slice at (16, 0) is one of the operand
    agree(oracle, b, array, expected=[expected.tolist()])


def test_select(oracle: Oracle, b: ModuleBuilder) -> None:
    v1, v2 = b.constant([1, 2, 3, 4]), b.constant([100, 200, 300, 400])
    many = b.select(b.constant([True, False, False, True]), v1, v2)
    one = b.select(b.constant(True), v1, v2)
    whole = b.select(b.constant(False), b.tuple([v1, v2]), b.tuple([v2, v1]))
    b.tuple([many, one, whole[0]])
    agree(oracle, b, expected=[[1, 200, 300, 4], [1, 2, 3, 4], [100, 200, 300, 400]])


def test_select_and_scatter(oracle: Oracle, b: ModuleBuilder) -> None:
    # Figure 2 of the document: windows overlap, and 2 + 6 meet in the element of value 9.
    operand = b.constant(
        [
            [7.0, 2.0, 5.0, 3.0, 8.0],
            [3.0, 8.0, 9.0, 3.0, 4.0],
            [1.0, 5.0, 7.0, 5.0, 6.0],
            [0.0, 6.0, 2.0, 10.0, 2.0],
        ]
    )
    source = b.constant([[2.0, 6.0], [3.0, 1.0]])
    b.select_and_scatter(
        *(operand, lambda x, y: x >= y, [2, 3], [2, 2], "VALID", source, 0.0),
        lambda x, y: x + y,
    )
    expected = [[0.0] * 5, [0.0, 0.0, 8.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0, 0.0], [0.0] * 5]
    expected[3] = [0.0, 0.0, 0.0, 1.0, 0.0]
    agree(oracle, b, expected=[expected])


def test_slice(oracle: Oracle, b: ModuleBuilder) -> None:
    first = b.slice(b.constant([0.0, 1.0, 2.0, 3.0, 4.0]), [2], [4])
    second = b.slice(b.constant(B4X3), [2, 1], [4, 3])
    strided = b.slice(b.constant(B4X3), [0, 0], [4, 3], [3, 2])
    b.tuple([first, second, strided])
    expected = [[2.0, 3.0], [[7.0, 8.0], [10.0, 11.0]], [[0.0, 2.0], [9.0, 11.0]]]
    agree(oracle, b, expected=expected)


def test_sort_of_three_operands(oracle: Oracle, b: ModuleBuilder) -> None:
    operands = [b.constant([3, 1]), b.constant([42, 50]), b.constant([3.0, 1.125])]
    b.sort(operands, lambda x, y, *_: x < y)
    agree(oracle, b, expected=[[1, 3], [50, 42], [1.125, 3.0]])


def test_sort_of_the_oldest_form(oracle: Oracle, b: ModuleBuilder) -> None:
    keys = b.constant([3.0, -1.0, 2.0])
    alone = b.sort(keys)
    both = b.sort(keys, b.constant([30, 10, 20]), 0)
    b.tuple([alone, both[0], both[1]])
    agree(oracle, b, expected=[[-1.0, 2.0, 3.0], [-1.0, 2.0, 3.0], [10, 20, 30]])


def test_transpose_is_a_reshape(oracle: Oracle, b: ModuleBuilder) -> None:
    v = b.constant(V, "f32")
    b.tuple([b.transpose(v, [2, 0, 1]), b.reshape(v, [2, 0, 1], [3, 4, 2])])
    first, second = agree(oracle, b)
    assert first.tolist() == second.tolist()


@pytest.mark.parametrize("left_side", [True, False])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("transpose_a", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
def test_triangular_solve(oracle: Oracle, left_side: bool, lower: bool, transpose_a: str) -> None:
    b = ModuleBuilder("solve")
    a = np.float32([[2, 1, 3], [1, 4, 1], [5, 1, 8]])
    right = np.float32([[1, 2], [3, 4], [5, 6]])
    right = right if left_side else right.T
    b.triangular_solve(
        b.parameter(0, "f32[3,3]"),
        b.parameter(1, Shape(f"f32[{right.shape[0]},{right.shape[1]}]")),
        left_side,
        lower,
        False,
        transpose_a,
    )
    (x,) = agree(oracle, b, a, right, tolerance=1e-5)
    triangle = np.tril(a) if lower else np.triu(a)
    triangle = triangle if transpose_a == "NO_TRANSPOSE" else triangle.T
    product = triangle @ x if left_side else x @ triangle
    np.testing.assert_allclose(product, right, rtol=1e-5)


def test_while(oracle: Oracle, b: ModuleBuilder) -> None:
    # The document's loop: a count, and a vector that grows by a constant, a thousand times.
    init = (b.constant(0), b.constant([0.0] * 10))
    b.while_(
        lambda result: result[0] < 1000,
        lambda result: (result[0] + 1, result[1] + result.builder.constant([0.5] * 10)),
        init,
    )
    agree(oracle, b, expected=[1000, [500.0] * 10])
