"""stablehlo.convert."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import TENSOR
from stablemate.ir.shapes import same_shape
from stablemate.ir.traits import ARITHMETIC, FIRST, Family, Trait
from stablemate.numerics.elements import Array, IntegerType
from stablemate.numerics.rounding import Conversion, converter
from stablemate.numerics.size_arithmetic import SizeFunction, is_nonzero, truncate


@op(
    "stablehlo.convert",
    family=Family.ELEMENTWISE,
    work=ARITHMETIC,
    traits=Trait.FOLDABLE | Trait.ELEMENTWISE,
)
class Convert(Op):
    """Converts elements to another type.

    A number that the type can represent is unchanged. Otherwise floats are rounded to the nearest,
    ties to even; integers wrap; floats to integers are truncated, saturate, and NaN becomes zero.
    Booleans are 0 and 1; all numbers but zero are true. The imaginary part is dropped, or zero.

    Source: StableHLO specification, convert; XLA where that leaves the result open.
    """

    __slots__ = ()
    operand = define.operand("I1", TENSOR)
    result = define.result(TENSOR)
    assembly = "$operand attr-dict `:` same-type"

    @constraint
    def c1(self) -> Check:
        """shape(operand) = shape(result)"""
        operand, result = self.operand.type.shape, self.result.type.shape
        return holds(same_shape(operand, result), operand=operand, result=result)

    def size_function(self) -> SizeFunction:
        """The number itself, without a fraction as an integer; whether it differs from 0."""
        target = self.result.type.element_type
        if not isinstance(target, IntegerType):
            return operator.pos
        return is_nonzero if target.is_boolean else truncate

    def function(self) -> Conversion:
        """The conversion of arrays that computes the operation."""
        return converter(self.operand.type.element_type, self.result.type.element_type)

    def prepare(self, regions: Sequence[RegionFunction]) -> Conversion:
        """The conversion of arrays itself."""
        return self.function()

    def linear_operands(self, monoid: str) -> Sequence[Sequence[int]]:
        """The operand, rounding aside, unless the conversion drops fractions or signs."""
        source, target = self.operand.type.element_type, self.result.type.element_type
        is_discrete = isinstance(target, IntegerType) and source != target
        return FIRST.alternatives if monoid == "add" and not is_discrete else ()

    def known_shape(self) -> Sequence[int] | None:
        """C1: the shape of the operand."""
        return self.operand.type.shape

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The conversion of all elements at once."""
        return self.function()(*operands)
