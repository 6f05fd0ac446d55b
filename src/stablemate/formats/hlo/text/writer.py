"""Writes HLO text as XLA prints it.

The text is byte for byte what XLA prints with large constants, except where XLA's own text does not
read back as the module: a negative zero is ``-0.0``; a number has as many digits as it needs; a
string that begins with white space and looks like a dictionary is quoted; an asynchronous form is
used only if it expresses everything.

Names and order are those of the tree, so that what XLA printed is printed again. XLA itself, when
it prints what it has read, makes the names of all instructions different, orders computations and
(unless they are scheduled) instructions by their uses, drops stack frames that nothing uses and
numbers the others anew; ``Options(reread=True)`` does all of that. Both write the
asynchronous form of one operation without the computation around it, whose name is lost.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.formats.hlo.text.asynchronous import (
    shared_by_start,
    start_of_chain,
    wrapped_operation,
)
from stablemate.formats.hlo.text.attributes import ROUNDED, WRITERS
from stablemate.formats.hlo.text.header import header_text, indexed
from stablemate.formats.hlo.text.lexer.strings import invalid_key, quote
from stablemate.formats.hlo.text.literals import literal_text, shaped_text
from stablemate.formats.hlo.text.metadata import is_printed, metadata_text
from stablemate.formats.hlo.text.sharding.shardings import sharding_text
from stablemate.formats.hlo.text.stack_frames import UsedFrameTables, stack_frames_text
from stablemate.formats.hlo.text.unique_names import unique_names
from stablemate.xla.kinds import ATTRIBUTES, AttributeRow, Kind
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.opcodes import COMMON_ROWS, OPCODES
from stablemate.xla.print_order import (
    called_computations,
    computation_order,
    instruction_order,
)
from stablemate.xla.shape import Shape
from stablemate.xla.values import Metadata

Style = Literal["default", "short", "canonical"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintOptions:
    """How a module is printed.

    Attributes:
        layouts: Whether instructions show layouts.
        metadata: Whether ``metadata`` and the tables of stack frames are printed.
        backend_config: Whether ``backend_config`` is printed.
        control_dependencies: Whether ``control-predecessors`` are printed.
        operand_shapes: Whether operands show their shapes.
        operand_indices: Whether every fifth operand has its number in a comment.
        percent: Whether names have ``%`` in front.
        signatures: Whether computations show the shapes of parameters and result.
        canonical: Whether instructions are named ``tmp_0``, ``tmp_1``, ... in each computation.
        reread: Whether computations and instructions are ordered, instructions renamed, stack
            frames dropped and numbered as by XLA when it has read the text.
        async_forms: Whether ``async-start`` of one operation ``X`` is written ``X-start``.
    """

    layouts: bool = True
    metadata: bool = True
    backend_config: bool = True
    control_dependencies: bool = True
    operand_shapes: bool = False
    operand_indices: bool = True
    percent: bool = True
    signatures: bool = True
    canonical: bool = False
    reread: bool = False
    async_forms: bool = True


DEFAULT: Final = PrintOptions()
SHORT: Final = PrintOptions(
    metadata=False,
    control_dependencies=False,
    operand_indices=False,
    percent=False,
    signatures=False,
)
# XLA's ``HloPrintOptions``: default, ``ShortParsable``, and ``Canonical`` but for computations,
# which have names here and stand in braces there.
STYLES: Final[Mapping[Style, PrintOptions]] = {
    "default": DEFAULT,
    "short": SHORT,
    "canonical": replace(SHORT, backend_config=False, operand_shapes=True, canonical=True),
}
# Attributes that are printed even if the tree leaves them out.
ALWAYS: Final = {"replica_groups": "{}"}
ASYNC: Final = frozenset({"async-start", "async-update", "async-done"})
# Parameters and constants have theirs between the parentheses; this one is printed among those of
# every instruction.
AMONG_COMMON: Final = ATTRIBUTES["result_accuracy"]
OWN_ROWS: Final = {
    name: ()
    if name in ("parameter", "constant")
    else tuple(row for row in opcode.attributes if row is not AMONG_COMMON)
    for name, opcode in OPCODES.items()
}
AFTER_OWN: Final = tuple(
    row
    for common in COMMON_ROWS
    for row in ((common, AMONG_COMMON) if common.name == "statistics" else (common,))
)
GROUPED: Final = frozenset(
    name for name, rows in OWN_ROWS.items() if any(row.name in ALWAYS for row in rows)
)


FRONTEND: Final = "frontend_attributes"


def write_text(module: HloModule, options: PrintOptions = DEFAULT) -> str:
    """Returns the text of a module.

    Args:
        module: The module, which defines all names that it uses.
        options: How it is printed; ``STYLES`` has those of XLA.

    Raises:
        UnsupportedError: A frontend attribute has a key that no text holds.
    """
    reject_invalid_keys(module)
    return HloTextWriter(module, options).text()


def reject_invalid_keys(module: HloModule) -> None:
    """Rejects frontend attributes that protos allow and text does not.

    Raises:
        UnsupportedError: The key of one is no word.
    """
    instructions = (instruction for c in module.computations for instruction in c.instructions)
    listed = [
        instruction.attributes[FRONTEND]
        for instruction in instructions
        if FRONTEND in instruction.attributes
    ]
    for attributes in (module.frontend_attributes, *listed):
        if (key := invalid_key(attributes)) is not None:
            raise UnsupportedError(f"HLO text has no form for a frontend attribute called {key!r}")


class HloTextWriter:
    """Writes a module."""

    def __init__(self, module: HloModule, options: PrintOptions) -> None:
        self.module = module
        self.options = options
        self.percent = "%" * options.percent
        self.shapes: dict[int, str] = {}
        self.names: Mapping[str, str] = {}
        self.unique_names: Mapping[str, str] = {}
        self.unique: Mapping[str, Mapping[str, str]] = {}
        if options.reread:
            self.unique = unique_names(module)
        self.body: Mapping[str, HloInstruction] = {}
        self.shared: Mapping[str, Mapping[str, Any]] = {}
        self.pruning: UsedFrameTables | None = None

    def text(self) -> str:
        """Prints header, tables and computations."""
        module, options = self.module, self.options
        computations = computation_order(module) if options.reread else module.computations
        hidden = self.wrapped_computations() if options.async_forms else set[str]()
        computations = [
            computation for computation in computations if computation.name not in hidden
        ]
        tables = module.stack_frames if options.metadata else None
        if tables is not None and options.reread:
            self.pruning = UsedFrameTables(tables)
        bodies = [self.computation(computation) for computation in computations]
        if self.pruning is not None:
            tables = self.pruning.result()
        table_text = "" if tables is None else stack_frames_text(tables)
        head = f"{header_text(module, self.inner_text)}\n\n{table_text}{chr(10) * bool(table_text)}"
        return "".join([head, *bodies])

    def inner_text(self, module: HloModule) -> str:
        """Prints a module for a string of this one."""
        return HloTextWriter(module, replace(DEFAULT, reread=self.options.reread)).text()

    def wrapped_computations(self) -> set[str]:
        """Returns the computations that asynchronous forms stand for."""
        calls = Counter(
            name
            for computation in self.module.computations
            for name in called_computations(computation)
        )
        by_name = self.module.by_name
        forms = [
            computation.by_name[start].attributes["calls"]
            for computation in self.module.computations
            for start, shared in shared_by_start(computation.by_name).items()
            if wrapped_operation(computation.by_name[start], by_name, shared)
        ]
        return {name for name in forms if calls[name] == 1}

    def computation(self, computation: HloComputation) -> str:
        """Prints a computation and the empty line after it."""
        options = self.options
        order = instruction_order(computation, by_uses=options.reread)
        self.body = computation.by_name
        self.shared = shared_by_start(self.body)
        self.names = self.unique_names = self.unique.get(computation.name, {})
        entry = "ENTRY " if computation.name == self.module.entry else ""
        signature = f" {self.signature(computation)}" if options.signatures else ""
        lines = [f"{entry}{self.percent}{computation.name}{signature} {{"]
        if options.canonical:
            self.names = {instruction.name: f"tmp_{i}" for i, instruction in enumerate(order)}
        root = computation.root
        for instruction in order:
            lines.append(
                f"  {'ROOT ' if instruction.name == root else ''}{self.instruction(instruction)}"
            )
        thread = computation.execution_thread
        tail = "" if thread == "main" else f", execution_thread={quote(thread)}"
        lines.append(f"}}{tail}\n\n")
        return "\n".join(lines)

    def signature(self, computation: HloComputation) -> str:
        """``(name: shape, ...) -> shape``, without layouts."""
        parameters = ", ".join(
            f"{self.unique_name(parameter.name)}: {parameter.shape.to_text(layouts=False)}"
            for parameter in computation.parameters
        )
        return f"({parameters}) -> {computation.result.shape.to_text(layouts=False)}"

    # ---- instructions

    def instruction(self, instruction: HloInstruction) -> str:
        """Prints an instruction, without ``ROOT``."""
        opcode, attributes = instruction.opcode, instruction.attributes
        called = self.async_form(instruction) if opcode in ASYNC else None
        written = opcode
        tail = ""
        if called is not None:
            written = called.opcode + opcode.removeprefix("async")
            tail = self.attributes_text(OWN_ROWS[opcode], {**attributes, "calls": None})
            if opcode == "async-start":
                inside = (*OWN_ROWS[called.opcode], AMONG_COMMON)
                tail += self.attributes_text(inside, called.attributes)
                if FRONTEND not in attributes:
                    tail += self.attributes_text((ATTRIBUTES[FRONTEND],), called.attributes)
        elif attributes or opcode in GROUPED:
            tail = self.attributes_text(OWN_ROWS[opcode], attributes)
        if attributes:
            tail += self.attributes_text(AFTER_OWN, attributes)
        name, shape = self.name(instruction.name), self.shape(instruction.shape)
        return f"{name} = {shape} {written}({self.text_in_parentheses(instruction)}){tail}"

    def async_form(self, instruction: HloInstruction) -> HloInstruction | None:
        """Returns the operation ``X`` that is printed as ``X-start``.

        Returns None if its computation is printed.
        """
        start = start_of_chain(instruction, self.body)
        if not self.options.async_forms or start.opcode != "async-start":
            return None
        return wrapped_operation(start, self.module.by_name, self.shared[start.name])

    def attributes_text(
        self, rows: Iterable[AttributeRow], attributes: Mapping[str, object]
    ) -> str:
        """Prints attributes in the order of rows, with a comma before each."""
        parts: list[str] = []
        for row in rows:
            value = attributes.get(row.name)
            text = ALWAYS.get(row.name, "") if value is None else self.value(row, value)
            if text:
                parts.append(f", {row.name}={text}")
        return "".join(parts)

    def value(self, row: AttributeRow, value: Any) -> str:
        """Prints the value of an attribute; an empty text if it is not shown."""
        match row.kind:
            case Kind.COMPUTATION:
                return f"{self.percent}{value}"
            case Kind.COMPUTATIONS:
                return f"{{{', '.join(self.percent + name for name in value)}}}"
            case Kind.INSTRUCTIONS:
                names = ", ".join(f"{self.percent}{self.unique_name(name)}" for name in value)
                return f"{{{names}}}" if self.options.control_dependencies else ""
            case Kind.LITERAL:
                return shaped_text(value, self.shape)
            case Kind.METADATA:
                return self.metadata(value) if self.options.metadata else ""
            case Kind.STRING_OR_DICT if not self.options.backend_config:
                return ""
            case Kind.SHARDING:
                return sharding_text(value, with_metadata=self.options.metadata)
            case kind if kind in ROUNDED and self.options.reread:
                return WRITERS[kind](ROUNDED[kind](value))
            case _:
                return WRITERS[row.kind](value)

    def metadata(self, metadata: Metadata) -> str:
        """Prints metadata, with the number of its stack frame in the text.

        The text is empty if metadata is not shown.
        """
        if metadata.stack_frame_id and self.options.reread:
            frame = self.pruning.frame(metadata.stack_frame_id) if self.pruning else 0
            metadata = replace(metadata, stack_frame_id=frame)
        text = metadata_text(metadata)
        shown = is_printed(metadata) if self.options.reread else bool(text)
        return f"{{{text}}}" if shown else ""

    def text_in_parentheses(self, instruction: HloInstruction) -> str:
        """Prints the content of the parentheses."""
        match instruction.opcode:
            case "parameter":
                return str(instruction.attributes["parameter_number"])
            case "constant":
                return literal_text(instruction.attributes["literal"])
            case _:
                texts = [self.operand(operand) for operand in instruction.operands]
                return indexed(texts) if self.options.operand_indices else ", ".join(texts)

    def operand(self, name: str) -> str:
        """Prints an operand, with its shape if the options say so."""
        shape = f"{self.shape(self.body[name].shape)} " if self.options.operand_shapes else ""
        return f"{shape}{self.name(name)}"

    def name(self, name: str) -> str:
        """Prints the name of an instruction."""
        percent = "" if self.options.canonical else self.percent
        return f"{percent}{self.names.get(name, name)}"

    def unique_name(self, name: str) -> str:
        """Returns the name of an instruction where canonical names are not used."""
        return self.unique_names.get(name, name)

    def shape(self, shape: Shape) -> str:
        """Prints a shape as instructions show it."""
        text = self.shapes.get(id(shape))
        if text is None:
            text = self.shapes[id(shape)] = shape.to_text(layouts=self.options.layouts)
        return text
