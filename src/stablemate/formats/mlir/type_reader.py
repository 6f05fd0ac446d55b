"""Reads types.

Source: MLIR language reference, "Type system"; StableHLO specification, "Types".
"""

from __future__ import annotations

import builtins
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Final, NoReturn, TypeVar, cast

from stablemate.diagnostics.errors import ParseError
from stablemate.diagnostics.integers import parse_integer
from stablemate.diagnostics.limits import Limits
from stablemate.diagnostics.source import Source, Span
from stablemate.formats.mlir.alias_limits import AliasExtents
from stablemate.formats.mlir.cursor import TokenCursor
from stablemate.formats.mlir.dialect_text import dialect_text
from stablemate.ir.type_rules import WARNED_TYPES, broken_rule, rule_diagnostic
from stablemate.ir.types import (
    DYNAMIC,
    TOKEN,
    Attribute,
    DialectType,
    FunctionType,
    FutureType,
    MemRefType,
    NoneType,
    OpaqueType,
    TensorType,
    TokenType,
    TupleType,
    Type,
    UnrankedTensorType,
    VectorType,
    buffer_type,
)
from stablemate.numerics.elements import (
    SIMPLE_ELEMENTS,
    AnyQuantizedType,
    CalibratedType,
    ComplexType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
    Signedness,
)

TypeT = TypeVar("TypeT", bound=Type)

SHAPE_TYPES: Final = ("shape", "size", "value_shape", "witness")
AFFINE_DIMENSIONS: Final = re.compile(r"affine_map<\(([^)]*)\)")
DIMENSION_NAME: Final = re.compile(r"\w+")
# Possessive: other types fail after one look at their dimensions.
PLAIN_TENSOR: Final = re.compile(r"tensor<[0-9?x]*+[a-zA-Z][a-zA-Z0-9]*+>")
SPACE: Final = r"(?:[ \t\r\n]|//[^\n]*\n|(?!))*+"
DIGITS: Final = re.compile(r"[0-9]+")
NO_ENCODINGS: Final = ("array", "distinct", "strided")  # which MLIR does not look for there
BOUNDS_RULE: Final = "tensor type bounds"
DIMENSION: Final = re.compile(rf"{SPACE}(?:([0-9]+|\?|\*)|\[{SPACE}([0-9]+){SPACE}\]){SPACE}x")
INTEGER_NAME: Final = re.compile(r"(i|si|ui)([0-9]+)\Z")
# Dialects whose types are all known.
KNOWN_DIALECTS: Final = ("!mpmd.", "!quant.", "!shape.", "!stablehlo.", "!vhlo.")
SIGNEDNESS: Final[dict[str, Signedness]] = {"i": "signless", "si": "signed", "ui": "unsigned"}
MAXIMUM_WIDTH: Final = (1 << 24) - 1  # of an integer type, as in MLIR
MAXIMUM_SIZE: Final = (1 << 63) - 1

# Types of elements that MLIR accepts, and no operation computes with.
STORED_ELEMENTS: Final = (
    AnyQuantizedType,
    CalibratedType,
    DialectType,
    FutureType,
    OpaqueType,
    TokenType,
    VectorType,
)


class TypeReader(TokenCursor, ABC):
    """A cursor that reads types.

    Attributes:
        alias_extents: Measures the expansion of aliases.
    """

    type_aliases: dict[str, Type]
    type_cache: dict[str, TensorType]
    dialect_types: Mapping[str, Callable[[TypeReader], Type]]  # by name, with ``!``

    def __init__(self, source: Source, limits: Limits) -> None:
        self.alias_extents = AliasExtents(self)
        super().__init__(source, limits)

    @abstractmethod
    def attribute(self) -> Attribute:
        """Reads an attribute (an encoding or a layout)."""

    def at_type(self) -> bool:
        """Whether a type begins here."""
        if self.kind == "bare":
            return (
                self.token == "tensor"
                or self.token in TYPE_READERS
                or self.named_element() is not None
            )
        return self.kind == "bang" or self.token == "("

    def type(self) -> Type:
        """Parses any type, by its first token."""
        try:
            if self.kind == "bare":
                if self.token == "tensor":
                    return self.tensor_type()
                if reader := TYPE_READERS.get(self.token):
                    self.enter()
                    try:
                        return reader(self)
                    finally:
                        self.leave()
                if element := self.named_element():
                    self.advance()
                    return element
            elif self.token == "(":
                return self.function_type()
            elif self.kind == "bang":
                return self.dialect_type()
            if INTEGER_NAME.match(self.token):
                self.error(f"an integer has at most {MAXIMUM_WIDTH} bits")
            self.reject_unexpected("a type")
        except ParseError:
            self.failed_in_part = True
            raise

    def types(self) -> list[Type]:
        """Reads types with commas between them."""
        types = [self.type()]
        while self.accept(","):
            types.append(self.type())
        return types

    def type_list(self) -> tuple[Type, ...]:
        """Reads ``T`` or ``(T, T)``."""
        if self.at("("):
            return tuple(self.read_enclosed("(", self.type))
        return (self.type(),)

    def function_type(self) -> FunctionType:
        """Reads ``(T, T) -> T``."""
        self.enter()
        inputs = self.read_enclosed("(", self.type)
        self.expect("->")
        results = self.type_list()
        self.leave()
        return FunctionType(tuple(inputs), results)

    def tensor_type(self) -> Type:
        """Reads ``tensor<...>``; equal texts yield the same object."""
        plain = PLAIN_TENSOR.match(self.text, self.start)
        if plain is not None and (cached := self.type_cache.get(plain[0])) is not None:
            self.end = plain.end()
            self.advance()
            return cached
        start = self.start
        self.expect("tensor")
        shape, _ = self.dimensions()
        self.enter()
        begin = self.start
        element = self.type()
        place = begin, self.previous_end
        self.leave()
        says_more = self.accept(",") and not self.at(">")  # MLIR accepts a comma before nothing
        if shape is None:
            self.expect(">")
            return UnrankedTensorType(self.checked_element(element, place))
        if says_more and self.token in NO_ENCODINGS:
            self.reject_unexpected("'>'")
        encoding = self.attribute() if says_more else None
        if encoding is not None and self.at(">"):
            tensor = TensorType(shape, self.checked_element(element, place), encoding)
            self.check_encoding(tensor, start)
        self.expect(">")
        result = TensorType(shape, self.checked_element(element, place), encoding)
        if plain is not None:
            self.type_cache[plain[0]] = result
            return result
        return self.check_type(result, start)

    def check_encoding(self, tensor: TensorType, start: int) -> None:
        """Rejects bounds that do not fit, at the end of the type if that is on a later line."""
        broken = broken_rule(tensor)
        if broken is not None and broken[0].label == BOUNDS_RULE:
            found = rule_diagnostic(broken, self.span(start))
            self.reject_after(start, found.message, found.rule, found.values)

    def check_type(self, value_type: TypeT, start: int) -> TypeT:
        """Rejects a type that breaks a rule, at its place; the verifier judges lenient rules."""
        broken = broken_rule(value_type)
        if broken is not None and broken[0].label not in WARNED_TYPES:
            raise ParseError(rule_diagnostic(broken, Span(self.source, start, self.previous_end)))
        return value_type

    def dimensions(self) -> tuple[tuple[int, ...] | None, tuple[bool, ...]]:
        """Reads ``<`` and a dimension list: sizes (None when unranked), and which are scalable."""
        if not self.at("<"):
            self.reject_unexpected("'<'")
        sizes: list[int] = []
        scalable: list[bool] = []
        position = self.end
        while match := DIMENSION.match(self.text, position):
            position = match.end()
            group = 1 if match[1] else 2
            text = match[group]
            if text == "*":
                if sizes:
                    self.error("'*' stands for all dimensions", match.span(1))
                self.jump(position)
                return None, ()
            size = DYNAMIC if text == "?" else self.size(text, match.span(group))
            sizes.append(size)
            scalable.append(group == 2)
        self.jump(position)
        self.reject_unfinished_dimension()
        return tuple(sizes), tuple(scalable)

    def reject_unfinished_dimension(self) -> None:
        """Rejects a dimension that is not followed by ``x``, after it."""
        if self.token in ("?", "*") or self.kind == "integer":
            match = DIGITS.match(self.text, self.start)
            self.jump(match.end() if match else self.end)
            self.reject_unexpected("'x' after a dimension")

    def reject_scalable(self) -> NoReturn:
        """Rejects a dimension in brackets that is not complete."""
        self.advance()
        match = DIGITS.match(self.text, self.start) if self.kind == "integer" else None
        if match is None:
            self.error(f"expected a dimension, found {self.found}")
        self.jump(match.end())
        if self.accept("]"):
            self.reject_unexpected("'x' after a dimension")
        self.reject_unexpected("']'")

    def size(self, digits: str, place: tuple[int, int]) -> int:
        """Returns the value of a dimension size."""
        if len(digits) > 20 or int(digits) > MAXIMUM_SIZE:
            self.error("this dimension size does not fit into 64 bits", place)
        return int(digits)

    def element_type(self, *others: builtins.type[object]) -> ElementType:
        """Reads the element type of a tensor, or of a buffer, which may have ``others``."""
        start = self.start
        element = self.type()
        return self.checked_element(element, (start, self.previous_end), *others)

    def checked_element(
        self, element: Type, place: tuple[int, int], *others: builtins.type[object]
    ) -> ElementType:
        """Returns a type that is the type of elements, or rejects it at its place."""
        if isinstance(element, IntegerType | FloatType | IndexType | ComplexType | QuantizedType):
            return element
        if isinstance(element, (*STORED_ELEMENTS, *others)):
            return cast(ElementType, element)  # stored only, never evaluated
        self.error("expected an element type", place, rule="element type")

    def named_element(self) -> ElementType | None:
        """Returns the element type that the current word names."""
        if element := SIMPLE_ELEMENTS.get(self.token):
            return element
        match = INTEGER_NAME.match(self.token)
        if match is None or parse_integer(match[2]) > MAXIMUM_WIDTH:
            return None
        return IntegerType(int(match[2]), SIGNEDNESS[match[1]])

    def dialect_type(self) -> Type:
        """Reads a type alias or a type of a dialect."""
        name, start = self.token, self.start
        self.advance()
        return self.in_body(lambda: self.named_type(name, start))

    def named_type(self, name: str, start: int) -> Type:
        """Reads a type alias or a type of a dialect after its name, which begins at ``start``."""
        # MLIR's lexer takes a hyphen and what follows for the name of a type; the dialect does not.
        mnemonic = name.partition("-")[0] if "." in name else name
        if reader := TYPE_READERS.get(mnemonic) or self.dialect_types.get(mnemonic):
            if self.at("<") and self.previous_end != self.start:
                self.error(f"expected '<' directly after {name}")
            if mnemonic != name and self.at_body():
                self.balanced_text()
            self.enter()
            try:
                value = reader(self)
            except ParseError:
                if mnemonic != name:
                    self.error("expected '<'", (start + len(mnemonic), start + len(name)))
                raise
            finally:
                self.leave()
            if self.at_body() and self.start == start + len(name):
                self.balanced_text()  # has no meaning after a type without parameters, as in MLIR
            self.skip_stray()
            return value
        has_body = self.at_body()
        if has_body and f"{name}.".startswith(KNOWN_DIALECTS):
            return self.type_in_brackets(name, start)
        if name == "!":
            self.error("expected a name of a type after '!'", (start, start + 1))
        if "." not in name and not has_body:
            if name not in self.type_aliases:
                self.error(f"no type alias is called '{name}'", (start, start + len(name)))
            self.alias_extents.count_use(name, self.depth)
            return self.type_aliases[name]
        if f"{name}.".startswith(KNOWN_DIALECTS):
            self.error(f"'{name}' is not a type of its dialect", (start, start + len(name)))
        body = self.balanced_text() if has_body else ""
        self.skip_stray()
        return OpaqueType(dialect_text(name, body))

    def type_in_brackets(self, dialect: str, start: int) -> Type:
        """Reads ``<mnemonic ...>`` after the name of a dialect, which begins at ``start``.

        What follows the type in the brackets has no meaning, as in MLIR.
        """
        end = self.end_of_body()
        self.expect("<")
        name = f"{dialect}.{self.token}"
        reader = TYPE_READERS.get(name) or self.dialect_types.get(name)
        if reader is None:
            self.error(f"'{name}' is not a type of its dialect", (start, self.end))
        self.advance()
        self.enter()
        try:
            value = reader(self)
        finally:
            self.leave()
        self.jump(end)
        self.skip_stray()
        return value


def read_complex(reader: TypeReader) -> Type:
    """``complex<T>``."""
    reader.expect("complex")
    reader.expect("<")
    start = reader.start
    element = reader.type()
    if not isinstance(element, FloatType | IntegerType):
        reader.error("expected an integer or floating-point type", (start, reader.previous_end))
    reader.expect(">")
    return ComplexType(element)


def read_tuple(reader: TypeReader) -> Type:
    """``tuple<T, T>``."""
    reader.expect("tuple")
    return TupleType(tuple(reader.read_enclosed("<", reader.type)))


def read_vector(reader: TypeReader) -> Type:
    """``vector<4x[8]xf32>``."""
    start = reader.start
    reader.expect("vector")
    shape, scalable = reader.dimensions()
    if shape is None:
        reader.error("a vector has a known rank", (start, reader.previous_end))
    if reader.at("["):
        reader.reject_scalable()
    element = reader.element_type()
    reader.expect(">")
    return reader.check_type(VectorType(shape, element, scalable), start)


def read_memref(reader: TypeReader) -> Type:
    """``memref<2x3xf32, layout, memory space>``."""
    start = reader.start
    reader.expect("memref")
    shape, _ = reader.dimensions()
    element = reader.element_type(MemRefType)
    layout, memory_space = None, None
    while reader.accept(","):
        place = reader.start
        attribute = reader.attribute()
        is_layout = str(attribute).startswith(("strided<", "affine_map<"))
        if message := misplaced_in_buffer(is_layout, memory_space, shape):
            reader.error(message, (place, reader.previous_end))
        layout, memory_space = (attribute, None) if is_layout else (layout, attribute)
    reader.expect(">")
    if layout is not None and has_other_rank(layout, len(shape or ())):
        message = f"the layout {layout} is not of rank {len(shape or ())}"
        reader.error(message, (start, reader.previous_end))
    return reader.check_type(buffer_type(shape, element, layout, memory_space), start)


def misplaced_in_buffer(
    is_layout: bool, memory_space: Attribute | None, shape: tuple[int, ...] | None
) -> str:
    """Why a buffer type does not have a further layout or memory space, or nothing."""
    if not is_layout:
        return "a buffer has one memory space" if memory_space is not None else ""
    if shape is None:
        return "a buffer of unknown rank has no layout"
    return "the memory space follows the layout" if memory_space is not None else ""


def has_other_rank(layout: Attribute, rank: int) -> bool:
    """Whether a layout is an affine map of another number of dimensions."""
    dimensions = AFFINE_DIMENSIONS.match(str(layout))
    return dimensions is not None and len(DIMENSION_NAME.findall(dimensions[1])) != rank


def read_none(reader: TypeReader) -> Type:
    """``none``."""
    reader.expect("none")
    return NoneType()


def read_future(reader: TypeReader) -> Type:
    """``!stablehlo.future<T, T>``."""
    start = reader.previous_end - len("!stablehlo.future")
    return reader.check_type(FutureType(tuple(reader.read_enclosed("<", reader.type))), start)


def plain_type(text: str) -> Callable[[TypeReader], Type]:
    """Returns the reader of a type that has no parameters."""
    return lambda reader: OpaqueType(text)


TYPE_READERS: Final[dict[str, Callable[[TypeReader], Type]]] = {
    "complex": read_complex,
    "tuple": read_tuple,
    "vector": read_vector,
    "memref": read_memref,
    "none": read_none,
    "!stablehlo.token": lambda reader: TOKEN,
    **{f"!shape.{name}": plain_type(f"!shape.{name}") for name in SHAPE_TYPES},
    "!stablehlo.future": read_future,
}
