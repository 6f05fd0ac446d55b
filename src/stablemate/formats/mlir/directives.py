"""Directives: parts of declared syntaxes that are written out by hand, by name.

Source: the syntax that upstream prints for each operation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from stablemate.dialects.stablehlo.attributes import ConvDimensionNumbers, DotDimensionNumbers
from stablemate.formats.mlir.assembly import Directive, FunctionalType
from stablemate.formats.mlir.operation_reader import Draft, OperationReader
from stablemate.formats.mlir.printer import Printer, sequence_text
from stablemate.formats.mlir.stablehlo_attributes import read_conv_dimensions, read_dot_algorithm
from stablemate.ir.attributes import (
    DenseElementsAttribute,
    DenseResourceAttribute,
    DenseStringsAttribute,
    SparseElementsAttribute,
    StringAttribute,
    identifier,
    quoted,
)
from stablemate.ir.core import Operation, Value
from stablemate.ir.kinds import BOOLEAN_ARRAY, SI32, SI64_ARRAY, integer_matrix
from stablemate.ir.types import Attribute, TensorType, TupleType
from stablemate.numerics.elements import ComplexType

FORMAT: Final = re.compile(r"e([0-9]+)m([0-9]+)\Z")


def integers(operation: Operation, name: str) -> tuple[int, ...]:
    """The values of an integer array attribute; empty if it is absent or malformed."""
    values: tuple[int, ...] = getattr(operation.attributes.get(name), "values", ())
    return values


class SliceRanges(Directive):
    """``[a:b, a:b:s]``: start, limit and stride of each dimension."""

    attributes = ("start_indices", "limit_indices", "strides")

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the ranges; a missing stride is 1."""
        start = reader.start

        def triple() -> tuple[int, int, int]:
            first = reader.integer("a start index")
            reader.expect(":")
            limit = reader.integer("a limit index")
            return first, limit, reader.integer("a stride") if reader.accept(":") else 1

        ranges = reader.enclosed("[", triple)
        for i, name in enumerate(self.attributes):
            draft.attributes[name] = SI64_ARRAY.attribute([each[i] for each in ranges])
            draft.parts[name] = (start, reader.previous_end)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the ranges; a stride of 1 is left out."""
        columns = zip(*(integers(operation, name) for name in self.attributes), strict=False)
        texts = [f"{a}:{b}" if s == 1 else f"{a}:{b}:{s}" for a, b, s in columns]
        printer.write(f" [{', '.join(texts)}]")


class DynamicSliceIndices(Directive):
    """``%i, %j,``: the start indices, a comma behind each."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the indices."""
        draft.operands.setdefault("start_indices", [])
        while reader.kind == "value":
            reader.operand_into(draft, "start_indices")
            reader.expect(",")

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the indices."""
        printer.write("".join(f" {printer.name(value)}," for value in operation.operands[1:]))


class DotDimensions(Directive):
    """``, batching_dims = [0] x [0], contracting_dims = [2] x [1]``; empty batching is left out."""

    attributes = ("dot_dimension_numbers",)

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the two pairs of lists."""
        start = reader.start
        batching = self.pair(reader, "batching_dims")
        contracting = self.pair(reader, "contracting_dims")
        if contracting is None:
            reader.expected("', contracting_dims = [...] x [...]'")
        numbers = DotDimensionNumbers(*(batching or ((), ())), *contracting)
        draft.attributes["dot_dimension_numbers"] = numbers
        draft.parts["dot_dimension_numbers"] = (start, reader.previous_end)

    def pair(
        self, reader: OperationReader, name: str
    ) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Reads ``, name = [..] x [..]`` if it stands here."""
        if not reader.at(",") or not reader.text[reader.end :].lstrip().startswith(name):
            return None
        reader.advance()
        reader.expect(name)
        reader.expect("=")
        lhs = tuple(reader.enclosed("[", reader.integer))
        reader.expect("x")
        return lhs, tuple(reader.enclosed("[", reader.integer))

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the two pairs of lists."""
        numbers: Any = operation.attributes["dot_dimension_numbers"]
        lhs, rhs = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
        if lhs or rhs:
            printer.write(f", batching_dims = {sequence_text(lhs)} x {sequence_text(rhs)}")
        lhs, rhs = numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions
        printer.write(f", contracting_dims = {sequence_text(lhs)} x {sequence_text(rhs)}")


class DotAlgorithm(Directive):
    """``, algorithm = <...>``, if there is one."""

    attributes = ("algorithm",)

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the algorithm if it stands here."""
        if not reader.at(","):
            return
        reader.advance()
        reader.expect("algorithm")
        reader.expect("=")
        start = reader.start
        if reader.kind == "hash":
            draft.attributes["algorithm"] = reader.attribute()
        else:
            draft.attributes["algorithm"] = read_dot_algorithm(reader)
        draft.parts["algorithm"] = (start, reader.previous_end)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the algorithm."""
        algorithm = operation.attributes.get("algorithm")
        if algorithm is not None:
            printer.write(
                f", algorithm = {str(algorithm).removeprefix('#stablehlo.dot_algorithm')}"
            )


class ConvDimensions(Directive):
    """``dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f]``."""

    attributes = ("dimension_numbers",)

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the dimension numbers."""
        reader.expect("dim_numbers")
        reader.expect("=")
        start = reader.start
        draft.attributes["dimension_numbers"] = read_conv_dimensions(reader)
        draft.parts["dimension_numbers"] = (start, reader.previous_end)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the dimension numbers."""
        numbers = operation.attributes["dimension_numbers"]
        assert isinstance(numbers, ConvDimensionNumbers)
        printer.write(f" dim_numbers = {numbers.short_text()}")


class WindowAttributes(Directive):
    """``window = {stride = [2, 2], pad = [[1, 1]], ...}``: what is stored, in this order."""

    attributes = ("window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal")
    KEYS: Final = dict(
        zip(("stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"), attributes, strict=True)
    )

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the entries, in any order."""
        reader.expect("window")
        reader.expect("=")

        def entry() -> None:
            start = reader.start
            name = reader.choice(dict(self.KEYS), "an attribute of a window")
            reader.expect("=")
            draft.attributes[name] = self.value(reader, name)
            draft.parts[name] = (start, reader.previous_end)

        reader.enclosed("{", entry)

    def value(self, reader: OperationReader, name: str) -> Attribute:
        """Reads one value."""
        start = reader.start
        if name == "padding":
            rows = reader.enclosed("[", lambda: reader.enclosed("[", reader.integer))
            if any(len(row) != 2 for row in rows):
                reader.error("expected pairs [low, high]", (start, reader.previous_end))
            return integer_matrix(rows)
        if name == "window_reversal":
            words = {"true": True, "false": False, "1": True, "0": False}
            flags = reader.enclosed("[", lambda: self.flag(reader, words))
            return BOOLEAN_ARRAY.attribute(flags)
        return SI64_ARRAY.attribute(reader.enclosed("[", reader.integer))

    def flag(self, reader: OperationReader, words: dict[str, bool]) -> bool:
        """Reads ``true``, ``false``, 1 or 0."""
        if reader.token not in words:
            reader.expected("a boolean")
        value = words[reader.token]
        reader.advance()
        return value

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the entries that are stored."""
        texts: list[str] = []
        for key, name in self.KEYS.items():
            attribute: Any = operation.attributes.get(name)
            if attribute is None:
                continue
            if name == "padding":
                rows = [sequence_text(row) for row in attribute.array.tolist()]
                texts.append(f"{key} = [{', '.join(rows)}]")
            else:
                texts.append(f"{key} = [{', '.join(attribute.texts())}]")
        printer.write(f" window = {{{', '.join(texts)}}}")


class Constant(Directive):
    """``attr-dict LITERAL``, or the generic form where the literal's type is not the result's."""

    attributes = ("value",)

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads either form."""
        if reader.accept("("):
            reader.expect(")")
            reader.expect("<")
            reader.properties(draft)
            reader.trailing_attributes(draft)
            reader.expect(":")
            FunctionalType().read(reader, draft)
            return
        reader.trailing_attributes(draft)
        start = reader.start
        if reader.token not in ("dense", "dense_resource", "sparse") and reader.kind != "hash":
            reader.expected("a literal such as dense<0.0> : tensor<2xf32>")
        value = reader.attribute()
        draft.parts["value"] = draft.parts["types"] = (start, reader.previous_end)
        if not isinstance(
            value,
            DenseElementsAttribute
            | DenseResourceAttribute
            | DenseStringsAttribute
            | SparseElementsAttribute,
        ):
            reader.error("expected a literal with a tensor type", (start, reader.previous_end))
        draft.attributes["value"] = value
        draft.result_types = (value.type,)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the literal, whose type is the result's."""
        value: Any = operation.attributes["value"]
        if value.type != operation.results[0].type:
            printer.write(f"() <{printer.dictionary(operation.attributes)}>")
            printer.write(
                f" {printer.dictionary(operation.discardable)}" if operation.discardable else ""
            )
            printer.write(f" : () -> {operation.results[0].type}")
            return
        printer.attribute_dictionary(operation, self.attributes)
        printer.write(f" {printer.attribute(value)}")


class ComplexTypes(Directive):
    """One type, the result's, when both operands have exactly its real counterpart."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads either form."""
        if reader.at("("):
            FunctionalType().read(reader, draft)
            return
        start = reader.start
        stated = reader.type()
        place = (start, reader.previous_end)
        if not isinstance(stated, TensorType) or not isinstance(stated.element_type, ComplexType):
            reader.error("expected a tensor of complex type", place)
        part = stated.with_element(stated.element_type.element)
        refuse_other_types(reader, draft, [part, part])
        draft.result_types = (stated,)
        draft.parts["types"] = place

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the shorter form where it says as much."""
        result: Any = operation.results[0].type
        part = result.with_element(getattr(result.element_type, "element", None))
        if all(value.type == part for value in operation.operands):
            printer.write(f" {result}")
        else:
            FunctionalType().write(printer, operation)


class SelectTypes(Directive):
    """``P, T`` when both branches have the result's type."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads either form."""
        if reader.at("("):
            FunctionalType().read(reader, draft)
            return
        start = reader.start
        predicate = reader.type()
        reader.expect(",")
        branch = reader.type()
        draft.parts["types"] = (start, reader.previous_end)
        refuse_other_types(reader, draft, [predicate, branch, branch])
        draft.result_types = (branch,)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the shorter form where it says as much."""
        predicate, *branches = operation.operands
        result = operation.results[0].type
        if all(value.type == result for value in branches):
            printer.write(f" {predicate.type}, {result}")
        else:
            FunctionalType().write(printer, operation)


def refuse_other_types(reader: OperationReader, draft: Draft, stated: Sequence[Any]) -> None:
    """Refuses operands whose types are not the stated ones."""
    for value, each, place in zip(draft.operand_list(), stated, draft.places, strict=True):
        if value.type != each:
            name = reader.text[place[0] : place[1]]
            reader.error(f"{name} has type {value.type}, not {each}", place)


class ExponentMantissa(Directive):
    """``e5m10``: bits of exponent and mantissa."""

    attributes = ("exponent_bits", "mantissa_bits")

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the two numbers."""
        place = (reader.start, reader.end)
        match = FORMAT.match(reader.keyword("a format such as e5m10"))
        if match is None or len(match[0]) > 20:
            reader.error("expected a format such as e5m10", place)
        for name, bits in zip(self.attributes, match.groups(), strict=True):
            draft.attributes[name] = SI32.attribute(int(bits))
            draft.parts[name] = place

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the two numbers."""
        bits: list[Any] = [operation.attributes[name] for name in self.attributes]
        printer.write(f" e{bits[0].value}m{bits[1].value}")


class TupleIndex(Directive):
    """``[N]``, close behind the operand."""

    attributes = ("index",)

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the index."""
        start = reader.start
        reader.expect("[")
        draft.attributes["index"] = SI32.attribute(reader.integer("an index"))
        reader.expect("]")
        draft.parts["index"] = (start, reader.previous_end)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the index."""
        index: Any = operation.attributes["index"]
        printer.write(f"[{index.value}]")


class TupleOfOperands(Directive):
    """The type of a tuple, from which the types of its operands follow."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the type."""
        start = reader.start
        stated = reader.type()
        place = (start, reader.previous_end)
        values = draft.operand_list()
        if not isinstance(stated, TupleType) or len(stated.types) != len(values):
            reader.error(f"expected a tuple of {len(values)} types", place)
        refuse_other_types(reader, draft, stated.types)
        draft.result_types = (stated,)
        draft.parts["types"] = place

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the type."""
        printer.write(f" {operation.results[0].type}")


class BarrierOperands(Directive):
    """``%a, %b : T, T``, or ``()`` without operands; the results have the same types."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads operands and types."""
        draft.operands["operand"] = []
        if reader.accept("("):
            reader.expect(")")
            return
        reader.operand_into(draft, "operand")
        while reader.accept(","):
            reader.operand_into(draft, "operand")
        reader.expect(":")
        start = reader.start
        stated = [reader.type()]
        while reader.accept(","):
            stated.append(reader.type())
        draft.parts["types"] = (start, reader.previous_end)
        if len(stated) != len(draft.places):
            reader.error(
                f"{len(draft.places)} operands, but {len(stated)} types", draft.parts["types"]
            )
        refuse_other_types(reader, draft, stated)
        draft.result_types = tuple(stated)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes operands and types."""
        if not operation.operands:
            printer.write("()")
            return
        values = operation.operands
        printer.write(f" {printer.values(values)} : {printer.types(v.type for v in values)}")


class CustomCallTarget(Directive):
    """``@target(%a, %b)``."""

    attributes = ("call_target_name",)

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads target and operands."""
        start = reader.start
        draft.attributes["call_target_name"] = StringAttribute(reader.symbol())
        draft.parts["call_target_name"] = (start, reader.previous_end)
        read_enclosed_operands(reader, draft, draft.definition.operands[0].name)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes target and operands."""
        target: Any = operation.attributes["call_target_name"]
        printer.write(f" @{identifier(target.value)}({printer.values(operation.operands)})")


class Callee(Directive):
    """``@function(%a, %b)``."""

    attributes = ("callee",)

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads callee and operands."""
        start = reader.start
        draft.attributes["callee"] = reader.symbol_reference()
        draft.parts["callee"] = (start, reader.previous_end)
        read_enclosed_operands(reader, draft, draft.definition.operands[0].name)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes callee and operands."""
        printer.write(f" {operation.attributes['callee']}({printer.values(operation.operands)})")


def read_enclosed_operands(reader: OperationReader, draft: Draft, name: str) -> list[Value[Any]]:
    """Reads ``(%a, %b)`` as the operands of a field."""
    draft.operands[name] = []
    reader.enclosed("(", lambda: reader.operand_into(draft, name))
    return draft.operands[name]


class CompositeName(Directive):
    """``"ns.op" %a, %b``: the name and the operands."""

    attributes = ("name",)

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads name and operands."""
        start = reader.start
        draft.attributes["name"] = StringAttribute(reader.string("the name of the composite"))
        draft.parts["name"] = (start, reader.previous_end)
        field = draft.definition.operands[0].name
        draft.operands[field] = []
        if reader.kind == "value":
            reader.operand_into(draft, field)
            while reader.accept(","):
                reader.operand_into(draft, field)
        if reader.accept("("):
            draft.regions = reader.separated(lambda: reader.generic_region(draft), ")")

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes name and operands."""
        name: Any = operation.attributes["name"]
        operands = f" {printer.values(operation.operands)}" if operation.operands else ""
        printer.write(f" {quoted(name.value)}{operands}")
        if operation.regions:
            printer.write(" (")
            for i, region in enumerate(operation.regions):
                printer.write(", " if i else "")
                printer.region(region)
            printer.write(")")


class OptionalTypes(Directive):
    """``: T, T`` of all operands, or nothing when there are none."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the types if there are operands."""
        values = draft.operand_list()
        if not values:
            return
        reader.expect(":")
        start = reader.start
        stated = [reader.type()]
        while reader.accept(","):
            stated.append(reader.type())
        draft.parts["types"] = (start, reader.previous_end)
        if len(stated) != len(values):
            reader.error(f"{len(values)} operands, but {len(stated)} types", draft.parts["types"])
        refuse_other_types(reader, draft, stated)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the types."""
        if operation.operands:
            printer.write(f" : {printer.types(value.type for value in operation.operands)}")


class TokenTypes(Directive):
    """The type of the result, which is that of all operands."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the type."""
        start = reader.start
        stated = reader.type()
        draft.parts["types"] = (start, reader.previous_end)
        refuse_other_types(reader, draft, [stated] * len(draft.places))
        draft.result_types = (stated,)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the type."""
        printer.write(f" {operation.results[0].type}")


class ChloTypes(Directive):
    """``T, T -> R``: operand types without parentheses."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the types."""
        start = reader.start
        stated = [reader.type()]
        while reader.accept(","):
            stated.append(reader.type())
        if len(stated) != len(draft.places):
            place = (start, reader.previous_end)
            reader.error(f"{len(draft.places)} operands, but {len(stated)} types", place)
        refuse_other_types(reader, draft, stated)
        reader.expect("->")
        draft.result_types = reader.type_list()
        draft.parts["types"] = (start, reader.previous_end)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the types."""
        results = [value.type for value in operation.results]
        shown = str(results[0]) if len(results) == 1 else f"({printer.types(results)})"
        printer.write(f" {printer.types(value.type for value in operation.operands)} -> {shown}")


class UnrealizedConversionCast(Directive):
    """``%a, %b : T, T to R``."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads operands and types."""
        draft.operands["inputs"] = []
        if reader.kind == "value":
            reader.operand_into(draft, "inputs")
            while reader.accept(","):
                reader.operand_into(draft, "inputs")
            OptionalTypes().read(reader, draft)
        reader.expect("to")
        stated = [reader.type()]
        while reader.accept(","):
            stated.append(reader.type())
        draft.result_types = tuple(stated)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes operands and types."""
        if operation.operands:
            printer.write(f" {printer.values(operation.operands)}")
        OptionalTypes().write(printer, operation)
        printer.write(f" to {printer.types(value.type for value in operation.results)}")


class TypedLiteral(Directive):
    """A literal with its type, as the attribute ``value``."""

    attributes = ("value",)

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the literal."""
        start = reader.start
        draft.attributes["value"] = reader.attribute()
        draft.parts["value"] = (start, reader.previous_end)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the literal."""
        printer.write(f" {printer.attribute(operation.attributes['value'])}")


DIRECTIVES: Final[dict[str, Directive]] = {
    "SliceRanges": SliceRanges(),
    "DynamicSliceIndices": DynamicSliceIndices(),
    "DotDimensions": DotDimensions(),
    "DotAlgorithm": DotAlgorithm(),
    "ConvDimensions": ConvDimensions(),
    "WindowAttributes": WindowAttributes(),
    "Constant": Constant(),
    "ComplexTypes": ComplexTypes(),
    "SelectTypes": SelectTypes(),
    "ExponentMantissa": ExponentMantissa(),
    "TupleIndex": TupleIndex(),
    "TupleTypes": TupleOfOperands(),
    "BarrierOperands": BarrierOperands(),
    "CustomCallTarget": CustomCallTarget(),
    "Callee": Callee(),
    "Composite": CompositeName(),
    "OptionalTypes": OptionalTypes(),
    "TokenTypes": TokenTypes(),
    "ChloTypes": ChloTypes(),
    "UnrealizedConversionCast": UnrealizedConversionCast(),
    "TypedLiteral": TypedLiteral(),
}
