"""The operators of expressions: a row gives operand types, result type and meaning.

Types are those of registers: ``i1 i8 i16 i32 i64 f32 f64`` and ``index``. Whether an integer is
signed is a matter of the operation, as in LLVM. Narrow floats are kept as ``f32`` that the
narrow format holds: ``decode_f16`` and others make them of their bits, ``encode_f16`` and others
round to the nearest one and give its bits. Only code that makes use of instructions for ``f16``
has registers of that type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import inf, isfinite
from typing import Final, Literal, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import F32, FLOAT_STORAGE, Array, DType, FloatType
from stablemate.numerics.rounding import converter

# The values of a register: an array of one of DTYPES, a NumPy scalar where there is one lane.
Lanes: TypeAlias = Array
Meaning = Callable[..., Lanes]
Kind = Literal["binary", "unary", "ternary", "compare", "select", "lanes"]

BITS: Final = {
    "i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "f32": 32, "f64": 64,
}  # fmt: skip
INTEGERS: Final = ("i8", "i16", "i32", "i64")
FLOATS: Final = ("f32", "f64")
DTYPES: Final = {
    "i1": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "index": np.dtype(np.int64),
}
BYTES: Final = {name: dtype.itemsize for name, dtype in DTYPES.items()}
NARROW: Final = {  # what bits of narrow floats are kept in
    name: "i16" if name in ("f16", "bf16") else "i8" for name in FLOAT_STORAGE if name not in FLOATS
}


@dataclass(frozen=True, slots=True)
class Operator:
    """An operation on registers.

    Attributes:
        name: Its name.
        kind: What it gives: the type of its operands, ``i1``, or a type that is stated.
        meaning: What it computes, on NumPy scalars or arrays of ``DTYPES``.
    """

    name: str
    kind: Kind
    meaning: Meaning


def to_unsigned(value: Lanes) -> Lanes:
    """The same bits, counted from zero."""
    return value.view(f"u{value.dtype.itemsize}")


def as_unsigned(function: Meaning) -> Meaning:
    """The function on unsigned operands, its result as the signed type of the same bits."""

    def meaning(*operands: Lanes) -> Lanes:
        result = function(*map(to_unsigned, operands))
        return result if result.dtype == np.bool_ else result.view(operands[0].dtype)

    return meaning


def shift(function: Meaning) -> Meaning:
    """A shift by fewer bits than there are."""
    return as_unsigned(function)


def truncated_quotient(lhs: Lanes, rhs: Lanes) -> Lanes:
    """Signed division towards zero; the divisor is not zero and the quotient fits."""
    return (lhs - np.fmod(lhs, rhs)) // rhs


def truncated_remainder(lhs: Lanes, rhs: Lanes) -> Lanes:
    """The remainder of ``truncated_quotient``, with the sign of ``lhs``."""
    return np.fmod(lhs, rhs)


def leading_zeros(value: Lanes) -> Lanes:
    """Zero bits above the highest one."""
    width = value.dtype.itemsize * 8
    counts = [width - int(number).bit_length() for number in np.ravel(to_unsigned(value))]
    return np.reshape(np.array(counts, value.dtype), np.shape(value))[()]


def population(value: Lanes) -> Lanes:
    """Counts the bits that are set."""
    return np.bitwise_count(to_unsigned(value)).astype(value.dtype)


def select(which: Lanes, yes: Lanes, no: Lanes) -> Lanes:
    """``yes`` where the condition holds, else ``no``."""
    chosen: Lanes = np.choose(which, (no, yes))
    return chosen[()]


def saturate(dtype: DType, signed: bool) -> Meaning:
    """A float as an integer: towards zero, the nearest one if out of range, 0 for NaN."""
    target = dtype if signed else np.dtype(f"u{dtype.itemsize}")
    info = np.iinfo(target.name)

    def meaning(value: Lanes) -> Lanes:
        whole = np.where(np.isnan(value), 0.0, np.trunc(value).astype(np.float64))
        low, high = whole < info.min, whole >= float(info.max) + (info.bits < 54)
        inside = np.where(low | high, 0.0, whole).astype(target)
        return (
            np.where(low, info.min, np.where(high, info.max, inside)).astype(target).view(dtype)[()]
        )

    return meaning


def fused_multiply_add(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """``a * b + c``, rounded once."""
    if a.dtype != np.float64:  # the product of two f32 is an f64, and rounding twice is too
        wide = [number.astype(np.longdouble) for number in (a, b, c)]
        return (wide[0] * wide[1] + wide[2]).astype(a.dtype)
    exact: Lanes = np.vectorize(fused_exactly, otypes=[np.float64])(a, b, c)[()]
    return exact


def fused_exactly(a: float, b: float, c: float) -> float:
    """A fused multiply-add of ``f64``, for which there is no wider type."""
    if not (isfinite(a) and isfinite(b) and isfinite(c)) or a * b == 0:
        return a * b + c
    total = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return float(total) if total else a * b + c
    except OverflowError:
        return inf if total > 0 else -inf


def residue(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """``a * b - c`` where the product is nearly c."""
    return fused_multiply_add(a, b, np.negative(c))


def pair_of_bfloat16(total: Lanes, a: Lanes, b: Lanes) -> Lanes:
    """``total`` with the products of two pairs of ``bf16``, the upper halves first."""
    for shift in (0, 16):
        x, y = (((to_unsigned(number) << shift) & 0xFFFF0000).view(np.float32) for number in (a, b))
        total = fused_multiply_add(x, y, total)
    return total


def pair_of_i16(total: Lanes, a: Lanes, b: Lanes) -> Lanes:
    """``total`` with the products of two pairs of ``i16``."""
    for shift in (16, 0):
        lower, upper = ((number << shift) >> 16 for number in (a, b))
        total = total + lower * upper
    return total


def pair_products_of_i16(a: Lanes, b: Lanes) -> Lanes:
    """The sums of the products of two pairs of ``i16``."""
    return pair_of_i16(np.zeros_like(a), a, b)


def quad_of_i8(total: Lanes, a: Lanes, b: Lanes) -> Lanes:
    """``total`` with the products of four unsigned bytes and four signed ones."""
    for shift in (24, 16, 8, 0):
        total = total + ((a << shift) >> 24 & 0xFF) * ((b << shift) >> 24)
    return total


def quad_of_signed_i8(total: Lanes, a: Lanes, b: Lanes) -> Lanes:
    """``total`` with the products of two times four signed bytes."""
    for shift in (24, 16, 8, 0):
        total = total + ((a << shift) >> 24) * ((b << shift) >> 24)
    return total


def quad_of_unsigned_i8(total: Lanes, a: Lanes, b: Lanes) -> Lanes:
    """``total`` with the products of two times four unsigned bytes."""
    for shift in (24, 16, 8, 0):
        total = total + ((a << shift) >> 24 & 0xFF) * ((b << shift) >> 24 & 0xFF)
    return total


def tile_of_bfloat16(total: Lanes, left: Lanes, right: Lanes) -> Lanes:
    """``total`` with the product of matrices of pairs of ``bf16``; what is subnormal is zero.

    The products of the lower halves are added up, those of the upper ones, and both to the total.
    """
    sums: list[Lanes] = []
    for shift in (16, 0):
        x, y = (without_subnormals(bfloat16_at(words, shift)) for words in (left, right))
        part = np.zeros(total.shape, np.float32)
        for step in range(y.shape[0]):
            factors = np.broadcast_arrays(x[:, step, None], y[step], part)
            part = without_subnormals(fused_multiply_add(*factors))
        sums.append(part)
    whole = without_subnormals(sums[0] + sums[1])
    return without_subnormals(without_subnormals(total) + whole)


def bfloat16_at(words: Lanes, shift: int) -> Lanes:
    """The numbers of ``bf16`` in a half of words: the lower one is shifted by 16 bits."""
    return ((to_unsigned(words) << shift) & 0xFFFF0000).view(np.float32)


def without_subnormals(values: Lanes) -> Lanes:
    """Floats of 32 bits with zeros of their sign where they are subnormal."""
    return select(np.abs(values) < 2.0**-126, np.copysign(np.float32(0), values), values)


def tile_of_i8(left_type: type, right_type: type) -> Meaning:
    """The sums of products of matrices of bytes, four in a word."""

    def meaning(total: Lanes, left: Lanes, right: Lanes) -> Lanes:
        rows = left.view(left_type).astype(np.int32)
        columns = right.T.copy().view(right_type).astype(np.int32)
        products: Lanes = rows @ columns.T
        return total + products

    return meaning


# Products of tiles: the left one has rows of words, each of neighbors in a row of the left factor,
# the right one rows of words, each of neighbors in a column of the right factor.
TILE_PRODUCTS: Final[Mapping[str, Meaning]] = {
    "tile_of_bfloat16": tile_of_bfloat16,
    "tile_of_signed_i8": tile_of_i8(np.int8, np.int8),
    "tile_of_signed_by_unsigned_i8": tile_of_i8(np.int8, np.uint8),
    "tile_of_unsigned_by_signed_i8": tile_of_i8(np.uint8, np.int8),
    "tile_of_unsigned_i8": tile_of_i8(np.uint8, np.uint8),
}


def table_entry(entries: Lanes, index: Lanes) -> Lanes:
    """The entries of a table of 16 at the low bits of indices."""
    found: Lanes = entries[to_unsigned(index) & 15]
    return found


def smaller(lhs: Lanes, rhs: Lanes) -> Lanes:
    """The smaller number, NaN if there is one; of zeros the negative one."""
    return select(lhs == rhs, select(np.signbit(lhs), lhs, rhs), np.minimum(lhs, rhs))


def larger(lhs: Lanes, rhs: Lanes) -> Lanes:
    """The larger number, NaN if there is one; of zeros the positive one."""
    return select(lhs == rhs, select(np.signbit(lhs), rhs, lhs), np.maximum(lhs, rhs))


def are_unordered(lhs: Lanes, rhs: Lanes) -> Lanes:
    """Whether one of two numbers is NaN."""
    return np.isnan(lhs) | np.isnan(rhs)


def larger_number(lhs: Lanes, rhs: Lanes) -> Lanes:
    """The larger number; the first operand is one, and NaN is no larger."""
    return select(lhs < rhs, rhs, lhs)


def rounded_away(value: Lanes) -> Lanes:
    """To the nearest integer, ties away from zero."""
    whole = np.trunc(value)
    away: Lanes = np.where(np.abs(value - whole) >= 0.5, np.sign(value), 0)
    rounded: Lanes = np.copysign(whole + away, value)
    return rounded


def power_term(name: str) -> Meaning:
    """One of the numbers that a complex power is computed from, in as many digits as it takes."""

    def meaning(which: Lanes, *operands: Lanes) -> Lanes:
        from stablemate.numerics.correct_rounding.complex_powers import power_terms

        return power_terms(which, *operands[:4])[POWER_TERMS.index(name)]

    return meaning


# Numbers that a function computes in a rare branch, for the lanes whose first operand is not zero;
# in other lanes anything may stand. The further operands are the parts of the base and of the
# exponent, and those of log(abs(base)) and arg(base) in twice the precision, where they begin.
POWER_TERMS: Final = (
    "power_log",
    "power_log_rest",
    "power_log_exponent",
    "power_angle",
    "power_angle_rest",
    "power_angle_exponent",
    "power_quarters",
)
ROWS: Final[dict[Kind, dict[str, Meaning]]] = {
    "unary": {
        "fneg": np.negative,
        "fabs": np.abs,
        "sqrt": np.sqrt,
        "floor": np.floor,
        "ceil": np.ceil,
        "rint": np.rint,
        "round": rounded_away,
        "popcount": population,
        "leading_zeros": leading_zeros,
        "fence": np.positive,  # the number as it is: LLVM joins no operations across it
    },
    "binary": {
        "add": np.add,
        "sub": np.subtract,
        "mul": np.multiply,
        "sdiv": truncated_quotient,
        "udiv": as_unsigned(np.floor_divide),
        "srem": truncated_remainder,
        "urem": as_unsigned(np.remainder),
        "and": np.bitwise_and,
        "or": np.bitwise_or,
        "xor": np.bitwise_xor,
        "shl": shift(np.left_shift),
        "lshr": shift(np.right_shift),
        "ashr": np.right_shift,
        "smin": np.minimum,
        "smax": np.maximum,
        "umin": as_unsigned(np.minimum),
        "umax": as_unsigned(np.maximum),
        "fadd": np.add,
        "fsub": np.subtract,
        "fmul": np.multiply,
        "fdiv": np.divide,
        "minimum": smaller,
        "maximum": larger,
        "maxnum": larger_number,
        "copysign": np.copysign,
        "pair_products_of_i16": pair_products_of_i16,
        "table_entry": table_entry,  # the first operand is a table, in the lanes of a vector
    },
    "ternary": {
        "fma": fused_multiply_add,
        "multiply_add": fused_multiply_add,
        "residue": residue,
        # the operands after the first one are several narrow factors in one i32
        "pair_of_bfloat16": pair_of_bfloat16,
        "pair_of_i16": pair_of_i16,
        "quad_of_i8": quad_of_i8,
        "quad_of_i8_on_arm": quad_of_i8,
        "quad_of_signed_i8": quad_of_signed_i8,
        "quad_of_unsigned_i8": quad_of_unsigned_i8,
    },
    "compare": {
        "eq": np.equal,
        "ne": np.not_equal,
        "slt": np.less,
        "sle": np.less_equal,
        "ult": as_unsigned(np.less),
        "ule": as_unsigned(np.less_equal),
        "feq": np.equal,
        "fne": np.not_equal,
        "flt": np.less,
        "fle": np.less_equal,
        "unordered": are_unordered,
    },
    # What is rare is not computed where no lane asks for it: one branch for all lanes.
    "select": {"select": select, "rarely": select},
    "lanes": {name: power_term(name) for name in POWER_TERMS},
}
OPERATORS: Final = {
    name: Operator(name, kind, meaning)
    for kind, rows in ROWS.items()
    for name, meaning in rows.items()
}
CONVERSIONS: Final = (
    "trunc",
    "zext",
    "sext",
    "sitofp",
    "uitofp",
    "fptosi",
    "fptoui",
    "fptosi_in_range",
    "fptoui_in_range",
    "nearest_in_range",
    "fpext",
    "fptrunc",
    "bitcast",
    *(f"decode_{name}" for name in NARROW),
    *(f"encode_{name}" for name in NARROW),
)


def convert(operator: str, value: Lanes, target: str) -> Lanes:
    """The meaning of a conversion."""
    dtype = DTYPES[target]
    match operator:
        case "bitcast":
            return value.view(dtype)
        case "zext" | "uitofp":
            return (value if value.dtype == np.bool_ else to_unsigned(value)).astype(dtype)
        case "trunc" if target == "i1":
            return (value & 1).astype(dtype)
        case "sext" if value.dtype == np.bool_:
            return np.negative(value.astype(dtype))
        case "fptosi" | "fptoui" | "fptosi_in_range" | "fptoui_in_range":
            return saturate(dtype, operator.startswith("fptosi"))(value)
        case "nearest_in_range":
            return np.rint(value).astype(dtype)
        case _ if operator.startswith("decode_"):
            element = FloatType(operator.removeprefix("decode_"))
            wide: Lanes = converter(element, F32)(value.view(element.dtype))
            return wide
        case _ if operator.startswith("encode_"):
            element = FloatType(operator.removeprefix("encode_"))
            bits: Lanes = converter(F32, element)(value).view(dtype)
            return bits
        case _:
            return value.astype(dtype)


def constant_converted(operator: str, bits: int, source: str, target: str) -> int:
    """The bits of a constant that is converted."""
    value = np.array(bits, f"u{BYTES[source]}").view(DTYPES[source])
    with np.errstate(over="ignore", invalid="ignore"):
        return int(to_unsigned(np.asarray(convert(operator, value, target))))
