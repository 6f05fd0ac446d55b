"""Graphs of XLA modules: computations as functions, those of fusions and loops as regions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.analysis.source_places import scopes_of
from stablemate.diagnostics.source import Source, Span
from stablemate.explorer.details import PREVIEWED, abbreviate, elements_preview, readable_texts
from stablemate.explorer.graph import GraphBody, GraphNode, GraphValue, NodeKind, ProgramGraph
from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.writer import DEFAULT, HloTextWriter, write_text
from stablemate.numerics.literal_data import array_texts
from stablemate.xla.elision import with_elided_literals
from stablemate.xla.kinds import called_computations
from stablemate.xla.literal import Literal
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.opcodes import COMMON_ROWS, OPCODES
from stablemate.xla.values import Metadata

ELIDED: Final = 32  # elements beyond which a literal is left out of the text shown
LONG: Final = 2000  # characters of an attribute
# What tells instructions of an opcode apart, the first attribute that is there.
TELLING: Final = (
    "custom_call_target", "direction", "kind", "lhs_contracting_dims", "dim_labels", "dimensions",
    "slice", "dynamic_slice_sizes", "window", "index", "iota_dimension", "padding",
)  # fmt: skip
KINDS: Final[dict[str, NodeKind]] = {"parameter": "argument", "constant": "constant"}
# Attributes that are shown elsewhere: where it came from, what it calls.
ELSEWHERE: Final = frozenset({"metadata", "literal", "parameter_number"})


def hlo_graph(module: HloModule, *, format: str, text: str | None) -> ProgramGraph:
    """The graph of a module of XLA.

    Args:
        module: The module, which hangs together: all names that it uses are there.
        format: What it was read from.
        text: The text that it was read from; None if it was none. Then the module is printed,
            without large literals.
    """
    span = module.entry_computation.span
    if text is not None and span is not None:
        return HloGraphBuilder(module, module, span.source, format).graph()
    shown = with_elided_literals(module, ELIDED)
    source = Source(write_text(shown), "printed")
    return HloGraphBuilder(module, read_text(source, elided=True), source, format).graph()


class HloGraphBuilder:
    """Builds the graph of a module.

    Attributes:
        module: The module.
        spans: Where computations and instructions stand in the text that is shown.
    """

    def __init__(self, module: HloModule, shown: HloModule, source: Source, format: str) -> None:
        self.module = module
        self.format = format
        self.source = source
        self.spans: dict[tuple[str, str], Span | None] = {}
        for computation in shown.computations:
            self.spans[computation.name, ""] = computation.span
            for instruction in computation.instructions:
                self.spans[computation.name, instruction.name] = instruction.span
        self.writer = HloTextWriter(with_elided_literals(module, ELIDED), DEFAULT)
        self.values: list[GraphValue] = []
        self.offsets: dict[int, int] = {}
        self.number = 0
        self.callers = Counter(
            called
            for computation in module.computations
            for instruction in computation.instructions
            for called in called_computations(instruction.attributes)
        )
        self.bodies: dict[str, GraphBody] = {}
        self.nested: set[str] = set()
        self.frames = Frames(module)

    def graph(self) -> ProgramGraph:
        """Builds the graph of all computations; called ones are nested in their callers."""
        for computation in self.module.computations:
            self.bodies[computation.name] = self.body(computation)
        functions = [body for name, body in self.bodies.items() if name not in self.nested]
        functions.sort(key=lambda function: function.label != self.module.entry)
        return ProgramGraph(
            self.module.name, self.format, functions, self.values, self.source, self.offsets
        )

    def body(self, computation: HloComputation) -> GraphBody:
        """A computation; what it alone calls is in it."""
        first = len(self.values)
        ids = {
            instruction.name: first + i for i, instruction in enumerate(computation.instructions)
        }
        shapes = [instruction.shape for instruction in computation.instructions]
        self.values += [
            GraphValue(f"%{instruction.name}", self.writer.shape(shape))
            for instruction, shape in zip(computation.instructions, shapes, strict=True)
        ]
        nodes = [
            self.node(computation.name, instruction, ids)
            for instruction in computation.instructions
        ]
        nodes.sort(key=lambda node: node.kind != "argument")
        nodes.append(GraphNode("return", "root", (), (ids[computation.root],)))
        return GraphBody("function", computation.name, nodes, self.line(computation.name, ""))

    def node(self, computation: str, instruction: HloInstruction, ids: dict[str, int]) -> GraphNode:
        """Builds the node of one instruction, with its place in the text."""
        number, self.number = self.number, self.number + 1
        span = self.spans.get((computation, instruction.name))
        if span is not None:
            self.offsets[span.start] = number
        called = list(dict.fromkeys(called_computations(instruction.attributes)))
        inlined_callees = [
            callee for callee in called if self.callers[callee] == 1 and callee in self.bodies
        ]
        self.nested.update(inlined_callees)
        metadata = instruction.attributes.get("metadata", Metadata())
        kind = KINDS.get(instruction.opcode, "op")
        attributes = list(self.attributes(instruction))
        bodies = [self.region(instruction, callee) for callee in inlined_callees]
        return GraphNode(
            kind,
            instruction.name if kind == "argument" else instruction.opcode,
            (ids[instruction.name],),
            [ids[operand] for operand in instruction.operands],
            number,
            metadata.op_name if kind == "argument" else detail_of(instruction, dict(attributes)),
            attributes,
            () if kind == "argument" else scopes_of(metadata.op_name) or scope_within(bodies),
            self.frames.of(metadata),
            self.line(computation, instruction.name),
            bodies,
            [callee for callee in called if callee not in inlined_callees],
            metadata.op_name,
        )

    def region(self, instruction: HloInstruction, name: str) -> GraphBody:
        """A computation as a region of the instruction that calls it."""
        inner = self.bodies[name]
        roles = [k for k, v in instruction.attributes.items() if v == name]
        label = name if not roles or roles[0] in ("calls", "to_apply") else roles[0]
        return GraphBody("region", label, inner.nodes, inner.line)

    def line(self, computation: str, instruction: str) -> int:
        """The line of an instruction in the text that is shown; 0 if it is not there."""
        span = self.spans.get((computation, instruction))
        return span.line if span else 0

    def attributes(self, instruction: HloInstruction) -> Iterator[tuple[str, str]]:
        """The attributes of an instruction, name and text as XLA writes them."""
        if instruction.opcode == "constant":
            yield "value", literal_preview(instruction.attributes["literal"])
        rows = {row.name: row for row in (*OPCODES[instruction.opcode].attributes, *COMMON_ROWS)}
        for name, value in instruction.attributes.items():
            if name not in ELSEWHERE and name in rows:
                yield name, abbreviate(self.writer.value(rows[name], value), LONG)


def scope_within(bodies: Sequence[GraphBody]) -> tuple[str, ...]:
    """The scope of the last instruction in regions; XLA has none for some fusions."""
    nodes = (node for body in bodies for node in reversed(body.nodes) if node.scope)
    return next((node.scope for node in nodes), ())


def detail_of(instruction: HloInstruction, attributes: dict[str, str]) -> str:
    """The attributes that distinguish an instruction from others of its opcode; may be empty."""
    if instruction.opcode == "constant":
        return abbreviate(attributes["value"])
    if instruction.opcode == "fusion":
        return instruction.name
    if instruction.opcode == "dot":
        sides = (attributes.get(f"{side}_contracting_dims", "{}") for side in ("lhs", "rhs"))
        return f"contract {'·'.join(sides)}"
    return abbreviate(
        next((attributes[attribute] for attribute in TELLING if attribute in attributes), "")
    )


def literal_preview(literal: Literal) -> str:
    """The first elements of a literal."""
    if literal.array is None:
        return "{...}" if not literal.shape.is_tuple else f"{len(literal.elements)} parts"
    data = literal.array.reshape(-1)
    if not data.size:
        return "[]"
    data_shown = data[:PREVIEWED]
    shown = readable_texts(data_shown, array_texts(data_shown))
    return elements_preview(shown, data.size, data.size == 1, literal.array.ndim)


class Frames:
    """Call stacks of instructions, as text; many instructions share one."""

    def __init__(self, module: HloModule) -> None:
        self.tables = module.stack_frames
        self.cache: dict[int, Sequence[str]] = {}

    def of(self, metadata: Metadata) -> Sequence[str]:
        """The call stack that metadata names, innermost first."""
        number = metadata.stack_frame_id
        if number and self.tables is not None:
            if number not in self.cache:
                self.cache[number] = list(self.stack(number))
            return self.cache[number]
        if not metadata.source_file:
            return ()
        return (f"{metadata.source_file}:{metadata.source_line}",)

    def stack(self, number: int) -> Iterator[str]:
        """The lines of a stack; numbers that name no row end it."""
        tables = self.tables
        assert tables is not None
        for _ in range(len(tables.frames)):
            if not 0 < number <= len(tables.frames):
                return
            frame = tables.frames[number - 1]
            if 0 < frame.location <= len(tables.locations):
                place = tables.locations[frame.location - 1]
                file, function = (
                    row(tables.files, place.file),
                    row(tables.functions, place.function),
                )
                yield f"{function}  {file}:{place.line}:{place.column}".strip()
            number = frame.parent


def row(table: Sequence[str], number: int) -> str:
    """A row of a table that counts from 1; empty if there is none."""
    return table[number - 1] if 0 < number <= len(table) else ""
