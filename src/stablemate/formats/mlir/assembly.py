"""The declared syntax of operations: the same elements read and print it.

::

    assembly = "$inputs `,` `dim` `=` $dimension attr-dict `:` functional-type"

``$name`` is an operand or attribute, a word in backquotes is literal, ``( ... )?`` is a group that
is written if its first ``$name`` is present, ``custom<Name>`` is a directive of the package
``directives``. ``functional-type`` is ``(operand types) -> result types``; ``same-type`` one type
when all operand and result types are equal, else functional; ``result-type`` the type of the
single result; ``type($name)`` the types of an operand field.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, ClassVar, Final, NamedTuple, Protocol, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.check import ITERATION
from stablemate.formats.mlir.forward_references import has_type
from stablemate.formats.mlir.literal_reader import LiteralElement
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import (
    ArrayAttribute,
    DenseArrayAttribute,
    StringAttribute,
    SymbolAttribute,
    identifier,
    quote,
)
from stablemate.ir.core import Operation
from stablemate.ir.definition import AttributeField, OperationDefinition, ValueField
from stablemate.ir.kinds import (
    BOOLEAN_ARRAY,
    BOOLEAN_KIND,
    F64_KIND,
    SI32,
    SI64,
    SI64_ARRAY,
    STRING,
    SYMBOL,
    UI64_KIND,
    AttributeKind,
    EnumKind,
)
from stablemate.ir.types import Attribute
from stablemate.numerics.elements import BOOLEAN, F64, I32, I64, UI64, FloatType, IntegerType
from stablemate.numerics.float_text import format_float

ELEMENT: Final = re.compile(
    r"\s*(?:`(?P<literal>[^`]*)`|\$(?P<field>\w+)|custom<(?P<custom>\w+)>|type\(\$(?P<type>\w+)\)"
    r"|(?P<close>\)\?)|(?P<open>\()|(?P<word>[a-z-]+))"
)
NO_SPACE_BEFORE: Final = frozenset({",", ")", "]", ">", ":,"})
NO_SPACE_AFTER: Final = frozenset({"(", "[", "<"})


class SyntaxElement(Protocol):
    """An element of a declared syntax."""

    def read(self, reader: OperationReader, state: OperationState, /) -> None:
        """Reads this part into the state of the operation."""
        ...

    def write(self, printer: MlirPrinter, operation: Operation, /) -> None:
        """Writes this part, after a space where one belongs."""
        ...


class Directive(ABC):
    """An element that is implemented by hand.

    Attributes:
        attributes: Names of the attributes it reads and writes.
    """

    attributes: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def read(self, reader: OperationReader, state: OperationState, /) -> None:
        """Reads this part into the state of the operation."""

    @abstractmethod
    def write(self, printer: MlirPrinter, operation: Operation, /) -> None:
        """Writes this part, after a space where one belongs."""


class Keyword(NamedTuple):
    """A keyword or punctuation."""

    text: str
    space: bool

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Expects the keyword, and rejects any other token."""
        reader.expect(self.text)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the keyword, behind a space unless it is punctuation."""
        printer.write(f" {self.text}" if self.space else self.text)


class Operands(NamedTuple):
    """The operands of a field."""

    field: ValueField
    space: bool

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads one value, or as many as there are."""
        name = self.field.name
        state.operands.setdefault(name, [])
        if self.field.arity == "one":
            reader.operand_into(state, name)
            return
        if reader.kind == "value":
            reader.operand_into(state, name)
            while self.field.arity == "variadic" and reader.at(",") and reader.followed_by("%"):
                reader.advance()
                reader.operand_into(state, name)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the names of a field's operands, separated by commas."""
        text = printer.values(values_of(self.field, operation))
        printer.write(f" {text}" if self.space else text)


def values_of(field: ValueField, operation: Operation) -> Sequence[Any]:
    """Returns the operands of a field: none, one or several."""
    value: Any = getattr(operation, field.name)
    if value is None:
        return ()
    return value if field.arity == "variadic" else (value,)


class BareAttribute:
    """An attribute without its type."""

    def __init__(self, field: AttributeField[object], space: bool) -> None:
        self.field = field
        self.space = space
        self.form = bare_form(field.kind)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the attribute's value by its kind."""
        start = reader.start
        if reader.kind == "hash" and not hasattr(self.field.kind, "item"):
            state.attributes[self.field.name] = self.read_alias(reader)
        else:
            state.attributes[self.field.name] = self.form.read(reader)
        state.parts[self.field.name] = (start, reader.previous_end)

    def read_alias(self, reader: OperationReader) -> Attribute:
        """Reads an alias, or an attribute of a dialect, which must be of the kind."""
        start = reader.start
        attribute = reader.attribute()
        if not self.field.kind.accepts(attribute):
            message = f"expected {self.field.kind.description}, found {attribute}"
            reader.error(message, (start, reader.previous_end))
        return attribute

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the attribute's value without a type."""
        attribute = operation.attributes.get(self.field.name)
        if attribute is None:
            attribute = self.field.kind.attribute(self.field.default)
        text = self.form.text(printer, attribute)
        printer.write(f" {text}" if self.space else text)


@dataclass(frozen=True)
class BareForm:
    """The form of the attributes of a kind without their types."""

    read: Callable[[OperationReader], Attribute]
    text: Callable[[MlirPrinter, Any], str]


def integer_form(integer_type: IntegerType) -> BareForm:
    """Returns the form of an integer alone, such as ``3``, whose type is declared."""
    return BareForm(
        lambda reader: read_number(reader, integer_type),
        lambda printer, attribute: str(attribute.value),
    )


def read_boolean(reader: OperationReader) -> bool:
    """Reads ``true``, ``false``, 1, 0 or -1, the signed number whose bit is set."""
    if reader.accept("-"):
        if reader.token != "1":
            reader.reject_unexpected("1")
        reader.advance()
        return True
    if reader.kind == "integer" and reader.token in ("0", "1"):
        return reader.take("integer", "a boolean") == "1"
    return reader.choice({"true": True, "false": False}, "a boolean")


def read_number(reader: OperationReader, number_type: IntegerType | FloatType) -> Attribute:
    """Reads ``1.0``, ``-2`` or ``0x7F``, of a type that is not written."""
    negative = reader.accept("-")
    item = LiteralElement(reader.kind, negative, reader.token, (reader.start, reader.end))
    if reader.kind not in ("integer", "float"):
        reader.reject_unexpected("a number")
    reader.advance()
    return reader.typed_number(item, number_type)


def enum_form(kind: EnumKind[Enum]) -> BareForm:
    """Returns the form of a member as a keyword."""
    what = f"a {kind.description.partition(' ')[2].replace('_', ' ')}"
    return BareForm(
        lambda reader: kind.attribute(reader.member(dict(kind.members), what)),
        lambda printer, attribute: str(attribute.value.value),
    )


def list_form(kind: AttributeKind[object]) -> BareForm:
    """Returns the form ``[A, B]``, for items of a kind."""
    item = bare_form(kind)
    return BareForm(
        lambda reader: ArrayAttribute(tuple(reader.read_enclosed("[", lambda: item.read(reader)))),
        lambda printer, attribute: f"[{', '.join(item.text(printer, i) for i in attribute.items)}]",
    )


BARE_FORMS: Final[dict[AttributeKind[object], BareForm]] = {
    SI64: integer_form(I64),
    SI32: integer_form(I32),
    ITERATION: integer_form(I64),
    SI64_ARRAY: BareForm(
        lambda reader: DenseArrayAttribute(I64, reader.integers()),
        lambda printer, attribute: f"[{', '.join(attribute.texts())}]",
    ),
    BOOLEAN_ARRAY: BareForm(
        lambda reader: DenseArrayAttribute(
            BOOLEAN, tuple(reader.read_enclosed("[", lambda: read_boolean(reader)))
        ),
        lambda printer, attribute: f"[{', '.join(attribute.texts())}]",
    ),
    BOOLEAN_KIND: BareForm(
        lambda reader: BOOLEAN_KIND.attribute(read_boolean(reader)),
        lambda printer, attribute: str(attribute),
    ),
    STRING: BareForm(
        lambda reader: StringAttribute(reader.string()),
        lambda printer, attribute: quote(attribute.value),
    ),
    UI64_KIND: integer_form(UI64),
    F64_KIND: BareForm(
        lambda reader: read_number(reader, F64),
        lambda printer, attribute: format_float(attribute.value, F64.dtype),
    ),
    SYMBOL: BareForm(
        lambda reader: SymbolAttribute(reader.symbol()),
        lambda printer, attribute: f"@{identifier(attribute.root)}",
    ),
}
WHOLE_FORM: Final = BareForm(
    lambda reader: reader.attribute(), lambda printer, attribute: printer.attribute(attribute)
)


def bare_form(kind: AttributeKind[object]) -> BareForm:
    """Returns the form in which attributes of a kind appear in a declared syntax."""
    if isinstance(kind, EnumKind):
        return enum_form(cast("EnumKind[Enum]", kind))
    item: AttributeKind[object] | None = getattr(kind, "item", None)
    return BARE_FORMS.get(kind, WHOLE_FORM) if item is None else list_form(item)


class AttributeDictionary(NamedTuple):
    """``attr-dict``: all attributes that no other element writes."""

    hidden: frozenset[str]

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads ``{...}`` if it is present."""
        reader.trailing_attributes(state, "replace")

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes `` {...}`` if there are any."""
        printer.attribute_dictionary(operation, self.hidden)


class FunctionalType:
    """``(operand types) -> result types``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the type and compares it with the operands."""
        state.result_types = reader.function_type_of(state, state.operand_list()).results

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints operand and result types as a function type."""
        printer.write(f" {printer.function_type(operation)}")


class SameType:
    """One type for all operands and the result, or a function type."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses one type for all values, or a function type."""
        if reader.at("("):
            FunctionalType().read(reader, state)
            return
        start = reader.start
        value_type = reader.type()
        state.parts["types"] = (start, reader.previous_end)
        for i, value in enumerate(state.operand_list()):
            if not has_type(value, value_type):
                place = state.places[i]
                name = reader.text[place[0] : place[1]]
                reader.error(f"{name} has type {value.type}, not {value_type}", place)
        state.result_types = (value_type,)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the shorter form if it is unambiguous."""
        result = operation.results[0].type
        if all(value.type == result for value in operation.operands):
            printer.write(f" {result}")
        else:
            FunctionalType().write(printer, operation)


class ResultType:
    """The type of the single result."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the type of the only result."""
        start = reader.start
        state.result_types = (reader.type(),)
        state.parts["types"] = (start, reader.previous_end)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the type of the only result."""
        printer.write(f" {operation.results[0].type}")


class OperandTypes(NamedTuple):
    """The types of an operand field."""

    field: ValueField

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads a type per operand and compares."""
        values = state.operands.get(self.field.name, [])
        for i, value in enumerate(values):
            if i:
                reader.expect(",")
            start = reader.start
            value_type = reader.type()
            if not has_type(value, value_type):
                reader.error(
                    f"the operand has type {value.type}, not {value_type}",
                    (start, reader.previous_end),
                )

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the types of the field's operands."""
        printer.write(f" {printer.types(v.type for v in values_of(self.field, operation))}")


class OptionalGroup(NamedTuple):
    """Elements that are written when an operand or attribute is present."""

    elements: tuple[SyntaxElement, ...]
    anchor: str

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the group if its first token is present."""
        first, rest = self.elements[0], self.elements[1:]
        if isinstance(first, Keyword):
            if not reader.at(first.text) or not self.follows(reader, rest):
                return
            reader.advance()
            for element in rest:
                element.read(reader, state)
        elif reader.kind == "value":
            for element in self.elements:
                element.read(reader, state)

    def follows(self, reader: OperationReader, rest: Sequence[SyntaxElement]) -> bool:
        """Whether the second word, if the group has one, follows the current token."""
        if not rest or not isinstance(rest[0], Keyword):
            return True
        return reader.followed_by(rest[0].text)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the group if its anchor is present."""
        declared = printer_fields(operation)
        field = declared.get(self.anchor)
        if isinstance(field, AttributeField):
            stored = operation.attributes.get(self.anchor)
            present = stored is not None and not field.is_default(stored)
        else:
            present = bool(getattr(operation, self.anchor))
        if present:
            for element in self.elements:
                element.write(printer, operation)


def printer_fields(operation: Operation) -> Mapping[str, object]:
    """Returns the attribute fields of an operation by name."""
    definition: Any = operation.definition
    fields: Mapping[str, object] = definition.attributes
    return fields


class DeclaredSyntax:
    """The syntax that an operation's ``assembly`` declares."""

    def __init__(
        self, definition: OperationDefinition, directives: Mapping[str, Directive]
    ) -> None:
        self.definition = definition
        self.directives = directives
        self.hidden = self.written_attributes()
        self.space = True
        self.elements, _ = self.compile(0)

    def written_attributes(self) -> frozenset[str]:
        """Returns the attributes that have an element of their own."""
        names: set[str] = set()
        for match in ELEMENT.finditer(self.definition.assembly):
            if match["field"]:
                names.add(match["field"])
            if match["custom"]:
                names.update(self.directive(match["custom"]).attributes)
        return frozenset(names)

    def compile(self, position: int) -> tuple[tuple[SyntaxElement, ...], int]:
        """Returns the elements from a position to the end of the string or of the group."""
        elements: list[SyntaxElement] = []
        text = self.definition.assembly
        while match := ELEMENT.match(text, position):
            position = match.end()
            if match["close"]:
                break
            if match["open"]:
                inner, end = self.compile(position)
                anchor = ELEMENT_NAME.search(text, position, end)
                assert anchor is not None, f"{self.definition.name}: a group without a field"
                elements.append(OptionalGroup(inner, anchor[1]))
                position = end
            else:
                elements.append(self.element(match))
        return tuple(elements), position

    def element(self, match: re.Match[str]) -> SyntaxElement:
        """Returns the element of one item of the string."""
        space, self.space = self.space, True
        if literal := match["literal"]:
            self.space = literal not in NO_SPACE_AFTER
            first = match.start() == 0  # `name(` has no space before the parenthesis
            spaced = space and literal not in NO_SPACE_BEFORE and not (first and literal == "(")
            return Keyword(literal, spaced)
        if name := match["field"]:
            attribute = self.definition.attributes.get(name)
            if attribute is not None:
                return BareAttribute(attribute, space)
            return Operands(self.operand(name), space)
        if name := match["custom"]:
            return self.directive(name)
        if name := match["type"]:
            return OperandTypes(self.operand(name))
        if match["word"] == "attr-dict":
            return AttributeDictionary(self.hidden)
        return TYPES[match["word"]]

    def directive(self, name: str) -> Directive:
        """Returns the directive with a name."""
        assert name in self.directives, f"{self.definition.name}: no directive is called {name}"
        return self.directives[name]

    def operand(self, name: str) -> ValueField:
        """Returns the operand field with a name."""
        return next(field for field in self.definition.operands if field.name == name)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the elements of the declared syntax in their order."""
        for element in self.elements:
            element.read(reader, state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the elements of the declared syntax in their order."""
        for element in self.elements:
            element.write(printer, operation)


ELEMENT_NAME: Final = re.compile(r"\$(\w+)")
TYPES: Final[dict[str, SyntaxElement]] = {
    "functional-type": FunctionalType(),
    "same-type": SameType(),
    "result-type": ResultType(),
}
