"""Integers of shape computations that depend on symbolic sizes: arrays of ``object``.

An operation that is not in the table computes values of which nothing is known.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.dialects.arith.types import element_of
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.select import Select
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import IntegerType

Values: TypeAlias = Any  # an array, of objects where sizes are symbolic
Rule: TypeAlias = Callable[..., Values]


def is_symbolic_array(values: Values) -> bool:
    """Whether some of the values are symbolic sizes."""
    return getattr(values, "dtype", None) == np.dtype(object)


def array_of(values: Sequence[object], shape: Sequence[int]) -> Values:
    """Values in an array of objects."""
    array = np.empty(len(values), object)
    for i, value in enumerate(values):
        array[i] = value
    return array.reshape(shape)


def symbolic_result(operation: Operation, operands: Sequence[Values]) -> Values | None:
    """The results of an operation; None if they are not known.

    Args:
        operation: The operation, with refined types.
        operands: What is known of its operands, completely.
    """
    rule = RULES.get(operation.name)
    if rule is None or len(operation.results) != 1:
        return None
    objects = [as_objects(operand) for operand in operands]
    values = rule(operation, *objects)
    if values is None:
        return None
    result = as_objects(values)
    return result if fits(result, operation.results[0].type) else None


def as_objects(values: Values) -> Values:
    """The values as Python's integers and symbolic sizes."""
    array = np.asarray(values)
    return array if array.dtype == object else array.astype(object)


def fits(values: Values, value_type: Type) -> bool:
    """Whether integers are computed without overflow."""
    element = element_of(value_type)
    if not isinstance(value_type, TensorType) or not isinstance(element, IntegerType):
        return False
    if element.width == 1:
        return True
    low = 0 if element.is_unsigned else -(1 << (element.width - 1))
    high = (1 << (element.width - (not element.is_unsigned))) - 1
    return all(low <= value <= high for value in values.reshape(-1))


def elementwise(function: Callable[..., object]) -> Rule:
    """The rule of an operation on elements."""

    def rule(operation: Operation, *operands: Values) -> Values:
        flat = [operand.reshape(-1) for operand in operands]
        results = [function(*elements) for elements in zip(*flat, strict=True)]
        if any(result is None for result in results):
            return None
        return array_of(results, operands[0].shape)

    return rule


def quotient(dividend: Any, divisor: Any) -> Any:
    """The quotient, rounded towards zero; None for a divisor that is not positive."""
    if not divisor > 0:
        return None
    if isinstance(dividend, int) and abs(dividend) < divisor:
        return 0
    return dividend // divisor if dividend >= 0 else -(-dividend // divisor)


def remainder(dividend: object, divisor: object) -> Any:
    """The remainder, which has the sign of the dividend; None as for the quotient."""
    rounded = quotient(dividend, divisor)
    return None if rounded is None else dividend - rounded * divisor


def sign(value: Any) -> int:
    """Returns the sign as 1, 0 or -1."""
    return int(value > 0) - int(value < 0)


def both(one: object, other: object) -> bool | None:
    """Whether two conditions hold; None for integers."""
    return one and other if isinstance(one, bool) and isinstance(other, bool) else None


def either(one: object, other: object) -> bool | None:
    """Whether one of two conditions holds; None for integers."""
    return one or other if isinstance(one, bool) and isinstance(other, bool) else None


def negate_condition(one: object) -> bool | None:
    """Whether a condition does not hold; None for integers."""
    return not one if isinstance(one, bool) else None


def fold_comparison(operation: Compare, lhs: Values, rhs: Values) -> Values:
    """Comparisons, each of which becomes an assumption."""
    compare = COMPARISONS[operation.comparison_direction.name]
    return elementwise(compare)(operation, lhs, rhs)


def broadcast(operation: BroadcastInDim, operand: Values) -> Values:
    """broadcast_in_dim of a few values."""
    shape = operation.results[0].type.shape
    dimensions = list(operation.broadcast_dimensions)
    expanded = [1] * len(shape)
    for d, size in zip(dimensions, operand.shape, strict=True):
        expanded[d] = size
    return np.broadcast_to(operand.reshape(expanded), shape)


def slice_values(operation: Slice, operand: Values) -> Values:
    """A part of a few values."""
    bounds = zip(operation.start_indices, operation.limit_indices, operation.strides, strict=True)
    return operand[tuple(slice(int(a), int(b), int(c)) for a, b, c in bounds)]


def concatenate_values(operation: Concatenate, *operands: Values) -> Values:
    """Values one after the other."""
    return np.concatenate(operands, axis=int(operation.dimension))


def reshape_values(operation: Reshape, operand: Values) -> Values:
    """Evaluates ``reshape``."""
    return operand.reshape(operation.results[0].type.shape)


def convert_integers(operation: Convert, operand: Values) -> Values | None:
    """Integers of another type, which ``fits`` checks."""
    source = element_of(operation.operands[0].type)
    return operand if isinstance(source, IntegerType) else None


def fold_select(operation: Select, which: Values, yes: Values, no: Values) -> Values:
    """One of two values, where the condition is known."""
    return elementwise(fold_case)(operation, np.broadcast_to(which, yes.shape), yes, no)


def fold_case(condition: object, yes: object, no: object) -> Any:
    """Selects one of two values by a condition."""
    return yes if condition else no


COMPARISONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "EQ": operator.eq,
    "NE": operator.ne,
    "GE": operator.ge,
    "GT": operator.gt,
    "LE": operator.le,
    "LT": operator.lt,
}
RULES: Final[Mapping[str, Rule]] = {
    "stablehlo.add": elementwise(operator.add),
    "stablehlo.subtract": elementwise(operator.sub),
    "stablehlo.multiply": elementwise(operator.mul),
    "stablehlo.divide": elementwise(quotient),
    "stablehlo.remainder": elementwise(remainder),
    "stablehlo.maximum": elementwise(max),
    "stablehlo.minimum": elementwise(min),
    "stablehlo.negate": elementwise(operator.neg),
    "stablehlo.abs": elementwise(abs),
    "stablehlo.and": elementwise(both),
    "stablehlo.not": elementwise(negate_condition),
    "stablehlo.or": elementwise(either),
    "stablehlo.sign": elementwise(sign),
    "stablehlo.compare": fold_comparison,
    "stablehlo.convert": convert_integers,
    "stablehlo.broadcast_in_dim": broadcast,
    "stablehlo.concatenate": concatenate_values,
    "stablehlo.reshape": reshape_values,
    "stablehlo.select": fold_select,
    "stablehlo.slice": slice_values,
}
