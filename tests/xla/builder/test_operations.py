"""Every method of the builder against XLA on the printed text; exact unless a tolerance says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from stablemate.diagnostics.errors import VerifyError
from stablemate.xla.builder.builder import ModuleBuilder
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.operations.contraction import DotDimensionNumbers
from stablemate.xla.builder.operations.indexing import (
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from stablemate.xla.values import ConvolutionDimensions
from tests.oracle.client import Oracle
from tests.xla.builder.execution import agree

Make = Callable[[ModuleBuilder], Any]
FLOATS = np.float32([-1.5, -0.5, 0.25, 0.5, 0.75, 0.875])
EXACT = ("abs", "neg", "sign", "ceil", "floor", "round", "round_nearest_even", "is_finite")
ROUNDED = (
    *("cos", "sin", "tan", "tanh", "exp", "expm1", "logistic", "cbrt", "erf", "square"),
    *("reciprocal", "round_nearest_afz"),
)
POSITIVE = ("log", "log1p", "sqrt", "rsqrt")


@pytest.mark.parametrize("name", [*EXACT, *ROUNDED, *POSITIVE])
def test_functions_of_floats(oracle: Oracle, name: str) -> None:
    b = ModuleBuilder(name)
    getattr(b, name)(b.parameter(0, "f32[6]"))
    values = np.abs(FLOATS) if name in POSITIVE else FLOATS
    agree(oracle, b, values, tolerance=0.0 if name in EXACT else 1e-6)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        *(("acos", np.arccos), ("asin", np.arcsin), ("atan", np.arctan), ("atanh", np.arctanh)),
        *(("asinh", np.arcsinh), ("cosh", np.cosh), ("sinh", np.sinh)),
        ("acosh", lambda x: np.arccosh(x + 2)),
    ],
)
def test_functions_that_xla_does_not_run(name: str, function: Callable[[Any], Any]) -> None:
    from tests.xla.builder.execution import here, text_of

    b = ModuleBuilder(name)
    x = b.parameter(0, "f32[4]")
    getattr(b, name)(x + 2.0 if name == "acosh" else x)
    values = np.float32([-0.5, 0.25, 0.5, 0.75])
    (result,) = here(b.tree(), values)
    text_of(b.tree())
    np.testing.assert_allclose(result, function(values.astype(np.float64)), rtol=1e-5)


@pytest.mark.parametrize("name", ["not_", "logical_not", "population_count", "clz", "abs", "neg"])
def test_functions_of_integers(oracle: Oracle, name: str) -> None:
    b = ModuleBuilder(name)
    getattr(b, name)(b.parameter(0, "s32[4]"))
    agree(oracle, b, np.int32([0, 1, -7, 2**31 - 1]))


def test_functions_of_complex_numbers(oracle: Oracle) -> None:
    b = ModuleBuilder("complex")
    z = b.parameter(0, "c64[2]")
    x = b.real(z)
    b.tuple([x, b.imag(z), b.conj(z), b.abs(z), b.complex(b.imag(z), x), b.real(x), b.imag(x)])
    values = np.complex64([3 + 4j, -1 - 2j])
    results = agree(oracle, b, values, tolerance=1e-6)
    assert results[2].tolist() == [3 - 4j, -1 + 2j]
    assert results[5].tolist() == [3.0, -1.0]
    assert results[6].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "rem", "max", "min", "pow", "atan2"])
def test_arithmetic_of_floats(oracle: Oracle, name: str) -> None:
    b = ModuleBuilder(name)
    getattr(b, name)(b.parameter(0, "f32[6]"), b.parameter(1, "f32[6]"))
    agree(oracle, b, np.abs(FLOATS), FLOATS[::-1].copy(), tolerance=1e-6)


@pytest.mark.parametrize("kind", ["s32", "u8"])
@pytest.mark.parametrize(
    "name",
    [
        *("add", "sub", "mul", "div", "rem", "max", "min", "pow", "and_", "or_", "xor"),
        *("shift_left", "shift_right_arithmetic", "shift_right_logical"),
        *("logical_and", "logical_or"),
    ],
)
def test_arithmetic_of_integers(oracle: Oracle, name: str, kind: str) -> None:
    b = ModuleBuilder(name)
    getattr(b, name)(b.parameter(0, f"{kind}[4]"), b.parameter(1, f"{kind}[4]"))
    dtype = np.int32 if kind == "s32" else np.uint8
    left = np.array([7, 200, 9, 0]).astype(dtype)
    left = left * (-1 if kind == "s32" and name != "pow" else 1)
    agree(oracle, b, left.astype(dtype), np.array([2, 3, 40, 1]).astype(dtype))


def test_division_truncates_and_remainders_have_the_sign_of_the_dividend(oracle: Oracle) -> None:
    b = ModuleBuilder("division")
    x, y = b.parameter(0, "s32[4]"), b.parameter(1, "s32[4]")
    b.tuple([b.div(x, y), b.rem(x, y)])
    values = np.int32([7, -7, 7, -7]), np.int32([2, 2, -2, -2])
    agree(oracle, b, *values, expected=[[3, -3, -3, 3], [1, -1, 1, -1]])


SPECIAL = np.float32([-np.nan, -np.inf, -0.0, 0.0, 1.0, np.inf, np.nan])


@pytest.mark.parametrize("name", ["eq", "ne", "ge", "gt", "le", "lt"])
def test_comparisons(oracle: Oracle, name: str) -> None:
    b = ModuleBuilder(name)
    x, y = b.parameter(0, "f32[7,1]"), b.parameter(1, "f32[1,7]")
    b.tuple([getattr(b, name)(x, y), getattr(b, f"{name}_total_order")(x, y)])
    rows = np.copysign(SPECIAL, np.float32([-1, -1, -1, 1, 1, 1, 1]))
    partial, total = agree(oracle, b, rows[:, None], rows[None])
    order = np.arange(7)
    function = {"eq": "equal", "ne": "not_equal", "ge": "greater_equal", "gt": "greater"}
    function |= {"le": "less_equal", "lt": "less"}
    compare = getattr(np, function[name])
    assert total.tolist() == compare(order[:, None], order[None]).tolist()
    assert partial.tolist() == compare(rows[:, None], rows[None]).tolist()


def test_compare_by_direction(oracle: Oracle) -> None:
    b = ModuleBuilder("compare")
    x, y = b.parameter(0, "u8[2]"), b.parameter(1, "u8[2]")
    b.tuple([b.compare(x, y, (), "GT"), b.compare(x, y, direction="LE", type="UNSIGNED")])
    arrays = np.uint8([200, 1]), np.uint8([1, 200])
    agree(oracle, b, *arrays, expected=[[True, False], [False, True]])
    with pytest.raises(VerifyError, match="the direction is one of"):
        b.compare(x, y, (), "XX")
    with pytest.raises(VerifyError, match="type of the comparison fits"):
        b.compare(x, y, (), "EQ", "FLOAT")


# ---- broadcasting: the three rules

PLACED = [
    ("f32[2,3]", "f32[2,3]", (), "f32[2,3]"),
    ("f32[2,3]", "f32[2,3]", (0, 1), "f32[2,3]"),
    ("f32[2,3]", "f32[]", (), "f32[2,3]"),
    ("f32[]", "f32[2,3]", (), "f32[2,3]"),
    ("f32[2,3]", "f32[3]", (1,), "f32[2,3]"),
    ("f32[2,3]", "f32[3]", (-1,), "f32[2,3]"),
    ("f32[2]", "f32[2,3]", (0,), "f32[2,3]"),
    ("f32[2,1]", "f32[1,3]", (), "f32[2,3]"),
    ("f32[2,1]", "f32[2,3]", (), "f32[2,3]"),
    ("f32[4,2,3]", "f32[4,1]", (0, 1), "f32[4,2,3]"),
    ("f32[4,1,3]", "f32[2,3]", (1, 2), "f32[4,2,3]"),
    ("f32[1,1]", "f32[5]", (1,), "f32[1,5]"),
    ("f32[1,2,5]", "f32[7,2]", (0, 1), "f32[7,2,5]"),
]


@pytest.mark.parametrize(("lhs", "rhs", "dimensions", "result"), PLACED)
def test_operands_broadcast(
    oracle: Oracle, lhs: str, rhs: str, dimensions: tuple[int, ...], result: str
) -> None:
    b = ModuleBuilder("broadcast")
    x, y = b.parameter(0, lhs), b.parameter(1, rhs)
    op = b.sub(x, y, dimensions)
    assert b.shape(op).to_text(layouts=False) == result
    first, second = (b.shape(operand).dimensions for operand in (x, y))
    a = np.arange(np.prod(first, dtype=int), dtype=np.float32).reshape(first)
    c = np.arange(np.prod(second, dtype=int), dtype=np.float32).reshape(second) * 100
    (array,) = agree(oracle, b, a, c)
    rank = max(len(first), len(second))
    low, high = (first, second) if len(first) < len(second) else (second, first)
    sizes = [1] * rank
    for size, number in zip(low, dimensions or range(len(low)), strict=True):
        sizes[number] = size
    placed = (a.reshape(sizes), c) if len(first) < len(second) else (a, c.reshape(sizes))
    if len(first) == len(second):
        placed = (a, c)
    assert array.tolist() == (placed[0] - placed[1]).tolist()
    assert len(high) == rank


REFUSED = [
    ("f32[4,3]", "f32[2]", (), "broadcast_dimensions places each dimension"),
    ("f32[4,3]", "f32[2]", (0,), "sizes are equal, or one of them is 1"),
    ("f32[4,3]", "f32[3,4]", (), "sizes are equal, or one of them is 1"),
    ("f32[4,3]", "f32[4,3]", (1, 0), "no broadcast_dimensions but 0, 1"),
    ("f32[4,3,2]", "f32[3,4]", (1, 0), "broadcast_dimensions increases strictly"),
    ("f32[4,3]", "f32[3]", (2,), "-rank <= dimension < rank"),
    ("f32[4,3]", "s32[4,3]", (), "both operands have one element type"),
]


@pytest.mark.parametrize(("lhs", "rhs", "dimensions", "message"), REFUSED)
def test_operands_that_do_not_fit_are_refused(
    lhs: str, rhs: str, dimensions: tuple[int, ...], message: str
) -> None:
    b = ModuleBuilder("broadcast")
    with pytest.raises(VerifyError, match=message):
        b.add(b.parameter(0, lhs), b.parameter(1, rhs), dimensions)


# ---- one program each


def program(name: str, tolerance: float = 0.0) -> Callable[[Make], Make]:
    """Registers a program, whose function takes the builder and adds the result last."""

    def register(make: Make) -> Make:
        PROGRAMS.append(pytest.param(make, tolerance, id=name))
        return make

    return register


PROGRAMS: list[Any] = []
A = np.arange(24, dtype=np.float32).reshape(2, 3, 4) - 7
M = np.float32([[4, 1, 0], [1, 5, 2], [0, 2, 6]])


def constant(b: ModuleBuilder, value: Any) -> XlaOp:
    """A constant."""
    return b.constant(value)


@program("converts")
def _converts(b: ModuleBuilder) -> XlaOp:
    x = b.constant([-1.5, 2.5, 300.0, np.nan])
    kinds = ("s32", "u8", "pred", "f64", "bf16", "c64", "s8")
    return b.tuple([b.convert_element_type(x, kind) for kind in kinds])


@program("bitcast to wider")
def _bitcast(b: ModuleBuilder) -> XlaOp:
    return b.bitcast_convert_type(b.constant([[1, 2, 3, 4]], "u8"), "u32")


@program("reduce precision")
def _precision(b: ModuleBuilder) -> XlaOp:
    return b.reduce_precision(b.constant([1.1, 1e30, np.nan]), 4, 3)


@program("clamp by arrays")
def _clamp(b: ModuleBuilder) -> XlaOp:
    return b.clamp(b.constant([0.0, 3.0]), b.constant([-1.0, 4.0]), b.constant([1.0, 3.5]))


@program("folded and, or")
def _folded(b: ModuleBuilder) -> XlaOp:
    xs = [b.constant(item) for item in ([7, 6], [3, 12], [5, 4])]
    return b.tuple([b.and_(xs), b.or_(xs)])


@program("constants")
def _constants(b: ModuleBuilder) -> XlaOp:
    return b.tuple(
        [
            b.constant_r0(3.5),
            b.constant_r1([1, 2]),
            b.constant_r1(3, 7.0),
            b.constant_r2([[1, 2], [3, 4]], "u8"),
            b.constant_r3([[[1.0]]]),
            b.constant_r4([[[[True]]]]),
            b.constant(np.float16([1.5, -2.0])),
            b.constant(2**40),
            b.constant(1 + 2j),
            b.zeros("s32[2,2]"),
        ]
    )


@program("iota of a type and of floats")
def _iota(b: ModuleBuilder) -> XlaOp:
    return b.tuple([b.iota("u8", 5), b.iota("f32[2,3]", -1), b.iota("s32[2,2]", 0)])


@program("reshapes")
def _reshapes(b: ModuleBuilder) -> XlaOp:
    x = b.constant(A)
    forms = [b.reshape(x, [4, 6]), b.reshape("f32[24]", x), b.reshape(x, new_sizes=[6, 4])]
    return b.tuple([*forms, b.reshape(x, dimensions=[2, 0, 1], new_sizes=[4, 6])])


@program("transposes and reverses")
def _transposes(b: ModuleBuilder) -> XlaOp:
    x = b.constant(A)
    return b.tuple([b.transpose(x, [-1, 0, 1]), b.transpose(x), b.rev(x, [0, -1])])


@program("pad in a dimension")
def _pad(b: ModuleBuilder) -> XlaOp:
    x = b.constant([[1, 2], [3, 4]])
    return b.tuple([b.pad_in_dim(x, 9, -1, 1, 2), b.pad(x, 0, [(0, 1), (-1, 0)])])


@program("slice in a dimension")
def _slice(b: ModuleBuilder) -> XlaOp:
    return b.slice_in_dim(b.constant(A), 0, 4, 2, -1)


@program("dynamic slices clamp")
def _dynamic(b: ModuleBuilder) -> XlaOp:
    x = b.constant([0, 1, 2, 3, 4])
    first = b.dynamic_slice(x, [b.constant(4)], [3])
    second = b.dynamic_update_slice(x, b.constant([8, 9]), [b.constant(-2)])
    return b.tuple([first, second])


@program("gather with batch dimensions")
def _gather(b: ModuleBuilder) -> XlaOp:
    x = b.constant(A)
    indices = b.constant([[0, 2], [1, 1]])
    numbers = GatherDimensionNumbers(
        offset_dims=[-1],
        collapsed_slice_dims=[1],
        start_index_map=[1],
        index_vector_dim=2,
        operand_batching_dims=[0],
        start_indices_batching_dims=[0],
    )
    return b.gather(x, indices, dimension_numbers=numbers, slice_sizes=[1, 1, 4])


@program("scatter of several operands")
def _scatter(b: ModuleBuilder) -> XlaOp:
    numbers = ScatterDimensionNumbers(
        inserted_window_dims=[0], scatter_dims_to_operand_dims=[0], index_vector_dim=1
    )
    return b.scatter(
        [b.constant([1, 2, 3]), b.constant([1.0, 2.0, 3.0])],
        b.constant([2, 0]),
        [b.constant([10, 20]), b.constant([0.5, 0.25])],
        lambda x, y, dx, dy: (x + dx, y * dy),
        numbers,
        unique_indices=True,
    )


@program("sort by columns, descending")
def _sort(b: ModuleBuilder) -> XlaOp:
    x = b.constant([[3, 1, 2], [1, 5, 4]])
    return b.sort(x, lambda p, q: p > q, 0, True)


@program("top k")
def _top_k(b: ModuleBuilder) -> XlaOp:
    return b.top_k(b.constant([[1.0, 9.0, 3.0, 9.0]]), 2)


@program("dots", 1e-6)
def _dots(b: ModuleBuilder) -> XlaOp:
    x, y = b.constant(A), b.constant(A + 3)
    batch = b.dot_general(x, y, (((2,), (2,)), ((0,), (0,))), precision_config="highest")
    numbers = {"lhs_contracting_dimensions": [1, 2], "rhs_contracting_dimensions": [1, 2]}
    wide = b.dot(b.constant([1, 2], "s8"), b.constant([100, 100], "s8"), None, "s32")
    return b.tuple([batch, b.dot_general(x, y, numbers), wide])


@program("convolutions", 1e-5)
def _convolutions(b: ModuleBuilder) -> XlaOp:
    image = b.constant(np.arange(2 * 4 * 5 * 5, dtype=np.float32).reshape(2, 4, 5, 5) / 8)
    kernel = b.constant(np.arange(8 * 2 * 3 * 3, dtype=np.float32).reshape(8, 2, 3, 3) / 16 - 4)
    plain = b.conv(image, kernel, [2, 1], "SAME", feature_group_count=2)
    batches = b.conv(
        b.constant(np.arange(4 * 1 * 6, dtype=np.float32).reshape(4, 1, 6)),
        b.constant(np.arange(2 * 1 * 2, dtype=np.float32).reshape(2, 1, 2)),
        *([1], "VALID", 1, 2),
    )
    last = b.conv_with_general_dimensions(
        b.transpose(image, [0, 2, 3, 1]),
        b.transpose(kernel, [2, 3, 1, 0]),
        [1, 1],
        "VALID",
        "b01f_01io->b01f",
        2,
    )
    numbers = ConvolutionDimensions(0, 1, (2, 3), 1, 0, (2, 3), 0, -1, (1, 2))
    dilated = b.conv_general_dilated(
        *(image, kernel, [1, 2], [(1, 0), (2, -1)], [2, 1], [1, 2], numbers, 2),
        window_reversal=[True, False],
    )
    return b.tuple([plain, batches, last, dilated])


@program("reductions")
def _reductions(b: ModuleBuilder) -> XlaOp:
    x = b.constant(A)
    total = b.reduce_all(x, 0.0, lambda x, y: x + y)
    windows = b.reduce_window_with_general_padding(
        *(x, -1000.0, lambda p, q: b_max(p, q), [1, 2, 2], [1, 1, 2]),
        *([1, 2, 1], [1, 1, 2], [(0, 0), (1, 0), (0, 1)]),
    )
    pair = b.reduce_window(
        [b.constant([1, 5, 2, 4]), b.constant([1.0, 2.0, 3.0, 4.0])],
        [b.constant(0), b.constant(1.0)],
        lambda p, q, r, s: (p + r, q * s),
        [2],
    )
    return b.tuple([total, windows, pair[0], pair[1]])


def b_max(first: XlaOp, second: XlaOp) -> XlaOp:
    """The larger."""
    return first.builder.operator("max", first, second)


@program("maps")
def _maps(b: ModuleBuilder) -> XlaOp:
    x = b.constant([[1, 2], [3, 4]])
    return b.map([x, x], lambda p, q: p * q + 1)


@program("transforms", 1e-5)
def _transforms(b: ModuleBuilder) -> XlaOp:
    x = b.constant(np.float32([[1, 2, 3, 4], [0, 1, 0, -1]]))
    real = b.fft(x, "RFFT", [4])
    back = b.fft(real, "irfft", [4])
    z = b.fft(b.convert_element_type(x, "c64"), "FFT", [2, 4])
    return b.tuple([real, back, z, b.fft(z, "IFFT", [2, 4])])


@program("cholesky", 1e-5)
def _cholesky(b: ModuleBuilder) -> XlaOp:
    factor = b.cholesky(b.constant(M), True)
    return b.dot_general(factor, factor, DotDimensionNumbers([1], [1]))


@program("batch norms", 1e-4)
def _batch_norms(b: ModuleBuilder) -> XlaOp:
    x = b.constant(A)
    scale, offset, mean, variance = (
        b.constant(item)
        for item in ([1.0, 2.0, 3.0], [0.5, 0.0, -1.0], [0.0, 1.0, 2.0], [4.0, 5.0, 6.0])
    )
    training = b.batch_norm_training(x, scale, offset, 0.001, 1)
    inference = b.batch_norm_inference(x, scale, offset, mean, variance, 0.001, -2)
    grad = b.batch_norm_grad(x, scale, mean, variance, b.constant(A * 2), 0.001, 1)
    return b.tuple([*training, inference, *grad])


@program("calls")
def _calls(b: ModuleBuilder) -> XlaOp:
    callee = ModuleBuilder("callee")
    callee.add(callee.parameter(0, "f32[2]", "x"), callee.parameter(1, "f32[2]", "y"))
    module = callee.tree()
    x = b.constant([1.0, 2.0])
    first = b.call(module, x, x)
    second = b.call(module, [first, x])
    third = b.call(callee, x, second)
    composite = b.composite_call(callee, [x, third], "my.add", {"n": 1}, 2)
    return b.tuple([second, composite, b.call(lambda builder: builder.iota("s32", 2))])


@program("barriers and tokens")
def _barriers(b: ModuleBuilder) -> XlaOp:
    token = b.after_all(b.create_token(), b.create_token())
    b.after_all([token])
    x, y = b.optimization_barrier([b.constant(1), b.constant([2.0])])
    return b.tuple([x, y, b.optimization_barrier(y)])


@program("sizes")
def _sizes(b: ModuleBuilder) -> XlaOp:
    x = b.constant(A)
    return b.get_dimension_size(x, -1)


@program("bits", 0.0)
def _bits(b: ModuleBuilder) -> XlaOp:
    state = b.constant(np.uint64([7, 11]))
    threefry = b.rng_bit_generator("rng_three_fry", state, "u32[5]")
    philox = b.rng_bit_generator("RNG_PHILOX", initial_state=state, shape="u32[4]")
    return b.tuple([*threefry, *philox])


@program("operators")
def _operators(b: ModuleBuilder) -> XlaOp:
    x, n = b.constant([1.0, 2.0, 3.0]), b.constant([6, -5, 4])
    p = x < 2.5
    return b.tuple(
        [
            *(x + 1, 1 + x, x - 0.5, 2 - x, x * 3, 3 * x, x / 2, 6 / x, x**2, 2**x, -x, +x),
            *(abs(-x), x @ x, x > 1, x >= 1, x <= 1, x > 2, n & 3, 3 & n, n | 8, 8 | n),
            *(n ^ 1, 1 ^ n, ~n, ~p, p & p, n << 1, n >> 1, b.convert_element_type(n, "u32") >> 1),
            *(x[1:3], x[::2], x[-1], x[...], b.constant(A)[0, ..., 1:2], b.tuple([x, n])[-1]),
        ]
    )


@pytest.mark.parametrize(("make", "tolerance"), PROGRAMS)
def test_programs(oracle: Oracle, make: Make, tolerance: float) -> None:
    b = ModuleBuilder("program")
    make(b)
    agree(oracle, b, tolerance=tolerance)


BOUNDED = [
    ("f32[<=5]", "f32[5]", (), "f32[<=5]"),
    ("f32[<=5]", "f32[<=5]", (), "f32[<=5]"),
    ("f32[<=5,3]", "f32[]", (), "f32[<=5,3]"),
    ("f32[<=5,3]", "f32[3]", (1,), "f32[<=5,3]"),
    ("f32[<=5,3]", "f32[1,3]", (), "f32[<=5,3]"),
    ("f32[<=5]", "f32[5,3]", (0,), "f32[<=5,3]"),
]


@pytest.mark.parametrize(("lhs", "rhs", "dimensions", "result"), BOUNDED)
def test_operands_of_bounded_sizes_broadcast(
    lhs: str, rhs: str, dimensions: tuple[int, ...], result: str
) -> None:
    b = ModuleBuilder("bounded")
    op = b.add(b.parameter(0, lhs), b.parameter(1, rhs), dimensions)
    assert b.shape(op).to_text(layouts=False) == result
    with pytest.raises(VerifyError, match="sizes are equal"):
        b.add(b.parameter(2, "f32[<=5]"), b.parameter(3, "f32[<=6]"))


def moments(x: Any, axis: tuple[int, ...]) -> tuple[Any, Any]:
    """Mean and variance of each feature."""
    return x.mean(axis), x.var(axis)


def test_batch_norms_are_the_formulas_of_the_document() -> None:
    from tests.xla.builder.execution import here

    generator = np.random.default_rng(0)
    x, dy = generator.normal(size=(2, 2, 5, 3, 4)).astype(np.float32)[:, :]
    scale, offset = generator.normal(size=(2, 4)).astype(np.float32)
    eps, axis = 0.01, (0, 1, 2)
    mean, variance = moments(x, axis)
    b = ModuleBuilder("batch_norm")
    ops = [b.constant(item) for item in (x, scale, offset, mean, variance, dy)]
    training = b.batch_norm_training(*ops[:3], epsilon=eps, feature_index=3)
    inference = b.batch_norm_inference(*ops[:5], epsilon=eps, feature_index=-1)
    grad = b.batch_norm_grad(ops[0], ops[1], ops[3], ops[4], ops[5], eps, 3)
    b.tuple([*training, inference, *grad])
    y, batch_mean, batch_var, y2, dx, dscale, doffset = here(b.tree())
    expected = scale * (x - mean) / np.sqrt(variance + eps) + offset
    n = x.size // 4
    c = (dy * (x - mean) / (variance + eps)).sum(axis) / n
    d = dy.sum(axis) / n
    grad_x = scale / np.sqrt(variance + eps) * (dy - d - c * (x - mean))
    grad_scale = (dy * (x - mean) / np.sqrt(variance + eps)).sum(axis)
    for item, value in (
        *((y, expected), (batch_mean, mean), (batch_var, variance), (y2, expected)),
        *((dx, grad_x), (dscale, grad_scale), (doffset, dy.sum(axis))),
    ):
        np.testing.assert_allclose(item, value, rtol=2e-4, atol=2e-5)
