"""Constraints on types and attributes: which operands, results and attributes are valid.

Both are frozen and composable; their descriptions are the words of diagnostics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum
from typing import Any, Final, Generic, TypeVar, cast

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import LimitError
from stablemate.ir.attributes import (
    FALSE,
    TRUE,
    UNIT,
    ArrayAttribute,
    DenseArrayAttribute,
    DenseElementsAttribute,
    DenseResourceAttribute,
    DictionaryAttribute,
    FloatAttribute,
    IntegerAttribute,
    StringAttribute,
    SymbolAttribute,
    TypeAttribute,
    UnitAttribute,
    dense_elements,
    float_attribute,
)
from stablemate.ir.types import (
    Attribute,
    FunctionType,
    FutureType,
    MemRefType,
    TensorType,
    TokenType,
    TupleType,
    Type,
)
from stablemate.numerics.elements import (
    BOOLEAN,
    F32,
    F64,
    FLOAT_STORAGE,
    I32,
    I64,
    UI64,
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
)
from stablemate.numerics.symbolic_sizes import is_symbolic

T_co = TypeVar("T_co", covariant=True)
S = TypeVar("S")
T = TypeVar("T")
EnumT = TypeVar("EnumT", bound=Enum)
EnumT_co = TypeVar("EnumT_co", bound=Enum, covariant=True)


@dataclass(frozen=True)
class TypeConstraint(Generic[T_co]):
    """A set of types, with its name."""

    description: str
    accepts: Callable[[Any], bool]

    def __or__(self, other: TypeConstraint[S]) -> TypeConstraint[T_co | S]:
        mine, others = self.accepts, other.accepts
        return TypeConstraint(
            f"{self.description} or {other.description}", lambda t: mine(t) or others(t)
        )


INTEGER_WIDTHS: Final = frozenset({2, 4, 8, 16, 32, 64})


def is_boolean(element: object) -> bool:
    """``i1``."""
    return isinstance(element, IntegerType) and element.is_boolean


def is_integer(element: object) -> bool:
    """``i2`` to ``i64``, ``ui2`` to ``ui64``."""
    return (
        isinstance(element, IntegerType)
        and element.width in INTEGER_WIDTHS
        and element.signedness != "signed"
    )


def is_signed_integer(element: Any) -> bool:
    """``i2`` to ``i64``."""
    return is_integer(element) and not element.is_unsigned


def is_float(element: object) -> bool:
    """A floating-point type that arrays can hold."""
    return isinstance(element, FloatType) and element.name in FLOAT_STORAGE


def is_complex(element: object) -> bool:
    """``complex<f32>`` or ``complex<f64>``."""
    return isinstance(element, ComplexType) and element.element in (F32, F64)


def is_index(element: object) -> bool:
    """``index``."""
    return isinstance(element, IndexType)


def is_quantized(element: object) -> bool:
    """Whether an element type is ``!quant.uniform`` and stores integers."""
    return isinstance(element, QuantizedType) and is_integer(element.storage)


def is_quantized_per_tensor(element: Any) -> bool:
    """Whether an element type is ``!quant.uniform`` with one scale for all elements."""
    return is_quantized(element) and element.is_per_tensor


def is_quantized_per_axis(element: Any) -> bool:
    """``!quant.uniform`` with a scale per slice; sub-channel quantization is a finer one."""
    return is_quantized(element) and not element.is_per_tensor


def tensor_of(
    description: str, *elements: Callable[[Any], bool], rank: int | None = None
) -> TypeConstraint[TensorType]:
    """Tensors whose element type is one of the given sorts."""

    def accepts(candidate: object) -> bool:
        return (
            isinstance(candidate, TensorType)
            and (rank is None or len(candidate.shape) == rank)
            and any(element(candidate.element_type) for element in elements)
        )

    return TypeConstraint(description, accepts)


def instance_of(description: str, cls: type[T]) -> TypeConstraint[T]:
    """All types of one class."""
    return TypeConstraint(description, lambda candidate: isinstance(candidate, cls))


TENSOR: Final = tensor_of("tensor", is_boolean, is_integer, is_float, is_complex)
BOOLEAN_TENSOR: Final = tensor_of("tensor of boolean type", is_boolean)
INTEGER_TENSOR: Final = tensor_of("tensor of integer type", is_integer)
FLOAT_TENSOR: Final = tensor_of("tensor of floating-point type", is_float)
COMPLEX_TENSOR: Final = tensor_of("tensor of complex type", is_complex)
PER_TENSOR_QUANTIZED: Final = tensor_of("per-tensor quantized tensor", is_quantized_per_tensor)
PER_AXIS_QUANTIZED: Final = tensor_of("per-axis quantized tensor", is_quantized_per_axis)
QUANTIZED: Final = tensor_of("quantized tensor", is_quantized_per_tensor, is_quantized_per_axis)
ANY_TENSOR: Final = TENSOR | QUANTIZED
# Operands that hold sizes or indices: producers also compute them in `index`.
DIMENSION_TENSOR: Final = tensor_of(
    "1-dimensional tensor of integer type", is_integer, is_index, rank=1
)
INTEGER_SCALAR: Final = tensor_of("0-dimensional tensor of integer type", is_integer, rank=0)
TOKEN_VALUE: Final = instance_of("token", TokenType)
FUTURE_VALUE: Final = instance_of("future", FutureType)


def is_buffer(candidate: object) -> bool:
    """A buffer of a known rank, of numbers that tensors hold too."""
    return (
        isinstance(candidate, MemRefType)
        and candidate.shape is not None
        and TENSOR.accepts(TensorType(candidate.shape, candidate.element_type))
    )


def is_tuple(candidate: object) -> bool:
    """A tuple of tensors, tokens, buffers and such tuples."""
    pending, is_valid = [candidate], isinstance(candidate, TupleType)
    while pending and is_valid:
        part = pending.pop()
        if isinstance(part, TupleType):
            pending += part.types
        else:
            is_valid = TUPLE_ELEMENT.accepts(part)
    return is_valid


BUFFER_VALUE: Final[TypeConstraint[MemRefType]] = TypeConstraint("buffer", is_buffer)
TUPLE_ELEMENT: Final = ANY_TENSOR | TOKEN_VALUE | BUFFER_VALUE
TUPLE_VALUE: Final[TypeConstraint[TupleType]] = TypeConstraint("tuple", is_tuple)
ANY_VALUE: Final[TypeConstraint[Type]] = TypeConstraint("value", lambda candidate: True)


@dataclass(frozen=True, eq=False)
class AttributeKind(Generic[T_co]):
    """A set of attributes that represent Python values of one type.

    Attributes:
        description: Its name in diagnostics.
        accepts: Whether an attribute is one of the kind.
        value: The Python value of an accepted attribute.
        attribute: The attribute of a Python value.
        storable: Whether the property of MLIR's operation can store an attribute; None if it is
            the same as ``accepts``.
    """

    description: str
    accepts: Callable[[Attribute], bool]
    value: Callable[[Any], T_co]
    attribute: Callable[[Any], Attribute]
    storable: Callable[[Attribute], bool] | None = None

    def stores(self, attribute: Attribute) -> bool:
        """Whether the property of MLIR's operation can store an attribute."""
        return (self.storable or self.accepts)(attribute)


def integer_kind(integer_type: IntegerType) -> AttributeKind[int]:
    """Returns the kind of attributes that hold an integer of one type."""
    return AttributeKind(
        f"{integer_type.width}-bit integer",
        lambda a: isinstance(a, IntegerAttribute) and a.type == integer_type,
        lambda a: cast(int, a.value),
        lambda value: IntegerAttribute(value, integer_type),
        lambda a: isinstance(a, IntegerAttribute),
    )


def array_kind(
    element_type: IntegerType, value: Callable[[Any], T]
) -> AttributeKind[tuple[T, ...]]:
    """``array<...>`` of one element type, of Python values as ``value`` makes them."""

    def attribute(values: Any) -> Attribute:
        numbers: Any = tuple(item if is_symbolic(item) else value(item) for item in values)
        return DenseArrayAttribute(element_type, numbers)

    return AttributeKind(
        f"array of {element_type}",
        lambda a: isinstance(a, DenseArrayAttribute) and a.element_type == element_type,
        lambda a: cast("tuple[T, ...]", a.values),
        attribute,
    )


@dataclass(frozen=True)
class EnumAttribute(Attribute):
    """A member of an enumeration: ``#stablehlo<precision HIGH>``, or dotted, ``#d.name<HIGH>``.

    Attributes:
        dialect: ``stablehlo`` or ``chlo``.
        mnemonic: Name of the enumeration in text.
        value: The member; its value is its spelling.
        dotted: Which of the two forms is written.
    """

    dialect: str
    mnemonic: str
    value: Enum
    dotted: bool = False

    def __str__(self) -> str:
        if self.dotted:
            return f"#{self.dialect}.{self.mnemonic}<{self.value.value}>"
        return f"#{self.dialect}<{self.mnemonic} {self.value.value}>"


@dataclass(frozen=True, eq=False)
class EnumKind(AttributeKind[EnumT_co]):
    """Members of one enumeration; its members are also written bare by some operations."""

    members: Mapping[str, EnumT_co] = field(kw_only=True)


def enum_kind(
    members: type[EnumT], dialect: str, mnemonic: str, *, dotted: bool = False
) -> EnumKind[EnumT]:
    """Members of an enumeration as attributes of a dialect."""
    return EnumKind(
        f"{dialect} {mnemonic}",
        lambda a: isinstance(a, EnumAttribute) and isinstance(a.value, members),
        lambda a: cast(EnumT, a.value),
        lambda value: EnumAttribute(dialect, mnemonic, value, dotted),
        members={str(member.value): member for member in members},
    )


def struct_kind(cls: type[T], description: str) -> AttributeKind[T]:
    """Attributes of one class, which are their own Python values."""
    return AttributeKind(
        description,
        lambda a: isinstance(a, cls),
        lambda a: cast(T, a),
        lambda value: cast(Attribute, value),
    )


@dataclass(frozen=True, eq=False)
class ListKind(AttributeKind[tuple[T_co, ...]]):
    """``[...]`` with items of one kind."""

    item: AttributeKind[T_co] = field(kw_only=True)


def list_kind(kind: AttributeKind[T]) -> ListKind[T]:
    """``[...]`` with items of one kind."""
    return ListKind(
        f"array of {kind.description}",
        lambda a: isinstance(a, ArrayAttribute) and all(kind.accepts(item) for item in a.items),
        lambda a: tuple(kind.value(item) for item in a.items),
        lambda values: ArrayAttribute(tuple(kind.attribute(value) for value in values)),
        lambda a: isinstance(a, ArrayAttribute),
        item=kind,
    )


MAXIMUM_SPLAT: Final = 1 << 16  # elements of a list of integers that a splat may have


def is_integer_matrix(attribute: Attribute) -> bool:
    """Whether this is a two-dimensional literal of 64-bit integers, small enough to list."""
    return (
        isinstance(attribute, DenseElementsAttribute)
        and attribute.type.element_type == I64
        and len(attribute.shape) == 2
        and is_listable(attribute)
    )


def is_listable(literal: DenseElementsAttribute) -> bool:
    """Whether a literal is small enough to list, or lists its elements itself."""
    count = math.prod(size or 1 for size in literal.shape)  # lists of nothing are listed, too
    return count <= max(literal.data.size, MAXIMUM_SPLAT)


def is_literal_of_integers(attribute: Attribute) -> bool:
    """Whether this is a literal of integers or indices."""
    return isinstance(attribute, DenseElementsAttribute) and isinstance(
        attribute.type.element_type, IntegerType | IndexType
    )


def integer_matrix(values: object) -> DenseElementsAttribute:
    """The two-dimensional literal of rows of integers; ``(n, m)``."""
    rows = np.asarray(values, np.int64)
    rows = rows if rows.ndim == 2 else rows.reshape(0, 2)
    return dense_elements(TensorType(rows.shape, I64), rows)


def is_matrix_of_sizes(attribute: Attribute) -> bool:
    """Whether these are rows of numbers of which some are symbolic sizes."""
    return isinstance(attribute, ArrayAttribute) and any(
        isinstance(row, DenseArrayAttribute) and any(map(is_symbolic, row.values))
        for row in attribute.items
    )


def matrix_rows(attribute: Any) -> tuple[tuple[int, ...], ...]:
    """The rows of a matrix of integers or symbolic sizes."""
    if isinstance(attribute, ArrayAttribute):
        return tuple(cast("Any", row).values for row in attribute.items)
    if not is_listable(attribute):
        raise LimitError(f"a list that repeats one integer has at most {MAXIMUM_SPLAT} of them")
    array = attribute.array
    if array.ndim != 2:  # upstream does not look at the rank everywhere
        array = array.reshape(len(array) if array.ndim > 2 else 1, -1)
    return tuple(tuple(row) for row in array.tolist())


def matrix_attribute(values: Any) -> Attribute:
    """The literal of rows of integers; an array has the rows if there are symbolic sizes in them.

    No literal holds a symbolic size; programs with them are never written to a file.
    """
    rows = [tuple(row) for row in values]
    if any(is_symbolic(number) for row in rows for number in row):
        return ArrayAttribute(tuple(DenseArrayAttribute(I64, row) for row in rows))
    return integer_matrix(values)


SI64: Final = integer_kind(I64)
SI32: Final = integer_kind(I32)
SI64_ARRAY: Final = array_kind(I64, int)
I32_ARRAY: Final = array_kind(I32, int)
BOOLEAN_ARRAY: Final = array_kind(BOOLEAN, bool)
BOOLEAN_KIND: Final[AttributeKind[bool]] = AttributeKind(
    "boolean",
    lambda a: isinstance(a, IntegerAttribute) and a.type.is_boolean,
    lambda a: bool(a.value),
    lambda value: TRUE if value else FALSE,
)
UNIT_KIND: Final[AttributeKind[bool]] = AttributeKind(
    "unit", lambda a: isinstance(a, UnitAttribute), lambda a: True, lambda value: UNIT
)
F64_KIND: Final[AttributeKind[float]] = AttributeKind(
    "64-bit float",
    lambda a: isinstance(a, FloatAttribute) and a.type == F64,
    lambda a: cast(float, a.value),
    lambda value: float_attribute(value, F64),
)
UI64_KIND: Final = integer_kind(UI64)
F32_KIND: Final[AttributeKind[float]] = AttributeKind(
    "32-bit float",
    lambda a: isinstance(a, FloatAttribute) and a.type == F32,
    lambda a: cast(float, a.value),
    lambda value: float_attribute(value, F32),
)
STRING: Final[AttributeKind[str]] = AttributeKind(
    "string",
    lambda a: isinstance(a, StringAttribute),
    lambda a: cast(str, a.value),
    StringAttribute,
)
SYMBOL: Final[AttributeKind[str]] = AttributeKind(
    "symbol",
    lambda a: isinstance(a, SymbolAttribute) and not a.nested,
    lambda a: cast(str, a.root),
    SymbolAttribute,
)
DICTIONARY: Final[AttributeKind[DictionaryAttribute]] = struct_kind(
    DictionaryAttribute, "dictionary"
)
ARRAY: Final[AttributeKind[ArrayAttribute]] = struct_kind(ArrayAttribute, "array")
FUNCTION_TYPE: Final[AttributeKind[FunctionType]] = AttributeKind(
    "function type",
    lambda a: isinstance(a, TypeAttribute) and isinstance(a.type, FunctionType),
    lambda a: cast(FunctionType, a.type),
    TypeAttribute,
)
SI64_MATRIX: Final[AttributeKind[tuple[tuple[int, ...], ...]]] = AttributeKind(
    "2-dimensional tensor of 64-bit integers",
    lambda a: is_integer_matrix(a) or is_matrix_of_sizes(a),
    matrix_rows,
    matrix_attribute,
    is_literal_of_integers,
)
ELEMENTS: Final[AttributeKind[DenseElementsAttribute | DenseResourceAttribute]] = AttributeKind(
    "elements",
    lambda a: isinstance(a, DenseElementsAttribute | DenseResourceAttribute),
    lambda a: cast("DenseElementsAttribute | DenseResourceAttribute", a),
    lambda value: cast(Attribute, value),
)
ANY_ATTRIBUTE: Final[AttributeKind[Attribute]] = AttributeKind(
    "attribute", lambda a: True, lambda a: cast(Attribute, a), lambda value: cast(Attribute, value)
)
