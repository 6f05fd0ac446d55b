"""stablehlo.compare."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Final

from stablemate.dialects.stablehlo.attributes import (
    COMPARISON_DIRECTION,
    COMPARISON_TYPE,
    ComparisonDirection,
    ComparisonType,
)
from stablemate.dialects.stablehlo.baseline import expressed_type, lift_to_quantized
from stablemate.dialects.stablehlo.elementwise_math import Function
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import BOOLEAN_TENSOR, PER_TENSOR_QUANTIZED, TENSOR
from stablemate.ir.shapes import compatible, most_specific
from stablemate.ir.traits import ARITHMETIC, Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.complex_math import is_greater
from stablemate.numerics.elements import (
    BOOLEAN,
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
)
from stablemate.numerics.quantization import baseline
from stablemate.numerics.rounding import native_dtype
from stablemate.numerics.total_order import total_order

COMPARISONS: Final[dict[ComparisonDirection, Function]] = {
    ComparisonDirection.EQ: operator.eq,
    ComparisonDirection.NE: operator.ne,
    ComparisonDirection.GE: operator.ge,
    ComparisonDirection.GT: operator.gt,
    ComparisonDirection.LE: operator.le,
    ComparisonDirection.LT: operator.lt,
}


@op(
    "stablehlo.compare",
    family=Family.ELEMENTWISE,
    work=ARITHMETIC,
    traits=Trait.FOLDABLE | Trait.ELEMENTWISE | Trait.REAL_VALUED,
)
class Compare(Op):
    """Whether ``lhs comparison_direction rhs``.

    result[i0, ..., iR-1] = lhs[i0, ..., iR-1] comparison_direction rhs[i0, ..., iR-1]

    Complex numbers are ordered lexicographically. TOTALORDER orders floats as
    -NaN < -inf < -1 < -0 < +0 < 1 < inf < NaN; different places are not equal.

    Source: StableHLO specification, compare; XLA for EQ and NE in TOTALORDER.
    """

    __slots__ = ()
    summary_attributes = ("comparison_direction",)
    lhs = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    rhs = define.operand("I2", TENSOR | PER_TENSOR_QUANTIZED)
    comparison_direction = define.attribute("I3", COMPARISON_DIRECTION)
    compare_type = define.optional_attribute("I4", COMPARISON_TYPE)
    result = define.result(BOOLEAN_TENSOR, shape="C2")
    assembly = (
        "$comparison_direction `,` $lhs `,` $rhs (`,` $compare_type)? attr-dict `:` functional-type"
    )

    @constraint
    def c1(self) -> Check:
        """baseline_element_type(lhs) = baseline_element_type(rhs)"""
        lhs, rhs = self.lhs.type.element_type, self.rhs.type.element_type
        return holds(baseline(lhs) == baseline(rhs), lhs=lhs, rhs=rhs)

    @constraint
    def c2(self) -> Check:
        """shape(lhs) = shape(rhs) = shape(result)"""
        lhs, rhs = self.lhs.type, self.rhs.type
        fits = compatible(lhs.with_element(BOOLEAN), rhs.with_element(BOOLEAN))
        return holds(fits, lhs=lhs.shape, rhs=rhs.shape)

    @constraint
    def c3(self) -> Check:
        """compare_type is one that element_type(lhs) has"""
        # Upstream verifies no such rule; the specification is explicit. One exception is accepted:
        # older producers write SIGNED or UNSIGNED for floats, which can only mean FLOAT.
        compare_type, element = self.compare_type, self.lhs.type.element_type
        if (
            compare_type is None
            or compare_type is ComparisonType.NOTYPE
            or isinstance(element, FloatType)
        ):
            return None
        return holds(
            compare_type in comparison_types(element), compare_type=compare_type.value, lhs=element
        )

    def infer(self) -> TensorType:
        """C2: the shape of the operands."""
        types = [value.type.with_element(BOOLEAN) for value in (self.lhs, self.rhs)]
        return most_specific(types)

    def size_function(self) -> Callable[[object, object], object]:
        """The comparison of two sizes."""
        return COMPARISONS[self.comparison_direction]

    def function(self) -> Function:
        """The comparison of arrays that computes the operation."""
        direction = self.comparison_direction
        elements = [value.type.element_type for value in self.operands]
        element = expressed_type(elements[0])
        if isinstance(element, ComplexType):
            return compare_complex(direction)
        function = COMPARISONS[direction]
        if isinstance(element, FloatType) and self.compare_type is ComparisonType.TOTALORDER:
            function = in_total_order(function, element)
        if element != elements[0]:
            return lift_to_quantized(function, elements, BOOLEAN)
        return function

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """The comparison of arrays itself."""
        return self.function()

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The comparison of all elements at once."""
        return self.function()(*operands)


def compare_complex(direction: ComparisonDirection) -> Function:
    """The comparison of (real, imaginary) pairs, lexicographically."""

    def compare(lhs: Array, rhs: Array) -> object:
        match direction:
            case ComparisonDirection.GT:
                return is_greater(lhs, rhs)
            case ComparisonDirection.LT:
                return is_greater(rhs, lhs)
            case ComparisonDirection.GE:
                return is_greater(lhs, rhs) | (lhs == rhs)
            case ComparisonDirection.LE:
                return is_greater(rhs, lhs) | (lhs == rhs)
            case _:
                return COMPARISONS[direction](lhs, rhs)

    return compare


def comparison_types(element: ElementType) -> tuple[ComparisonType, ...]:
    """The values of ``compare_type`` for an element type."""
    match element:
        case IntegerType():
            return (ComparisonType.UNSIGNED if element.is_unsigned else ComparisonType.SIGNED,)
        case ComplexType():
            return (ComparisonType.FLOAT,)
        case FloatType():
            return (ComparisonType.FLOAT, ComparisonType.TOTALORDER)
        case _:  # quantized: the specification names none
            return tuple(ComparisonType)


def in_total_order(comparison: Function, element: FloatType) -> Function:
    """The comparison of floats by their places in the total order."""
    dtype = native_dtype(element)

    def compare(lhs: Array, rhs: Array) -> object:
        return comparison(total_order(lhs.astype(dtype)), total_order(rhs.astype(dtype)))

    return compare
