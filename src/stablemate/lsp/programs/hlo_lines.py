"""HLO texts that are read again after an edit: lines that mean what they meant are not read.

An instruction on a line of its own depends on its text, and on the shapes and opcodes of its
operands. If they are the same as before, the instruction is the same, and its verdict too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.diagnostics.source import Source, Span
from stablemate.formats.hlo.text.reader import ModuleReader
from stablemate.lsp.programs.slices import Slice
from stablemate.xla.kinds import called_computations
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.shape import Shape
from stablemate.xla.verifier import Verifier

# What an instruction with one of these depends on is more than its operands.
UNUSUAL_ATTRIBUTES: Final = frozenset({"control-predecessors"})
UNUSUAL_OPCODES: Final = ("async-", "ROOT")
CONTINUATION: Final = ","  # an attribute on the next line


@dataclass(slots=True)
class Line:
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


class LineReader(ModuleReader):
    """Reads a module, and takes over instructions on lines that it knows.

    Attributes:
        known: The lines that were read before, by their text.
        used: The lines of this text.
        slice: For reading new lines.
        line_of: The line of each instruction, by its identity.
    """

    def __init__(
        self, source: Source, known: dict[str, Line], shapes: dict[str, Shape],
        time: Slice | None = None,
    ) -> None:  # fmt: skip
        super().__init__(source, DEFAULT_LIMITS, elided=True)
        self.known = known
        self.slice = time or Slice(None)
        self.shapes = shapes
        self.used: dict[str, Line] = {}
        self.line_of: dict[int, Line] = {}

    def instruction(self) -> None:
        """Reads an instruction, or takes it over."""
        start = self.position
        end = self.text.find("\n", start)
        text = self.text[start:end]
        line = self.known.get(text)
        if line is not None and end >= 0 and self.is_taken_over(line, start, end):
            self.used[text] = line
            return
        self.slice.spend()
        super().instruction()
        if end >= 0 and self.position > end and self.text[end : self.position].isspace():
            self.remember(text, start)

    def is_taken_over(self, line: Line, start: int, end: int) -> bool:
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
        line = Line(kept, operands, (span.start - start, span.end - start))
        self.used[text] = self.line_of[id(instruction)] = line


class LineVerifier(Verifier):
    """Verifies a module; instructions that are known to be sound are left out.

    Args:
        module: The module.
        line_of: The line of each instruction, by its identity.
        time: For verifying.
    """

    def __init__(
        self, module: HloModule, line_of: dict[int, Line], time: Slice | None = None
    ) -> None:
        super().__init__(module)
        self.line_of = line_of
        self.slice = time or Slice(None)

    def instructions(self, computation: HloComputation) -> Iterator[Diagnostic]:
        """The findings about each instruction, given the instructions before it."""
        operands_by_name: dict[str, HloInstruction] = {}
        for instruction in computation.instructions:
            operands_by_name[instruction.name] = instruction
            line = self.line_of.get(id(instruction))
            if line is not None and line.is_sound:
                continue
            self.slice.spend()
            operands = [operands_by_name[operand] for operand in instruction.operands]
            findings = list(self.checks.findings(instruction, operands))
            yield from findings
            if line is not None:
                line.is_sound = not findings
