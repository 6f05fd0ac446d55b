"""Reads operations, in the generic form and in the form that their definitions declare.

Source: MLIR language reference, "Operations", "Blocks", "Regions".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import Final, Literal, NoReturn, Protocol

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ParseError
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source, Span
from stablemate.dialects.mhlo.counterparts import IMPLIED, counterpart_of
from stablemate.dialects.registry import names_in
from stablemate.dialects.unregistered import property_entries
from stablemate.formats.mlir.attribute_reader import AttributeReader, DialectAttributeReader
from stablemate.formats.mlir.forward_references import (
    ForwardReference,
    ForwardReferences,
    has_type,
)
from stablemate.formats.mlir.mhlo import counterpart_attributes, is_of_mhlo
from stablemate.formats.mlir.type_reader import TypeReader
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.definition import (
    SEGMENT_SIZES,
    OperationDefinition,
    definition_of,
    is_size_list,
)
from stablemate.ir.locations import UNKNOWN, Location
from stablemate.ir.types import Attribute, FunctionType, Type
from stablemate.ir.verification.diagnostic_order import DICTIONARY, PROPERTIES

INTEGER_TYPE: Final = re.compile(r"[su]?i\d+")  # a token of its own in MLIR
TYPE: Final = re.compile(  # how a type begins that is no type of functions
    r"!|(tensor|vector|memref|complex|tuple|none|index|bf16|tf32|[su]?i\d+|f\d\w*)\b"
)
GENERIC_FORM: Final = (
    'an operation without a definition here is read in the generic form, "dialect.name"(...), '
    "which -mlir-print-op-generic of MLIR's tools prints"
)


@dataclass(slots=True)
class OperationState:
    """An operation while it is being read: the parts that are known so far.

    Attributes:
        definition: What its class declares.
        name: Its name in the text.
        operands: Its operands by the field they belong to, in order.
        places: The place of each operand, in the order of reading.
        attributes: All its attributes, inherent and discardable.
        properties: The properties of an unregistered operation.
        regions: Its regions.
        result_types: The types of its results, once they are known.
        successors: Its successor blocks.
        parts: The places of its parts.
        location: Its location, if it is read before the end.
    """

    definition: OperationDefinition
    name: str = ""
    operands: dict[str, list[Value]] = field(default_factory=dict[str, list[Value]])
    places: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    attributes: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    properties: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    regions: list[Region] = field(default_factory=list[Region])
    result_types: Sequence[Type] = ()
    successors: Sequence[Block] = ()
    parts: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    location: Location = UNKNOWN

    def operand_list(self) -> list[Value[Type]]:
        """Returns all operands in the order of the definition."""
        if len(self.operands) == 1:
            return next(iter(self.operands.values()))
        return [v for f in self.definition.operands for v in self.operands.get(f.name, ())]


def inherent_names(definition: OperationDefinition) -> Collection[str]:
    """Returns the names of the inherent attributes of an operation."""
    names = definition.attributes
    return names.keys() | definition.size_lists.keys() if definition.size_lists else names


def is_misshapen(state: OperationState, name: str, value: Attribute) -> bool:
    """Whether an entry is for a list of sizes that cannot store it.

    MLIR then keeps what the list has: zeros, or the numbers of operands where the form has groups.
    """
    count = state.definition.size_lists.get(name)
    return count is not None and not is_size_list(value, count)


def zeros(state: OperationState, name: str) -> Attribute:
    """A list of sizes that nothing sets."""
    return state.definition.sizes_attribute((0,) * state.definition.size_lists[name])


def is_superseded(state: OperationState, name: str, value: Attribute) -> bool:
    """Whether MLIR drops an attribute that follows the properties of an operation.

    It is one of the properties, or no property can store it.
    """
    if name not in inherent_names(state.definition):
        return False
    declared = state.definition.attributes.get(name)
    return name in state.attributes or (declared is not None and not declared.kind.stores(value))


def is_ignored(state: OperationState, name: str, value: Attribute) -> bool:
    """Whether MLIR leaves out an entry that was read without a look at the definition."""
    declared = state.definition.attributes.get(name)
    return declared is not None and not declared.required and not declared.kind.stores(value)


class Syntax(Protocol):
    """How an operation is read after its name."""

    def read(self, reader: OperationReader, state: OperationState, /) -> None:
        """Reads this part into the state of the operation."""
        ...


class OperationReader(AttributeReader):
    """Reads operations, blocks and regions.

    Attributes:
        operations: The registered operations by full name.
        operation_classes: The class of an operation in generic form, registered or not.
        values: The visible values by name (``%0``, ``%0#1``).
        default_dialect: The dialect of unprefixed operation names in this region.
        has_failed: Whether an operation could not be read.
        undefined: Uses of values that their regions do not define.
        translated: Operations of MHLO that were read, with the names of their counterparts.
        unfinished: The operations so far of each block that is being read.
    """

    def __init__(
        self,
        source: Source,
        operations: Mapping[str, type[Operation]],
        operation_classes: Callable[[str], type[Operation] | None],
        syntaxes: Mapping[str, Syntax],
        readers: Mapping[str, DialectAttributeReader],
        dialect_types: Mapping[str, Callable[[TypeReader], Type]],
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.operations = operations
        self.operation_classes = operation_classes
        self.syntaxes = syntaxes
        self.readers = readers
        self.dialect_types = dialect_types
        self.type_aliases: dict[str, Type] = {}
        self.type_cache = {}
        self.has_failed = False
        self.attribute_aliases: dict[str, Attribute] = {}
        self.values: dict[str, Value[Type]] = {}
        self.scope: list[str] = []  # names defined in the region that is being read
        self.blocks: dict[str, Block] = {}
        self.forward = ForwardReferences()
        self.may_forward = True  # the operations of a module have no order
        self.undefined: list[ForwardReference] = []
        self.translated: dict[str, str] = {}
        self.unfinished: list[Sequence[Operation]] = []
        self.default_dialect = "builtin"
        super().__init__(source, limits)

    # ---- operations

    def operation(self) -> Operation:
        """Reads one operation with its results and its location."""
        names = self.result_names() if self.kind == "value" else ()
        start = self.start
        if self.kind == "string":
            name = self.string()
            span = Span(self.source, start, self.previous_end)
            read = self.generic
        elif self.kind == "bare":
            name = self.full_name(self.token)
            span = Span(self.source, start, self.end)
            read = self.pretty
        else:
            self.reject_unexpected("an operation")
        try:
            operation = read(name, span)
        except ParseError as error:
            raise self.within(error, name, span) from None
        if self.at("loc"):
            operation.location = self.locations.read_loc()
        elif self.locations.has_text_locations and operation.location is UNKNOWN:
            operation.location = self.locations.text_location(start)
        if names:
            self.bind_results(operation, names)
        return operation

    def within(self, error: ParseError, name: str, span: Span) -> ParseError:
        """An error of a type or attribute, with a note at the operation if that began earlier."""
        first, *others = error.diagnostics
        is_innermost, self.has_failed = not self.has_failed, True
        cls = self.operations.get(name)
        if is_innermost and cls is not None and first.rule in definition_of(cls).attributes:
            first = replace(first, rule=f"{name} {first.rule}")
            error = ParseError([first, *others])
        is_of_part = bool(first.rule) or self.failed_in_part
        if not is_innermost or not is_of_part or first.span is None or first.span.line == span.line:
            return error
        note = Diagnostic(f"the operation {name} is here", span=span)
        return ParseError([replace(first, notes=(*first.notes, note)), *others])

    def result_names(self) -> list[tuple[str, int, tuple[int, int]]]:
        """Reads ``%a, %b:2 =``: names, counts and places."""
        names: list[tuple[str, int, tuple[int, int]]] = []
        while True:
            place = (self.start, self.end)
            name = self.take("value", "the name of a result")
            if "#" in name:
                self.error("expected the name of a result", place)
            count = self.integer("a number of results") if self.accept(":") else 1
            if count < 1:
                self.error("expected a positive number of results", place)
            names.append((name, count, place))
            if not self.accept(","):
                break
        self.expect("=")
        return names

    def full_name(self, token: str) -> str:
        """Returns the name of an operation with its dialect."""
        return token if "." in token else f"{self.default_dialect}.{token}"

    def bind_results(
        self, operation: Operation, names: list[tuple[str, int, tuple[int, int]]]
    ) -> None:
        """Gives names to the results."""
        results, total = operation.results, sum(count for _, count, _ in names)
        if total != len(results):
            place = (names[0][2][0], names[-1][2][1])
            self.error(
                f"{operation.name} has {len(results)} results, but {total} names are given", place
            )
        position = 0
        for name, count, place in names:
            self.bind(name, results[position], place)
            if count > 1:
                for i in range(count):
                    self.bind(f"{name}#{i}", results[position + i], place)
            position += count

    def bind(self, name: str, value: Value[Type], place: tuple[int, int]) -> None:
        """Defines the name of a value in the region that is being read."""
        if name in self.values:
            self.error(f"the name {name} is in use already", place)
        if self.forward.pending:
            self.define_reference(name, value, place)
        self.values[name] = value
        self.scope.append(name)

    def define_reference(self, name: str, value: Value[Type], place: tuple[int, int]) -> None:
        """Resolves the forward reference to a value, if there is one."""
        reference = self.forward.pending.pop(name, None)
        if reference is not None:
            if not has_type(reference, value.type):
                self.error(f"{name} has type {value.type}; a use says {reference.type}", place)
            if not self.may_forward:
                self.undefined.append(reference)
            self.forward.values[reference] = value

    def operand(self) -> Value:
        """Reads the use of a value."""
        value = self.values.get(self.token)
        if value is None:
            if self.kind != "value":
                self.reject_unexpected("a value such as %0")
            name = self.token.removesuffix("#0")  # selects a single result or argument, too
            value = self.values.get(name) or self.later_value(name, (self.start, self.end))
        self.advance()
        return value

    def later_value(self, name: str, place: tuple[int, int]) -> ForwardReference:
        """Returns the reference to a value that the text may define later."""
        return self.forward.use(name, place)

    def unknown_value(self, reference: ForwardReference) -> NoReturn:
        """Rejects a use of a value that the region does not define."""
        message = f"no value is called {reference.name} here"
        self.error(message, reference.place, *reference.notes or self.notes_of(reference))

    def notes_of(self, reference: ForwardReference) -> list[str]:
        """The note about the name of a value that is similar to one without a definition."""
        similar = self.similar_names.similar(reference.name, self.values)
        return [f"did you mean '{name}'?" for name in similar]

    def note_similar_names(self) -> None:
        """Notes names of the region that ends here for the first value that is not defined."""
        reference = next(iter(self.forward.pending.values()), None)
        if reference is not None and not reference.notes:
            reference.notes = self.notes_of(reference)

    def close_region(self, *, isolated: bool, has_order: bool) -> None:
        """Ends a region, whose operations and those around it may have an order."""
        if isolated:
            self.close_references()
        elif has_order:
            self.note_similar_names()

    def close_references(self) -> None:
        """Resolves the forward references of a region that sees no values from outside.

        Those that are not defined are errors once the text has been read, as in MLIR.
        """
        self.note_similar_names()
        self.undefined += self.forward.pending.values()
        self.forward.resolve()

    def reject_undefined(self) -> None:
        """Rejects the first use of a value that its region does not define, after reading."""
        self.close_references()
        if self.undefined:
            self.unknown_value(min(self.undefined, key=lambda reference: reference.place))

    def operand_into(self, state: OperationState, name: str) -> None:
        """Reads the use of a value as an operand of a field."""
        state.places.append((self.start, self.end))
        state.operands.setdefault(name, []).append(self.operand())

    # ---- the generic form

    def generic(self, name: str, span: Span) -> Operation:
        """Reads an operation in the generic form, after its name."""
        cls = self.operation_classes(name) or self.known_operation(name, span)
        state = OperationState(definition_of(cls), name)
        operands = self.read_enclosed("(", lambda: (self.start, self.end, self.operand()))
        values = [value for _, _, value in operands]
        state.places = [(start, end) for start, end, _ in operands]
        if self.at("["):
            state.successors = self.read_enclosed("[", self.successor)
        if self.accept("<"):
            self.properties(state)
        if self.accept("("):
            state.regions = self.read_separated(lambda: self.generic_region(state), ")")
        self.trailing_attributes(state, "drop")
        self.expect(":", "':' and the type of the operation")
        function_type = self.function_type_of(state, values)
        state.result_types = function_type.results
        return self.finish(cls, state, values, span)

    def known_operation(self, name: str, span: Span) -> type[Operation]:
        """Returns the class of an operation."""
        cls = self.operations.get(name)
        if cls is not None:
            return cls
        place, written = (span.start, span.end), span.text
        if "." not in written:
            reject = self.reject_misplaced if INTEGER_TYPE.fullmatch(written) else self.error
            reject(f"expected an operation such as stablehlo.add, found '{written}'", place)
        dialect, _, suffix = name.partition(".")
        names = [known.partition(".")[2] for known in names_in(dialect)]
        if not names:
            self.error(f"no dialect is called '{dialect}'", place, GENERIC_FORM)
        similar = self.similar_names.similar(suffix, names)
        self.error(
            f"unknown operation '{name}'",
            place,
            *(f"did you mean '{dialect}.{near}'?" for near in similar),
            *([GENERIC_FORM] if self.operation_classes(name) is not None else []),
        )

    def properties(self, state: OperationState) -> None:
        """Reads ``{...}>``: inherent attributes.

        Attributes that the definition does not have are dropped; those that only MHLO has stay.
        """
        if not state.definition.registered:
            state.properties = property_entries(self.attribute())
            self.expect(">")
            return
        if not self.at("{"):
            self.reject_unexpected("'{'")
        state.parts[PROPERTIES] = (self.start, self.end)
        declared = inherent_names(state.definition)
        if not declared:
            self.error(f"{state.definition.name} has no properties")
        for name, value in self.operation_entries(state).items():
            if name in declared or is_of_mhlo(state.name):
                state.attributes[name] = value
        self.expect(">")

    def operation_entries(self, state: OperationState) -> dict[str, Attribute]:
        """Reads ``{a = 1, b}``; attributes of MHLO become those of the counterpart."""
        entries = self.entries(state.parts)
        if not is_of_mhlo(state.name) or not state.definition.registered:
            return entries
        return counterpart_attributes(state.definition, entries, self.attribute_in)

    def attribute_in(self, text: str) -> Attribute:
        """Reads the attribute that another text holds."""
        reader = OperationReader(
            Source(text),
            self.operations,
            self.operation_classes,
            self.syntaxes,
            self.readers,
            self.dialect_types,
            self.limits,
        )
        return reader.attribute()

    def trailing_attributes(
        self, state: OperationState, repeated: Literal["reject", "drop", "replace"] = "reject"
    ) -> None:
        """Reads ``{...}`` if it is present, into the attributes of the state.

        Args:
            state: The operation.
            repeated: What becomes of entries for inherent attributes that were read before: they
                are errors in forms that MLIR reads by a function of their own, replace these in
                forms that follow from a definition, and are dropped after properties. The forms
                of the first kind ignore optional entries that no property can store, those of the
                second one such lists of sizes.
        """
        if not self.at("{"):
            return
        start = self.start
        if repeated == "replace":
            state.parts[DICTIONARY] = (start, self.end)
        has_properties = repeated == "drop" and bool(state.attributes)
        replaced = inherent_names(state.definition) if repeated == "replace" else ()
        for name, value in self.operation_entries(state).items():
            if has_properties and is_superseded(state, name, value):
                continue
            if name not in replaced:
                self.reject_repeated(state, name, start)
            if repeated == "reject" and is_ignored(state, name, value):
                continue
            if is_misshapen(state, name, value):
                if repeated == "replace":
                    continue
                value = zeros(state, name)
            state.attributes[name] = value

    def reject_repeated(self, state: OperationState, name: str, start: int) -> None:
        """Rejects an attribute that was read before; ``start`` is the place if it has no other."""
        if name in state.attributes:
            self.error(f"attribute '{name}' occurs twice", state.parts.get(name, (start, start)))

    def generic_region(self, state: OperationState) -> Region:
        """Reads a region of an operation in generic form."""
        definition = state.definition
        graph = definition.symbols or not definition.registered
        return self.region(isolated=definition.isolated, graph=graph)

    def successor(self) -> Block:
        """Reads the use of a block."""
        if self.kind != "block":
            self.reject_unexpected("a block such as ^bb0")
        block = self.blocks.setdefault(self.token, Block())
        self.advance()
        return block

    def function_type_of(
        self, state: OperationState, values: Sequence[Value[Type]]
    ) -> FunctionType:
        """Reads ``(T, T) -> T`` and compares the inputs with the operands."""
        start = self.start
        if not self.at("("):
            reject = self.error if TYPE.match(self.token) else self.reject_misplaced
            message = "expected a function type such as (tensor<2xf32>) -> tensor<2xf32>"
            reject(f"{message}, found {self.found}", (self.start, self.end))
        function_type = self.function_type()
        if len(function_type.inputs) != len(values):
            message = f"{len(values)} operands, but {len(function_type.inputs)} types"
            self.error(message, (start, self.previous_end))
        for i, (value, expected) in enumerate(zip(values, function_type.inputs, strict=True)):
            if not has_type(value, expected):
                place = state.places[i]
                name = self.text[place[0] : place[1]]
                self.error(f"{name} has type {value.type}, not {expected}", place)
        state.parts["types"] = (start, self.previous_end)
        return function_type

    # ---- the declared form

    def pretty(self, name: str, span: Span) -> Operation:
        """Reads an operation in the declared form, after its name."""
        cls = self.known_operation(name, span)
        syntax = self.syntaxes.get(name)
        if syntax is None:
            message = f"{name} is written in the generic form only"
            self.error(message, (span.start, span.end), f'write "{name}"(...) : (...) -> ...')
        self.advance()
        state = OperationState(definition_of(cls), name)
        try:
            syntax.read(self, state)
        except (AttributeError, TypeError):
            self.reject_untyped(state)
            raise
        self.reject_untyped(state)
        return self.finish(cls, state, state.operand_list(), span)

    def reject_untyped(self, state: OperationState) -> None:
        """Rejects forward references to values whose types the text does not show."""
        if self.forward.pending:
            for value in state.operand_list():
                if isinstance(value, ForwardReference) and value.type is None:
                    self.unknown_value(value)

    def finish(
        self, cls: type[Operation], state: OperationState, values: Sequence[Value[Type]], span: Span
    ) -> Operation:
        """Creates the operation of a state."""
        if is_of_mhlo(state.name):
            cls = self.counterpart(cls, state)
        creates = (
            self.create_registered if state.definition.registered else self.create_unregistered
        )
        operation = creates(cls, state, values, span)
        self.forward.record(operation)
        return operation

    def counterpart(self, cls: type[Operation], state: OperationState) -> type[Operation]:
        """Returns the class as which an operation of MHLO is read, and records its name."""
        name = counterpart_of(state.name, state.attributes)
        if state.definition.registered:
            self.translated[state.name] = name or state.name
        if name is None:
            return cls
        cls = self.operations[name]
        state.definition = definition_of(cls)
        attributes = {**IMPLIED.get(state.name, {}), **state.attributes}
        state.attributes = counterpart_attributes(state.definition, attributes, self.attribute_in)
        return cls

    def create_registered(
        self,
        cls: type[Operation],
        state: OperationState,
        values: Sequence[Value[Type]],
        span: Span,
    ) -> Operation:
        """Creates an operation with the inherent attributes of its definition."""
        definition = state.definition
        if self.literals.declared_types:
            self.check_literal_type(state)
        declared = inherent_names(definition)
        inherent: dict[str, Attribute] = {}
        discardable: dict[str, Attribute] = {}
        for name, value in state.attributes.items():
            (inherent if name in declared else discardable)[name] = value
        if definition.filled:
            inherent = {**definition.filled, **inherent}
        if definition.segments == "sized" and SEGMENT_SIZES not in inherent:
            inherent[SEGMENT_SIZES] = definition.sizes_attribute(
                [len(state.operands.get(f.name, ())) for f in definition.operands]
            )
        for i, place in enumerate(state.places):
            state.parts[f"operand {i}"] = place
        state.parts["operation"] = (span.start, self.previous_end)
        return cls(
            values,
            state.result_types,
            inherent,
            state.regions,
            discardable=discardable,
            successors=state.successors,
            location=state.location,
            span=span,
            parts=state.parts,
        )

    def create_unregistered(
        self,
        cls: type[Operation],
        state: OperationState,
        values: Sequence[Value[Type]],
        span: Span,
    ) -> Operation:
        """Creates an operation that is not registered: only its properties are inherent."""
        for i, place in enumerate(state.places):
            state.parts[f"operand {i}"] = place
        state.parts["operation"] = (span.start, self.previous_end)
        return cls(
            values,
            state.result_types,
            state.properties,
            state.regions,
            discardable=state.attributes,
            successors=state.successors,
            location=state.location,
            span=span,
            parts=state.parts,
        )

    def check_literal_type(self, state: OperationState) -> None:
        """Rejects a quantized literal whose type is not that of the constant.

        After reading, the types can no longer be compared: both literals hold integers.
        """
        value = state.attributes.get("value")
        _, literal_type = self.literals.declared_types.get(id(value), (None, None))
        if literal_type is None or list(state.result_types) == [literal_type]:
            return
        results = ", ".join(map(str, state.result_types))
        name = state.definition.name
        rule = f"{name} C1" if name == "stablehlo.constant" else name
        self.error(
            f"the literal has type {literal_type}, the result {results}",
            state.parts["value"],
            rule=rule,
        )

    # ---- regions and blocks

    def region(
        self,
        arguments: Sequence[tuple[str, Type, Location, tuple[int, int]]] = (),
        *,
        isolated: bool = False,
        graph: bool = False,
        default_dialect: str = "",
    ) -> Region:
        """Reads ``{ ... }``.

        Args:
            arguments: Names, types, locations and places of the entry block's arguments, where
                the operation states them.
            isolated: Whether no value from outside may be used.
            graph: Whether its operations have no order.
            default_dialect: The dialect of unprefixed operation names inside.
        """
        self.enter()
        outer = self.values, self.scope, self.blocks, self.default_dialect, self.forward
        self.scope, self.blocks, self.default_dialect = [], {}, default_dialect
        may_forward = self.may_forward
        if isolated:
            self.values, self.forward = {}, ForwardReferences()
            self.may_forward = False
        self.may_forward |= graph
        opening = (self.start, self.end)
        self.expect("{")
        region = Region()
        entry = self.entry_block(region, arguments)
        while self.kind == "block":
            self.labeled_block(region)
        if self.kind == "end":
            self.reject_unclosed("'}', which closes this region", opening)
        if not self.at("}"):
            self.reject_unexpected("an operation or '}'")
        self.reject_undefined_blocks(region)
        if entry and not region.blocks:
            region.append(entry)
        self.close_region(isolated=isolated, has_order=not may_forward)
        self.may_forward = may_forward
        for name in self.scope:
            self.values.pop(name, None)
        self.values, self.scope, self.blocks, self.default_dialect, self.forward = outer
        self.advance()
        self.leave()
        return region

    def entry_block(
        self, region: Region, arguments: Sequence[tuple[str, Type, Location, tuple[int, int]]]
    ) -> Block | None:
        """Reads the operations before the first label."""
        if not arguments and (self.kind == "block" or self.at("}")):
            return None
        block = Block([t for _, t, _, _ in arguments], [where for _, _, where, _ in arguments])
        for (name, _, _, place), value in zip(arguments, block.arguments, strict=True):
            self.bind(name, value, place)
        region.append(block)
        self.read_block(block)
        return block

    def labeled_block(self, region: Region) -> None:
        """Reads ``^name(%a: T): operations``."""
        name, place = self.token, (self.start, self.end)
        self.may_forward |= bool(region.blocks)  # a later block may dominate this one
        self.advance()
        arguments = self.read_enclosed("(", self.block_argument) if self.at("(") else []
        self.expect(":")
        new_block = Block([t for _, t, _, _ in arguments], [where for _, _, where, _ in arguments])
        block = self.blocks.setdefault(name, new_block)
        if block is not new_block:
            if block.parent is not None:
                self.error(f"block {name} occurs twice", place)
            block.arguments = new_block.arguments
            for argument in block.arguments:
                argument.block = block
        for (argument_name, _, _, where), value in zip(arguments, block.arguments, strict=True):
            self.bind(argument_name, value, where)
        region.append(block)
        self.read_block(block)

    def block_argument(self) -> tuple[str, Type, Location, tuple[int, int]]:
        """Reads ``%a: T loc(...)``."""
        place = (self.start, self.end)
        name = self.take("value", "an argument such as %arg0").removesuffix("#0")
        self.expect(":")
        argument_type = self.type()
        return name, argument_type, self.locations.optional_location(place), place

    def read_block(self, block: Block) -> None:
        """Reads operations into a block."""
        operations, depth = block.operations, len(self.unfinished)
        self.unfinished.append(operations)
        while self.kind in ("value", "bare", "string"):
            operation = self.operation()
            operation.parent = block
            operations.append(operation)
        del self.unfinished[depth:]

    def reject_undefined_blocks(self, region: Region) -> None:
        """Rejects a successor that the region does not define."""
        for name, block in self.blocks.items():
            if block.parent is not region:
                self.error(f"no block is called {name}")
