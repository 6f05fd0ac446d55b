"""Reads types.

Source: MLIR language reference, "Type system"; StableHLO specification, "Types".
"""

from __future__ import annotations

import builtins
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, cast

import numpy as np

from stablemate.diagnostics.errors import ParseError
from stablemate.diagnostics.integers import parse_integer
from stablemate.diagnostics.source import Span
from stablemate.formats.mlir.dialect_text import dialect_text
from stablemate.formats.mlir.expansion import AliasCursor
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
)
from stablemate.numerics.elements import (
    FLOATS_WITHOUT_STORAGE,
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
    storage_range,
)

TypeT = TypeVar("TypeT", bound=Type)

PLAIN_TENSOR: Final = re.compile(r"tensor<[0-9?x]*[a-zA-Z][a-zA-Z0-9]*>")
DIMENSION: Final = re.compile(r"[ \t\r\n]*([0-9]+|\?|\*|\[[0-9]+\])[ \t\r\n]*x")
INTEGER_NAME: Final = re.compile(r"(i|si|ui)(0|[1-9][0-9]*)\Z")
KNOWN_DIALECTS: Final = ("!quant.", "!stablehlo.", "!vhlo.")  # all their types are read below
UNSIGNED_USE: Final = re.compile(r"u[1-9][0-9]{0,6}")
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


class TypeReader(AliasCursor, ABC):
    """A cursor that reads types."""

    type_aliases: dict[str, Type]
    type_cache: dict[str, TensorType]
    dialect_types: Mapping[str, Callable[[TypeReader], Type]]  # by name, with ``!``

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
        """Reads any type."""
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
        self.expected("a type")

    def types(self) -> list[Type]:
        """Reads types with commas between them."""
        types = [self.type()]
        while self.accept(","):
            types.append(self.type())
        return types

    def type_list(self) -> tuple[Type, ...]:
        """Reads ``T`` or ``(T, T)``."""
        if self.at("("):
            return tuple(self.enclosed("(", self.type))
        return (self.type(),)

    def function_type(self) -> FunctionType:
        """Reads ``(T, T) -> T``."""
        self.enter()
        inputs = self.enclosed("(", self.type)
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
        element = self.element_type()
        self.leave()
        says_more = self.accept(",") and not self.at(">")  # MLIR accepts a comma before nothing
        if shape is None:
            self.expect(">")
            return UnrankedTensorType(element)
        encoding = self.attribute() if says_more else None
        self.expect(">")
        result = TensorType(shape, element, encoding)
        if plain is not None:
            self.type_cache[plain[0]] = result
            return result
        return self.check_type(result, start)

    def check_type(self, value_type: TypeT, start: int) -> TypeT:
        """Rejects a type that breaks a rule, at its place; the verifier judges tolerated rules."""
        broken = broken_rule(value_type)
        if broken is not None and broken[0].label not in WARNED_TYPES:
            raise ParseError(rule_diagnostic(broken, Span(self.source, start, self.previous_end)))
        return value_type

    def dimensions(self) -> tuple[tuple[int, ...] | None, tuple[bool, ...]]:
        """Reads ``<`` and a dimension list: sizes (None when unranked), and which are scalable."""
        if not self.at("<"):
            self.expected("'<'")
        sizes: list[int] = []
        scalable: list[bool] = []
        position = self.end
        while match := DIMENSION.match(self.text, position):
            position = match.end()
            text = match[1]
            if text == "*":
                if sizes:
                    self.error("'*' stands for all dimensions", match.span(1))
                self.jump(position)
                return None, ()
            size = DYNAMIC if text == "?" else self.size(text.strip("[]"), match.span(1))
            sizes.append(size)
            scalable.append(text.startswith("["))
        self.jump(position)
        return tuple(sizes), tuple(scalable)

    def size(self, digits: str, place: tuple[int, int]) -> int:
        """Returns the value of a dimension size."""
        if len(digits) > 20 or int(digits) > MAXIMUM_SIZE:
            self.error("this dimension size does not fit into 64 bits", place)
        return int(digits)

    def element_type(self, *others: builtins.type[Any]) -> ElementType:
        """Reads the element type of a tensor, or of a buffer, which may have ``others``."""
        start = self.start
        element = self.type()
        if isinstance(element, IntegerType | FloatType | IndexType | ComplexType | QuantizedType):
            return element
        if isinstance(element, (*STORED_ELEMENTS, *others)):
            return cast(ElementType, element)  # stored only, never evaluated
        message = "expected an element type"
        self.error(message, (start, self.previous_end), rule="element type")

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
        if reader := TYPE_READERS.get(name) or self.dialect_types.get(name):
            if self.at("<") and self.previous_end != self.start:
                self.error(f"expected '<' directly after {name}")
            self.enter()
            try:
                value = reader(self)
            finally:
                self.leave()
            self.skip_stray()
            return value
        has_body = self.at("<") and self.previous_end == self.start
        if name == "!":
            self.error("expected a name of a type after '!'", (start, start + 1))
        if "." not in name and not has_body:
            if name not in self.type_aliases:
                self.error(f"no type alias is called '{name}'", (start, start + len(name)))
            self.count_use(name, self.depth)
            return self.type_aliases[name]
        if f"{name}.".startswith(KNOWN_DIALECTS):
            self.error(f"'{name}' is not a type of its dialect", (start, start + len(name)))
        body = self.balanced_text() if has_body else ""
        self.skip_stray()
        return OpaqueType(dialect_text(name, body))


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
    return TupleType(tuple(reader.enclosed("<", reader.type)))


def read_vector(reader: TypeReader) -> Type:
    """``vector<4x[8]xf32>``."""
    start = reader.start
    reader.expect("vector")
    shape, scalable = reader.dimensions()
    element = reader.element_type()
    reader.expect(">")
    return reader.check_type(VectorType(shape or (), element, scalable), start)


def read_memref(reader: TypeReader) -> Type:
    """``memref<2x3xf32, layout, memory space>``."""
    start = reader.start
    reader.expect("memref")
    shape, _ = reader.dimensions()
    element = reader.element_type(MemRefType)
    rest = [reader.attribute() for _ in iter(lambda: reader.accept(","), False)]
    reader.expect(">")
    match rest:
        case []:
            mem_ref_type = MemRefType(shape, element)
        case [layout, memory_space]:
            mem_ref_type = MemRefType(shape, element, layout, memory_space)
        case [only] if str(only).startswith(("strided", "affine_map")):
            mem_ref_type = MemRefType(shape, element, only)
        case _:
            mem_ref_type = MemRefType(shape, element, None, rest[0])
    return reader.check_type(mem_ref_type, start)


def read_none(reader: TypeReader) -> Type:
    """``none``."""
    reader.expect("none")
    return NoneType()


def read_future(reader: TypeReader) -> Type:
    """``!stablehlo.future<T, T>``."""
    start = reader.previous_end - len("!stablehlo.future")
    return reader.check_type(FutureType(tuple(reader.enclosed("<", reader.type))), start)


def read_quantized(reader: TypeReader) -> Type:
    """``!quant.uniform<i8:f32, 0.5:1>``, per axis and sub-channel forms alike."""
    start = reader.previous_end - len("!quant.uniform")
    reader.expect("<")
    storage, (minimum, maximum), by_type = read_storage(reader)
    reader.expect(":")
    expressed = read_expressed(reader)
    axis, blocks = read_granularity(reader)
    reader.expect(",")
    scales: list[float] = []
    zero_points: list[int] = []
    shape = read_parameters(reader, scales, zero_points)
    reader.expect(">")
    if (axis is not None) != (len(shape) == 1) and not blocks:
        message = "braces belong to scales along a dimension"
        reader.error(message, (start, reader.previous_end), rule="quantized element type C10")
    quantized_type = QuantizedType(
        storage, expressed, tuple(scales), tuple(zero_points), minimum, maximum, axis, blocks,
        shape if blocks else (), by_type,
    )  # fmt: skip
    return reader.check_type(quantized_type, start)


def read_any_quantized(reader: TypeReader) -> Type:
    """``!quant.any<i8:f32>``; the expressed type may be missing."""
    start = reader.previous_end - len("!quant.any")
    reader.expect("<")
    storage, (minimum, maximum), by_type = read_storage(reader)
    expressed = read_expressed(reader) if reader.accept(":") else None
    reader.expect(">")
    any_quantized_type = AnyQuantizedType(storage, expressed, minimum, maximum, by_type)
    return reader.check_type(any_quantized_type, start)


def read_calibrated(reader: TypeReader) -> Type:
    """``!quant.calibrated<f32<-1.0:1.0>>``."""
    start = reader.previous_end - len("!quant.calibrated")
    reader.expect("<")
    expressed = read_expressed(reader)
    reader.expect("<")
    minimum = read_scale(reader)
    reader.expect(":")
    maximum = read_scale(reader)
    reader.expect(">")
    reader.expect(">")
    return reader.check_type(CalibratedType(expressed, minimum, maximum), start)


def read_expressed(reader: TypeReader) -> FloatType:
    """Reads the expressed type of a quantized type."""
    start = reader.start
    expressed = reader.type()
    if not isinstance(expressed, FloatType):
        reader.error("expected a floating-point type", (start, reader.previous_end))
    return expressed


def read_storage(
    reader: TypeReader,
) -> tuple[IntegerType | FloatType, tuple[int | float, int | float], bool]:
    """Reads ``i8``, ``u8`` (unsigned use of i8), ``ui8`` or a narrow float, with a range.

    Returns:
        The storage type, the smallest and the largest stored value, and whether an unsigned type is
        spelled as one.
    """
    name, start = reader.token, reader.start
    storage: Type
    if UNSIGNED_USE.fullmatch(name):
        reader.advance()
        storage, by_type = IntegerType(int(name[1:]), "unsigned"), False
    else:
        storage = reader.type()
        by_type = isinstance(storage, IntegerType) and storage.signedness == "unsigned"
    if not isinstance(storage, IntegerType | FloatType) or str(storage) in FLOATS_WITHOUT_STORAGE:
        reader.error("expected a storage type", (start, reader.previous_end))
    stored = storage_range(storage)
    if reader.accept("<"):
        minimum = reader.integer()
        reader.expect(":")
        stored = minimum, reader.integer()
        reader.expect(">")
    return storage, stored, by_type


def read_scale(reader: TypeReader) -> float:
    """Reads a number with a decimal point, or the bits of one."""
    sign = -1.0 if reader.accept("-") else 1.0
    if reader.kind == "integer" and reader.token.startswith("0x"):
        bits = reader.integer()
        if bits >= 1 << 64:
            reader.error("a scale has 64 bits")
        return float(np.uint64(bits).view(np.float64))
    return sign * float(reader.take("float", "a scale such as 1.0"))


def read_granularity(reader: TypeReader) -> tuple[int | None, tuple[tuple[int, int], ...]]:
    """Reads what follows the expressed type: nothing, ``:axis``, or ``:{axis:block, ...}``."""
    if not reader.accept(":"):
        return None, ()
    if not reader.at("{"):
        return reader.integer("a dimension"), ()

    def block() -> tuple[int, int]:
        dimension = reader.integer("a dimension")
        reader.expect(":")
        return dimension, reader.integer("a block size")

    start = reader.start
    blocks = reader.enclosed("{", block)
    if not blocks:
        reader.error("expected a dimension and its block size", (start, reader.previous_end))
    return None, tuple(blocks)


def read_parameters(
    reader: TypeReader, scales: list[float], zero_points: list[int]
) -> tuple[int, ...]:
    """Reads scales and zero points in nested braces; returns the shape of the nest."""
    if not reader.at("{"):
        scales.append(read_scale(reader))
        zero_points.append(reader.integer("a zero point") if reader.accept(":") else 0)
        return ()
    start = reader.start
    reader.enter()
    shapes = reader.enclosed("{", lambda: read_parameters(reader, scales, zero_points))
    reader.leave()
    if not shapes or len(set(shapes)) > 1:
        reader.error("expected scales in a regular shape", (start, reader.previous_end))
    return (len(shapes), *shapes[0])


TYPE_READERS: Final[dict[str, Callable[[TypeReader], Type]]] = {
    "complex": read_complex,
    "tuple": read_tuple,
    "vector": read_vector,
    "memref": read_memref,
    "none": read_none,
    "!stablehlo.token": lambda reader: TOKEN,
    "!stablehlo.future": read_future,
    "!quant.uniform": read_quantized,
    "!quant.any": read_any_quantized,
    "!quant.calibrated": read_calibrated,
}
