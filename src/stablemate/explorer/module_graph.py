"""Graphs of programs in the IR: StableHLO, VHLO and all other dialects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from stablemate.analysis.source_places import PlaceFinder, SourcePlace, scopes_of
from stablemate.diagnostics.errors import LimitError, ParseError
from stablemate.diagnostics.source import Source
from stablemate.dialects.calls import CALLS
from stablemate.explorer.details import abbreviate, detail_of, preview
from stablemate.explorer.graph import GraphBody, GraphNode, GraphValue, NodeKind, ProgramGraph
from stablemate.formats.mlir.names import Namer
from stablemate.formats.mlir.parser import module_text, parse_module
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir import core
from stablemate.ir.attributes import StringAttribute, SymbolAttribute
from stablemate.ir.core import BlockArgument, Operation
from stablemate.ir.definition import region_names
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.types import Attribute, Type

FUNCTION: Final = "func.func"
# Elements beyond which a literal of a program that was no text is left out of the text shown.
ELIDED: Final = 32
HIDDEN: Final = frozenset({"operandSegmentSizes", "resultSegmentSizes"})
LONG: Final = 2000  # characters of an attribute
DEFINED: Final = re.compile(r"(%[\w$.-]+)(?::\d+)?\s*=\s*\"?$")  # left of an operation's name


def graph_of_module(module: core.Module, *, format: str, text: str | None) -> ProgramGraph:
    """The graph of a module.

    Args:
        module: The module.
        format: What it was read from.
        text: The text that it was read from; None if it was no text or has changed since. Then the
            program is printed, without large literals.
    """
    with without_garbage_collection():
        if text is not None and module.source is not None:
            return ModuleGraphBuilder(module, module.operation, module.source, format).graph()
        try:
            printed = Source(module_text(module, elide=ELIDED), "printed")
            shown = parse_module(printed).operation
            return ModuleGraphBuilder(module, shown, printed, format).graph()
        except (ParseError, LimitError):  # what is not valid may have no text that can be read
            return ModuleGraphBuilder(
                module, module.operation, Source("", "no text"), format
            ).graph()


class ModuleGraphBuilder:
    """Builds the graph of a module.

    Attributes:
        module: The module.
        shown: The same operations as the text has them that is shown.
        values: What has been named so far.
    """

    def __init__(self, module: core.Module, shown: Operation, source: Source, format: str) -> None:
        self.module = module
        self.format = format
        self.source = source
        self.printer = MlirPrinter(shown, {}, elide=ELIDED)
        self.printer.names = Namer(shown).names
        self.places = PlaceFinder()
        self.values: list[GraphValue] = []
        self.ids: dict[core.Value[Type], int] = {}
        self.types: dict[int, str] = {}
        self.texts: dict[int, tuple[Attribute, str]] = {}
        self.resources = {key: resource.data for key, resource in module.resources.items()}
        pairs = zip(shown.walk(), module.operation.walk(), strict=True)
        self.twins: dict[Operation, Operation] = dict(pairs)  # of the text, of the module
        self.numbers = {twin: i for i, twin in enumerate(self.twins)}
        self.shown = shown

    def graph(self) -> ProgramGraph:
        """Builds the graph of all functions, with regions nested in their operations."""
        self.name_values()
        functions = [number for number in self.numbers if number.name == FUNCTION]
        bodies = [self.function(function) for function in functions if function.regions[0].blocks]
        others = [
            operation
            for block in self.shown.regions[0].blocks
            for operation in block.operations
            if operation.name not in (FUNCTION, "builtin.module")
        ]
        if others:
            bodies.append(GraphBody("function", "module", [self.node(other) for other in others]))
        bodies.sort(key=lambda body: body.label != "@main")
        offsets = {
            operation.span.start: number
            for operation, number in self.numbers.items()
            if operation.span
        }
        title = symbol_of(self.module.operation) or self.module_name()
        return ProgramGraph(title, self.format, bodies, self.values, self.source, offsets)

    def module_name(self) -> str:
        """The name of a module without a symbol: that of its file."""
        source = self.module.source
        return source.name.rsplit("/", 1)[-1] if source else "program"

    def name_values(self) -> None:
        """Names every value as the text does, as far as that can be seen there."""
        names, text = self.printer.names, self.source.text
        for number in self.numbers:
            if number.span is None or number.span.source is not self.source:
                continue
            if number.results:
                start = text.rfind("\n", 0, number.span.start) + 1
                if match := DEFINED.search(text[start : number.span.start]):
                    several = len(number.results) > 1
                    for result in number.results:
                        names[result] = f"{match[1]}#{result.index}" if several else match[1]
            for i, operand in enumerate(number.operands):
                part = number.parts.get(f"operand {i}") if number.parts else None
                if part is not None and isinstance(operand, BlockArgument):
                    names[operand] = text[slice(*part)]

    def value(self, value: core.Value) -> int:
        """The number of a value."""
        number = self.ids.get(value)
        if number is None:
            number = self.ids[value] = len(self.values)
            self.values.append(
                GraphValue(self.printer.names.get(value, "%?"), self.type(value.type))
            )
        return number

    def type(self, value_type: object) -> str:
        """The text of a type."""
        text = self.types.get(id(value_type))
        if text is None:
            text = self.types[id(value_type)] = str(value_type)
        return text

    def function(self, operation: Operation) -> GraphBody:
        """The body of a function."""
        twin = self.twins[operation]
        return GraphBody(
            "function",
            f"@{symbol_of(twin)}",
            list(self.nodes(operation.regions[0])),
            self.line(operation),
            self.numbers[operation],
        )

    def nodes(self, region: core.Region) -> Iterator[GraphNode]:
        """The arguments and operations of a region."""
        for block in region.blocks:
            for argument in block.arguments:
                yield self.argument(argument)
            for operation in block.operations:
                yield self.node(operation)

    def argument(self, argument: BlockArgument) -> GraphNode:
        """The node of an argument."""
        number = self.value(argument)
        place = self.places(argument.location)
        name = self.values[number].name
        frames = place.frames
        return GraphNode("argument", name, (number,), detail=place.name, frames=frames)

    def node(self, operation: Operation) -> GraphNode:
        """The node of an operation."""
        twin = self.twins[operation]
        attributes = dict(self.attributes(twin))
        place = self.place(twin)
        callee = twin.attributes.get(CALLS.get(twin.name, ""))
        labels = region_names(twin)
        return GraphNode(
            kind_of(twin),
            twin.name,
            [self.value(result) for result in operation.results],
            [self.value(operand) for operand in operation.operands],
            self.numbers[operation],
            detail_of(twin.name, attributes),
            list(attributes.items()),
            self.scope(place),
            place.frames,
            self.line(operation),
            [
                GraphBody(
                    "region",
                    labels[i],
                    list(self.nodes(region)),
                )
                for i, region in enumerate(operation.regions)
            ],
            [str(callee)] if isinstance(callee, SymbolAttribute) else (),
            place.name,
        )

    def place(self, operation: Operation) -> SourcePlace:
        """Where an operation came from."""
        return self.places(operation.location)

    def scope(self, place: SourcePlace) -> tuple[str, ...]:
        """The scopes of an operation; of a model of ONNX, the last is the node that it is of."""
        return scopes_of(f"{place.name}/") if self.format == "onnx" else place.scope

    def line(self, operation: Operation) -> int:
        """The line of an operation in the text that is shown."""
        span = operation.span
        return span.line if span is not None and span.source is self.source else 0

    def attributes(self, operation: Operation) -> Iterator[tuple[str, str]]:
        """The attributes of an operation, name and text."""
        for name, value in (*operation.attributes.items(), *operation.discardable.items()):
            if name not in HIDDEN:
                yield name, self.text(value)

    def text(self, attribute: Attribute) -> str:
        """The text of an attribute; of a large literal, its first elements."""
        entry = self.texts.get(id(attribute))
        if entry is None:
            literal = preview(attribute, self.resources)
            text = self.printer.attribute(attribute) if literal is None else literal
            entry = self.texts[id(attribute)] = attribute, abbreviate(text, LONG)
        return entry[1]


def kind_of(operation: Operation) -> NodeKind:
    """The kind of node by which an operation is drawn."""
    if operation.definition.terminator:
        return "return"
    return "constant" if operation.name.endswith(".constant") else "op"


def symbol_of(operation: Operation) -> str:
    """The name of a function or a module; empty if it has none."""
    name = operation.attributes.get("sym_name")
    return name.value if isinstance(name, StringAttribute) else ""
