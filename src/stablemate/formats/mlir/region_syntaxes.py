"""Syntaxes of operations whose regions are part of them: module, function, reduce, while.

Source: the syntax that upstream prints for each operation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from stablemate.formats.mlir.assembly import Directive, FunctionalType
from stablemate.formats.mlir.operation_reader import Draft, OperationReader
from stablemate.formats.mlir.printer import Printer, sequence_text
from stablemate.ir.attributes import (
    ArrayAttribute,
    DictionaryAttribute,
    StringAttribute,
    TypeAttribute,
    identifier,
)
from stablemate.ir.core import Block, Operation, Region
from stablemate.ir.kinds import SI64_ARRAY
from stablemate.ir.locations import UNKNOWN, Location
from stablemate.ir.types import Attribute, FunctionType, TensorType, Type

VISIBILITIES: Final = ("public", "private", "nested")
COMPACT: Final = frozenset(
    f"stablehlo.{name}" for name in ("add", "multiply", "maximum", "minimum", "and", "or", "xor")
)


class ModuleSyntax(Directive):
    """``module @name attributes {...} { ... }``."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads name, attributes and body."""
        if reader.kind == "symbol":
            start = reader.start
            draft.attributes["sym_name"] = StringAttribute(reader.symbol())
            draft.parts["sym_name"] = (start, reader.previous_end)
        if reader.accept("attributes"):
            reader.trailing_attributes(draft)
        region = reader.region(isolated=True, default_dialect="builtin")
        if not region.blocks:
            region.append(Block())
        draft.regions = [region]

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes name, attributes and body."""
        name: Any = operation.attributes.get("sym_name")
        if name is not None:
            printer.write(f" @{identifier(name.value)}")
        printer.attribute_dictionary(operation, ("sym_name",), " attributes")
        printer.write(" ")
        printer.region(operation.regions[0], entry_label=False, default_dialect="builtin")


class FunctionSyntax(Directive):
    """``func.func public @name(%arg0: T {...}) -> (T {...}) attributes {...} { ... }``."""

    HIDDEN: Final = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the signature, and the body if there is one."""
        if reader.token in VISIBILITIES:
            draft.attributes["sym_visibility"] = StringAttribute(reader.keyword("a visibility"))
        start = reader.start
        draft.attributes["sym_name"] = StringAttribute(reader.symbol())
        draft.parts["sym_name"] = (start, reader.previous_end)
        types: list[Type] = []
        attributes: list[dict[str, Attribute]] = []
        start = reader.start
        arguments = reader.enclosed("(", lambda: self.argument(reader, types, attributes))
        results: list[Type] = []
        result_attributes: list[dict[str, Attribute]] = []
        if reader.accept("->"):
            self.results(reader, results, result_attributes)
        function_type = FunctionType(tuple(types), tuple(results))
        draft.attributes["function_type"] = TypeAttribute(function_type)
        draft.parts["function_type"] = (start, reader.previous_end)
        self.store(draft, "arg_attrs", attributes)
        self.store(draft, "res_attrs", result_attributes)
        self.further_attributes(reader, draft)
        named = [each for each in arguments if each is not None]
        if not reader.at("{"):
            draft.regions = [Region()]
            return
        if len(named) != len(types):
            reader.error("a function with a body names its arguments", draft.parts["function_type"])
        draft.regions = [reader.region(named, isolated=True, default_dialect="func")]

    def further_attributes(self, reader: OperationReader, draft: Draft) -> None:
        """Reads ``attributes {...}``, which may not state what the signature says."""
        if not reader.accept("attributes"):
            return
        stated, start = dict(draft.attributes), reader.start
        draft.attributes = {}
        reader.trailing_attributes(draft)
        for name in self.HIDDEN:
            if name in draft.attributes:
                reader.error(
                    f"'{name}' is given by the signature", draft.parts.get(name, (start, start))
                )
        draft.attributes = {**stated, **draft.attributes}

    def argument(
        self, reader: OperationReader, types: list[Type], attributes: list[dict[str, Attribute]]
    ) -> tuple[str, Type, Location, tuple[int, int]] | None:
        """Reads ``%arg0: T {...} loc(...)``, or ``T {...}`` in a declaration."""
        place = (reader.start, reader.end)
        name = ""
        if reader.kind == "value":
            name = reader.token
            reader.advance()
            reader.expect(":")
        argument_type = reader.type()
        types.append(argument_type)
        attributes.append(reader.optional_dictionary({}))
        location = reader.optional_location()
        return (name, argument_type, location, place) if name else None

    def results(
        self, reader: OperationReader, types: list[Type], attributes: list[dict[str, Attribute]]
    ) -> None:
        """Reads ``T`` or ``(T {...}, T)``."""
        if not reader.at("("):
            types.append(reader.type())
            attributes.append({})
            return

        def result() -> None:
            types.append(reader.type())
            attributes.append(reader.optional_dictionary({}))

        reader.enclosed("(", result)

    def store(self, draft: Draft, name: str, attributes: Sequence[Mapping[str, Attribute]]) -> None:
        """Keeps the attributes of arguments or results if there are any."""
        if any(attributes):
            entries = tuple(DictionaryAttribute(each) for each in attributes)
            draft.attributes[name] = ArrayAttribute(entries)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the signature and the body."""
        attributes: dict[str, Any] = dict(operation.attributes)
        visibility = attributes.get("sym_visibility")
        if visibility is not None:
            printer.write(f" {visibility.value}")
        function_type: FunctionType = attributes["function_type"].type
        region = operation.regions[0]
        arguments = self.argument_texts(printer, operation, region, function_type)
        printer.write(f" @{identifier(attributes['sym_name'].value)}({', '.join(arguments)})")
        printer.write(self.result_text(printer, operation, function_type))
        printer.attribute_dictionary(operation, self.HIDDEN, " attributes")
        if region.blocks:
            printer.write(" ")
            printer.region(region, entry_label=False, default_dialect="func")

    def argument_texts(
        self, printer: Printer, operation: Operation, region: Region, function_type: FunctionType
    ) -> list[str]:
        """``%arg0: T {...}`` of each argument; without names in a declaration."""
        types = function_type.inputs
        dictionaries = dictionaries_of(operation, "arg_attrs", len(types))
        values = region.block.arguments if region.blocks else (None,) * len(types)
        texts: list[str] = []
        for value, each, entries in zip(values, types, dictionaries, strict=True):
            shown = f" {printer.dictionary(entries)}" if entries else ""
            if value is None:
                texts.append(f"{each}{shown}")
            else:
                where = printer.argument_location(value)
                texts.append(f"{printer.name(value)}: {each}{shown}{where}")
        return texts

    def result_text(
        self, printer: Printer, operation: Operation, function_type: FunctionType
    ) -> str:
        """`` -> T`` or `` -> (T {...}, T)``."""
        types = function_type.results
        if not types:
            return ""
        dictionaries = dictionaries_of(operation, "res_attrs", len(types))
        texts = [
            f"{each} {printer.dictionary(entries)}" if entries else str(each)
            for each, entries in zip(types, dictionaries, strict=True)
        ]
        if len(types) == 1 and not dictionaries[0] and not isinstance(types[0], FunctionType):
            return f" -> {texts[0]}"
        return f" -> ({', '.join(texts)})"


def dictionaries_of(
    operation: Operation, name: str, count: int
) -> Sequence[Mapping[str, Attribute]]:
    """The attributes of each argument or result."""
    stored = operation.attributes.get(name)
    if not isinstance(stored, ArrayAttribute):
        return [{}] * count
    return [each.entries if isinstance(each, DictionaryAttribute) else {} for each in stored.items]


class WhileSyntax(Directive):
    """``(%iterArg = %init) : T attributes {...} cond { ... } do { ... }``."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the state, its types, and the two regions."""
        field = draft.definition.operands[0].name
        draft.operands[field] = []
        names: list[tuple[str, tuple[int, int]]] = []

        def binding() -> None:
            place = (reader.start, reader.end)
            names.append((reader.take("value", "a name such as %iterArg"), place))
            reader.expect("=")
            reader.operand_into(draft, field)

        reader.enclosed("(", binding)
        types = self.types(reader, draft) if reader.accept(":") else []
        if len(types) != len(names):
            place = (draft.places or [(reader.start, reader.end)])[0]
            reader.error(f"{len(names)} values, but {len(types)} types", place)
        draft.result_types = tuple(types)
        if reader.accept("attributes"):
            reader.trailing_attributes(draft)
        arguments = [
            (name, each, UNKNOWN, place) for (name, place), each in zip(names, types, strict=True)
        ]
        reader.expect("cond")
        condition = reader.region(arguments)
        reader.expect("do")
        draft.regions = [condition, reader.region(arguments)]

    def types(self, reader: OperationReader, draft: Draft) -> list[Type]:
        """Reads the types and compares them with the operands."""
        start = reader.start
        types = [reader.type()]
        while reader.accept(","):
            types.append(reader.type())
        draft.parts["types"] = (start, reader.previous_end)
        for value, stated, place in zip(draft.operand_list(), types, draft.places, strict=False):
            if value.type != stated:
                name = reader.text[place[0] : place[1]]
                reader.error(f"{name} has type {value.type}, not {stated}", place)
        return types

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes state, types and regions."""
        condition, body = operation.regions
        names = [printer.name(each) for each in condition.block.arguments]
        values = [printer.name(each) for each in operation.operands]
        bindings = ", ".join(f"{a} = {b}" for a, b in zip(names, values, strict=True))
        printer.write(f"({bindings})")
        if values:
            printer.write(f" : {printer.types(each.type for each in operation.operands)}")
        printer.attribute_dictionary(operation, (), " attributes")
        printer.write(f"\n{printer.indentation}cond ")
        printer.region(condition, entry_label=False)
        printer.write(" do ")
        for ours, theirs in zip(body.block.arguments, condition.block.arguments, strict=True):
            printer.names[ours] = printer.names[theirs]
        printer.region(body, entry_label=False)


class ReduceSyntax(Directive):
    """``(%x init: %i) applies op across dimensions = [0] : FT``, or with a reducer."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads inputs, then the compact or the full form."""
        inputs, initials = (f.name for f in draft.definition.operands)
        draft.operands = {inputs: [], initials: []}
        places: list[tuple[tuple[int, int], tuple[int, int]]] = []

        def pair() -> None:
            reader.expect("(")
            reader.operand_into(draft, inputs)
            reader.expect("init")
            reader.expect(":")
            reader.operand_into(draft, initials)
            reader.expect(")")
            places.append((draft.places[-2], draft.places[-1]))

        pair()
        while reader.accept(","):
            pair()
        draft.places = [place for i in (0, 1) for place in (each[i] for each in places)]
        place, name = (reader.start, reader.end), ""
        if reader.accept("applies"):
            place = (reader.start, reader.end)
            name = reader.keyword("the name of an operation")
        for word in ("across", "dimensions", "="):
            reader.expect(word)
        start = reader.start
        draft.attributes["dimensions"] = SI64_ARRAY.attribute(reader.enclosed("[", reader.integer))
        draft.parts["dimensions"] = (start, reader.previous_end)
        reader.trailing_attributes(draft)
        reader.expect(":")
        FunctionalType().read(reader, draft)
        draft.regions = [
            self.compact_body(reader, draft, name, place) if name else self.reducer(reader)
        ]

    def compact_body(
        self, reader: OperationReader, draft: Draft, name: str, place: tuple[int, int]
    ) -> Region:
        """The region that applies one operation."""
        cls = reader.operations.get(name)
        if cls is None or len(cls.definition.operands) != 2:  # type: ignore[attr-defined]
            known = dict.fromkeys(sorted(COMPACT))
            reader.unknown(name, known, f"'{name}' is no operation that combines two values")
        first = draft.operand_list()[0].type
        if len(draft.places) != 2 or not isinstance(first, TensorType):
            reader.error("the short form takes one input", place)
        scalar = TensorType((), first.element_type)
        block = Block([scalar, scalar])
        combine = cls(block.arguments, [scalar])
        block.append(combine)
        block.append(reader.operations["stablehlo.return"](combine.results))
        return Region([block])

    def reducer(self, reader: OperationReader) -> Region:
        """Reads ``reducer(%a: T, %b: T) { ... }``: element and accumulator of each input."""
        reader.expect("reducer")
        elements: list[tuple[str, Type, Location, tuple[int, int]]] = []
        accumulators: list[tuple[str, Type, Location, tuple[int, int]]] = []
        while reader.at("("):
            start = reader.start
            pair = reader.enclosed("(", reader.block_argument)
            if len(pair) != 2:
                message = "expected an element and an accumulator"
                reader.error(message, (start, reader.previous_end))
            elements.append(pair[0])
            accumulators.append(pair[1])
        return reader.region([*elements, *accumulators])

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the compact form where it says as much."""
        half = len(operation.operands) // 2
        inputs, initials = operation.operands[:half], operation.operands[half:]
        pairs = zip(inputs, initials, strict=True)
        texts = [f"({printer.name(a)} init: {printer.name(b)})" for a, b in pairs]
        printer.write(", ".join(texts))
        body = operation.regions[0]
        compact = self.compact_name(operation, body)
        if compact:
            printer.write(f" applies {compact}")
        dimensions: Any = operation.attributes["dimensions"]
        printer.write(f" across dimensions = {sequence_text(dimensions.values)}")
        printer.attribute_dictionary(operation, ("dimensions",))
        printer.write(f" : {printer.function_type(operation)}")
        if not compact:
            self.write_reducer(printer, body)

    def write_reducer(self, printer: Printer, body: Region) -> None:
        """Writes the region, its arguments in pairs."""
        arguments = body.block.arguments
        half = len(arguments) // 2
        pairs = [
            f"({printer.argument(a)}, {printer.argument(b)})"
            for a, b in zip(arguments[:half], arguments[half:], strict=True)
        ]
        printer.write(f"\n{printer.indentation} reducer{' '.join(pairs)}  ")
        printer.region(body, entry_label=False)

    def compact_name(self, operation: Operation, body: Region) -> str:
        """The operation that the region applies to its arguments in order, if it does no more."""
        if len(operation.operands) != 2 or len(body.blocks) != 1 or len(body.block.operations) != 2:
            return ""
        inner, back = body.block.operations
        first: Any = operation.operands[0].type
        scalar = TensorType((), first.element_type)
        same = all(each.type == scalar for each in (*inner.operands, *inner.results))
        fits = (
            inner.name in COMPACT
            and inner.operands == body.block.arguments
            and back.operands == inner.results
            and same
        )
        return inner.name if fits else ""


REGION_SYNTAXES: Final[dict[str, Directive]] = {
    "builtin.module": ModuleSyntax(),
    "func.func": FunctionSyntax(),
    "stablehlo.while": WhileSyntax(),
    "stablehlo.reduce": ReduceSyntax(),
}
