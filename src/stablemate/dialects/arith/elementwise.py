"""Base classes of arith's operations: one function of corresponding elements.

Source: MLIR arith dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.arith.attributes import (
    FASTMATH,
    OVERFLOW,
    ROUNDING_MODE,
    FastMathAttribute,
    OverflowAttribute,
    RoundingMode,
)
from stablemate.dialects.arith.types import element_of, same_types
from stablemate.dialects.stablehlo.elementwise_math import Function
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.definition import (
    Check,
    Inferred,
    Op,
    Operand,
    RegionFunction,
    Result,
    constraint,
    define,
    holds,
)
from stablemate.ir.kinds import UNIT_KIND
from stablemate.ir.types import Type
from stablemate.numerics.elements import Array, StorageError

OfElement: TypeAlias = Callable[[Any], Function]  # the function for an element type


class Elementwise(Op):
    """An operation on operands of one type.

    Attributes:
        compute: The function of elements, for their type.
        divides: Whether the second operand must not be zero.
    """

    __slots__ = ()
    exact = True
    compute: ClassVar[OfElement]
    divides: ClassVar[bool] = False

    @constraint("types")
    def one_type(self) -> Check:
        """Operands and results are of one type"""
        types: list[Type] = [value.type for value in self.operands]
        return holds(same_types(types), operands=types)

    def infer(self) -> Inferred:
        """The type of the operands."""
        inferred: Type = self.operands[0].type
        return inferred

    def function(self) -> Function:
        """The function of arrays or scalars that computes the operation."""
        reject_unstorable(self)
        function = type(self).compute(element_of(self.operands[0].type))
        return with_divisor_check(self, function) if self.divides else function

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """Returns the function of NumPy that computes this operation."""
        return self.function()

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The function of all elements at once."""
        return self.function()(*operands)


class Unary(Elementwise):
    """A function of one float."""

    __slots__ = ()
    operand: ClassVar[Operand[Type]]
    result: ClassVar[Result[Type]]
    fastmath = define.default_attribute("", FASTMATH, FastMathAttribute(), filled=True)
    assembly = "$operand custom<FastMath> attr-dict `:` same-type"


class Binary(Elementwise):
    """A function of two elements."""

    __slots__ = ()
    lhs: ClassVar[Operand[Type]]
    rhs: ClassVar[Operand[Type]]
    result: ClassVar[Result[Type]]
    assembly = "$lhs `,` $rhs attr-dict `:` same-type"


class OverflowBinary(Binary):
    """A function of integers that wraps."""

    __slots__ = ()
    overflowFlags = define.default_attribute("", OVERFLOW, OverflowAttribute(), filled=True)
    assembly = "$lhs `,` $rhs custom<Overflow> attr-dict `:` same-type"


class ExactBinary(Binary):
    """A function of integers that a program may declare exact."""

    __slots__ = ()
    isExact = define.default_attribute("", UNIT_KIND, False)
    assembly = "$lhs `,` $rhs custom<Exact> attr-dict `:` same-type"


class FloatBinary(Binary):
    """A function of floats that needs no rounding."""

    __slots__ = ()
    fastmath = define.default_attribute("", FASTMATH, FastMathAttribute(), filled=True)
    assembly = "$lhs `,` $rhs custom<FastMath> attr-dict `:` same-type"


class RoundedBinary(Binary):
    """A function of floats that is rounded once."""

    __slots__ = ()
    fastmath = define.default_attribute("", FASTMATH, FastMathAttribute(), filled=True)
    roundingmode = define.optional_attribute("", ROUNDING_MODE)
    assembly = "$lhs `,` $rhs custom<RoundingMode> custom<FastMath> attr-dict `:` same-type"

    def function(self) -> Function:
        """The function, rounded to the nearest float."""
        reject_rounding(self, self.roundingmode)
        return super().function()


def reject_unstorable(operation: Op) -> None:
    """Rejects element types that no array can hold.

    Raises:
        UnsupportedError: An operand or a result has such a type.
    """
    for value in (*operation.operands, *operation.results):
        element = element_of(value.type)
        try:
            _ = element.dtype if element is not None else None
        except StorageError as error:
            raise UnsupportedError(str(error), span=operation.span) from None


def reject_rounding(operation: Op, mode: RoundingMode | None) -> None:
    """Rejects rounding modes other than to the nearest float, ties to even.

    Raises:
        UnsupportedError: The operation has another rounding mode.
    """
    if mode is not None and mode is not RoundingMode.TO_NEAREST_EVEN:
        message = f"{operation.name} cannot round {mode.value}, only to_nearest_even"
        raise UnsupportedError(message, span=operation.span)


def with_divisor_check(operation: Op, function: Function) -> Function:
    """The function, after a check that its second operand is not zero."""

    def divide(lhs: Array, rhs: Array) -> object:
        is_divisor = bool(np.all(rhs))
        require(operation, is_divisor, "", "rhs is not zero", lhs=lhs, rhs=rhs)
        return function(lhs, rhs)

    return divide
