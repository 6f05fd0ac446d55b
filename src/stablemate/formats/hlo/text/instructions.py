"""Reads instructions.

Source: XLA, HLO text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final, NoReturn

from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source, Span
from stablemate.formats.hlo.text.asynchronous import form_of, started
from stablemate.formats.hlo.text.attributes import READERS
from stablemate.formats.hlo.text.body import Body, free_name
from stablemate.formats.hlo.text.completion import CompletionError, complete
from stablemate.formats.hlo.text.literals import read_literal
from stablemate.formats.hlo.text.scanner import (
    ATTRIBUTE,
    IDENTIFIER,
    SPACE,
    Scanner,
)
from stablemate.xla.kinds import ATTRIBUTES, AttributeRow, Kind
from stablemate.xla.module import HloComputation, HloInstruction
from stablemate.xla.opcodes import MANY, OPCODES, Opcode
from stablemate.xla.primitive_types import NAMES_IN_TEXT
from stablemate.xla.shape import Shape

ROOT: Final = re.compile(rf"ROOT(?![A-Za-z0-9_.:=-]){SPACE}")
OPCODE: Final = re.compile(rf"([a-z][A-Za-z0-9_.-]*+){SPACE}\({SPACE}")
SHAPE: Final = re.compile(rf"\(|b{SPACE}\(|(?:{'|'.join(sorted(NAMES_IN_TEXT))}){SPACE}\[")
# Operands without shapes, up to the closing parenthesis.
NAMES: Final = re.compile(
    rf"((?:%?{IDENTIFIER}{SPACE}(?:,{SPACE}%?{IDENTIFIER}{SPACE})*+)?)\){SPACE}"
)
SEPARATOR: Final = re.compile(rf"{SPACE},{SPACE}%?")
THREAD: Final = ATTRIBUTES["async_execution_thread"]
# Attributes that XLA reads and does not keep.
IGNORED: Final = {
    each: frozenset({"mode"}) for each in ("all-reduce", "all-reduce-start", "reduce-scatter")
}


def rows_of(opcode: Opcode) -> dict[str, AttributeRow]:
    """The attributes that text may give an instruction; constants and parameters have none more."""
    bracketed = ("parameter_number",) if opcode.name == "parameter" else ()
    bracketed = ("literal",) if opcode.name == "constant" else bracketed
    return {row.name: row for row in opcode.all_attributes if row.name not in bracketed}


ROWS: Final = {name: rows_of(opcode) for name, opcode in OPCODES.items()}


class InstructionReader(Scanner):
    """Reads instructions into the body of a computation.

    Attributes:
        computations: What was read so far, by name; callees come first.
        elided: Whether constants may be elided.
        body: The computation that is being read.
    """

    def __init__(
        self, source: Source, limits: Limits = DEFAULT_LIMITS, *, elided: bool = False
    ) -> None:
        super().__init__(source, limits)
        self.computations: dict[str, HloComputation] = {}
        self.elided = elided
        self.body = Body("")

    # ---- one instruction

    def instruction(self) -> None:
        """``[ROOT] name = shape opcode(operands), attributes``."""
        start = self.position
        if root := ROOT.match(self.text, start):
            self.position = root.end()
        place = self.here()
        name = self.name("the name of an instruction")
        if name in self.body.instructions:
            self.error(f"there is another instruction named '{name}'", place)
        self.expect("=")
        self.defined(name, place, attributes=True)
        if root:
            if self.body.root:
                self.error(f"'{self.body.root}' is the result already", (start, start + 4))
            self.body.root = name

    def defined(self, name: str, place: tuple[int, int], *, attributes: bool) -> HloInstruction:
        """What stands behind the equals sign; the instruction is added to the body."""
        shape = self.shape() if SHAPE.match(self.text, self.position) else None
        start = self.position
        match = OPCODE.match(self.text, start)
        if match is None:
            self.expected("an opcode" if shape else "a shape or an opcode")
        written: str = match[1]
        here = (start, start + len(written))
        part, base = ("", written) if written in OPCODES else form_of(written)
        row = OPCODES.get(base)
        if row is None:
            self.unknown("opcode", written, OPCODES, here)
        self.position = match.end()
        values: dict[str, Any] = {}
        operands = self.bracketed(row, shape, values)
        if part != "start":
            row = OPCODES[f"async-{part}"] if part else row
            self.check_count(row, operands, here)
        if attributes:
            self.attributes(row, values, starts=part == "start")
        self.check_required(row, values, here)
        if shape is None:
            self.error(f"the shape of the result of '{written}' must be written", here)
        span = Span(self.source, *place)
        instruction = HloInstruction(name, row.name, shape, operands, values, span=span)
        instruction = self.completed(instruction, part, here)
        self.body.add(instruction)
        return instruction

    def completed(
        self, instruction: HloInstruction, part: str, place: tuple[int, int]
    ) -> HloInstruction:
        """The instruction with what follows from its operands; a start with what it starts."""
        shapes = [self.body.instructions[each].shape for each in instruction.operands]
        try:
            if part != "start":
                return complete(instruction, shapes)
            start, computation = started(
                instruction, shapes, self.free_computation("async_wrapped")
            )
        except CompletionError as error:
            self.error(str(error), place)
        self.computations[computation.name] = computation
        return start

    def free_computation(self, name: str) -> str:
        """A name that no computation has yet."""
        return free_name(name, self.computations)

    def bracketed(
        self, row: Opcode, shape: Shape | None, values: dict[str, Any]
    ) -> tuple[str, ...]:
        """What stands between the parentheses."""
        if row.name == "parameter":
            values["parameter_number"] = self.parameter_number()
        elif row.name == "constant":
            if shape is None:
                self.expected("the shape of a constant in front of its opcode")
            values["literal"] = read_literal(self, shape, elided=self.elided)
        else:
            return self.operands()
        self.expect(")")
        return ()

    def parameter_number(self) -> int:
        """The number of a parameter."""
        place = self.here()
        number = self.signed("the number of a parameter")
        if number < 0:
            self.error("the number of a parameter is not negative", place)
        return number

    # ---- operands

    def operands(self) -> tuple[str, ...]:
        """Operands up to the closing parenthesis."""
        match = NAMES.match(self.text, self.position)
        if match:
            text: str = match[1].strip(" \t\r\n%")
            names = tuple(SEPARATOR.split(text)) if text else ()
            known = self.body.instructions
            if all(name in known for name in names):
                self.position = match.end()
                return names
        return tuple(self.items(")", self.operand))

    def operand(self) -> str:
        """``name``, ``shape name``, or ``[shape] opcode(operands)``."""
        with self.nested():
            place = self.here()
            start = self.position
            shape = self.shape() if SHAPE.match(self.text, start) else None
            if OPCODE.match(self.text, self.position):
                opcode = self.word("an opcode")
                self.position = start
                name = self.body.free_name(f"{opcode}.anon")
                return self.defined(name, place, attributes=False).name
            invents = self.body.invents_parameters
            if shape is not None and invents and (self.at(",") or self.at(")")):
                return self.invented("", shape, place)
            at = self.here()
            name = self.name("an operand")
            found = self.body.instructions.get(name)
            if found is None:
                if shape is not None and invents:
                    return self.invented(name, shape, at)
                self.unknown("instruction", name, self.body.instructions, at)
            if shape is not None and not compatible(shape, found.shape):
                self.error(f"'{name}' has the shape {found.shape}, not {shape}", place)
            return name

    def invented(self, name: str, shape: Shape, place: tuple[int, int]) -> str:
        """A new parameter, which an unknown operand of a text of one instruction becomes."""
        number = self.body.parameters
        self.body.parameters += 1
        values = {"parameter_number": number}
        name = name or self.body.free_name(f"_{number}")
        span = Span(self.source, *place)
        self.body.add(HloInstruction(name, "parameter", shape, (), values, span=span))
        return name

    # ---- attributes

    def attributes(self, row: Opcode, values: dict[str, Any], *, starts: bool) -> None:
        """``, name=value`` as often as there are any."""
        rows = ROWS[row.name]
        seen: set[str] = set()
        while self.accept(","):
            start = self.position
            name = self.take(ATTRIBUTE, "the name of an attribute, followed by '='")
            place = (start, start + len(name))
            if name in seen:
                self.error(f"the attribute '{name}' is there twice", place)
            seen.add(name)
            attribute = rows.get(name)
            if attribute is None:
                if row.name in IGNORED and name in IGNORED[row.name]:
                    self.word("a word")
                    continue
                if not (starts and name == THREAD.name):
                    self.unknown("attribute", name, rows, place, f" of '{row.name}'")
                attribute = THREAD
            values[name] = self.value(attribute)

    def value(self, row: AttributeRow) -> Any:
        """The value of an attribute."""
        match row.kind:
            case Kind.COMPUTATION:
                return self.computation_value()
            case Kind.COMPUTATIONS:
                return tuple(self.listed("{", "}", self.computation_value))
            case Kind.INSTRUCTIONS:
                return self.predecessors()
            case Kind.LITERAL:
                return read_literal(self, self.shape(), elided=self.elided)
            case _:
                return READERS[row.kind](self, row)

    def computation_value(self) -> str:
        """The name of a computation, or a computation in braces."""
        if self.at("{"):
            return self.inline()
        place = self.here()
        name = self.name("the name of a computation")
        if name not in self.computations:
            self.unknown("computation", name, self.computations, place)
        return name

    def inline(self) -> str:
        """A computation in braces."""
        with self.nested():
            name = self.free_computation("_")
            outer, self.body = self.body, Body(name)
            self.block()
            self.computations[name] = self.body.finished()
            self.body = outer
            return name

    def block(self) -> None:
        """``{ instructions }`` into the body."""
        self.expect("{")
        start = self.position
        if self.at("}"):
            self.error("a computation has at least one instruction", self.here())
        while not self.accept("}"):
            self.instruction()
        self.check_parameters((start, start + 1))

    def predecessors(self) -> tuple[str, ...]:
        """``{a, b}``: instructions that were read already, each once."""

        def item() -> str:
            place = self.here()
            name = self.name("the name of an instruction")
            if name not in self.body.instructions:
                self.unknown("instruction", name, self.body.instructions, place)
            return name

        self.expect("{")
        if self.at("}"):
            self.expected("the name of an instruction")
        return tuple(dict.fromkeys(self.items("}", item)))

    # ---- checks

    def check_count(self, row: Opcode, operands: tuple[str, ...], place: tuple[int, int]) -> None:
        """Refuses operands that are too few or too many."""
        if not row.least <= len(operands) <= row.most:
            most = "" if row.most == row.least else f" to {row.most}"
            most = " or more" if row.most == MANY else most
            wanted = f"{row.least}{most} operand{'s' * (row.most != 1)}"
            self.error(f"'{row.name}' has {wanted}, not {len(operands)}", place)

    def check_required(self, row: Opcode, values: dict[str, Any], place: tuple[int, int]) -> None:
        """Refuses an instruction without an attribute that it must have."""
        missing = [each for each in row.required if each not in values]
        if missing:
            names = " and ".join(f"'{each}'" for each in sorted(missing))
            self.error(f"'{row.name}' must have {names}", place)

    def check_parameters(self, place: tuple[int, int]) -> None:
        """Refuses parameters that are not numbered from 0 without gaps."""
        numbers = sorted(
            each.attributes["parameter_number"]
            for each in self.body.instructions.values()
            if each.opcode == "parameter"
        )
        if numbers != list(range(len(numbers))):
            listed = ", ".join(map(str, numbers))
            self.error(f"parameters are numbered from 0 without gaps, found {listed}", place)

    def unknown(
        self, what: str, name: str, known: Iterable[str], place: tuple[int, int], more: str = ""
    ) -> NoReturn:
        """Refuses a name that nothing has, and suggests one."""
        article = "an" if what[0] in "aio" else "a"
        close = get_close_matches(name, list(known)[-1000:], 1)
        hint = f"did you mean '{close[0]}'?" if close else ""
        self.error(f"'{name}' is not {article} {what}{more}", place, hint)


def compatible(first: Shape, second: Shape) -> bool:
    """Whether shapes are equal up to layouts and which dimensions are dynamic."""
    if first.is_tuple or second.is_tuple:
        return len(first.elements) == len(second.elements) and all(
            compatible(a, b) for a, b in zip(first.elements, second.elements, strict=True)
        )
    return (first.element_type, first.dimensions) == (second.element_type, second.dimensions)
