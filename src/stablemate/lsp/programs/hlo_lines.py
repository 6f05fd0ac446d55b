"""HLO texts that are read again after an edit: what means what it meant is not read.

An instruction on a line of its own depends on its text, and on the shapes and opcodes of its
operands. If they are the same as before, the instruction is the same, and its verdict too.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.diagnostics.source import Source, Span
from stablemate.formats.hlo.text.reader import ModuleReader
from stablemate.lsp.programs.hlo_computations import KnownComputation, called_by, first_line
from stablemate.lsp.programs.slices import TimeSlice
from stablemate.xla.kinds import called_computations
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.shape import Shape
from stablemate.xla.verifier import HloVerifier

# What an instruction with one of these depends on is more than its operands.
UNUSUAL_ATTRIBUTES: Final = frozenset({"control-predecessors"})
UNUSUAL_OPCODES: Final = ("async-", "ROOT")
CONTINUATION: Final = ","  # an attribute on the next line


@dataclass(slots=True)
class HloLine:
    """A line that was read.

    Attributes:
        instruction: The instruction on it, without its place.
        operands: The shapes and opcodes of its operands.
        name: Where its name begins and ends in the line.
        is_sound: Whether the verifier found nothing wrong.
    """

    instruction: HloInstruction
    operands: list[tuple[Shape, str]]
    name: tuple[int, int]
    is_sound: bool = False


Computations = dict[str, KnownComputation[HloLine]]  # by their first lines


class LineReader(ModuleReader):
    """Reads a module, and takes over computations and lines that it knows.

    Attributes:
        known: The lines that were read before, by their text.
        used: The lines of this text.
        own: Those of the computation that is being read.
        known_computations: The computations that were read before.
        used_computations: The computations of this text.
        taken_over: The names of those that were known.
        slice: For reading new lines.
        line_of: The line of each instruction, by its identity.
    """

    def __init__(
        self, source: Source, known: dict[str, HloLine], shapes: dict[str, Shape],
        time: TimeSlice | None = None, computations: Computations | None = None,
    ) -> None:  # fmt: skip
        super().__init__(source, DEFAULT_LIMITS, elided=True)
        self.known = known
        self.slice = time or TimeSlice(None)
        self.shapes = shapes
        self.used: dict[str, HloLine] = {}
        self.own: dict[str, HloLine] = {}
        self.line_of: dict[int, HloLine] = {}
        self.known_computations = computations or {}
        self.used_computations: Computations = {}
        self.taken_over: set[str] = set()

    def computation(self) -> None:
        """Reads a computation, or takes it over."""
        start, count, entry = self.position, len(self.computations), self.entry
        line = first_line(self.text, start)
        known = self.known_computations.get(line)
        if known is not None and self.is_known(known, start):
            known.move(self.source, start)
            self.used.update(known.lines)
            self.used_computations[line] = known
            self.taken_over.add(known.computation.name)
            return
        self.own = {}
        super().computation()
        computation = self.computations[next(reversed(self.computations))]
        called = called_by(computation)
        if len(self.computations) == count + 1 and called <= self.computations.keys():
            self.used_computations[line] = KnownComputation(
                computation, self.text[start : self.position].rstrip(), start,
                self.entry != entry, self.own, [self.computations[name] for name in called],
            )  # fmt: skip

    def is_known(self, known: KnownComputation[HloLine], start: int) -> bool:
        """Adds a computation that was read before, if it is the one at an offset."""
        name = known.computation.name
        if not known.is_sound or not self.text.startswith(known.text, start):
            return False
        if name in self.computations or (known.is_entry and self.entry):
            return False
        if any(self.computations.get(one.name) is not one for one in known.called):
            return False
        self.jump(start + len(known.text))
        if self.at(CONTINUATION):
            self.position = start
            return False
        self.computations[name] = known.computation
        if known.is_entry:
            self.entry = name
        return True

    def instruction(self) -> None:
        """Reads an instruction, or takes it over."""
        start = self.position
        end = self.text.find("\n", start)
        text = self.text[start:end]
        line = self.known.get(text)
        if line is not None and end >= 0 and self.is_taken_over(line, start, end):
            self.used[text] = self.own[text] = line
            return
        self.slice.spend()
        super().instruction()
        if end >= 0 and self.position > end and self.text[end : self.position].isspace():
            self.remember(text, start)

    def is_taken_over(self, line: HloLine, start: int, end: int) -> bool:
        """Adds the instruction of a line, if its operands are what they were."""
        instructions, old = self.body.instructions, line.instruction
        if old.name in instructions:
            return False
        for name, (shape, opcode) in zip(old.operands, line.operands, strict=True):
            operand = instructions.get(name)
            if operand is None or operand.opcode != opcode:
                return False
            if operand.shape is not shape and operand.shape != shape:
                return False
        self.jump(end + 1)
        if self.at(CONTINUATION):
            self.position = start
            return False
        first, last = line.name
        span = Span(self.source, start + first, start + last)
        instruction = HloInstruction(
            old.name, old.opcode, old.shape, old.operands, old.attributes, span=span
        )
        instructions[old.name] = instruction
        self.line_of[id(instruction)] = line
        return True

    def remember(self, text: str, start: int) -> None:
        """Keeps the instruction that was just read from a line, if only its operands matter."""
        instructions = self.body.instructions
        instruction = instructions[next(reversed(instructions))]
        span, attributes = instruction.span, instruction.attributes
        if (
            span is None
            or text.startswith(UNUSUAL_OPCODES)
            or instruction.opcode.startswith(UNUSUAL_OPCODES)
            or not UNUSUAL_ATTRIBUTES.isdisjoint(attributes)
            or any(called_computations(attributes))
        ):
            return
        operands = [(instructions[name].shape, instructions[name].opcode)
                    for name in instruction.operands]  # fmt: skip
        kept = HloInstruction(
            instruction.name, instruction.opcode, instruction.shape, instruction.operands,
            attributes,
        )  # fmt: skip
        line = HloLine(kept, operands, (span.start - start, span.end - start))
        self.used[text] = self.own[text] = self.line_of[id(instruction)] = line


class LineVerifier(HloVerifier):
    """Verifies a module; what is known to be sound is left out.

    Args:
        module: The module.
        line_of: The line of each instruction, by its identity.
        time: For verifying.
        known: The names of computations that are known to be sound.

    Attributes:
        unsound: The computations with findings.
    """

    def __init__(
        self, module: HloModule, line_of: dict[int, HloLine], time: TimeSlice | None = None,
        known: Container[str] = (),
    ) -> None:  # fmt: skip
        super().__init__(module)
        self.line_of = line_of
        self.slice = time or TimeSlice(None)
        self.known = known
        self.unsound: set[str] = set()

    def structure(self, computation: HloComputation) -> Iterator[Diagnostic]:
        """Names, root, parameters, schedule and order of a computation that is not known."""
        if computation.name in self.known and computation.schedule is None:
            return
        for finding in super().structure(computation):
            self.unsound.add(computation.name)
            yield finding

    def instructions(self, computation: HloComputation) -> Iterator[Diagnostic]:
        """The findings about each instruction, given the instructions before it."""
        if computation.name in self.known:
            return
        operands_by_name: dict[str, HloInstruction] = {}
        for instruction in computation.instructions:
            operands_by_name[instruction.name] = instruction
            line = self.line_of.get(id(instruction))
            if line is not None and line.is_sound:
                continue
            self.slice.spend()
            operands = [operands_by_name[operand] for operand in instruction.operands]
            findings = list(self.checks.findings(instruction, operands))
            if findings:
                self.unsound.add(computation.name)
            yield from findings
            if line is not None:
                line.is_sound = not findings
