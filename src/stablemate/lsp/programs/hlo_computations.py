"""Computations of HLO texts that were read before: those without a change are taken over whole.

A computation depends on its text and on the computations that it calls. If these are the same, so
is what is read of it; if nothing was wrong with it, nothing is.
"""

from __future__ import annotations

from dataclasses import field
from typing import Generic, TypeVar

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.source import Source, Span
from stablemate.xla.kinds import called_computations
from stablemate.xla.module import HloComputation, HloInstruction

LineT = TypeVar("LineT")


@dataclass(slots=True)
class KnownComputation(Generic[LineT]):
    """A computation that was read.

    Attributes:
        computation: The computation.
        text: Its text.
        start: Its offset in the last text that has it.
        is_entry: Whether it is marked as the entry.
        lines: The lines of its instructions that are known.
        called: The computations that it calls.
        is_sound: Whether the verifier found nothing wrong.
    """

    computation: HloComputation
    text: str
    start: int
    is_entry: bool
    lines: dict[str, LineT]
    called: list[HloComputation] = field(default_factory=list[HloComputation])
    is_sound: bool = False

    def move(self, source: Source, start: int) -> None:
        """Moves its places to another offset, in a text that is read."""
        delta, self.start = start - self.start, start
        if delta:
            move(self.computation, source, delta)
            for instruction in self.computation.instructions:
                move(instruction, source, delta)


def move(one: HloComputation | HloInstruction, source: Source, delta: int) -> None:
    """Moves the place of a computation or of an instruction, which compare without it."""
    if one.span is not None:
        span = Span(source, one.span.start + delta, one.span.end + delta)
        object.__setattr__(one, "span", span)


def called_by(computation: HloComputation) -> set[str]:
    """The names of the computations that instructions of a computation name."""
    return {
        name
        for instruction in computation.instructions
        if instruction.attributes
        for name in called_computations(instruction.attributes)
    }


def first_line(text: str, start: int) -> str:
    """The text from an offset to the end of its line."""
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)]
