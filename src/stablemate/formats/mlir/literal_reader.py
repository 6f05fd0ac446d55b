"""Reads the elements of ``dense<...>``, whose type follows them.

Source: MLIR language reference, "Dense elements attribute".
"""

from __future__ import annotations

import math
import re
from typing import Any, Final, NamedTuple, cast

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.formats.mlir.type_reader import TypeReader
from stablemate.ir.attributes import (
    ELIDED,
    DenseElementsAttribute,
    DenseResourceAttribute,
    LiteralType,
    dense_elements,
    dense_strings,
    float_of_bits,
)
from stablemate.ir.types import Attribute, MemRefType, TensorType, Type, VectorType
from stablemate.numerics.elements import (
    Array,
    ComplexType,
    DType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
)
from stablemate.numerics.literal_data import (
    is_raw,
    is_uniform,
    literal_dtype,
    narrow_bits,
    raw_data,
    stored_data,
)
from stablemate.numerics.rounding import FLOATS_WITHOUT_NAN
from stablemate.numerics.wide_floats import bits_of_double, normalize_bits

ELISION: Final = re.compile(r"<\s*\.\.\.\s*>")
LITERAL_TYPES: Final = (TensorType, VectorType, MemRefType)
DATA: Final = (IntegerType, FloatType, ComplexType, IndexType)  # other types have strings
NUMBERS: Final = (*DATA, QuantizedType)
NOT_A_NUMBER: Final = frozenset({"nan", "NaN", "inf", "Inf", "infinity", "NAN", "INF"})


class LiteralElement(NamedTuple):
    """One element: a number, a word, a string, or the two parts of a complex number."""

    kind: str
    negative: bool
    text: str
    place: tuple[int, int]
    pair: tuple[LiteralElement, LiteralElement] | None = None


@dataclass(slots=True)
class LiteralContent:
    """The content of the angle brackets: one item, or nested lists of items.

    Attributes:
        shape: Shape of the lists; None for a single item.
        items: All items.
        place: Where the literal is.
        is_hexadecimal: Whether the single item is a string of data, as in ``dense<"0x00FF">``.
    """

    shape: tuple[int, ...] | None
    items: list[LiteralElement]
    place: tuple[int, int]
    is_hexadecimal: bool = False

    @property
    def has_strings(self) -> bool:
        """Whether any item is a string."""
        return any(item.kind == "string" for item in numbers_in(self.items))


class LiteralReader:
    """Reads dense literals.

    Attributes:
        declared_types: Literals of stored values by identity, each with its quantized type in the
            text.
    """

    def __init__(self, reader: TypeReader) -> None:
        self.reader = reader
        self.declared_types: dict[int, tuple[Attribute, Type]] = {}

    def dense(self) -> Attribute:
        """Reads ``dense<...> : type``."""
        return self.dense_and_type()[0]

    def dense_of(self, literal_type: TensorType) -> Attribute:
        """Reads ``dense<...>``, whose type follows from what stands before it."""
        start = self.reader.start
        self.reader.expect("dense")
        return self.typed_literal(
            self.dense_body(), literal_type, (start, self.reader.previous_end)
        )

    def dense_and_type(self) -> tuple[Attribute, Type]:
        """Reads ``dense<...> : type``.

        If the type is quantized, the attribute is a literal of the stored values.
        """
        self.reader.expect("dense")
        if elided := ELISION.match(self.reader.text, self.reader.start):
            return self.read_elided(elided.end())
        literal = self.dense_body()
        if not self.reader.accept_colon():
            self.reader.reject_unexpected("':' and the type of the literal")
        start = self.reader.start
        literal_type = self.reader.type()
        place = (start, self.reader.previous_end)
        if (
            isinstance(literal_type, TensorType)
            and isinstance(literal_type.element_type, QuantizedType)
            and literal.items
            and not literal.has_strings
        ):
            stored = self.stored_literal(literal, literal_type, literal_type.element_type, place)
            self.declared_types[id(stored)] = stored, literal_type
            return stored, literal_type
        return self.typed_literal(literal, literal_type, place), literal_type

    def read_elided(self, end: int) -> tuple[Attribute, Type]:
        """Reads ``: type`` after ``<...>``: a literal whose elements were left out."""
        self.reader.jump(end)
        self.reader.expect(":", "':' and the type of the literal")
        start = self.reader.start
        literal_type = self.reader.type()
        if not isinstance(literal_type, TensorType):
            self.reader.error("expected a tensor type", (start, self.reader.previous_end))
        return DenseResourceAttribute(ELIDED, literal_type), literal_type

    def stored_literal(
        self,
        literal: LiteralContent,
        literal_type: TensorType,
        element: QuantizedType,
        place: tuple[int, int],
    ) -> Attribute:
        """Returns the literal of the stored values of a quantized type."""
        stored = self.typed_literal(literal, literal_type.with_element(element.storage), place)
        declared = element.declared_storage
        if not isinstance(stored, DenseElementsAttribute) or element.storage == declared:
            return stored
        if is_raw(stored.data.dtype):
            return dense_elements(literal_type.with_element(declared), stored.data)
        numbers = stored.data.astype(np.int64).astype(declared.dtype)  # u8 as i8
        return dense_elements(literal_type.with_element(declared), numbers)

    def dense_body(self) -> LiteralContent:
        """Reads ``<...>``."""
        start = self.reader.start
        self.reader.expect("<")
        literal = LiteralContent((0,), [], (start, self.reader.end))
        if not self.reader.at(">"):
            literal = self.literal_items()
        if not self.reader.at(">"):
            self.reader.reject_unexpected("',' or '>'" if literal.shape is None else "'>'")
        literal.place = (start, self.reader.end)
        self.reader.advance()
        return literal

    def literal_items(self) -> LiteralContent:
        """Reads one item, data in hexadecimal digits, or nested lists."""
        start = self.reader.start
        is_hexadecimal = self.reader.kind == "string" and self.reader.text.startswith('"0x', start)
        items: list[LiteralElement] = []
        shape = self.nested_items(items) if self.reader.at("[") else None
        if shape is None:
            items.append(self.item())
        return LiteralContent(shape, items, (start, self.reader.previous_end), is_hexadecimal)

    def nested_items(self, items: list[LiteralElement]) -> tuple[int, ...]:
        """Reads ``[item, item]`` or nested lists; returns the shape."""
        start = self.reader.start
        self.reader.enter()
        self.reader.expect("[")
        size, inner = 0, None
        while not self.reader.at("]"):
            shape = self.nested_items(items) if self.reader.at("[") else self.listed_item(items)
            if inner is not None and shape != inner:
                message = "the lists of this literal have different shapes"
                self.reader.reject_after(start, message, rule="tensor constant C2")
            size, inner = size + 1, shape
            if not self.reader.accept(","):
                break
            if self.reader.at("]"):
                self.reader.error(f"expected an element, found {self.reader.found}")
        self.reader.expect("]", "',' or ']'")
        self.reader.leave()
        return (size, *(inner or ()))

    def listed_item(self, items: list[LiteralElement]) -> tuple[int, ...]:
        """Reads one item of a list."""
        items.append(self.item())
        return ()

    def item(self) -> LiteralElement:
        """Parses one element: a number, a boolean, or a complex pair."""
        start = self.reader.start
        if self.reader.accept("("):
            real = self.item()
            self.reader.expect(",")
            imaginary = self.item()
            self.reader.expect(")")
            return LiteralElement(
                "complex", False, "", (start, self.reader.previous_end), (real, imaginary)
            )
        negative = self.reader.accept("-")
        if self.reader.token in NOT_A_NUMBER:
            self.reader.error(
                f"'{self.reader.token}' is not a literal",
                None,
                "NaN and infinity are written as bit patterns, for f32 0x7FC00000 and 0x7F800000",
            )
        if negative and self.reader.kind not in ("integer", "float"):
            self.reader.error(f"expected a number, found {self.reader.found}")
        if self.reader.kind not in ("integer", "float", "string") and self.reader.token not in (
            "true",
            "false",
        ):
            self.reader.error(f"expected an element literal, found {self.reader.found}")
        text = self.reader.text[self.reader.start : self.reader.end]
        item = LiteralElement(self.reader.kind, negative, text, (start, self.reader.end))
        self.reader.advance()
        return item

    # ---- from items to numbers

    def literal_type(self, literal_type: Type, place: tuple[int, int]) -> LiteralType:
        """Returns the type of the literal at a place, whose shape must be known."""
        if not isinstance(literal_type, LITERAL_TYPES) or literal_type.shape is None:
            note = f"the type is {literal_type}"
            self.reader.error("a literal has the type of a tensor, vector or buffer", place, note)
        if min(literal_type.shape, default=0) < 0:
            self.reader.error("a literal needs a static shape", place, rule="tensor constant C2")
        return literal_type

    def typed_literal(
        self, literal: LiteralContent, literal_type: Type, place: tuple[int, int]
    ) -> Attribute:
        """Returns the attribute of a literal, given its type."""
        literal_type = self.literal_type(literal_type, literal.place)
        shape = literal_type.shape or ()
        count = math.prod(shape)
        element = cast("Type | ElementType", literal_type.element_type)
        if literal.is_hexadecimal and isinstance(element, DATA):
            data = self.from_hex(literal.items[0].place, literal_type, count)
            return dense_elements(literal_type, data)
        if literal.shape is not None and not (
            literal.shape == shape or count == 0 == len(literal.items)
        ):
            message = f"the literal has shape {list(literal.shape)}, its type {list(shape)}"
            self.reader.error(message, literal.place, rule="tensor constant C2")
        if literal.has_strings or not (literal.items or isinstance(element, DATA)):
            return self.strings(literal, literal_type)
        data = self.numbers(literal.items, literal_type.element_type, place)
        if data.size <= max(len(literal.items), 1):
            return dense_elements(literal_type, data)
        return self.literal_of_pairs(data, literal, literal_type)

    def literal_of_pairs(
        self, data: Array, literal: LiteralContent, literal_type: LiteralType
    ) -> Attribute:
        """Returns the literal of pairs of numbers, given all of these.

        MLIR's reader takes pairs for elements that are not complex, too, and uses as many numbers
        as there are elements. They are a splat only if all numbers are equal.
        """
        shape = literal_type.shape or ()
        count = math.prod(shape)
        if is_uniform(data):
            return dense_elements(literal_type, data[:1])
        if data.size < count or not shape:
            message = f"the literal has {data.size} numbers for {count} elements"
            self.reader.error(message, literal.place, rule="tensor constant C1")
        if count == 1:
            return DenseElementsAttribute(literal_type, read_only(data[:1]), is_listed=True)
        return DenseElementsAttribute(literal_type, read_only(data[:count]))

    def strings(self, literal: LiteralContent, literal_type: LiteralType) -> Attribute:
        """Returns the attribute of string elements."""
        element = cast("Type | ElementType", literal_type.element_type)
        items = numbers_in(literal.items)
        if isinstance(element, DATA):
            place = items[0].place
            self.reader.error(
                f"expected elements of type {element}", place, rule="tensor constant C1"
            )
        for item in items:
            if item.kind != "string":
                self.reader.error("expected a string", item.place, rule="tensor constant C1")
        values = [self.reader.unescape(i.place[0] + 1, i.place[1] - 1) for i in items]
        count = math.prod(literal_type.shape or ())
        if len(set(values)) > 1 and len(values) < count:
            message = f"the literal has {len(values)} strings for {count} elements"
            self.reader.error(message, literal.place, rule="tensor constant C1")
        return dense_strings(literal_type, values)

    def numbers(
        self, items: list[LiteralElement], element: Type | ElementType, place: tuple[int, int]
    ) -> Array:
        """Returns the array of the items."""
        if not isinstance(element, NUMBERS):
            self.reader.error(f"no literal has elements of type {element}", place)
        dtype = literal_dtype(element)
        if not isinstance(element, ComplexType):
            items = numbers_in(items)
        if is_raw(dtype):
            return self.raw_elements(items, element, place)
        match element:
            case ComplexType(element=FloatType() as part):
                flat = [number for item in items for number in self.complex_number(item, part)]
                return np.array(flat, dtype=part.dtype).view(dtype)
            case FloatType():
                return np.array([self.float_number(item, element) for item in items], dtype=dtype)
            case IntegerType() | IndexType():
                values = [self.integer_number(item, element) for item in items]
                wide = np.array(values, dtype=np.int64 if element.minimum < 0 else np.uint64)
                return wide.astype(dtype)
            case _:
                self.reader.error(f"no literal has elements of type {element}", place)

    def raw_elements(
        self, items: list[LiteralElement], element: ElementType, place: tuple[int, int]
    ) -> Array:
        """Returns the elements of a type that NumPy has none for, as bytes."""
        match element:
            case ComplexType(element=part):
                pairs = [self.complex_parts(item, part) for item in items]
                return raw_data(
                    (self.number_bits(item, part) for pair in pairs for item in pair), element
                )
            case IntegerType() | FloatType():
                return raw_data((self.number_bits(item, element) for item in items), element)
            case _:
                self.reader.error(f"no literal has elements of type {element}", place)

    def number_bits(self, item: LiteralElement, element: IntegerType | FloatType) -> int:
        """Returns the bit pattern of a number."""
        if isinstance(element, FloatType):
            return self.float_bits(item, element)
        return self.integer_number(item, element)

    def integer_number(self, item: LiteralElement, element: IntegerType | IndexType) -> int:
        """Returns the value of an integer element, wrapped to the range of its type."""
        if item.text in ("true", "false") and element.width == 1:
            return int(item.text == "true")
        if item.kind != "integer":
            message = f"expected an integer literal for {element}"
            self.reader.error(message, item.place, rule="tensor constant C1")
        magnitude = self.reader.digits(item.text)
        value = -magnitude if item.negative else magnitude
        if not fits(value, element) or (
            item.negative and element.is_unsigned and not element.is_boolean
        ):
            message = f"{value} is out of range for {element}"
            self.reader.error(message, item.place, rule="integer constant C1")
        return element.wrap(value)

    def float_number(self, item: LiteralElement, element: FloatType, rule: str = "") -> Any:
        """Returns the value of a floating-point number; ``rule`` names the rule for messages."""
        if is_pattern(item):
            return float_of_bits(self.bit_pattern(item, element, rule), element)
        value = self.double(item, element, rule)
        if element.name in FLOATS_WITHOUT_NAN and np.isinf(value):
            value = np.copysign(0.0, value)  # MLIR stores infinity so
        if element.name == "f8E8M0FNU":
            return float_of_bits(power_of_two_bits(float(value)), element)
        with np.errstate(over="ignore"):  # infinity, as IEEE 754 has it
            return value.astype(element.dtype)

    def float_bits(self, item: LiteralElement, element: FloatType) -> int:
        """Returns the bit pattern of a floating-point number."""
        if element.has_storage:
            scalar = self.float_number(item, element)
            return int.from_bytes(np.asarray(scalar).tobytes(), "little")
        if is_pattern(item):
            return normalize_bits(self.bit_pattern(item, element), element)
        return bits_of_double(float(self.double(item, element)), element)

    def bit_pattern(self, item: LiteralElement, element: FloatType, rule: str = "") -> int:
        """Returns the bits of a number that is written as these."""
        bits = int(item.text, 16)
        if bits >> element.bits:
            message = f"this bit pattern has more than the {element.bits} bits of {element}"
            self.reader.error(message, item.place, rule=rule or "floating-point constant C2")
        return bits

    def double(self, item: LiteralElement, element: FloatType, rule: str = "") -> np.float64:
        """Returns the value of a decimal number, which MLIR reads as ``f64`` first."""
        if item.kind != "float":
            note = "write 1.0 for 1" if item.kind == "integer" else ""
            self.reader.error(
                f"expected a floating-point literal for {element}",
                item.place,
                *[note] * bool(note),
                rule=rule or "floating-point constant C1",
            )
        value = np.float64(item.text)
        return -value if item.negative else value

    def complex_parts(
        self, item: LiteralElement, part: IntegerType | FloatType
    ) -> tuple[LiteralElement, LiteralElement]:
        """Returns the two parts of a complex element."""
        if item.pair is None:
            message = f"expected (real, imaginary) for complex<{part}>"
            self.reader.error(message, item.place, rule="tensor constant C1")
        return item.pair

    def complex_number(self, item: LiteralElement, part: FloatType) -> tuple[object, object]:
        """Returns the values of the two parts of a complex element."""
        real, imaginary = self.complex_parts(item, part)
        return (
            self.float_number(real, part, "complex constant C1"),
            self.float_number(imaginary, part, "complex constant C2"),
        )

    def from_hex(self, place: tuple[int, int], literal_type: LiteralType, count: int) -> Array:
        """Returns the array of a hex string: all elements, or one that fills the tensor."""
        start, end = place[0] + len('"0x'), place[1] - 1
        try:
            raw = bytes.fromhex(self.reader.text[start:end])
        except ValueError:
            raw = b""
        if 2 * len(raw) != end - start:
            self.reader.error(
                "expected an even number of hexadecimal digits", (start, min(end, start + 40))
            )
        element = cast("Type | ElementType", literal_type.element_type)
        assert isinstance(element, DATA)
        stored = stored_data(raw, element)
        data = None
        if stored is not None:
            data = elements_of_bytes(bytes(stored), literal_dtype(element), count)
        if data is None:
            self.reader.error(
                f"{len(raw)} bytes of data do not fill {literal_type}",
                (start, min(end, start + 40)),
            )
        return data


def power_of_two_bits(value: float) -> int:
    """Returns the nearest number of ``f8E8M0FNU``, which has neither zero nor a sign.

    MLIR takes the smallest number for zero, and sets the highest bit for a minus sign.
    """
    if not abs(value) > 2.0**-128:
        return 0
    fraction, exponent = math.frexp(abs(value))
    code = max(exponent - (fraction < 0.75) + 127, 0)
    if math.isinf(value) or code > 0xFE:
        return 0xFF
    return code | (0x80 if value < 0 else 0)


def is_pattern(item: LiteralElement) -> bool:
    """Whether an item is a bit pattern of a floating-point number."""
    return item.kind == "integer" and item.text.startswith("0x") and not item.negative


def read_only(data: Array) -> Array:
    """Returns an array that nobody can change."""
    data.flags.writeable = False
    return data


def numbers_in(items: list[LiteralElement]) -> list[LiteralElement]:
    """Returns the numbers of items, some of which may be pairs."""
    if not any(item.pair for item in items):
        return items
    return [number for item in items for number in numbers_in(list(item.pair or ())) or [item]]


def fits(value: int, element: IntegerType | IndexType) -> bool:
    """Whether a value is in the range of a type.

    Signless types allow both readings of their bits.
    """
    if element.is_boolean:
        return -1 <= value <= 1
    if not element.width:
        return not value
    if isinstance(element, IntegerType) and element.signedness == "signless":
        return element.minimum <= value < (1 << element.width)
    return element.minimum <= value <= element.maximum


def elements_of_bytes(raw: bytes, dtype: DType, count: int) -> Array | None:
    """Returns the elements in raw little-endian bytes: ``count``, or one.

    Returns None if the size is wrong.
    """
    size = dtype.itemsize
    if dtype == np.bool_ and len(raw) == -(-count // 8) != count and len(raw) != 1:
        packed = np.frombuffer(raw, np.uint8)  # before LLVM 23 bits were packed, lowest first
        return np.unpackbits(packed, count=count, bitorder="little").astype(np.bool_)
    if len(raw) not in (size * count, size):
        return None
    if dtype == np.bool_:
        return np.frombuffer(raw, np.uint8).astype(np.bool_)
    if narrow_bits(dtype) < 8 and "int" in dtype.name:
        return np.frombuffer(raw, np.int8).astype(dtype)
    return np.frombuffer(raw, dtype)
