"""Overflow: results that lie outside of what their type holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array, ComplexType, ElementType, FloatType, IntegerType

EXACT: Final[Mapping[str, Callable[..., Any]]] = {
    "stablehlo.add": np.add,
    "stablehlo.subtract": np.subtract,
    "stablehlo.multiply": np.multiply,
}
# What gives infinities of finite numbers at poles, not because they are too large.
POLES: Final = frozenset(
    {
        "stablehlo.atan2",
        "stablehlo.divide",
        "stablehlo.log",
        "stablehlo.log_plus_one",
        "stablehlo.power",
        "stablehlo.rsqrt",
    }
)
WIDEST: Final = 32  # bits of integers whose sums and products doubles and 64-bit integers hold


def find_overflow(operation: Operation, operands: Sequence[object], result: object) -> Array | None:
    """The elements of a result that overflowed; None if the operation cannot overflow.

    Floats overflow where they become infinite of finite operands, at poles aside. Conversions to
    integers overflow where they change a number by more than its fraction; sums, differences and
    products of signed integers of up to 32 bits where they wrap around.
    """
    result_type: Any = operation.results[0].type
    if not operands or not all(
        isinstance(operand.type, TensorType) for operand in operation.operands
    ):
        return None
    match result_type.element_type:
        case FloatType() | ComplexType():
            return None if operation.name in POLES else endless(operands, result)
        case IntegerType() as target if operation.name == "stablehlo.convert":
            return out_of_range(operation.operands[0].type.element_type, operands[0], target)
        case IntegerType(is_unsigned=False, is_boolean=False) as target:
            return find_wrapped(operation.name, operands, target)
        case _:
            return None


def endless(operands: Sequence[object], result: object) -> Array | None:
    """Which elements are infinite although all operands are finite."""
    for operand in operands:
        array = np.asarray(operand)
        if array.dtype.kind not in "biu" and not np.isfinite(array).all():
            return None
    return np.asarray(np.isinf(np.asarray(result)))


def out_of_range(source: ElementType, operand: object, target: IntegerType) -> Array | None:
    """Which elements are outside of the integers of a type, or no numbers."""
    if target.is_boolean or isinstance(source, ComplexType):
        return None
    array = np.asarray(operand)
    if isinstance(source, FloatType):
        wide = np.trunc(array.astype(np.float64))
        low, high = float(target.minimum), float(target.maximum) + 1.0
        inside = np.logical_and(wide >= low, wide < high)
        return np.logical_not(inside)
    if isinstance(source, IntegerType) and not source.is_boolean:
        below = array < target.minimum if source.minimum < target.minimum else np.False_
        above = array > target.maximum if source.maximum > target.maximum else np.False_
        return np.asarray(np.logical_or(np.broadcast_to(below, array.shape), above))
    return None


def find_wrapped(name: str, operands: Sequence[object], target: IntegerType) -> Array | None:
    """Which sums, differences or products are not those of the numbers."""
    function = EXACT.get(name)
    if function is None or target.width > WIDEST:
        return None
    wide = [np.asarray(operand).astype(np.int64) for operand in operands]
    exact = function(*wide)
    return np.asarray(np.logical_or(exact < target.minimum, exact > target.maximum))
