"""A block made ready to run: a Python function with one line per operation.

For ``%2 = stablehlo.add %0, %c``, the last use of ``%0``, and a return of ``%2`` and ``%1``::

    def block(v0, v1):
        try:
            pass
            v0 = f0(v0, c5)
            return (v0, v1, )
        except failures as error:
            raise explained(error) from error.__cause__

Here ``f0`` computes the results of the operation and ``c5`` is a constant. A value that a region
uses from outside has its place in the frame of the function, ``F[3]``. Regions run on the frame of
their function; a function is never active twice (calls cannot be recursive), so its frame is made
once. Every value is dropped behind the last operation that reads it.

A block that asks the world is a process, any other a plain function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, StablemateError
from stablemate.execution.observe.listener import Appending
from stablemate.ir.core import Operation
from stablemate.ir.request import Process

Frame: TypeAlias = list[Any]
Failure: TypeAlias = StablemateError | MemoryError | RecursionError

FAILURES: Final = (StablemateError, MemoryError, RecursionError)
NO_MEMORY: Final = "there is not enough memory for the result"
TOO_DEEP: Final = "calls and regions are nested too deeply"


class Step(NamedTuple):
    """One operation of a block.

    Attributes:
        function: What computes the results from the operands; a process if ``asks``.
        asks: Whether it asks the world.
        operands: The slots of the operands.
        results: The slots of the results.
        dead: Slots whose values no later step reads.
        operation: The operation that this is.
        told: What is told of its result; None if nothing is, or if the function tells it.
    """

    function: Callable[..., Any]
    asks: bool
    operands: Sequence[int]
    results: Sequence[int]
    dead: Iterable[int]
    operation: Operation
    told: Appending | None = None


@dataclass(frozen=True, slots=True)
class PreparedBlock:
    """A block that computes.

    Attributes:
        function: Block arguments to what the terminator returns.
    """

    function: Callable[..., tuple[Any, ...]]

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        """The values that the terminator returns."""
        return self.function(*values)


@dataclass(frozen=True, slots=True)
class AskingBlock:
    """A block that asks the world.

    Attributes:
        function: Block arguments to a process that gives what the terminator returns.
    """

    function: Callable[..., Process]

    def __call__(self, *values: Any) -> Process:
        """Gives the values that the terminator returns, in the end."""
        return self.function(*values)


@dataclass(frozen=True, slots=True)
class Draft:
    """A block of which it is decided what is where.

    Attributes:
        arguments: The slots of the block's arguments.
        steps: The operations in order, constants and the terminator aside.
        returned: The slots of what the terminator returns.
        framed: Own slots that regions use: they stand in the frame.
        constants: The values of slots that are constants.
    """

    arguments: Sequence[int]
    steps: Sequence[Step]
    returned: Sequence[int]
    framed: set[int]
    constants: Mapping[int, Any]

    def name(self, slot: int, local: Mapping[int, str]) -> str:
        """What the source calls the value of a slot; ``local`` has the local variables."""
        if slot in self.constants:
            return f"c{slot}"
        return local.get(slot, f"F[{slot}]")

    def lines(self) -> Iterator[str]:
        """The source; from the line ``FIRST_STEP`` on a line per step.

        A variable whose value is dead takes the next result, so that few have to be emptied.
        """
        local = {slot: f"v{slot}" for slot in self.arguments}
        yield f"def block({', '.join(local.values())}):"
        yield " try:"
        framed = [(slot, local.pop(slot)) for slot in self.arguments if slot in self.framed]
        entry = "; ".join(f"F[{slot}] = {variable}; {variable} = None" for slot, variable in framed)
        yield f"  {entry or 'pass'}"
        spare: list[str] = []
        for number, step in enumerate(self.steps):
            operands = ", ".join(self.name(slot, local) for slot in step.operands)
            empty = [f"F[{slot}]" for slot in step.dead if slot in self.framed]
            dying = [local.pop(slot) for slot in step.dead if slot in local]
            for slot in step.results:
                if slot not in self.framed:
                    local[slot] = (dying or spare or [f"v{slot}"]).pop()
            results = "".join(f"{self.name(slot, local)}, " for slot in step.results)
            target = f"{results.rstrip(', ')} = " if results else ""
            told = f"; m{number}(k{number}); t{number}({results[:-2]})" if step.told else ""
            dying += [local.pop(slot) for slot in step.dead if slot in local]  # nobody reads them
            spare += dying
            emptied = f"; {' = '.join([*dying, *empty])} = None" if dying or empty else ""
            yield f"  {target}{'yield from ' * step.asks}f{number}({operands}){told}{emptied}"
        returned = "".join(f"{self.name(slot, local)}, " for slot in self.returned)
        left = sorted(self.framed & {*self.arguments, *self.returned})
        if left:
            cleared = " = ".join(f"F[{slot}]" for slot in left)
            yield f"  returned = ({returned}); {cleared} = None"
        yield f"  return {'returned' if left else f'({returned})'}"
        yield " except failures as error: raise explained(error) from error.__cause__"


FIRST_STEP: Final = 4  # its line in the source


def prepared(draft: Draft, frame: Frame) -> PreparedBlock | AskingBlock:
    """The block as a function on a frame."""
    operations = [step.operation for step in draft.steps]

    def explained(error: Failure) -> StablemateError:
        traceback = error.__traceback__
        index = traceback.tb_lineno - FIRST_STEP if traceback else -1
        return failure(error, operations[index] if 0 <= index < len(operations) else None)

    names: dict[str, Any] = {"F": frame, "failures": FAILURES, "explained": explained}
    names |= {f"c{slot}": value for slot, value in draft.constants.items()}
    for number, step in enumerate(draft.steps):
        names[f"f{number}"] = step.function
        if step.told is not None:
            names[f"m{number}"], names[f"k{number}"] = step.told.marks.append, step.told.mark
            names[f"t{number}"] = step.told.values.append
    exec(compile("\n".join(draft.lines()), "<block>", "exec"), names)
    asks = any(step.asks for step in draft.steps)
    return AskingBlock(names["block"]) if asks else PreparedBlock(names["block"])


def at(operation: Operation | None, message: str) -> Diagnostic:
    """A finding at an operation."""
    if operation is None:
        return Diagnostic(message)
    return Diagnostic(message, rule=operation.name, span=operation.span)


def failure(error: Failure, operation: Operation | None) -> StablemateError:
    """The error to raise when an operation fails with one."""
    if isinstance(error, StablemateError):
        return located(error, operation)
    return exhausted(error, operation)


def exhausted(error: MemoryError | RecursionError, operation: Operation | None) -> LimitError:
    """The error of a program that needs more memory or depth than there is."""
    return LimitError(at(operation, NO_MEMORY if isinstance(error, MemoryError) else TOO_DEEP))


def located(error: StablemateError, operation: Operation | None) -> StablemateError:
    """The error, placed at the operation that was running if it has no place yet."""
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
