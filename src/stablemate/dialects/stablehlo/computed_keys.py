"""Comparators that order elements by a value computed from each: ``f(x) < f(y)``.

Operations are recognized by their names, as in ``reducers``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.reducers import (
    SortKey,
    defining_operation,
    direction_of,
    is_closed,
    is_elementwise,
    is_scalar,
    is_total_order,
    returned_values,
)
from stablemate.ir.core import BlockArgument, Region, Value
from stablemate.ir.definition import Op
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array, FloatType, IntegerType


@dataclass(frozen=True, slots=True)
class ComputedKey:
    """The key that a comparator orders by.

    Attributes:
        value: The value that the comparator computes from the elements of one side.
        key: The sort key on that value, as operand 0.
    """

    value: Value[TensorType]
    key: SortKey

    def values(self, columns: Sequence[Array]) -> Array:
        """The value for all elements; ``columns`` has an array for each input of the sort."""
        computed: dict[Value, Any] = {}
        pending = [self.value]
        while pending:
            value = pending[-1]
            operation = defining_operation(value)
            if isinstance(value, BlockArgument):
                computed[value] = columns[value.index // 2]
            elif isinstance(operation, Op) and value not in computed:
                if missing := [
                    operand for operand in operation.operands if operand not in computed
                ]:
                    pending += missing
                    continue
                operands = [computed[operand] for operand in operation.operands]
                computed[value] = operation.prepare(())(*operands)
            pending.pop()
        return np.broadcast_to(computed[self.value], columns[0].shape)


def computed_key(comparator: Region) -> ComputedKey | None:
    """The key that a comparator of elementwise operations orders by; None if there is none."""
    if not is_elementwise(comparator) or not is_closed(comparator):
        return None
    (result,) = returned_values(comparator)
    compare = defining_operation(result)
    if compare is None or compare.name != "stablehlo.compare":
        return None
    lhs, rhs = compare.operands
    direction = direction_of(compare)
    if not (is_ordered(lhs) and direction in (ComparisonDirection.LT, ComparisonDirection.GT)):
        return None
    for side in (0, 1):  # 0: f(x) < f(y)
        if mirrors(lhs, rhs, side):
            descending = (direction is ComparisonDirection.GT) != bool(side)
            return ComputedKey(
                lhs, SortKey(0, descending=descending, total=is_total_order(compare))
            )
    return None


def is_ordered(value: Value[TensorType]) -> bool:
    """Whether this is an integer or a float, which NumPy orders as the specification does."""
    return is_scalar(value) and isinstance(value.type.element_type, IntegerType | FloatType)


def mirrors(lhs: Value[TensorType], rhs: Value[TensorType], side: int) -> bool:
    """Whether rhs is computed from one side's elements just as lhs is from the other's."""
    seen: set[tuple[Value[Type], Value[Type]]] = set()
    pending = [(lhs, rhs)]
    while pending:
        pair = x, y = pending.pop()
        if pair in seen:
            continue
        seen.add(pair)
        if isinstance(x, BlockArgument) and isinstance(y, BlockArgument):
            if x.index % 2 != side or y.index != x.index ^ 1:
                return False
            continue
        one, other = defining_operation(x), defining_operation(y)
        if one is None or other is None or one.name != other.name:
            return False
        if one.attributes != other.attributes or x.type != y.type:
            return False
        pending += zip(one.operands, other.operands, strict=True)
    return True
