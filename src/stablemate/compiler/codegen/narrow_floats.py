"""Conversions between narrow floats and ``f32``, as integer expressions.

``decode`` makes the ``f32`` of bits; ``encode`` gives the bits of the nearest number of a format,
ties to even. Formats without infinities hold NaN for what is too large, those without both the
largest number; these have -0 for NaN, as XLA has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, Literal

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import NARROW
from stablemate.deferred_dataclasses import dataclass

Expansion = Callable[..., Expression]
Ends = Literal["infinity", "nan", "one nan", "number"]

MANTISSA: Final = 23  # bits of f32
BIAS: Final = 127  # of the exponents of f32
INFINITY: Final = 0x7F800000  # its bits in f32
QUIET_NAN: Final = 0x7FC00000  # its bits in f32
SIGN: Final = 1 << 31  # the bit of the sign in f32
SMALLEST_SCALE: Final = 0x00400000  # 2^-127, whose bits are zero in f8E8M0FNU
SCALE_NAN: Final = 0xFF  # its bits in f8E8M0FNU


@dataclass(frozen=True, slots=True)
class NarrowFormat:
    """A narrow format: a sign, an exponent, a mantissa.

    Attributes:
        name: What MLIR calls it.
        bits: All of them.
        mantissa: Bits of the mantissa that are stored.
        bias: The exponent of 1 as it is stored.
        ends: What follows the largest number: infinity and NaNs, one NaN of each sign, nothing
            but one NaN in the place of -0, or nothing.
    """

    name: str
    bits: int
    mantissa: int
    bias: int
    ends: Ends

    @property
    def sign(self) -> int:
        """The bit of the sign."""
        return 1 << (self.bits - 1)

    @property
    def beyond(self) -> int:
        """The bits that follow those of the largest number."""
        all_exponents = (self.sign - 1) >> self.mantissa << self.mantissa
        return {
            "infinity": all_exponents,
            "nan": self.sign - 1,
            "one nan": self.sign,
            "number": self.sign,
        }[self.ends]

    @property
    def dropped(self) -> int:
        """Bits of an ``f32`` that it lacks."""
        return MANTISSA - self.mantissa

    @property
    def below(self) -> int:
        """By how much its exponents are less than those of ``f32``."""
        return BIAS - self.bias


FORMATS: Final = (
    NarrowFormat("f16", 16, 10, 15, "infinity"),
    NarrowFormat("f8E5M2", 8, 2, 15, "infinity"),
    NarrowFormat("f8E4M3", 8, 3, 7, "infinity"),
    NarrowFormat("f8E3M4", 8, 4, 3, "infinity"),
    NarrowFormat("f8E4M3FN", 8, 3, 7, "nan"),
    NarrowFormat("f8E5M2FNUZ", 8, 2, 16, "one nan"),
    NarrowFormat("f8E4M3FNUZ", 8, 3, 8, "one nan"),
    NarrowFormat("f8E4M3B11FNUZ", 8, 3, 11, "one nan"),
    NarrowFormat("f4E2M1FN", 4, 1, 1, "number"),
    NarrowFormat("f6E2M3FN", 6, 3, 1, "number"),
    NarrowFormat("f6E3M2FN", 6, 2, 3, "number"),
)


def decode_float(bits: Expression, of: NarrowFormat) -> Expression:
    """The ``f32`` of the bits of a narrow float."""
    table = bits.table
    wide = table.convert("zext", bits, "i32")
    magnitude = wide & (of.sign - 1)
    sign = shift("shl", wide & of.sign, 32 - of.bits)
    number = shift("shl", magnitude, of.dropped)
    if of.below:
        denormal = table.convert("sitofp", magnitude, "f32") * 2.0 ** (1 - of.bias - of.mantissa)
        normal = number + (of.below << MANTISSA)
        number = select(
            below(magnitude, 1 << of.mantissa), table.convert("bitcast", denormal, "i32"), normal
        )
        number = with_ends(number, magnitude, wide, of)
    return table.convert("bitcast", number | sign, "f32")


def with_ends(
    number: Expression, magnitude: Expression, wide: Expression, of: NarrowFormat
) -> Expression:
    """The magnitude of an ``f32``, with infinities and NaNs."""
    match of.ends:
        case "infinity":
            far: Expression | int = shift("shl", magnitude, of.dropped) | INFINITY
            if of.bits == 8:  # NaNs that a byte holds are one
                is_nan = below(constant(magnitude, of.beyond), magnitude)
                far = select(is_nan, QUIET_NAN, constant(number, INFINITY))
            return select(below(magnitude, of.beyond), number, far)
        case "nan":
            return select(below(magnitude, of.beyond), number, QUIET_NAN)
        case "one nan":
            is_nan = wide.table.apply("eq", wide & (2 * of.sign - 1), constant(wide, of.sign))
            return select(is_nan, QUIET_NAN, number)
        case "number":
            return number


def encode_float(value: Expression, of: NarrowFormat) -> Expression:
    """The bits of the narrow float that is nearest to an ``f32``."""
    table = value.table
    bits = table.convert("bitcast", value, "i32")
    magnitude = bits & (SIGN - 1)
    sign = shift("lshr", bits, 32 - of.bits) & of.sign
    odd = shift("lshr", magnitude, of.dropped) & 1
    half = (1 << (of.dropped - 1)) - 1
    nearest = shift("lshr", magnitude + odd + (half - (of.below << MANTISSA)), of.dropped)
    if of.below:
        # A sum with this number has the denormal in its last bits.
        least = table.constant(2.0 ** (1 - of.bias + of.dropped), "f32")
        total = table.convert("bitcast", table.apply("fabs", value) + least, "i32")
        denormal = total - table.convert("bitcast", least, "i32")
        nearest = select(below(magnitude, (of.below + 1) << MANTISSA), denormal, nearest)
    return table.convert("trunc", with_sign(nearest, magnitude, sign, of), NARROW[of.name])


def with_sign(
    nearest: Expression, magnitude: Expression, sign: Expression, of: NarrowFormat
) -> Expression:
    """The bits of a rounded number, with those for overflow and NaN selected."""
    is_number = below(magnitude, INFINITY + 1)
    if of.ends == "one nan":
        fits = is_number & below(nearest, of.beyond)
        signed = select(nearest.table.apply("eq", nearest, constant(nearest, 0)), 0, nearest | sign)
        return select(fits, signed, of.sign)
    last = of.beyond - (of.ends == "number")
    nearest = nearest.table.apply("umin", nearest, constant(nearest, last))
    match of.ends:
        case "infinity":
            nan = of.beyond | 1 << (of.mantissa - 1)
            return select(is_number, nearest, nan) | sign
        case "number":
            return select(is_number, nearest | sign, of.sign)
        case _:
            return nearest | sign


def decoded_scale(bits: Expression) -> Expression:
    """The power of two, or NaN, of an ``f8E8M0FNU``."""
    table = bits.table
    wide = table.convert("zext", bits, "i32")
    number = shift("shl", wide, MANTISSA)
    number = select(below(wide, 1), SMALLEST_SCALE, number)
    number = select(below(wide, SCALE_NAN), number, QUIET_NAN)
    return table.convert("bitcast", number, "f32")


def encoded_scale(value: Expression) -> Expression:
    """The ``f8E8M0FNU`` that is nearest to a positive ``f32``, ties up; all others are NaN."""
    table = value.table
    bits = table.convert("bitcast", value, "i32")
    nearest = shift("lshr", bits + (1 << (MANTISSA - 1)), MANTISSA)
    nearest = select(below(bits, SMALLEST_SCALE + (SMALLEST_SCALE >> 1)), 0, nearest)
    is_number = below(bits - 1, INFINITY - 1)
    return table.convert("trunc", select(is_number, nearest, SCALE_NAN), "i8")


def decoded_bfloat(bits: Expression) -> Expression:
    """The ``f32`` of the bits of a ``bf16``: the same bits, and zeros."""
    table = bits.table
    return table.convert("bitcast", shift("shl", table.convert("zext", bits, "i32"), 16), "f32")


def encoded_bfloat(value: Expression) -> Expression:
    """The bits of the ``bf16`` that is nearest to an ``f32``.

    A carry out of the mantissa gives the next exponent, that of infinity at the end.
    """
    table = value.table
    bits = table.convert("bitcast", value, "i32")
    upper = shift("lshr", bits, 16)
    nearest = shift("lshr", bits + (upper & 1) + 0x7FFF, 16)
    nan = (upper & 0x8000) | 0x7FC0
    rounded = select(table.apply("unordered", value, value), nan, nearest)
    return table.convert("trunc", rounded, "i16")


def encoded_bfloat_by_masks(value: Expression) -> Expression:
    """The same bits, where a mask chooses what an instruction adds, and where it writes NaN.

    Fused epilogues of ``bf16`` round two or three times for each product: eight instructions take
    the place of ten.
    """
    table = value.table
    bits = table.convert("bitcast", value, "i32")
    is_odd = table.apply("ne", bits & 0x10000, constant(bits, 0))
    nearest = select(is_odd, bits + 0x8000, bits + 0x7FFF)
    nan = (bits & SIGN) | QUIET_NAN
    rounded = select(table.apply("unordered", value, value), nan, nearest)
    return table.convert("trunc", shift("lshr", rounded, 16), "i16")


def decoded_half(bits: Expression) -> Expression:
    """The ``f32`` of the bits of an ``f16``, by an instruction."""
    table = bits.table
    return table.convert("fpext", table.convert("bitcast", bits, "f16"), "f32")


def encoded_half(value: Expression) -> Expression:
    """The bits of the ``f16`` that is nearest to an ``f32``, by an instruction.

    LLVM would round the sign of an ``f64`` that was rounded to the ``f32`` to ``f16`` once more,
    by a function that is not there.
    """
    table = value.table
    fenced = table.apply("fence", value)
    return table.convert("bitcast", table.convert("fptrunc", fenced, "f16"), "i16")


def constant(like: Expression, value: int) -> Expression:
    """A number of the type of an expression."""
    return like.table.like(like, value)


def shift(operator: str, bits: Expression, amount: int) -> Expression:
    """``shl`` or ``lshr`` by a constant."""
    return bits.table.apply(operator, bits, constant(bits, amount))


def below(value: Expression, bound: Expression | int) -> Expression:
    """Whether an unsigned number is less than another."""
    return value.table.apply("ult", value, value.table.like(value, bound))


def select(which: Expression, yes: Expression | int, no: Expression | int) -> Expression:
    """``condition ? yes : no``; at least one of the two is an expression."""
    model = yes if isinstance(yes, Expression) else no
    assert isinstance(model, Expression)
    table = which.table
    return table.apply("select", which, table.like(model, yes), table.like(model, no))


def of_format(function: Expansion, of: NarrowFormat) -> Expansion:
    """The function for a format."""
    return partial(function, of=of)


BY_INTEGERS: Final[Mapping[str, Expansion]] = {
    **{f"decode_{format_.name}": of_format(decode_float, format_) for format_ in FORMATS},
    **{f"encode_{format_.name}": of_format(encode_float, format_) for format_ in FORMATS},
    "decode_bf16": decoded_bfloat,
    "encode_bf16": encoded_bfloat,
    "decode_f8E8M0FNU": decoded_scale,
    "encode_f8E8M0FNU": encoded_scale,
}
BY_INSTRUCTIONS: Final[Mapping[str, Expansion]] = {
    "decode_f16": decoded_half,
    "encode_f16": encoded_half,
}
BY_MASKS: Final[Mapping[str, Expansion]] = {"encode_bf16": encoded_bfloat_by_masks}
