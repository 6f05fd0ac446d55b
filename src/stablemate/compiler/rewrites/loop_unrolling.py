"""Decides which loops are unrolled: few iterations over elementwise operations.

The iterations then share a kernel, and loop-carried values never go to memory. The rounds of
Threefry are such a loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

import numpy as np

from stablemate.compiler.graph.builder import Constant
from stablemate.compiler.lowering.table import LOWERINGS
from stablemate.dialects.calls import CALLS, callee_of
from stablemate.ir.core import Block, BlockArgument, Operation, OpResult, Value
from stablemate.ir.types import TensorType

# ``python -m benchmarks.jax.loops`` measures loops, ``python -m benchmarks.compile_times`` what
# copies cost.
MAX_ITERATIONS: Final = 8  # copies of a body cost compile time and code, and save a launch each
MAX_OPERATIONS: Final = 512  # in all iterations together
FREE: Final = frozenset({"stablehlo.constant", "stablehlo.return", "func.return", *CALLS})


def iterations_to_unroll(
    operation: Operation, functions: Mapping[str, Operation], constant: Constant
) -> int | None:
    """The number of iterations that replace a loop; None if it stays a loop.

    Args:
        operation: The loop.
        functions: The functions that its body may call.
        constant: The value of constants defined outside of the loop.
    """
    cond, body = [region.block for region in operation.regions]
    names = list(islice(operation_names(body, functions), MAX_OPERATIONS + 1))
    if len(names) > MAX_OPERATIONS or not all(n in LOWERINGS or n in FREE for n in names):
        return None
    iterations = trip_count(operation, cond, body, constant)
    if (
        iterations is None
        or iterations > MAX_ITERATIONS
        or iterations * len(names) > MAX_OPERATIONS
    ):
        return None
    return iterations


def operation_names(block: Block, functions: Mapping[str, Operation]) -> Iterator[str]:
    """The names of all operations of a block and of the functions that it calls."""
    active: dict[str, Iterator[Operation]] = {"": iter(block.operations)}
    while active:
        operation = next(next(reversed(active.values())), None)
        if operation is None:
            active.popitem()
            continue
        callee = callee_of(operation)
        yield operation.name if callee is not None or not operation.regions else "region"
        if callee is not None:
            function = functions.get(callee)
            if function is None or callee in active or not function.regions[0].blocks:
                yield "unknown"
                return
            active[callee] = iter(function.regions[0].block.operations)


def trip_count(operation: Operation, cond: Block, body: Block, constant: Constant) -> int | None:
    """The number of iterations of a loop that counts up to a bound; None if it is not obvious."""
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
    start, end, increment = [int(number.reshape(())) for number in numbers]
    if increment <= 0 or end > np.iinfo(numbers[0].dtype).max - increment:
        return None  # the counter might wrap around
    return max(0, -((start - end) // increment))


def defining_operation(value: Value[TensorType], name: str) -> tuple[Any, ...]:
    """The operation that computes a value, if it has this name."""
    is_result = isinstance(value, OpResult) and value.operation.name == name
    return (value.operation,) if is_result and isinstance(value, OpResult) else ()
