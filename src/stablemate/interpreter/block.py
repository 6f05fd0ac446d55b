"""A block made ready to run: a list of steps over a frame of slots.

A frame holds the values of one function. Regions run on the frame of their function, so what they
use from outside is where it stands; a function is never active twice (calls cannot be recursive),
so its frame is made once. Every slot is emptied after the last step that reads it.

A block that asks the world is a process, any other a plain function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias, cast

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, StablemateError
from stablemate.ir.core import Operation
from stablemate.ir.request import Process

Frame: TypeAlias = list[Any]
Slots: TypeAlias = int | tuple[int, ...]
Reader: TypeAlias = Callable[[Frame], tuple[Any, ...]]

NO_MEMORY: Final = "there is not enough memory for the result"
TOO_DEEP: Final = "calls and regions are nested too deeply"


class Step(NamedTuple):
    """One operation of a block.

    Attributes:
        function: What computes the results from the operands.
        operands: The slot of the one operand, or what reads several (or none) from a frame.
        results: The slot of the one result, or the slots of several (or none).
        dead: Slots whose values no later step reads.
        operation: The operation that this is.
    """

    function: Callable[..., Any]
    operands: int | Reader
    results: Slots
    dead: Slots
    operation: Operation


def reader(slots: Sequence[int]) -> int | Reader:
    """The fastest way to read these slots of a frame."""
    match slots:
        case []:
            return nothing
        case [slot]:
            return slot
        case _:
            return itemgetter(*slots)


def nothing(frame: Frame) -> tuple[()]:
    """Reads no slot."""
    return ()


@dataclass(frozen=True, slots=True)
class PreparedBlock:
    """Steps, and where arguments enter and results leave.

    Attributes:
        frame: The slots of the function.
        arguments: Slots of the block's arguments.
        steps: The operations in order, the terminator aside.
        results: What reads the terminator's operands.
        dead: Slots that are emptied at the end.
    """

    frame: Frame
    arguments: tuple[int, ...]
    steps: tuple[Step, ...]
    results: int | Reader
    dead: tuple[int, ...]

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        """The values that the terminator returns."""
        frame = self.frame
        for slot, value in zip(self.arguments, values, strict=True):
            frame[slot] = value
        operation: Operation | None = None
        try:
            for step in self.steps:
                function, operands, results, dead, operation = step
                if isinstance(operands, int):
                    value = function(frame[operands])
                else:
                    value = function(*operands(frame))
                if isinstance(results, int):
                    frame[results] = value
                else:
                    for slot, each in zip(results, value, strict=True):
                        frame[slot] = each
                if isinstance(dead, int):
                    frame[dead] = None
                else:
                    for slot in dead:
                        frame[slot] = None
        except StablemateError as error:
            raise located(error, operation) from error.__cause__
        except (MemoryError, RecursionError) as error:
            raise exhausted(error, operation) from None
        read = self.results
        returned = (frame[read],) if isinstance(read, int) else read(frame)
        for slot in self.dead:
            frame[slot] = None
        return returned


@dataclass(frozen=True, slots=True)
class AskingBlock:
    """A prepared block some of whose steps are processes; so is a call of it.

    Attributes:
        block: The steps.
        asks: Which of them are processes.
    """

    block: PreparedBlock
    asks: tuple[bool, ...]

    def __call__(self, *values: Any) -> Process:
        """Gives the values that the terminator returns, in the end."""
        block = self.block
        frame = block.frame
        write(frame, block.arguments, values)
        operation: Operation | None = None
        try:
            for step, asks in zip(block.steps, self.asks, strict=True):
                function, operands, results, dead, operation = step
                given = read(frame, operands)
                value: Any = function(*given)
                if asks:
                    value = cast(Any, (yield from value))
                if isinstance(results, int):
                    frame[results] = value
                else:
                    write(frame, results, value)
                clear(frame, (dead,) if isinstance(dead, int) else dead)
        except StablemateError as error:
            raise located(error, operation) from error.__cause__
        except (MemoryError, RecursionError) as error:
            raise exhausted(error, operation) from None
        returned = read(frame, block.results)
        clear(frame, block.dead)
        return returned


def read(frame: Frame, slots: int | Reader) -> tuple[Any, ...]:
    """The values of some slots."""
    return (frame[slots],) if isinstance(slots, int) else slots(frame)


def write(frame: Frame, slots: Sequence[int], values: Sequence[Any]) -> None:
    """Puts values into slots."""
    for slot, value in zip(slots, values, strict=True):
        frame[slot] = value


def clear(frame: Frame, slots: Sequence[int]) -> None:
    """Empties slots."""
    for slot in slots:
        frame[slot] = None


def at(operation: Operation | None, message: str) -> Diagnostic:
    """A finding at an operation."""
    if operation is None:
        return Diagnostic(message)
    return Diagnostic(message, rule=operation.name, span=operation.span)


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
