"""Arrays that a loop fills where they stand.

A loop that collects rows carries an array of them; each iteration gives a copy with one row
replaced. Where no operation sees the array but those that replace slices of it, one after another
and back to where it came from, a single copy before the loop is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.ir.core import Block, Operation, Value

LOOP: Final = "stablehlo.while"


def filled_arrays(operation: Operation) -> Mapping[int, Sequence[DynamicUpdateSlice]]:
    """The positions of values of a loop that can be filled in place, and what fills each."""
    if operation.name != LOOP:
        return {}
    condition, body = (region.block for region in operation.regions)
    seen, users = users_of(condition), users_of(body)
    chains: dict[int, Sequence[DynamicUpdateSlice]] = {}
    for k, (outer, inner) in enumerate(zip(condition.arguments, body.arguments, strict=True)):
        updates = list(chain(inner, users))
        end: Value[Any] = updates[-1].result if updates else inner
        is_closed = users.get(end) == [body.terminator] and body.terminator.operands[k] is end
        if updates and is_closed and outer not in seen:
            chains[k] = updates
    return chains


def users_of(block: Block) -> dict[Value[Any], list[Operation]]:
    """The operations that use each value, in regions too; one that uses it twice is there twice."""
    users: dict[Value[Any], list[Operation]] = {}
    for operation in block.operations:
        for user in operation.walk():
            for value in user.operands:
                users.setdefault(value, []).append(user)
    return users


def chain(
    value: Value[Any], users: Mapping[Value[Any], Sequence[Operation]]
) -> Iterator[DynamicUpdateSlice]:
    """The updates of slices of an array, each of which is the only one to see the one before."""
    while len(using := users.get(value, ())) == 1:
        (update,) = using
        if not (isinstance(update, DynamicUpdateSlice) and can_overwrite(update, value)):
            return
        yield update
        value = update.result


def can_overwrite(update: DynamicUpdateSlice, value: Value[Any]) -> bool:
    """Whether an operation replaces a slice of the value, of sizes that are known."""
    operand, slice_type = update.operand.type, update.update.type
    is_known = operand.is_static and slice_type.is_static
    return update.operand is value and is_known and operand.rank > 0


def on_copies(function: Callable[..., Any], positions: Sequence[int]) -> Callable[..., Any]:
    """The function, with copies in place of some operands."""
    chosen = frozenset(positions)

    def call(*operands: Any) -> Any:
        return function(*[np.array(x) if k in chosen else x for k, x in enumerate(operands)])

    return call
