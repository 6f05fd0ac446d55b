"""Compiles a block to a Python function with one line per operation.

For ``%2 = stablehlo.add %0, %c``, the last use of ``%0``, and a return of ``%2`` and ``%1``::

    def block(v0, v1):
        try:
            pass
            v0 = f0(v0, c5)
            return (v0, v1, )
        except failures as error:
            raise explain(error) from error.__cause__

Here ``f0`` computes the results of the operation and ``c5`` is a constant. A value that a region
uses from outside is stored in the frame of the function, ``F[3]``. Regions run on the frame of
their function; a function is never active twice (calls cannot be recursive), so its frame is
created once. Every value is dropped after the last operation that reads it.

A block that issues requests is a process (a generator), any other a plain function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, cast

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, StablemateError
from stablemate.execution.observe.listener import ListAppender
from stablemate.ir.core import Operation
from stablemate.ir.request import Process, ProcessFunction
from stablemate.numerics.elements import Array

Frame: TypeAlias = list[object]
Failure: TypeAlias = StablemateError | MemoryError | RecursionError

FAILURES: Final = (StablemateError, MemoryError, RecursionError)
NO_MEMORY: Final = "there is not enough memory for the result"
TOO_DEEP: Final = "calls and regions are nested too deeply"
NATIVE_KINDS: Final = "biufc"  # dtype kinds whose NumPy scalars support everything that arrays do


class BlockStep(NamedTuple):
    """One operation of a block.

    Attributes:
        function: Computes the results from the operands; a process if ``is_process``.
        is_process: Whether it issues requests.
        operands: The slots of the operands.
        results: The slots of the results.
        dead: Slots whose values no later step reads.
        operation: The operation.
        recorder: Records its result for a listener; None without one, or if the function does.
    """

    function: Callable[..., object]
    is_process: bool
    operands: Sequence[int]
    results: Sequence[int]
    dead: Iterable[int]
    operation: Operation
    recorder: ListAppender | None = None


@dataclass(frozen=True, slots=True)
class PreparedBlock:
    """A block without requests.

    Attributes:
        function: Takes the block arguments, returns what the terminator returns.
    """

    function: Callable[..., tuple[object, ...]]

    def __call__(self, *values: object) -> tuple[object, ...]:
        """The values that the terminator returns."""
        return self.function(*values)


@dataclass(frozen=True, slots=True)
class ProcessBlock:
    """A block that issues requests.

    Attributes:
        function: Takes the block arguments, returns a process that ends with what the terminator
            returns.
    """

    function: Callable[..., Process]

    def __call__(self, *values: object) -> Process:
        """A process that ends with the values that the terminator returns."""
        return self.function(*values)


class BlockLayout(NamedTuple):
    """A block whose values have been assigned to slots.

    Attributes:
        arguments: The slots of the block's arguments.
        steps: The operations in order, constants and the terminator aside.
        returned: The slots of what the terminator returns.
        in_frame: Own slots that regions use: these are in the frame.
        constants: The values of slots that are constants.
    """

    arguments: Sequence[int]
    steps: Sequence[BlockStep]
    returned: Sequence[int]
    in_frame: set[int]
    constants: Mapping[int, object]

    def name(self, slot: int, local: Mapping[int, str]) -> str:
        """The name of a slot's value in the source; ``local`` maps slots to local variables."""
        if slot in self.constants:
            return f"c{slot}"
        return local.get(slot, f"F[{slot}]")

    def lines(self) -> Iterator[str]:
        """The source; from line ``FIRST_STEP`` on, one line per step.

        A variable whose value is dead is reused for the next result, so that few need clearing.
        """
        local = {slot: f"v{slot}" for slot in self.arguments}
        yield f"def block({', '.join(local.values())}):"
        yield " try:"
        in_frame = [(slot, local.pop(slot)) for slot in self.arguments if slot in self.in_frame]
        entry = "; ".join(
            f"F[{slot}] = {variable}; {variable} = None" for slot, variable in in_frame
        )
        yield f"  {entry or 'pass'}"
        spare: list[str] = []
        for number, step in enumerate(self.steps):
            operands = ", ".join(self.name(slot, local) for slot in step.operands)
            empty = [f"F[{slot}]" for slot in step.dead if slot in self.in_frame]
            dying = [local.pop(slot) for slot in step.dead if slot in local]
            for slot in step.results:
                if slot not in self.in_frame:
                    local[slot] = (dying or spare or [f"v{slot}"]).pop()
            results = "".join(f"{self.name(slot, local)}, " for slot in step.results)
            target = f"{results.rstrip(', ')} = " if results else ""
            record = f"; m{number}(k{number}); t{number}({results[:-2]})" if step.recorder else ""
            dying += [local.pop(slot) for slot in step.dead if slot in local]  # never read
            spare += dying
            emptied = f"; {' = '.join([*dying, *empty])} = None" if dying or empty else ""
            call = f"{'yield from ' * step.is_process}f{number}({operands})"
            yield f"  {target}{call}{record}{emptied}"
        returned = "".join(f"{self.name(slot, local)}, " for slot in self.returned)
        left = sorted(self.in_frame & {*self.arguments, *self.returned})
        if left:
            cleared = " = ".join(f"F[{slot}]" for slot in left)
            yield f"  returned = ({returned}); {cleared} = None"
        yield f"  return {'returned' if left else f'({returned})'}"
        yield " except failures as error: raise explain(error) from error.__cause__"


FIRST_STEP: Final = 4  # the line of the first step


def prepare_block(draft: BlockLayout, frame: Frame) -> PreparedBlock | ProcessBlock:
    """The block as a function on a frame."""
    operations = [step.operation for step in draft.steps]

    def explain(error: Failure) -> StablemateError:
        traceback = error.__traceback__
        index = traceback.tb_lineno - FIRST_STEP if traceback else -1
        return execution_error(error, operations[index] if 0 <= index < len(operations) else None)

    names: dict[str, Any] = {"F": frame, "failures": FAILURES, "explain": explain}
    names |= {f"c{slot}": value for slot, value in draft.constants.items()}
    for number, step in enumerate(draft.steps):
        names[f"f{number}"] = step.function
        if step.recorder is not None:
            names[f"m{number}"], names[f"k{number}"] = (
                step.recorder.marks.append,
                step.recorder.mark,
            )
            names[f"t{number}"] = step.recorder.values.append
    exec(compile("\n".join(draft.lines()), "<block>", "exec"), names)
    is_process = any(step.is_process for step in draft.steps)
    return ProcessBlock(names["block"]) if is_process else PreparedBlock(names["block"])


def diagnostic_at(operation: Operation | None, message: str) -> Diagnostic:
    """A diagnostic at an operation."""
    if operation is None:
        return Diagnostic(message)
    return Diagnostic(message, rule=operation.name, span=operation.span)


def execution_error(error: Failure, operation: Operation | None) -> StablemateError:
    """The error to raise when an operation fails with one."""
    if isinstance(error, StablemateError):
        return with_place(error, operation)
    return resource_error(error, operation)


def resource_error(error: MemoryError | RecursionError, operation: Operation | None) -> LimitError:
    """The error of a program that exceeds memory or the depth of nesting."""
    return LimitError(
        diagnostic_at(operation, NO_MEMORY if isinstance(error, MemoryError) else TOO_DEEP)
    )


def with_place(error: StablemateError, operation: Operation | None) -> StablemateError:
    """The error with the span of the operation that was running, unless it has one."""
    if operation is None or error.diagnostics[0].span is not None:
        return error
    first, rest = error.diagnostics[0], error.diagnostics[1:]
    placed = Diagnostic(
        first.message,
        rule=first.rule or operation.name,
        span=operation.span,
        values=first.values,
        notes=first.notes,
    )
    return type(error)([placed, *rest])


Prepared: TypeAlias = PreparedBlock | ProcessBlock


def as_process(block: Prepared) -> ProcessFunction:
    """A block as a process, even if it issues no requests."""
    if isinstance(block, ProcessBlock):
        return block.function
    function = block.function

    def run(*values: object) -> Process:
        yield from ()
        return function(*values)

    return run


def as_scalar(value: object) -> object:
    """An array of rank 0 as NumPy's scalar, which is ten times as fast to compute with."""
    if isinstance(value, np.ndarray):
        array = cast(Array, value)
        return array if array.ndim or array.dtype.kind not in NATIVE_KINDS else array[()]
    return value
