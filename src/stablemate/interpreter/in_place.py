"""Loops that update an array in place.

A loop that collects rows carries an array of them; each iteration returns a copy with one row
replaced. If only a chain of slice updates uses the array, and the last one returns it to the loop,
a single copy before the loop is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.types import Type

LOOP: Final = "stablehlo.while"


def in_place_updates(operation: Operation) -> Mapping[int, Sequence[DynamicUpdateSlice]]:
    """The positions of loop values that can be updated in place, with the updates of each."""
    if operation.name != LOOP:
        return {}
    condition, body = (region.block for region in operation.regions)
    seen, users = users_of(condition), users_of(body)
    chains: dict[int, Sequence[DynamicUpdateSlice]] = {}
    for k, (outer, inner) in enumerate(zip(condition.arguments, body.arguments, strict=True)):
        updates = list(update_chain(inner, users))
        end: Value[Type] = updates[-1].result if updates else inner
        is_closed = users.get(end) == [body.terminator] and body.terminator.operands[k] is end
        if updates and is_closed and outer not in seen:
            chains[k] = updates
    return chains


def users_of(block: Block) -> dict[Value[Type], list[Operation]]:
    """The users of each value, in regions too; one that uses it twice is listed twice."""
    users: dict[Value[Type], list[Operation]] = {}
    for operation in block.operations:
        for user in operation.walk():
            for value in user.operands:
                users.setdefault(value, []).append(user)
    return users


def update_chain(
    value: Value[Type], users: Mapping[Value[Type], Sequence[Operation]]
) -> Iterator[DynamicUpdateSlice]:
    """The chain of slice updates of an array, each the only user of the one before."""
    while len(using := users.get(value, ())) == 1:
        (update,) = using
        if not (isinstance(update, DynamicUpdateSlice) and can_overwrite(update, value)):
            return
        yield update
        value = update.result


def can_overwrite(update: DynamicUpdateSlice, value: Value[Type]) -> bool:
    """Whether an operation replaces a slice of static sizes in the value."""
    operand, slice_type = update.operand.type, update.update.type
    is_known = operand.is_static and slice_type.is_static
    return update.operand is value and is_known and operand.rank > 0


def with_copied_operands(
    function: Callable[..., object], positions: Sequence[int]
) -> Callable[..., object]:
    """The function, called with copies of some operands."""
    chosen = frozenset(positions)

    def call(*operands: object) -> Any:
        return function(*[np.array(x) if k in chosen else x for k, x in enumerate(operands)])

    return call
