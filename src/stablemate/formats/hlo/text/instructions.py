"""Reads instructions.

Source: XLA, HLO text.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, NoReturn

from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source, Span
from stablemate.formats.hlo.text.asynchronous import (
    STAGES,
    async_start,
    split_async_opcode,
    start_of_chain,
    with_shared,
)
from stablemate.formats.hlo.text.attribute_reader import REPEATED, HloAttributeReader
from stablemate.formats.hlo.text.body import ComputationReader, NameUniquer
from stablemate.formats.hlo.text.completion import CompletionError, complete, spread_sharding
from stablemate.formats.hlo.text.inferred_shapes import shapes_for_inference, with_layouts
from stablemate.formats.hlo.text.instruction_checks import (
    ParsedInstruction,
    check_instruction,
    compatible,
    resolved_shape,
)
from stablemate.formats.hlo.text.lexer.scanner import BLANK, IDENTIFIER, SPACE, Scanner
from stablemate.formats.hlo.text.literals import read_literal
from stablemate.xla.module import HloComputation, HloInstruction
from stablemate.xla.opcodes import MANY, OPCODES, Opcode
from stablemate.xla.primitive_types import NAMES_IN_TEXT
from stablemate.xla.print_order import called_computations
from stablemate.xla.shape import Shape, shape_at
from stablemate.xla.shape_inference.inference import result_shape

ROOT: Final = re.compile(rf"ROOT(?![A-Za-z0-9_.:=-]){SPACE}")
# The usual beginning of an instruction, in one step.
HEAD: Final = re.compile(
    rf"(ROOT{BLANK})?%({IDENTIFIER}){SPACE}={SPACE}"
    rf"([a-z][a-z0-9]*+\[[0-9,]*+\](?:\{{[0-9,]++\}})?)(?=[ \t][a-z]){SPACE}"
)
OPCODE: Final = re.compile(rf"([a-z][A-Za-z0-9_.-]*+){SPACE}\({SPACE}")
SHAPE: Final = re.compile(rf"\(|b{SPACE}\(|(?:{'|'.join(sorted(NAMES_IN_TEXT))}){SPACE}\[")
# Operands without shapes, up to the closing parenthesis.
NAMES: Final = re.compile(
    rf"((?:%?{IDENTIFIER}{SPACE}(?:,{SPACE}%?{IDENTIFIER}{SPACE}|(?!))*+)?)\){SPACE}"
)
SEPARATOR: Final = re.compile(rf"{SPACE},{SPACE}%?")


class InstructionReader(Scanner):
    """Reads instructions into the body of a computation.

    Attributes:
        computations: The computations that have been read, by name; callees come first.
        elided: Whether constants may be elided.
        body: The computation that is being read.
        reserved: The name of a computation that follows.
        names: Names for computations that have none in the text.
        attributes: Reads what follows the operands.
    """

    def __init__(
        self, source: Source, limits: Limits = DEFAULT_LIMITS, *, elided: bool = True
    ) -> None:
        super().__init__(source, limits)
        self.computations: dict[str, HloComputation] = {}
        self.elided = elided
        self.body = ComputationReader("")
        self.reserved = ""
        self.names = NameUniquer()
        self.attributes = HloAttributeReader(self, self.computations, self.inline, elided=elided)

    # ---- one instruction

    def instruction(self) -> None:
        """``[ROOT] name = shape opcode(operands), attributes``."""
        start = self.position
        head = HEAD.match(self.text, start)
        if head is None:
            root = ROOT.match(self.text, start)
            if root:
                self.position = root.end()
            place = self.here()
            name = self.name("the name of an instruction")
            self.expect("=")
            shape = self.shape() if SHAPE.match(self.text, self.position) else None
        else:
            root, name, place = head, head[2], head.span(2)
            shape = self.shapes.get(head[3])
            self.position = head.end()
            if shape is None:
                shape, end = shape_at(self.source, head.start(3), self.limits)
                if end == head.end(3):
                    self.shapes[head[3]] = shape
                else:  # the braces are none of a layout
                    self.jump(end)
        if name in self.body.instructions:
            self.error(f"there is another instruction named '{name}'", place)
        self.read_definition(name, place, shape, attributes=True)
        if root and (head is None or head[1]):
            if self.body.root:
                self.error(f"'{self.body.root}' is the result already", (start, start + 4))
            self.body.root = name

    def read_definition(
        self, name: str, place: tuple[int, int], shape: Shape | None, *, attributes: bool
    ) -> None:
        """Reads what follows the shape of the result, and adds the instruction to the body."""
        start = self.position
        match = OPCODE.match(self.text, start)
        if match is None:
            self.reject_unexpected("an opcode" if shape else "a shape or an opcode")
        written: str = match[1]
        here = match.span(1)
        part, base = split_async_opcode(written)
        row = OPCODES.get(base)
        if row is None:
            self.reject_unknown("opcode", written, OPCODES, here)
        self.position = match.end()
        values: dict[str, Any] = {}
        operands = self.read_parentheses(row, shape, values)
        if "literal" in values:
            shape = values["literal"].shape
        if part in ("update", "done"):
            row = OPCODES[f"async-{part}"]
            self.check_form(base, operands, here)
        if part != "start" and not row.least <= len(operands) <= row.most:
            self.reject_count(row, operands, here)
        if attributes:
            self.attributes.read(row, values, part, self.body.instructions)
        if row.name in REPEATED:
            self.check_repeated(operands, values, here)
        if not row.required <= values.keys():
            self.reject_missing(row, values, here)
        span = Span(self.source, *place)
        instructions = self.body.instructions
        shapes = [instructions[operand].shape for operand in operands]
        try:
            complete(row.name, shape, shapes, values)
            operand_instructions = [instructions[operand] for operand in operands]
            check_instruction(
                row.name, ParsedInstruction(shape, operand_instructions, values, self.computations)
            )
            if shape is None:
                shape = self.infer_shape(row, shapes, values, here)
            else:
                shape = resolved_shape(row.name, shape, shapes)
            spread_sharding(values, shape)
            instruction = HloInstruction(name, row.name, shape, operands, values, span=span)
            if part == "start":
                instruction = self.wrap_start(instruction, shapes)
            elif row.name in STAGES:
                self.share(instruction)
        except CompletionError as error:
            self.error(str(error), here)
        instructions[name] = instruction

    def check_form(self, base: str, operands: tuple[str, ...], place: tuple[int, int]) -> None:
        """Rejects ``X-update`` and ``X-done`` whose operand does not come from ``X-start``."""
        instructions = self.body.instructions
        start = start_of_chain(instructions[operands[0]], instructions) if operands else None
        if start is None or start.opcode != "async-start":
            self.error(f"the operand must come from '{base}-start'", place)
        called = self.computations[start.attributes["calls"]].result.opcode
        if called != base:
            self.error(f"the operand comes from '{called}-start', not '{base}-start'", place)

    def check_repeated(
        self, operands: tuple[str, ...], values: dict[str, object], place: tuple[int, int]
    ) -> None:
        """Drops the thread and the computation, which must be those of the start."""
        written = {
            row.name: values.pop(row.name) for row in REPEATED["async-done"] if row.name in values
        }
        instructions = self.body.instructions
        start = start_of_chain(instructions[operands[0]], instructions)
        if start.opcode != "async-start":
            return
        computation = self.computations[start.attributes["calls"]]
        expected = {
            "async_execution_thread": start.attributes.get("async_execution_thread", "main"),
            "calls": computation.name,
        }
        for name, value in written.items():
            if value != expected[name]:
                self.error(
                    f"'{name}' of '{start.name}' is '{expected[name]}', not '{value}'", place
                )

    def share(self, instruction: HloInstruction) -> None:
        """Gives the operation inside an asynchronous one the attributes of this stage."""
        start = start_of_chain(instruction, self.body.instructions)
        name = start.attributes["calls"]
        self.computations[name] = with_shared(self.computations[name], instruction)

    def infer_shape(
        self, row: Opcode, shapes: list[Shape], values: dict[str, object], place: tuple[int, int]
    ) -> Shape:
        """Infers the shape of a result that is not written."""
        if not row.shape_follows:
            self.error(f"the shape of the result of '{row.name}' must be written", place)
        span = Span(self.source, *place)
        operands = shapes_for_inference(row.name, shapes)
        shape = result_shape(row.name, operands, values, self.computations, span=span)
        return with_layouts(row.name, shape, operands, values)

    def wrap_start(self, instruction: HloInstruction, shapes: list[Shape]) -> HloInstruction:
        """Returns ``async-start`` for ``X-start``, and adds the computation around ``X``."""
        name = self.free_computation("async_wrapped")
        start, computation = async_start(instruction, shapes, name)
        self.computations[name] = computation
        self.on_thread(computation.execution_thread, computation)
        return start

    def on_thread(self, thread: str, computation: HloComputation) -> None:
        """Moves the computations that an asynchronous computation calls to its thread."""
        waiting = [] if thread == "main" else [computation]
        while waiting:
            for name in called_computations(waiting.pop()):
                callee = self.computations[name]
                if callee.execution_thread != thread:
                    callee = replace(callee, execution_thread=thread)
                    self.computations[name] = callee
                    waiting.append(callee)

    def read_parentheses(
        self, row: Opcode, shape: Shape | None, values: dict[str, object]
    ) -> tuple[str, ...]:
        """Reads the content of the parentheses."""
        if row.name == "parameter":
            values["parameter_number"] = self.parameter_number()
        elif row.name == "constant":
            if shape is None:
                self.reject_unexpected("the shape of a constant in front of its opcode")
            values["literal"] = read_literal(self, shape, elided=self.elided)
        else:
            return self.operands()
        self.expect(")")
        return ()

    def parameter_number(self) -> int:
        """Reads the number of a parameter."""
        place = self.here()
        number = self.signed_integer("the number of a parameter")
        if number < 0:
            self.error("the number of a parameter is not negative", place)
        return number

    # ---- operands

    def operands(self) -> tuple[str, ...]:
        """Reads operands up to the closing parenthesis."""
        match = NAMES.match(self.text, self.position)
        if match:
            text: str = match[1].strip(" \t\r\n%")
            names = tuple(SEPARATOR.split(text)) if text else ()
            instructions = self.body.instructions
            if all(name in instructions for name in names):
                self.position = match.end()
                return names
        listed: list[str] = []
        while not self.accept(")"):
            if self.accept(","):  # as many as one likes
                continue
            listed.append(self.operand())
            if not (self.at(",") or self.at(")")):
                self.reject_unexpected("',' or ')'")
        return tuple(listed)

    def operand(self) -> str:
        """``name``, ``shape name``, or ``[shape] opcode(operands)``."""
        with self.nested():
            place = self.here()
            start = self.position
            shape = self.shape() if SHAPE.match(self.text, start) else None
            if opcode := OPCODE.match(self.text, self.position):
                part, base = split_async_opcode(opcode[1])
                name = self.body.free_name(f"{f'async-{part}' if part else base}.anon")
                self.read_definition(name, place, shape, attributes=False)
                return name
            is_implicit = self.body.implicit_parameters
            if shape is not None and is_implicit and (self.at(",") or self.at(")")):
                return self.implicit_parameter("", shape, place)
            at = self.here()
            name = self.name("an operand")
            instruction = self.body.instructions.get(name)
            if instruction is None:
                if shape is not None and is_implicit:
                    return self.implicit_parameter(name, shape, at)
                self.reject_unknown("instruction", name, self.body.instructions, at)
            if shape is not None and not compatible(shape, instruction.shape):
                self.error(f"'{name}' has the shape {instruction.shape}, not {shape}", place)
            return name

    def implicit_parameter(self, name: str, shape: Shape, place: tuple[int, int]) -> str:
        """Adds a parameter for an unknown operand, in a text of one instruction."""
        number = self.body.parameters
        self.body.parameters += 1
        values = {"parameter_number": number}
        name = name or self.body.free_name(f"_{number}")
        span = Span(self.source, *place)
        self.body.add(HloInstruction(name, "parameter", shape, (), values, span=span))
        return name

    # ---- computations

    def free_computation(self, name: str) -> str:
        """Returns a name that no computation has yet."""
        if name == self.reserved and name not in self.computations:
            return self.names.unique(name, (name,))
        return self.names.unique(name, self.computations)

    def inline(self) -> str:
        """Reads a computation in braces, which receives a generated name."""
        with self.nested():
            name = self.free_computation("_")
            outer, self.body = self.body, ComputationReader(name)
            self.block()
            self.computations[name] = self.body.to_computation()
            self.body = outer
            return name

    def block(self) -> None:
        """Reads ``{ instructions }`` into the body."""
        self.expect("{")
        start = self.position
        if self.at("}"):
            self.error("a computation has at least one instruction", self.here())
        while not self.accept("}"):
            self.instruction()
        self.check_parameters((start, start + 1))

    # ---- checks

    def reject_count(
        self, row: Opcode, operands: tuple[str, ...], place: tuple[int, int]
    ) -> NoReturn:
        """Rejects too few or too many operands."""
        most = "" if row.most == row.least else f" to {row.most}"
        most = " or more" if row.most == MANY else most
        expected = f"{row.least}{most} operand{'s' * (row.most != 1)}"
        self.error(f"'{row.name}' has {expected}, not {len(operands)}", place)

    def reject_missing(
        self, row: Opcode, values: dict[str, object], place: tuple[int, int]
    ) -> NoReturn:
        """Rejects an instruction without an attribute that it must have."""
        missing = sorted(row.required - values.keys())
        names = " and ".join(f"'{name}'" for name in missing)
        self.error(f"'{row.name}' must have {names}", place)

    def check_parameters(self, place: tuple[int, int]) -> None:
        """Rejects parameters that are not numbered from 0 without gaps."""
        numbers = sorted(
            instruction.attributes["parameter_number"]
            for instruction in self.body.instructions.values()
            if instruction.opcode == "parameter"
        )
        if numbers != list(range(len(numbers))):
            listed = ", ".join(map(str, numbers))
            self.error(f"parameters are numbered from 0 without gaps, found {listed}", place)
