"""Roots of groups: the member that sends to, or receives from, all others.

Source: StableHLO specification, collective_broadcast and collective_reduce.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.core import Operation, Value
from stablemate.ir.definition import Check, holds
from stablemate.ir.shapes import same_shape
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import I32, Array


def has_dynamic_root(operation: Operation) -> bool:
    """Whether the last operand holds the roots."""
    return "has_dynamic_root" in operation.attributes


def data_operands(operation: Operation) -> Sequence[Value[TensorType]]:
    """The operands without the roots."""
    return operation.operands[:-1] if has_dynamic_root(operation) else operation.operands


def enough_operands(operation: Operation) -> Check:
    """Whether there is a data operand."""
    size = len(operation.operands)
    return holds(size >= 1, size=size)


def roots_fit(operation: Operation) -> Check:
    """Whether there are data operands and a root for each of them."""
    size = len(operation.operands)
    if size < 2:
        return holds(False, size=size)
    last: TensorType = operation.operands[-1].type
    fits = last.element_type == I32 and same_shape(last.shape, (size - 1,))
    return holds(fits, size=size, roots=last)


def roots_operand(operation: Operation) -> int | None:
    """The number of the operand that holds the roots, if there is one."""
    return len(operation.operands) - 1 if has_dynamic_root(operation) else None


def roots_of(
    operation: Operation, roots_operands: Sequence[Array], members: int, rule: str
) -> list[list[int]]:
    """For each member the roots in its operand, as positions in the group.

    Args:
        operation: The operation.
        roots_operands: The roots operand of each member; empty if there is none.
        members: Number of members of the group.
        rule: The constraint that an impossible root breaks.

    Raises:
        EvaluationError: The group has no such member.
    """
    count = len(data_operands(operation))
    return [
        [root_of(operation, roots_operands[i : i + 1], j, members, rule) for j in range(count)]
        for i in range(members)
    ]


def root_of(
    operation: Operation, operands: Sequence[Array], index: int, members: int, rule: str
) -> int:
    """The root for operand number ``index``, as a position in the group.

    Args:
        operation: The operation.
        operands: The operands of one member.
        index: Which operand.
        members: Number of members of the group.
        rule: The constraint that an impossible root breaks.

    Raises:
        EvaluationError: The group has no such member.
    """
    if not has_dynamic_root(operation):
        return 0
    root = int(operands[-1][index])
    require(
        operation, 0 <= root < members, rule, "0 <= root < size(group)", root=root, size=members
    )
    return root
