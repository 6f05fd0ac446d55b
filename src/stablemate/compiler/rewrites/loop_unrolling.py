"""Decides which loops are unrolled: few iterations over elementwise operations.

Then its turns share a kernel, and what it carries never goes to memory: the rounds of Threefry are
such a loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from stablemate.compiler.graph.builder import Constant
from stablemate.compiler.lowering.table import LOWERINGS
from stablemate.dialects.calls import CALLS
from stablemate.ir.core import Block, BlockArgument, Operation, OpResult, Value

MAX_ITERATIONS: Final = 8
MAX_OPERATIONS: Final = 512  # in all turns together
FREE: Final = frozenset({"stablehlo.constant", "stablehlo.return", "func.return", *CALLS})


def iterations_to_unroll(
    operation: Operation, functions: Mapping[str, Operation], constant: Constant
) -> int | None:
    """How often the body of a loop is to be written out; None if it stays a loop.

    Args:
        operation: The loop.
        functions: The functions that its body may call.
        constant: What is known of the values outside of it.
    """
    cond, body = [region.block for region in operation.regions]
    names = list(operation_names(body, functions))
    if not all(name in LOWERINGS or name in FREE for name in names):
        return None
    turns = trip_count(operation, cond, body, constant)
    if turns is None or turns > MAX_ITERATIONS or turns * len(names) > MAX_OPERATIONS:
        return None
    return turns


def operation_names(
    block: Block, functions: Mapping[str, Operation], active: tuple[str, ...] = ()
) -> Iterator[str]:
    """The names of all operations of a block and of the functions that it calls."""
    for operation in block.operations:
        symbol = CALLS.get(operation.name)
        yield operation.name if symbol is not None or not operation.regions else "region"
        if symbol is not None:
            target: Any = operation.attributes[symbol]
            function = functions.get(target.root)
            if function is None or target.root in active or not function.regions[0].blocks:
                yield "unknown"
                return
            inside = function.regions[0].block
            yield from operation_names(inside, functions, (*active, target.root))


def trip_count(operation: Operation, cond: Block, body: Block, constant: Constant) -> int | None:
    """How often a loop turns that counts up to a bound; None if that is not plain to see."""
    (compare,) = defining_operation(cond.terminator.operands[0], "stablehlo.compare") or (None,)
    if compare is None or compare.comparison_direction.value != "LT":
        return None
    counter, bound = compare.operands
    if not isinstance(counter, BlockArgument) or counter.block is not cond:
        return None
    k = counter.index
    (step,) = defining_operation(body.terminator.operands[k], "stablehlo.add") or (None,)
    if step is None or step.operands[0] is not body.arguments[k]:
        return None
    numbers = [constant(value) for value in (operation.operands[k], bound, step.operands[1])]
    if not all(
        number is not None and number.size == 1 and number.dtype.kind in "iu" for number in numbers
    ):
        return None
    first, end, by = [int(number.reshape(())) for number in numbers]
    if by <= 0 or end > np.iinfo(numbers[0].dtype).max - by:
        return None  # the counter might wrap around
    return max(0, -((first - end) // by))


def defining_operation(value: Value[Any], name: str) -> tuple[Any, ...]:
    """The operation that makes a value, if it is of this name."""
    is_result = isinstance(value, OpResult) and value.operation.name == name
    return (value.operation,) if is_result and isinstance(value, OpResult) else ()
