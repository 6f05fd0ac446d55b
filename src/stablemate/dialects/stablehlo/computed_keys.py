"""Comparators that order elements by a value computed from each: ``f(x) < f(y)``.

A fact about regions, like those of ``reducers``; operations are recognised by their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.reducers import (
    Key,
    definer,
    direction_of,
    is_closed,
    is_elementwise,
    is_scalar,
    is_total_order,
    returned_values,
)
from stablemate.ir.core import BlockArgument, Region, Value
from stablemate.ir.definition import Op
from stablemate.numerics.elements import Array, FloatType, IntegerType


@dataclass(frozen=True, slots=True)
class ComputedKey:
    """What a comparator orders by.

    Attributes:
        value: The value that the comparator computes from the elements of one side.
        key: How that value, as the only operand, decides.
    """

    value: Value[Any]
    key: Key

    def values(self, columns: Sequence[Array]) -> Array:
        """The value for all elements; ``columns`` has an array for each input of the sort."""
        computed: dict[Value[Any], Any] = {}
        pending = [self.value]
        while pending:
            value = pending[-1]
            operation = definer(value)
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
    """What a comparator of elementwise operations orders by; None if there is no such value."""
    if not is_elementwise(comparator) or not is_closed(comparator):
        return None
    (result,) = returned_values(comparator)
    compare = definer(result)
    if compare is None or compare.name != "stablehlo.compare":
        return None
    lhs, rhs = compare.operands
    direction = direction_of(compare)
    if not (is_ordered(lhs) and direction in (ComparisonDirection.LT, ComparisonDirection.GT)):
        return None
    for side in (0, 1):  # 0: f(x) < f(y)
        if mirrors(lhs, rhs, side):
            descending = (direction is ComparisonDirection.GT) != bool(side)
            return ComputedKey(lhs, Key(0, descending=descending, total=is_total_order(compare)))
    return None


def is_ordered(value: Value[Any]) -> bool:
    """Whether this is an integer or a float, which NumPy orders as the specification does."""
    return is_scalar(value) and isinstance(value.type.element_type, IntegerType | FloatType)


def mirrors(lhs: Value[Any], rhs: Value[Any], side: int) -> bool:
    """Whether rhs is made of the other elements as lhs is made of those of one side."""
    seen: set[tuple[Value[Any], Value[Any]]] = set()
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
        one, other = definer(x), definer(y)
        if one is None or other is None or one.name != other.name:
            return False
        if one.attributes != other.attributes or x.type != y.type:
            return False
        pending += zip(one.operands, other.operands, strict=True)
    return True
