"""Attributes that every dialect shares: immutable, compared by value, spelled as in MLIR."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, TypeAlias, TypeVar, cast

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.fork_safety import cached_property
from stablemate.ir.types import (
    Attribute,
    MemRefType,
    TensorType,
    Type,
    UnrankedTensorType,
    VectorType,
)
from stablemate.numerics.array_limits import require_array
from stablemate.numerics.elements import (
    BOOLEAN,
    I64,
    Array,
    FloatType,
    IndexType,
    IntegerType,
    StorageError,
)
from stablemate.numerics.float_text import format_floats
from stablemate.numerics.literal_data import (
    as_bytes,
    element_texts,
    hex_bytes,
    is_raw,
    is_uniform,
    number_texts,
)

BARE_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*\Z")
PRINTABLE: Final = re.compile(rb"[^ !#-\[\]-~]")
# The types of literals; those of buffers have a known rank.
LiteralType: TypeAlias = TensorType | VectorType | MemRefType
AttributeT = TypeVar("AttributeT", bound=Attribute)
ELIDED: Final = "__elided__"  # the key of a resource whose data were left out
MAXIMUM_LISTED: Final = 100  # longer dense literals are printed as hex


def quote(text: str) -> str:
    """A string literal; the text may hold any bytes as surrogate escapes."""
    data = text.encode("utf-8", "surrogateescape")
    return f'"{PRINTABLE.sub(escape_byte, data).decode("ascii")}"'


def escape_byte(match: re.Match[bytes]) -> bytes:
    """The escape of a byte in a string literal: a backslash twice, any other as two digits."""
    byte = match[0]
    return b"\\\\" if byte == b"\\" else b"\\%02X" % byte[0]


def identifier(text: str) -> str:
    """A key or symbol name: bare where the grammar allows it, else quoted."""
    return text if BARE_IDENTIFIER.match(text) else quote(text)


def attribute_as(
    attributes: Mapping[str, Attribute], name: str, cls: type[AttributeT]
) -> AttributeT:
    """An attribute of an operation, as an instance of the class that it is known to have.

    Raises:
        KeyError: There is no attribute of that name.
        TypeError: It is of another class.
    """
    attribute = attributes[name]
    if isinstance(attribute, cls):
        return attribute
    raise TypeError(f"{name} is {attribute}, not a {cls.__name__}")


def items_as(array: ArrayAttribute, cls: type[AttributeT]) -> list[AttributeT]:
    """The items of an array, as instances of the class that they are known to have.

    Raises:
        TypeError: One is of another class.
    """
    items = [item for item in array.items if isinstance(item, cls)]
    if len(items) != len(array.items):
        raise TypeError(f"{array} has items that are no {cls.__name__}")
    return items


def optional_attribute_as(
    attributes: Mapping[str, Attribute], name: str, cls: type[AttributeT]
) -> AttributeT | None:
    """An attribute as an instance of its class; None if it is absent.

    Raises:
        TypeError: It is of another class.
    """
    return attribute_as(attributes, name, cls) if name in attributes else None


@dataclass(frozen=True)
class UnitAttribute(Attribute):
    """``unit``: present or absent."""

    def __str__(self) -> str:
        return "unit"


@dataclass(frozen=True)
class IntegerAttribute(Attribute):
    """``5 : i64``; ``true`` and ``false`` for ``i1``. The value is in the range of the type."""

    value: int
    type: IntegerType | IndexType

    def __str__(self) -> str:
        if self.type.is_boolean:
            return "true" if self.value else "false"
        return f"{self.value} : {self.type}"


@dataclass(frozen=True)
class FloatAttribute(Attribute):
    """``1.000000e+00 : f32``, by its bit pattern."""

    bits: int
    type: FloatType

    @property
    def value(self) -> float:
        """The number; NaN payloads stay in ``bits``.

        Raises:
            StorageError: NumPy has no type for the format.
        """
        return float(float_of_bits(self.bits, self.type))

    def __str__(self) -> str:
        return f"{number_texts((self.bits,), self.type)[0]} : {self.type}"


def float_of_bits(bits: int, float_type: FloatType) -> Any:
    """The NumPy scalar with this bit pattern."""
    dtype = float_type.dtype
    return np.frombuffer(bits.to_bytes(dtype.itemsize, "little"), dtype)[0]


def float_attribute(value: float, float_type: FloatType) -> FloatAttribute:
    """The attribute of a number, rounded to the type."""
    data = np.array(value, np.float64).astype(float_type.dtype).tobytes()
    return FloatAttribute(int.from_bytes(data, "little"), float_type)


@dataclass(frozen=True)
class StringAttribute(Attribute):
    """A string of bytes, as text with surrogate escapes for bytes that are not UTF-8."""

    value: str
    type: Type | None = None

    def __str__(self) -> str:
        return quote(self.value) + ("" if self.type is None else f" : {self.type}")


@dataclass(frozen=True)
class ArrayAttribute(Attribute):
    """``[a, b]``."""

    items: tuple[Attribute, ...]

    def __str__(self) -> str:
        return list_text(self.items)


def list_text(items: Sequence[Attribute], text: Callable[[Attribute], str] = str) -> str:
    """``[1, 2 : i32]``: the types of numbers are left out if they are ``i64`` and ``f64``."""
    return f"[{', '.join(map(without_usual_type, map(text, items), items))}]"


def without_usual_type(text: str, attribute: Attribute) -> str:
    """The text of an attribute; of a number without its type where a reader assumes that."""
    match attribute:
        case IntegerAttribute():
            return text.removesuffix(" : i64")
        case FloatAttribute() if not text.startswith("0x"):  # which would be an integer
            return text.removesuffix(" : f64")
        case _:
            return text


@dataclass(frozen=True)
class DictionaryAttribute(Attribute, Mapping[str, Attribute]):
    """``{a = 1, b}``, sorted by the bytes of the keys."""

    entries: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])

    def __post_init__(self) -> None:
        ordered = sorted(
            self.entries.items(), key=lambda entry: entry[0].encode("utf-8", "surrogateescape")
        )
        object.__setattr__(self, "entries", dict(ordered))

    def __getitem__(self, key: str) -> Attribute:
        return self.entries[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __hash__(self) -> int:
        return hash(tuple(self.entries.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DictionaryAttribute) and self.entries == other.entries

    def __str__(self) -> str:
        return dictionary_text(self.entries)


def dictionary_text(
    entries: Mapping[str, Attribute], text: Callable[[Attribute], str] = str
) -> str:
    """``{a = 1 : i64, b}``, in the order of the mapping."""
    return "{" + ", ".join(entry_text(key, value, text) for key, value in entries.items()) + "}"


def entry_text(key: str, value: Attribute, text: Callable[[Attribute], str] = str) -> str:
    """One entry of a dictionary; a unit value is its key alone."""
    name = identifier(key)
    return name if isinstance(value, UnitAttribute) else f"{name} = {text(value)}"


@dataclass(frozen=True)
class SymbolAttribute(Attribute):
    """``@root::@nested``."""

    root: str
    nested: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "::".join(f"@{identifier(name)}" for name in (self.root, *self.nested))


@dataclass(frozen=True)
class TypeAttribute(Attribute):
    """A type, as an attribute."""

    type: Type

    def __str__(self) -> str:
        return str(self.type)


@dataclass(frozen=True, eq=False)
class DenseArrayAttribute(Attribute):
    """``array<i64: 1, 2>``: numbers without a shape; floats are compared by their bits.

    Attributes:
        element_type: Integers of whole bytes, ``i1``, or floats.
        values: The numbers, or the bit patterns of floats.
        has_patterns: Whether the values are bit patterns: of a type that NumPy has none for, or
            with a NaN among them, whose bits a Python number does not keep.
    """

    element_type: IntegerType | FloatType
    values: tuple[int, ...] | tuple[float, ...] | tuple[bool, ...]
    has_patterns: bool = False

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers.

        Raises:
            StorageError: NumPy has no type for the floats.
        """
        if not self.has_patterns:
            return self.values
        assert isinstance(self.element_type, FloatType)
        return tuple(float(float_of_bits(int(bits), self.element_type)) for bits in self.values)

    @cached_property
    def bits(self) -> object:
        """The bits by which two lists are compared: NaN equals itself, and -0.0 is not 0.0."""
        if isinstance(self.element_type, FloatType) and not self.has_patterns:
            return np.array(self.values, np.float64).tobytes()
        return self.values

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DenseArrayAttribute)
            and self.element_type == other.element_type
            and self.bits == other.bits
        )

    def __hash__(self) -> int:
        return hash((self.element_type, self.bits))

    def __str__(self) -> str:
        if not self.values:
            return f"array<{self.element_type}>"
        return f"array<{self.element_type}: {', '.join(self.texts())}>"

    def texts(self) -> list[str]:
        """Formats the numbers as MLIR prints them."""
        if self.has_patterns:
            return number_texts(map(int, self.values), self.element_type)
        if isinstance(self.element_type, FloatType):
            return format_floats(np.array(self.values, self.element_type.dtype))
        if self.element_type.bits == 1:
            return ["true" if value else "false" for value in self.values]
        return [str(value) for value in self.values]


def integers_of(attribute: Attribute | None) -> tuple[int, ...]:
    """The values of a dense array of integers; empty for any other attribute."""
    if isinstance(attribute, DenseArrayAttribute) and isinstance(
        attribute.element_type, IntegerType
    ):
        return cast(tuple[int, ...], attribute.values)
    return ()


def float_array(patterns: Sequence[int], element: FloatType) -> DenseArrayAttribute:
    """The array of floats with these bits."""
    if element.has_storage:
        numbers = tuple(float(float_of_bits(bits, element)) for bits in patterns)
        if not any(map(math.isnan, numbers)):
            return DenseArrayAttribute(element, numbers)
    return DenseArrayAttribute(element, tuple(patterns), has_patterns=True)


@dataclass(frozen=True, eq=False)
class DenseElementsAttribute(Attribute):
    """``dense<...> : type``: the elements of a static tensor.

    Attributes:
        type: Type of the literal: a tensor, vector or buffer of known shape.
        data: Elements in row-major order, one-dimensional: all, or one that fills the tensor.
            Read-only. May be a view of the file it was read from. Elements that NumPy has no type
            for are bytes (see ``literal_data``).
        is_listed: Whether a single element is printed as a list, because MLIR does not store it as
            a splat: the literal had more numbers than elements.
    """

    type: LiteralType
    data: Array = field(repr=False)
    is_listed: bool = False

    @property
    def is_splat(self) -> bool:
        """Whether one element fills the tensor."""
        return self.data.size == 1

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the type."""
        return self.type.shape or ()

    @cached_property
    def array(self) -> Array:
        """The elements in the tensor's shape; read-only, a view.

        Raises:
            StorageError: No array holds elements of this type.
            LimitError: No array has this shape.
        """
        if is_raw(self.data.dtype):
            raise StorageError(f"no array holds elements of type {self.type.element_type}")
        require_array(self.shape)
        if self.is_splat:
            return np.broadcast_to(self.data.reshape(()), self.shape)
        return self.data.reshape(self.shape)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, DenseElementsAttribute)
            and self.type == other.type
            and self.data.size == other.data.size
            and np.array_equal(as_bytes(self.data), as_bytes(other.data))
        )

    def __hash__(self) -> int:
        return hash((self.type, self.data.size, self.data[:16].tobytes()))

    def __str__(self) -> str:
        return f"dense<{self.literal_text()}> : {self.type}"

    def literal_text(self) -> str:
        """The text between the angle brackets."""
        if self.data.size == 0:
            return ""
        if self.is_splat and not self.is_listed:
            return element_texts(self.data, self.type.element_type)[0]
        if self.data.size > MAXIMUM_LISTED:
            return f'"0x{hex_bytes(self.data).hex().upper()}"'
        return nested_items(element_texts(self.data, self.type.element_type), self.shape)


def dense_elements(literal_type: LiteralType, values: Array) -> DenseElementsAttribute:
    """The literal of an array; equal elements become a splat, as MLIR stores them."""
    data = np.ascontiguousarray(values).reshape(-1)
    if data.size > 1 and is_uniform(data):
        data = data[:1]
    if data.flags.writeable:
        data = data.copy()
        data.flags.writeable = False
    return DenseElementsAttribute(literal_type, data)


def nested_items(items: Sequence[str], shape: Sequence[int]) -> str:
    """The items in nested brackets that follow the shape."""
    for size in reversed(shape):
        items = [f"[{', '.join(items[i : i + size])}]" for i in range(0, len(items), size)]
    return items[0]


@dataclass(frozen=True)
class DenseStringsAttribute(Attribute):
    """``dense<["a", "b"]> : tensor<2x!d.t>``: strings as elements of a dialect's type.

    Attributes:
        type: Type of the literal: a tensor, vector or buffer of known shape.
        values: Strings in row-major order: all, or one that fills the tensor.
        is_listed: Whether a single string is printed as a list (see ``DenseElementsAttribute``).
    """

    type: LiteralType
    values: tuple[str, ...]
    is_listed: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the type."""
        return self.type.shape or ()

    def __str__(self) -> str:
        return f"dense<{self.literal_text()}> : {self.type}"

    def literal_text(self) -> str:
        """The text between the angle brackets."""
        items = [quote(value) for value in self.values]
        if len(items) == 1 and not self.is_listed:
            return items[0]
        return nested_items(items, self.shape) if items else ""


def dense_strings(literal_type: LiteralType, values: Sequence[str]) -> DenseStringsAttribute:
    """The literal of strings; equal strings become a splat, and those too many are left out."""
    if len(set(values)) == 1:
        return DenseStringsAttribute(literal_type, (values[0],))
    count = math.prod(literal_type.shape or ())
    return DenseStringsAttribute(literal_type, tuple(values[:count]), is_listed=True)


@dataclass(frozen=True)
class SparseElementsAttribute(Attribute):
    """``sparse<[[0, 1]], [1.0]> : type``: elements at the given indices, zero elsewhere."""

    type: LiteralType
    indices: DenseElementsAttribute
    values: DenseElementsAttribute | DenseStringsAttribute

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the type."""
        return self.type.shape or ()

    def __str__(self) -> str:
        if not math.prod(self.indices.shape):
            return f"sparse<> : {self.type}"
        indices, values = self.indices.literal_text(), self.values.literal_text()
        return f"sparse<{indices}, {values}> : {self.type}"


@dataclass(frozen=True)
class DenseResourceAttribute(Attribute):
    """``dense_resource<key> : type``: elements stored in the resource section of the file."""

    key: str
    type: TensorType | UnrankedTensorType | VectorType | MemRefType

    def __str__(self) -> str:
        return f"dense_resource<{identifier(self.key)}> : {self.type}"


@dataclass(frozen=True)
class OpaqueAttribute(Attribute):
    """Text that is kept as it is: of an unknown dialect, an affine map, ``strided<...>``."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class DistinctAttribute(Attribute):
    """``distinct[0]<attribute>``."""

    number: int
    attribute: Attribute

    def __str__(self) -> str:
        return f"distinct[{self.number}]<{self.attribute}>"


UNIT: Final = UnitAttribute()
TRUE: Final = IntegerAttribute(1, BOOLEAN)
FALSE: Final = IntegerAttribute(0, BOOLEAN)

ElementsAttribute: TypeAlias = (
    DenseElementsAttribute | DenseResourceAttribute | SparseElementsAttribute
)


def integer(value: int, integer_type: IntegerType | IndexType = I64) -> IntegerAttribute:
    """The attribute of an integer."""
    return IntegerAttribute(value, integer_type)
