"""Reads the attributes of instructions.

Texts of attributes repeat, so values are cached by their texts. Only values that name something in
the module are read each time.

Source: XLA, HLO text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from stablemate.formats.hlo.text.asynchronous import Stage
from stablemate.formats.hlo.text.attributes import READERS
from stablemate.formats.hlo.text.lexer.scanner import IDENTIFIER, SPACE, Scanner
from stablemate.formats.hlo.text.literals import read_shaped_literal
from stablemate.xla.kinds import ATTRIBUTES, AttributeRow, Kind
from stablemate.xla.module import HloComputation, HloInstruction
from stablemate.xla.opcodes import OPCODES, Opcode

STRINGS: Final = r""""[^"\\]*+(?:\\.[^"\\]*+|(?!))*+"|'[^'\\]*+(?:\\.[^'\\]*+|(?!))*+'"""
INNER: Final = rf"""(?:[^{{}}"'/]++|{STRINGS}|(?!))*+"""
BRACED: Final = rf"\{{(?:{INNER}\{{{INNER}\}}|(?!))*+{INNER}\}}"
# A comma, a name, and a value whose end a regular expression can find.
PLAIN: Final = re.compile(
    rf",{SPACE}({IDENTIFIER})={SPACE}({BRACED}|[A-Za-z0-9_.-]++|{STRINGS})?{SPACE}", re.DOTALL
)
THREAD: Final = ATTRIBUTES["async_execution_thread"]
# Attributes that XLA reads and drops.
MODE: Final = AttributeRow(
    "mode",
    Kind.WORD,
    ("cross_replica", "cross_partition", "cross_replica_and_partition", "flattened_id"),
)
IGNORED: Final[dict[str, tuple[AttributeRow, ...]]] = {
    "ragged-all-to-all": (ATTRIBUTES["dimensions"],),
    **dict.fromkeys(("all-reduce", "all-reduce-start", "reduce-scatter"), (MODE,)),
}
# Attributes of an asynchronous start ``X-start``, and those that its update and its done repeat;
# ``X-update`` and ``X-done`` do not repeat the computation.
OF_STARTS: Final = (THREAD, ATTRIBUTES["output_to_operand_aliasing"])
REPEATED: Final = dict.fromkeys(("async-update", "async-done"), (THREAD, ATTRIBUTES["calls"]))
# Names of the same attributes in other versions of XLA.
SYNONYMS: Final = {"conv_kind": "convolution_kind"}
NAMING: Final = frozenset({Kind.COMPUTATION, Kind.COMPUTATIONS, Kind.INSTRUCTIONS, Kind.LITERAL})


def rows_of(opcode: Opcode) -> dict[str, AttributeRow]:
    """Returns the attributes that may follow the parentheses of an instruction."""
    bracketed = {"parameter": "parameter_number", "constant": "literal"}.get(opcode.name)
    return {row.name: row for row in opcode.all_attributes if row.name != bracketed}


ROWS: Final = {name: rows_of(opcode) for name, opcode in OPCODES.items()}


class HloAttributeReader:
    """Reads attributes.

    Attributes:
        scanner: Where they are read.
        computations: The computations that have been read, by name; callees come first.
        inline_computation: Reads a computation in braces, and returns the name that it receives.
        elided: Whether constants may be elided.
        instructions: Those that have been read of this computation, by name.
        cached_values: Values by the number of their row and their text.
    """

    def __init__(
        self, scanner: Scanner, computations: Mapping[str, HloComputation],
        inline_computation: Callable[[], str], *, elided: bool,
    ) -> None:  # fmt: skip
        self.scanner = scanner
        self.computations = computations
        self.inline_computation = inline_computation
        self.elided = elided
        self.instructions: Mapping[str, HloInstruction] = {}
        self.cached_values: dict[tuple[int, str], object] = {}

    def read(
        self, row: Opcode, values: dict[str, object], part: Stage,
        instructions: Mapping[str, HloInstruction],
    ) -> None:  # fmt: skip
        """Reads ``, name=value`` any number of times.

        Args:
            row: The opcode; of ``X-start`` it is ``X``.
            values: Gets the attributes.
            part: The stage if the opcode is written as ``X-start``, ``X-update``, ``X-done``.
            instructions: Those that have been read of this computation, by name.
        """
        rows = ROWS[row.name]
        scanner, cached_values = self.scanner, self.cached_values
        text = scanner.text
        while match := PLAIN.match(text, scanner.position):
            name, written = match[1], match[2]
            attribute = rows.get(name)
            if attribute is None and SYNONYMS.get(name) in rows:
                name = SYNONYMS[name]
                attribute = rows[name]
            if attribute is None or name in values:
                attribute = self.other_attribute(row, name, match.span(1), values, part)
            key = (id(attribute), written)
            if key in cached_values:
                values[name] = cached_values[key]
                scanner.position = match.end()
                continue
            scanner.jump(match.end(1) + 1)
            self.instructions = instructions
            values[name] = value = self.value(attribute)
            if scanner.position == match.end() and attribute.kind not in NAMING:
                cached_values[key] = value
        if scanner.accept(","):
            scanner.reject_unexpected("the name of an attribute, followed by '='")
        if row.name in IGNORED:
            for ignored in IGNORED[row.name]:
                values.pop(ignored.name, None)

    def other_attribute(
        self,
        row: Opcode,
        name: str,
        place: tuple[int, int],
        values: dict[str, object],
        part: str,
    ) -> AttributeRow:
        """Handles an attribute that is not one of the opcode's, or that occurs twice."""
        if name in values:
            self.scanner.error(f"the attribute '{name}' occurs twice", place)
        more = OF_STARTS if part == "start" else IGNORED.get(row.name, ())
        if row.name in REPEATED:
            more = (THREAD,) if part else REPEATED[row.name]
        for attribute in more:
            if attribute.name == name:
                return attribute
        self.scanner.reject_unknown("attribute", name, ROWS[row.name], place, f" of '{row.name}'")

    def value(self, row: AttributeRow) -> Any:
        """Reads the value of an attribute."""
        match row.kind:
            case Kind.COMPUTATION:
                return self.called_computation()
            case Kind.COMPUTATIONS:
                return tuple(self.scanner.read_enclosed("{", "}", self.called_computation))
            case Kind.INSTRUCTIONS:
                return self.predecessors()
            case Kind.LITERAL:
                return read_shaped_literal(self.scanner, elided=self.elided)
            case _:
                return READERS[row.kind](self.scanner, row)

    def called_computation(self) -> str:
        """Reads the name of a computation, or a computation in braces."""
        if self.scanner.at("{"):
            return self.inline_computation()
        place = self.scanner.here()
        name = self.scanner.name("the name of a computation")
        if name not in self.computations:
            self.scanner.reject_unknown("computation", name, self.computations, place)
        return name

    def predecessors(self) -> tuple[str, ...]:
        """Reads ``{a, b}``: instructions that were read already; duplicates are dropped."""

        def item() -> str:
            place = self.scanner.here()
            name = self.scanner.name("the name of an instruction")
            if name not in self.instructions:
                self.scanner.reject_unknown("instruction", name, self.instructions, place)
            return name

        self.scanner.expect("{")
        if self.scanner.at("}"):
            self.scanner.reject_unexpected("the name of an instruction")
        return tuple(dict.fromkeys(self.scanner.read_separated("}", item)))
