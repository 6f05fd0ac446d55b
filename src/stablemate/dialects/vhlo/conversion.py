"""Types of StableHLO and MLIR as types of VHLO, and back.

Source: StableHLO, the type conversions of its legalization to VHLO.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from stablemate.dialects.vhlo.types import (
    NONE,
    PLAIN_TYPES,
    TOKEN,
    WITNESS,
    BufferV1Type,
    ComplexV1Type,
    FunctionV1Type,
    FutureV1Type,
    PlainV1Type,
    QuantizedPerAxisV1Type,
    QuantizedV1Type,
    TensorV1Type,
    TupleV1Type,
    TypeExtensionsV1,
    UnrankedTensorV1Type,
    VhloType,
)
from stablemate.ir import types as builtin
from stablemate.ir.types import (
    Attribute,
    BoundsAttribute,
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
)
from stablemate.numerics.elements import (
    BOOLEAN,
    INDEX,
    SIMPLE_ELEMENTS,
    AnyQuantizedType,
    CalibratedType,
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
)

MAXIMUM_CACHED: Final = 1 << 12  # types that are converted once
WITNESS_TYPE: Final = OpaqueType("!shape.witness")
KNOWN_DIALECTS: Final = ("!shape.", "!mhlo.")
SIGNED: Final = 1  # bit 0 of the flags of quantized types


class NoCounterpart(Exception):
    """A type has no counterpart in the other dialect; the text names it."""


# ---- to VHLO


@lru_cache(maxsize=MAXIMUM_CACHED)
def to_vhlo(source: Type, *, mixed: bool = False) -> Type:
    """The corresponding type of VHLO.

    Args:
        source: A type of MLIR or StableHLO.
        mixed: Whether types of unknown dialects stay as they are, too.

    Raises:
        NoCounterpart: There is none.
    """
    if isinstance(source, VhloType):
        return source
    convert = TO_VHLO.get(type(source))
    converted = None if convert is None else convert(source, mixed)
    if converted is None and (stays(source) or (mixed and not isinstance(source, BUILTIN))):
        return source
    if converted is None:
        raise NoCounterpart(f"the type {source} has no form in portable artifacts")
    return converted


def stays(source: Type) -> bool:
    """Whether a type of a dialect that upstream's reader knows stays as it is."""
    if isinstance(source, OpaqueType):
        return source.text.startswith(KNOWN_DIALECTS)
    return isinstance(source, AnyQuantizedType | CalibratedType)


def types_to_vhlo(types: tuple[Type, ...], mixed: bool) -> tuple[Type, ...]:
    """Several types as types of VHLO."""
    return tuple([to_vhlo(item, mixed=mixed) for item in types])


def integer_to_vhlo(source: IntegerType, mixed: bool) -> Type | None:
    """``i1`` is bool; others keep their name, if VHLO has it."""
    name = "bool" if source == BOOLEAN else str(source)
    return PlainV1Type(name) if name in PLAIN_TYPES else None


def float_to_vhlo(source: FloatType, mixed: bool) -> Type | None:
    """The float of the same name, if there is one."""
    return PlainV1Type(source.name) if source.name in PLAIN_TYPES else None


def tensor_to_vhlo(source: TensorType, mixed: bool) -> Type:
    """The tensor; its bounds as type extensions."""
    encoding: Attribute | None = source.encoding
    if isinstance(encoding, BoundsAttribute):
        encoding = TypeExtensionsV1(encoding.bounds)
    elif encoding is not None and not isinstance(encoding, TypeExtensionsV1):
        raise NoCounterpart(f"the encoding {encoding} has no form in portable artifacts")
    return TensorV1Type(source.shape, to_vhlo(source.element_type, mixed=mixed), encoding)


def buffer_to_vhlo(source: MemRefType, mixed: bool) -> Type | None:
    """The buffer; its layout and memory space are dropped, as upstream does."""
    if source.shape is None:
        return None
    return BufferV1Type(source.shape, to_vhlo(source.element_type, mixed=mixed))


def quantized_to_vhlo(source: QuantizedType, mixed: bool) -> Type | None:
    """The quantized type, per tensor or per axis; sub-channel types have no counterpart."""
    if source.is_sub_channel:
        return None
    storage = source.storage
    unsigned = isinstance(storage, IntegerType) and storage.is_unsigned
    stored = to_vhlo(source.declared_storage, mixed=mixed)
    expressed = to_vhlo(source.expressed, mixed=mixed)
    ends = int(source.storage_min), int(source.storage_max), 0 if unsigned else SIGNED
    if source.quantization_dimension is None:
        scale, zero_point = source.scales[0], source.zero_points[0]
        return QuantizedV1Type(stored, expressed, scale, zero_point, *ends)
    axis, scales, zero_points = (
        source.quantization_dimension, source.scales, source.zero_points
    )  # fmt: skip
    return QuantizedPerAxisV1Type(stored, expressed, axis, scales, zero_points, *ends)


TO_VHLO: Final[Mapping[type[object], Callable[[Any, bool], Type | None]]] = {
    IntegerType: integer_to_vhlo,
    FloatType: float_to_vhlo,
    IndexType: lambda source, mixed: PlainV1Type("index"),
    ComplexType: lambda source, mixed: ComplexV1Type(to_vhlo(source.element, mixed=mixed)),
    TensorType: tensor_to_vhlo,
    UnrankedTensorType: lambda source, mixed: UnrankedTensorV1Type(
        to_vhlo(source.element_type, mixed=mixed)
    ),
    MemRefType: buffer_to_vhlo,
    TokenType: lambda source, mixed: TOKEN,
    FutureType: lambda source, mixed: FutureV1Type(types_to_vhlo(source.types, mixed)),
    TupleType: lambda source, mixed: TupleV1Type(types_to_vhlo(source.types, mixed)),
    FunctionType: lambda source, mixed: FunctionV1Type(
        types_to_vhlo(source.inputs, mixed), types_to_vhlo(source.results, mixed)
    ),
    NoneType: lambda source, mixed: NONE,
    OpaqueType: lambda source, mixed: WITNESS if source == WITNESS_TYPE else None,
    QuantizedType: quantized_to_vhlo,
}
BUILTIN: Final = (
    IntegerType,
    FloatType,
    MemRefType,
    builtin.VectorType,
)  # these need a counterpart in mixed artifacts too


# ---- from VHLO


@lru_cache(maxsize=MAXIMUM_CACHED)
def from_vhlo(source: Type) -> Type:
    """The type of MLIR or StableHLO that corresponds to a type of VHLO; others are themselves.

    Raises:
        NoCounterpart: It contains types that no such type permits.
    """
    convert = FROM_VHLO.get(type(source))
    return source if convert is None else convert(source)


def types_from_vhlo(types: tuple[Type, ...]) -> tuple[Type, ...]:
    """Several types of VHLO as types of MLIR or StableHLO."""
    return tuple([from_vhlo(item) for item in types])


def element_from_vhlo(source: Type, *others: type[Type]) -> Any:
    """The element type that corresponds to one of VHLO.

    Args:
        source: The type of VHLO.
        others: Which types are elements there besides those of tensors.

    Raises:
        NoCounterpart: It is not an element type.
    """
    converted = from_vhlo(source)
    if isinstance(converted, (*ELEMENTS, TokenType, *others)):
        return converted
    raise NoCounterpart(f"{source} is no element type")


def number_from_vhlo(source: Type, allowed: tuple[type[object], ...]) -> Any:
    """The number type that corresponds to one of VHLO.

    Raises:
        NoCounterpart: It corresponds to another type.
    """
    converted = from_vhlo(source)
    if isinstance(converted, allowed):
        return converted
    raise NoCounterpart(f"{source} does not fit where it stands")


def tensor_from_vhlo(source: TensorV1Type) -> Type:
    """The tensor; type extensions become bounds."""
    encoding = source.encoding
    if isinstance(encoding, TypeExtensionsV1):
        encoding = BoundsAttribute(encoding.bounds)
    return TensorType(source.shape, element_from_vhlo(source.element), encoding)


def quantized_from_vhlo(source: QuantizedV1Type | QuantizedPerAxisV1Type) -> Type:
    """Converts a quantized type with its storage and expressed types."""
    storage = number_from_vhlo(source.storage, (IntegerType, FloatType))
    expressed = number_from_vhlo(source.expressed, (FloatType,))
    by_type = isinstance(storage, IntegerType) and storage.signedness == "unsigned"
    if isinstance(storage, IntegerType) and not source.flags & SIGNED:
        storage = IntegerType(storage.width, "unsigned")
    ends: tuple[float, float] = (source.minimum, source.maximum)
    if isinstance(storage, FloatType):
        ends = float(source.minimum), float(source.maximum)
    if isinstance(source, QuantizedV1Type):
        single = (source.scale,), (source.zero_point,)
        return QuantizedType(storage, expressed, *single, *ends, unsigned_by_type=by_type)
    scales, zero_points = source.scales, source.zero_points
    if len(scales) != len(zero_points):
        counts = f"{len(scales)} scales and {len(zero_points)} zero points"
        raise NoCounterpart(f"a quantized type with {counts}")
    return QuantizedType(
        storage, expressed, scales, zero_points, *ends, source.axis, unsigned_by_type=by_type
    )


PLAIN: Final[Mapping[str, Type]] = {
    **{name: SIMPLE_ELEMENTS[name] for name in PLAIN_TYPES if name in SIMPLE_ELEMENTS},
    "bool": BOOLEAN,
    "index": INDEX,
    "token": builtin.TOKEN,
    "none": NoneType(),
    "witness": WITNESS_TYPE,
}
ELEMENTS: Final = (
    IntegerType,
    FloatType,
    IndexType,
    ComplexType,
    QuantizedType,
    AnyQuantizedType,
    CalibratedType,
    OpaqueType,
)
FROM_VHLO: Final[Mapping[type[object], Callable[[Any], Type]]] = {
    PlainV1Type: lambda source: PLAIN[source.name],
    ComplexV1Type: lambda source: ComplexType(
        number_from_vhlo(source.element, (FloatType, IntegerType))
    ),
    TensorV1Type: tensor_from_vhlo,
    UnrankedTensorV1Type: lambda source: UnrankedTensorType(element_from_vhlo(source.element)),
    BufferV1Type: lambda source: MemRefType(
        source.shape, element_from_vhlo(source.element, MemRefType)
    ),
    TupleV1Type: lambda source: TupleType(types_from_vhlo(source.types)),
    FutureV1Type: lambda source: FutureType(types_from_vhlo(source.types)),
    FunctionV1Type: lambda source: FunctionType(
        types_from_vhlo(source.inputs), types_from_vhlo(source.outputs)
    ),
    QuantizedV1Type: quantized_from_vhlo,
    QuantizedPerAxisV1Type: quantized_from_vhlo,
}


def builtin_number_type(source: Type) -> Type:
    """The builtin type that corresponds to a number type; other types are themselves."""
    return PLAIN.get(source.name, source) if isinstance(source, PlainV1Type) else source
