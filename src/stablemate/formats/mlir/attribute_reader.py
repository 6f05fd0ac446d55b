"""Reads attributes.

Source: MLIR language reference, builtin dialect, "Attributes".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

import numpy as np

from stablemate.diagnostics.errors import ParseError
from stablemate.diagnostics.limits import Limits
from stablemate.diagnostics.source import Source
from stablemate.formats.mlir.affine import AffineError, map_text, set_text
from stablemate.formats.mlir.dialect_text import dialect_text
from stablemate.formats.mlir.literal_reader import (
    LiteralContent,
    LiteralElement,
    LiteralReader,
    fits,
)
from stablemate.formats.mlir.location_reader import LocationReader
from stablemate.formats.mlir.type_reader import TypeReader
from stablemate.ir.attributes import (
    FALSE,
    TRUE,
    UNIT,
    ArrayAttribute,
    DenseArrayAttribute,
    DenseElementsAttribute,
    DenseResourceAttribute,
    DenseStringsAttribute,
    DictionaryAttribute,
    DistinctAttribute,
    FloatAttribute,
    IntegerAttribute,
    LiteralType,
    OpaqueAttribute,
    SparseElementsAttribute,
    StringAttribute,
    SymbolAttribute,
    TypeAttribute,
    float_array,
)
from stablemate.ir.locations import LocationAttribute
from stablemate.ir.types import (
    Attribute,
    MemRefType,
    NoneType,
    TensorType,
    UnrankedTensorType,
    VectorType,
)
from stablemate.numerics.elements import (
    F64,
    I64,
    FloatType,
    IndexType,
    IntegerType,
)

RESOURCE_TYPES: Final = (TensorType, UnrankedTensorType, VectorType, MemRefType)
# Dialects whose attributes are all known.
COMPLETE: Final = ("#stablehlo.", "#chlo.", "#mpmd.", "#vhlo.")


class AttributeReader(TypeReader):
    """A type reader that reads attributes.

    Attributes:
        readers: How to read the attributes of dialects, by name with ``#``.
        literals: Reads literals.
        locations: Reads locations.
    """

    attribute_aliases: dict[str, Attribute]
    readers: Mapping[str, DialectAttributeReader]

    def __init__(self, source: Source, limits: Limits) -> None:
        self.literals = LiteralReader(self)
        self.locations = LocationReader(self)
        super().__init__(source, limits)

    def attribute(self) -> Attribute:
        """Parses any attribute, by its first token."""
        self.enter()
        try:
            match self.kind:
                case "bare":
                    return self.worded_attribute()
                case "integer" | "float":
                    return self.number()
                case "string":
                    return self.string_attribute()
                case "symbol":
                    return self.symbol_reference()
                case "hash":
                    return self.dialect_attribute()
                case "bang":
                    return TypeAttribute(self.type())
                case _:
                    return self.bracketed_attribute()
        except ParseError:
            self.failed_in_part = True
            raise
        finally:
            self.leave()

    def worded_attribute(self) -> Attribute:
        """Reads an attribute that begins with a keyword."""
        if reader := WORDS.get(self.token):
            return reader(self)
        if self.token in ("true", "false"):
            value = TRUE if self.token == "true" else FALSE
            self.advance()
            return value
        if not self.at_type():
            self.reject_unexpected("an attribute")
        return TypeAttribute(self.type())

    def bracketed_attribute(self) -> Attribute:
        """Reads an attribute that begins with punctuation."""
        match self.token:
            case "[":
                return ArrayAttribute(tuple(self.read_enclosed("[", self.attribute)))
            case "{":
                return self.dictionary()
            case "-":
                return self.number()
            case "(":
                return TypeAttribute(self.type())
            case _:
                self.reject_unexpected("an attribute")

    def number(self) -> Attribute:
        """Reads an integer or a float with an optional type."""
        start = self.start
        negative = self.accept("-")
        if self.kind not in ("integer", "float"):
            self.reject_unexpected("a number")
        item = LiteralElement(self.kind, negative, self.token, (start, self.end))
        self.advance()
        default = I64 if item.kind == "integer" else F64
        if not self.accept_colon():
            return self.typed_number(item, default)
        number_type = self.type()
        if not isinstance(number_type, IntegerType | IndexType | FloatType):
            self.error(f"{number_type} is not the type of a number", item.place)
        return self.typed_number(item, number_type)

    def typed_number(
        self, item: LiteralElement, number_type: IntegerType | IndexType | FloatType
    ) -> Attribute:
        """Returns the attribute of a number."""
        if isinstance(number_type, FloatType):
            return FloatAttribute(self.literals.float_bits(item, number_type), number_type)
        if item.kind != "integer":
            message = f"expected an integer literal for {number_type}"
            self.reject_after(item.place[0], message, rule="integer constant C1")
        value = self.digits(item.text)
        value = -value if item.negative else value
        if not fits(value, number_type):
            message = f"{value} is out of range for {number_type}"
            self.error(message, item.place, rule="integer constant C1")
        return IntegerAttribute(number_type.wrap(value), number_type)

    def string_attribute(self) -> Attribute:
        """Reads a string with an optional type."""
        value = self.string()
        string_type = self.type() if self.accept_colon() else NoneType()
        return StringAttribute(value, None if isinstance(string_type, NoneType) else string_type)

    def symbol_reference(self) -> SymbolAttribute:
        """Reads ``@a::@b``, a symbol and those nested in it."""
        root, nested = self.symbol(), list[str]()
        while self.accept("::"):
            nested.append(self.symbol())
        return SymbolAttribute(root, tuple(nested))

    def dictionary(self) -> DictionaryAttribute:
        """Reads ``{a = 1, b}``."""
        return DictionaryAttribute(self.entries({}))

    def entries(self, parts: dict[str, tuple[int, int]]) -> dict[str, Attribute]:
        """Reads ``{a = 1, b}`` in the order of the text; records the place of each entry."""
        entries: dict[str, Attribute] = {}

        def entry() -> None:
            start = self.start
            name = (
                self.string() if self.kind == "string" else self.keyword("the name of an attribute")
            )
            if not name:
                self.error("an attribute has a name", (start, self.previous_end))
            if name in entries:
                self.error(f"attribute '{name}' occurs twice", (start, self.previous_end))
            entries[name] = self.attribute() if self.accept("=") else UNIT
            parts[name] = (start, self.previous_end)

        self.read_enclosed("{", entry)
        return entries

    def optional_dictionary(self, parts: dict[str, tuple[int, int]]) -> dict[str, Attribute]:
        """Reads ``{...}`` if it is present."""
        return self.entries(parts) if self.at("{") else {}

    def dialect_attribute(self) -> Attribute:
        """Reads an alias or an attribute of a dialect."""
        name, place = self.token, (self.start, self.end)
        self.advance()
        return self.in_body(lambda: self.named_attribute(name, place))

    def named_attribute(self, name: str, place: tuple[int, int]) -> Attribute:
        """Reads an alias or an attribute of a dialect after its name."""
        if "." not in name and self.at_body() and (inner := self.attribute_in_brackets(name)):
            return inner
        if reader := self.readers.get(name):
            if self.at("<") and self.previous_end != self.start:
                self.error(f"expected '<' directly after {name}")
            value = reader(self)
            self.skip_stray()
            return value
        if name.startswith(COMPLETE):
            near = self.similar_names.similar(name, self.readers)
            notes = (f"did you mean '{suggestion}'?" for suggestion in near)
            self.error(f"unknown attribute '{name}'", place, *notes)
        if "." in name or self.at("<"):
            body = self.balanced_text() if self.at_body() else ""
            self.skip_stray()
            return OpaqueAttribute(dialect_text(name, body))
        if name in self.attribute_aliases:
            self.alias_extents.count_use(name, self.depth - 1)
            return self.attribute_aliases[name]
        if self.locations.is_location_alias(name):
            return LocationAttribute(self.locations.location_of_alias(name, place))
        self.error(f"no attribute alias is called '{name}'", place)

    # ---- attributes that begin with a word

    def dense_array(self) -> DenseArrayAttribute:
        """Reads ``array<i64: 1, 2>``."""
        self.expect("array")
        self.expect("<")
        start = self.start
        element = self.type()
        if not isinstance(element, IntegerType | FloatType):
            self.error("expected an integer or floating-point type", (start, self.previous_end))
        if element.bits % 8 and element.bits != 1:
            self.error("expected a type of whole bytes", (start, self.previous_end))
        if self.accept(">"):
            return DenseArrayAttribute(element, ())
        self.expect(":")
        items = [self.array_item(element)]
        while self.accept(","):
            items.append(self.array_item(element))
        self.expect(">", "',' or '>'")
        if isinstance(element, FloatType):
            return float_array(items, element)
        return DenseArrayAttribute(element, tuple(items))

    def array_item(self, element: IntegerType | FloatType) -> int:
        """Reads one number of ``array<...>``, a float as its bits."""
        item = self.literals.item()
        if isinstance(element, FloatType):
            return self.literals.float_bits(item, element)
        if element.width == 1:
            if item.text not in ("true", "false"):
                self.error("expected 'true' or 'false'", item.place)
            return item.text == "true"
        is_signed = element.signedness == "signed"  # other numbers may be those of either sign
        value = self.literals.integer_number(
            item, element if is_signed else IntegerType(element.width)
        )
        return value % 2**element.width if element.is_unsigned else value

    def sparse(self) -> SparseElementsAttribute:
        """Reads ``sparse<indices, values> : type``."""
        opening = place = (self.start, self.end)
        self.expect("sparse")
        self.expect("<")
        indices = values = LiteralContent((0,), [], place)
        is_empty = self.at(">")
        if not is_empty:
            indices = self.literals.literal_items()
            indices.is_hexadecimal = False  # MLIR takes data for the values only
            self.expect(",")
            values = self.literals.literal_items()
        self.expect(">")
        self.expect(":")
        start = self.start
        declared = self.type()
        literal_type = self.literals.literal_type(declared, place)
        place = (start, self.previous_end)
        rank = len(literal_type.shape or ())
        index_shape = (0, rank) if is_empty else indices.shape or (1, rank)
        value_shape = values.shape or index_shape[:1]
        fits = index_shape[1:] == (rank,) or (len(index_shape), rank) == (1, 1)
        if not fits or value_shape != index_shape[:1]:
            shapes = f"{list(index_shape)} indices and {list(value_shape)} values"
            message = f"the literal has {shapes} for {literal_type.shape}"
            self.error(message, opening, rule="tensor constant C2")
        places = self.literals.typed_literal(indices, TensorType(index_shape, I64), place)
        assert isinstance(places, DenseElementsAttribute)
        if places.data.size and not are_inside(places, literal_type):
            self.error(f"an index of the literal is outside {literal_type}", place)
        value_type = TensorType(value_shape, literal_type.element_type)
        elements = self.literals.typed_literal(values, value_type, place)
        assert isinstance(elements, DenseElementsAttribute | DenseStringsAttribute)
        return SparseElementsAttribute(literal_type, places, elements)

    def dense_resource(self) -> DenseResourceAttribute:
        """Reads ``dense_resource<key> : type``."""
        self.expect("dense_resource")
        self.expect("<")
        key = self.string() if self.kind == "string" else self.keyword_here("the key of a resource")
        self.expect(">")
        self.expect(":")
        start = self.start
        resource_type = self.type()
        if not isinstance(resource_type, RESOURCE_TYPES):
            self.error("expected a tensor, vector or buffer type", (start, self.previous_end))
        return DenseResourceAttribute(key, resource_type)

    def distinct(self) -> DistinctAttribute:
        """Reads ``distinct[0]<attribute>``."""
        self.expect("distinct")
        self.expect("[")
        if self.kind != "integer":
            self.reject_unexpected("a number")
        number = self.integer()
        self.expect("]")
        self.expect("<")
        attribute = UNIT if self.at(">") else self.attribute()
        self.expect(">")
        return DistinctAttribute(number, attribute)

    def affine(self) -> OpaqueAttribute:
        """Reads ``affine_map<...>`` or ``affine_set<...>``."""
        word, start = self.keyword("a word"), self.start
        if not self.at("<"):
            self.error(f"expected '<' after {word}")
        read = map_text if word == "affine_map" else set_text
        try:
            text, end = read(self.text, self.end)
        except AffineError as error:
            reject = self.reject_misplaced if error.is_token else self.error
            place = error.position
            reject(str(error), (start, self.end) if place is None else (place, place + 1))
        self.jump(end)
        return OpaqueAttribute(f"{word}<{text}>")

    def strided_layout(self) -> OpaqueAttribute:
        """Reads ``strided<[1, ?], offset: 2>``."""

        def number() -> str:
            return "?" if self.accept("?") else str(self.integer())

        self.expect("strided")
        self.expect("<")
        strides, offset = ", ".join(self.read_enclosed("[", number)), "0"
        if self.accept(","):
            if not self.at("offset"):
                self.reject_unexpected("'offset'")
            self.advance()
            self.expect(":")
            offset = number()
        self.expect(">")
        shown = f", offset: {offset}" if offset != "0" else ""
        return OpaqueAttribute(f"strided<[{strides}]{shown}>")

    def unit(self) -> Attribute:
        """Reads the keyword ``unit``, which is an attribute."""
        self.advance()
        return UNIT

    def location_attribute(self) -> LocationAttribute:
        """Reads ``loc(...)``."""
        return LocationAttribute(self.locations.read_loc())

    def attribute_in_brackets(self, dialect: str) -> Attribute | None:
        """Reads ``<mnemonic ...>`` after the name of a dialect, if its attributes are known.

        Enumerations and lists of Shardy have no other form. What follows them in the brackets has
        no meaning, as in MLIR.
        """
        start, end = self.start, self.end_of_body()
        self.expect("<")
        reader = self.readers.get(f"{dialect}.{self.token}")
        if reader is not None:
            self.advance()
        elif (reader := self.readers.get(dialect)) is None:
            self.jump(start)
            return None
        value = reader(self)
        self.jump(end)
        self.skip_stray()
        return value


def are_inside(places: DenseElementsAttribute, literal_type: LiteralType) -> bool:
    """Whether the indices of a sparse literal are those of elements."""
    return bool((places.array >= 0).all() and (places.array < np.array(literal_type.shape)).all())


class DialectAttributeReader(Protocol):
    """Reads an attribute of a dialect; its name has been read."""

    def __call__(self, reader: AttributeReader, /) -> Attribute:
        """Reads the attribute after its name."""
        ...


WORDS: Final[dict[str, Callable[[AttributeReader], Attribute]]] = {
    "array": AttributeReader.dense_array,
    "dense": lambda reader: reader.literals.dense(),
    "dense_resource": AttributeReader.dense_resource,
    "sparse": AttributeReader.sparse,
    "distinct": AttributeReader.distinct,
    "affine_map": AttributeReader.affine,
    "affine_set": AttributeReader.affine,
    "strided": AttributeReader.strided_layout,
    "unit": AttributeReader.unit,
    "loc": AttributeReader.location_attribute,
}
