"""Casts of arith: numbers converted to other types, and bits reinterpreted as other types.

Source: MLIR arith dialect, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, TypeAlias, TypeVar, cast

import numpy as np

from stablemate.dialects.arith.attributes import (
    FASTMATH,
    OVERFLOW,
    ROUNDING_MODE,
    OverflowAttribute,
)
from stablemate.dialects.arith.elementwise import reject_rounding, reject_unstorable
from stablemate.dialects.arith.integers import Integer, as_element, as_signed, as_unsigned
from stablemate.dialects.arith.types import (
    BITS_LIKE,
    FIXED_WIDTH_LIKE,
    FLOAT_LIKE,
    INTEGER_LIKE,
    element_of,
    with_element,
)
from stablemate.dialects.stablehlo.bitcast_convert import from_bits, to_bits
from stablemate.dialects.stablehlo.elementwise_math import Function
from stablemate.ir.definition import (
    Check,
    Op,
    Operand,
    RegionFunction,
    Result,
    constraint,
    define,
    holds,
    op,
)
from stablemate.ir.kinds import UNIT_KIND, TypeConstraint
from stablemate.ir.types import TensorType, Type, UnrankedTensorType
from stablemate.numerics.elements import Array, ElementType, FloatType, IndexType, IntegerType
from stablemate.numerics.rounding import converter

CastT = TypeVar("CastT", bound="Cast")

Relation: TypeAlias = Callable[[Any, Any], bool]  # of the element types
OfArray: TypeAlias = Callable[[Array], Any]
Conversion: TypeAlias = Callable[[Any, Any], OfArray]  # from one element type to another


class Cast(Op):
    """An operation that converts each element.

    Attributes:
        fits: Whether it converts one element type to another.
        conversion: The conversion function for a pair of types.
    """

    __slots__ = ()
    operand: ClassVar[Operand[Type]]
    result: ClassVar[Result[Type]]
    fits: ClassVar[Relation]
    conversion: ClassVar[Conversion]
    assembly = "$operand attr-dict `:` custom<CastTypes>"

    @property
    def elements(self) -> tuple[Any, Any]:
        """The element types of operand and result."""
        return element_of(self.operands[0].type), element_of(self.results[0].type)

    @constraint("shape")
    def same_shape(self) -> Check:
        """Operand and result have the same shape, which has a rank"""
        source, target = self.operands[0].type, self.results[0].type
        element = element_of(target)
        same = element is not None and with_element(source, element) == without_encoding(target)
        same = same and getattr(source, "encoding", None) == getattr(target, "encoding", None)
        is_unranked = isinstance(source, UnrankedTensorType)
        return holds(same and not is_unranked, operand=source, result=target)

    @constraint("element types")
    def compatible_elements(self) -> Check:
        """The element type of the result is one that the operation converts to"""
        source, target = self.elements
        return holds(type(self).fits(source, target), operand=source, result=target)

    def known_shape(self) -> Sequence[int] | None:
        """The shape of the operand, if it has one."""
        operand = self.operands[0].type
        return operand.shape if isinstance(operand, TensorType) else None

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """The conversion for these types."""
        reject_unstorable(self)
        return type(self).conversion(*self.elements)

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The conversion of all elements at once."""
        return self.prepare(())(*operands)


class Rounded(Cast):
    """A conversion of floats that may need rounding."""

    __slots__ = ()
    fastmath = define.optional_attribute("", FASTMATH)
    roundingmode = define.optional_attribute("", ROUNDING_MODE)
    assembly = "$operand custom<RoundingMode> custom<FastMath> attr-dict `:` custom<CastTypes>"

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """The conversion, rounded to the nearest float."""
        reject_rounding(self, self.roundingmode)
        return super().prepare(regions)


class Widened(Cast):
    """A conversion of floats that is exact."""

    __slots__ = ()
    fastmath = define.optional_attribute("", FASTMATH)
    assembly = "$operand custom<FastMath> attr-dict `:` custom<CastTypes>"


class FromUnsigned(Cast):
    """A conversion of unsigned integers, which the program may guarantee to be non-negative."""

    __slots__ = ()
    nonNeg = define.default_attribute("", UNIT_KIND, False)
    assembly = "$operand custom<NonNegative> attr-dict `:` custom<CastTypes>"


class Truncated(Cast):
    """A conversion to fewer bits."""

    __slots__ = ()
    overflowFlags = define.default_attribute("", OVERFLOW, OverflowAttribute(), filled=True)
    assembly = "$operand custom<Overflow> attr-dict `:` custom<CastTypes>"


def without_encoding(value_type: Type) -> Type:
    """A tensor type without bounds; other types as they are."""
    if isinstance(value_type, TensorType):
        return value_type.with_shape(value_type.shape)
    return value_type


# ---- which types


def is_wider(source: ElementType, target: ElementType) -> bool:
    """Whether elements of the target have more bits."""
    return target.bits > source.bits


def is_narrower(source: ElementType, target: ElementType) -> bool:
    """Whether elements of the target have fewer bits."""
    return target.bits < source.bits


def is_same_width(source: ElementType, target: ElementType) -> bool:
    """Whether elements of both have equally many bits."""
    return target.bits == source.bits


def is_another_format(source: ElementType, target: ElementType) -> bool:
    """Whether both are different and have equally many bits."""
    return target.bits == source.bits and target != source


def is_one_index(source: ElementType, target: ElementType) -> bool:
    """Whether one of the two is ``index``."""
    return isinstance(source, IndexType) != isinstance(target, IndexType)


def is_any(source: ElementType, target: ElementType) -> bool:
    """Accepts every pair of types."""
    return True


# ---- how elements are converted


def computed_type(element: Integer, *, is_signed: bool) -> IntegerType:
    """The type of the results of ``as_signed`` or ``as_unsigned``."""
    return IntegerType(max(element.bits, 8), "signless" if is_signed else "unsigned")


def signed_bits(source: Integer, target: Integer) -> OfArray:
    """The lowest bits of signed numbers, sign-extended."""
    dtype = computed_type(target, is_signed=True).dtype
    return lambda values: as_element(as_signed(values, source).astype(dtype), target)


def unsigned_bits(source: Integer, target: Integer) -> OfArray:
    """The lowest bits of unsigned numbers, zero-extended."""
    dtype = computed_type(target, is_signed=False).dtype
    return lambda values: as_element(as_unsigned(values, source).astype(dtype), target)


def signed_to_float(source: Integer, target: FloatType) -> OfArray:
    """The nearest floats of signed numbers."""
    convert = converter(computed_type(source, is_signed=True), target)
    return lambda values: convert(as_signed(values, source))


def unsigned_to_float(source: Integer, target: FloatType) -> OfArray:
    """The nearest floats of unsigned numbers."""
    convert = converter(computed_type(source, is_signed=False), target)
    return lambda values: convert(as_unsigned(values, source))


def float_to_signed(source: FloatType, target: Integer) -> OfArray:
    """Floats truncated to signed numbers; MLIR leaves results out of range open."""
    convert = converter(source, computed_type(target, is_signed=True))
    return lambda values: as_element(convert(values), target)


def float_to_unsigned(source: FloatType, target: Integer) -> OfArray:
    """Floats truncated to unsigned numbers; MLIR leaves results out of range open."""
    convert = converter(source, computed_type(target, is_signed=False))
    return lambda values: as_element(convert(values), target)


def same_bits(source: ElementType, target: ElementType) -> OfArray:
    """The bits of elements as elements of another type."""
    if source.bits % 8 == 0:
        return lambda values: values.view(target.dtype)
    return lambda values: from_bits(to_bits(np.asarray(values), source), source, target)


# ---- the table


def cast_op(
    base: type[CastT],
    name: str,
    summary: str,
    types: tuple[TypeConstraint[Type], TypeConstraint[Type]],
    fits: Relation,
    conversion: Conversion,
) -> type[CastT]:
    """The class of an operation, from a row of the table."""
    title = "".join(word.capitalize() for word in name.split("_"))
    body = {
        "__doc__": f"{summary}\n\n    Source: MLIR arith dialect, {name}.\n    ",
        "__slots__": (),
        "operand": define.operand("", types[0]),
        "result": define.result(types[1], element_type="element types", shape="shape"),
        "fits": staticmethod(fits),
        "conversion": staticmethod(conversion),
    }
    return op(f"arith.{name}")(cast("type[CastT]", type(title, (base,), body)))


INTEGERS: Final = (FIXED_WIDTH_LIKE, FIXED_WIDTH_LIKE)
INDICES: Final = (INTEGER_LIKE, INTEGER_LIKE)
FLOATS: Final = (FLOAT_LIKE, FLOAT_LIKE)
TO_FLOAT: Final = (FIXED_WIDTH_LIKE, FLOAT_LIKE)
TO_INTEGER: Final = (FLOAT_LIKE, FIXED_WIDTH_LIKE)

Extsi: Final = cast_op(
    Cast, "extsi", "Signed numbers in more bits.", INTEGERS, is_wider, signed_bits
)
Extui: Final = cast_op(
    FromUnsigned, "extui", "Unsigned numbers in more bits.", INTEGERS, is_wider, unsigned_bits
)
Trunci: Final = cast_op(Truncated, "trunci", "The lowest bits.", INTEGERS, is_narrower, signed_bits)
IndexCast: Final = cast_op(
    Cast, "index_cast", "Signed numbers as index, or back.", INDICES, is_one_index, signed_bits
)
IndexCastui: Final = cast_op(
    FromUnsigned,
    "index_castui",
    "Unsigned numbers as index, or back.",
    INDICES,
    is_one_index,
    unsigned_bits,
)
Sitofp: Final = cast_op(
    Cast, "sitofp", "Signed numbers as floats.", TO_FLOAT, is_any, signed_to_float
)
Uitofp: Final = cast_op(
    FromUnsigned, "uitofp", "Unsigned numbers as floats.", TO_FLOAT, is_any, unsigned_to_float
)
Fptosi: Final = cast_op(
    Cast, "fptosi", "Floats as signed numbers.", TO_INTEGER, is_any, float_to_signed
)
Fptoui: Final = cast_op(
    Cast, "fptoui", "Floats as unsigned numbers.", TO_INTEGER, is_any, float_to_unsigned
)
Extf: Final = cast_op(Widened, "extf", "Floats in more bits.", FLOATS, is_wider, converter)
Truncf: Final = cast_op(Rounded, "truncf", "Floats in fewer bits.", FLOATS, is_narrower, converter)
Convertf: Final = cast_op(
    Rounded, "convertf", "Floats in as many bits.", FLOATS, is_another_format, converter
)
Bitcast: Final = cast_op(
    Cast, "bitcast", "Bits as another type.", (BITS_LIKE, BITS_LIKE), is_same_width, same_bits
)

OPERATIONS: Final[tuple[type[Op], ...]] = (
    Bitcast,
    Convertf,
    Extf,
    Extsi,
    Extui,
    Fptosi,
    Fptoui,
    IndexCast,
    IndexCastui,
    Sitofp,
    Truncf,
    Trunci,
    Uitofp,
)
