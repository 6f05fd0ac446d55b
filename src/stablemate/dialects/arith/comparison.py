"""Comparison and selection in arith.

Source: MLIR arith dialect, cmpi, cmpf, select.
"""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from stablemate.dialects.arith.attributes import (
    FASTMATH,
    FLOAT_PREDICATE,
    INTEGER_PREDICATE,
    FastMathAttribute,
    FloatPredicate,
    IntegerPredicate,
)
from stablemate.dialects.arith.elementwise import reject_unstorable
from stablemate.dialects.arith.integers import Integer, as_signed, as_unsigned
from stablemate.dialects.arith.types import (
    BOOLEAN_LIKE,
    FLOAT_LIKE,
    INTEGER_LIKE,
    element_of,
    predicate_of,
    same_types,
)
from stablemate.dialects.stablehlo.elementwise_math import Function
from stablemate.ir.definition import (
    Check,
    Op,
    RegionFunction,
    constraint,
    define,
    holds,
    op,
)
from stablemate.ir.kinds import ANY_VALUE
from stablemate.ir.traits import Trait
from stablemate.ir.types import Type
from stablemate.numerics.elements import BOOLEAN, Array, IndexType, IntegerType

Relation: TypeAlias = Callable[[Array, Array], object]

RELATIONS: Final[Mapping[str, Relation]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


class ComparisonBase(Op):
    """A relation between corresponding elements."""

    __slots__ = ()
    exact = True

    @constraint("types")
    def one_type(self) -> Check:
        """lhs and rhs are of one type"""
        types: list[Type] = [value.type for value in self.operands]
        return holds(same_types(types), operands=types)

    def infer(self) -> Type:
        """Booleans in the shape of the operands."""
        return predicate_of(self.operands[0].type)

    @abstractmethod
    def function(self) -> Function:
        """The relation of arrays or scalars."""

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """Returns the relation of NumPy for this predicate."""
        reject_unstorable(self)
        return self.function()

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The relation of all elements at once."""
        return self.prepare(())(*operands)


@op("arith.cmpi")
class Cmpi(ComparisonBase):
    """A relation of integers, with or without signs.

    Source: MLIR arith dialect, cmpi.
    """

    __slots__ = ()
    predicate = define.attribute("", INTEGER_PREDICATE)
    lhs = define.operand("", INTEGER_LIKE)
    rhs = define.operand("", INTEGER_LIKE)
    result = define.result(BOOLEAN_LIKE, element_type="types", shape="types")
    assembly = "custom<Predicate> `,` $lhs `,` $rhs attr-dict `:` custom<OperandType>"

    def function(self) -> Function:
        """The relation of the numbers that the bits represent."""
        element = element_of(self.lhs.type)
        assert isinstance(element, IntegerType | IndexType)
        return integer_relation(self.predicate, element)


def integer_relation(predicate: IntegerPredicate, element: Integer) -> Relation:
    """The relation of a predicate of integers."""
    name = predicate.value
    relation = RELATIONS[name if len(name) == 2 else name[1:]]
    view = as_unsigned if len(name) == 3 and name[0] == "u" else as_signed
    return lambda lhs, rhs: relation(view(lhs, element), view(rhs, element))


@op("arith.cmpf")
class Cmpf(ComparisonBase):
    """A relation of floats, which defines the result for NaN.

    Source: MLIR arith dialect, cmpf.
    """

    __slots__ = ()
    fastmath = define.default_attribute("", FASTMATH, FastMathAttribute(), filled=True)
    predicate = define.attribute("", FLOAT_PREDICATE)
    lhs = define.operand("", FLOAT_LIKE)
    rhs = define.operand("", FLOAT_LIKE)
    result = define.result(BOOLEAN_LIKE, element_type="types", shape="types")
    assembly = (
        "custom<Predicate> `,` $lhs `,` $rhs custom<FastMath> attr-dict `:` custom<OperandType>"
    )

    def function(self) -> Function:
        """The relation, computed in 64 bits, which hold every float."""
        relation = float_relation(self.predicate)

        def compare(lhs: Array, rhs: Array) -> object:
            return relation(lhs.astype(np.float64), rhs.astype(np.float64))

        return compare


def float_relation(predicate: FloatPredicate) -> Relation:
    """The relation of a predicate of floats."""
    match predicate:
        case FloatPredicate.FALSE:
            return lambda lhs, rhs: (lhs == lhs) & False
        case FloatPredicate.TRUE:
            return lambda lhs, rhs: (lhs == lhs) | True
        case FloatPredicate.ORD:
            return lambda lhs, rhs: ~is_unordered(lhs, rhs)
        case FloatPredicate.UNO:
            return is_unordered
        case _:
            relation = RELATIONS[predicate.value[1:]]
    if predicate.value[0] == "u":
        return lambda lhs, rhs: is_unordered(lhs, rhs) | relation(lhs, rhs)
    return lambda lhs, rhs: ~is_unordered(lhs, rhs) & relation(lhs, rhs)


def is_unordered(lhs: Array, rhs: Array) -> Array:
    """Whether one of two floats is NaN."""
    return np.isnan(lhs) | np.isnan(rhs)


@op("arith.select", traits=Trait.SELECT)
class Select(Op):
    """true_value where the condition holds, else false_value; a scalar condition applies to all.

    Source: MLIR arith dialect, select.
    """

    __slots__ = ()
    condition = define.operand("", BOOLEAN_LIKE)
    true_value = define.operand("", ANY_VALUE)
    false_value = define.operand("", ANY_VALUE)
    result = define.result(ANY_VALUE, element_type="types", shape="types")
    assembly = "$condition `,` $true_value `,` $false_value attr-dict `:` custom<ConditionalTypes>"

    @constraint("types")
    def one_type(self) -> Check:
        """true_value and false_value have the type of the result"""
        chosen, other = self.true_value.type, self.false_value.type
        return holds(chosen == other, true_value=chosen, false_value=other)

    @constraint("condition")
    def condition_fits(self) -> Check:
        """The condition is an i1, or has the shape of the result"""
        condition, chosen = self.condition.type, self.true_value.type
        fits = condition == BOOLEAN or (
            element_of(chosen) is not None and predicate_of(chosen) == condition
        )
        return holds(fits, condition=condition, result=chosen)

    @constraint("types")
    def result_type(self) -> Check:
        """true_value and false_value have the type of the result"""
        chosen, result = self.true_value.type, self.result.type
        return holds(chosen == result, true_value=chosen, result=result)

    def infer(self) -> Type:
        """The type of the two values."""
        return self.true_value.type

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """The choice between two values, as a whole or element by element."""
        return chosen_value if self.condition.type == BOOLEAN else np.where

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The choice between two values, as a whole or element by element."""
        return self.prepare(())(*operands)


def chosen_value(condition: object, chosen: object, other: object) -> object:
    """Selects one of two values by a scalar condition."""
    return chosen if condition else other
