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

MAXIMUM_CACHED: Final = 1 << 12
WITNESS_TYPE: Final = OpaqueType("!shape.witness")
SIGNED: Final = 1  # bit 0 of the flags of quantized types


class NoCounterpart(Exception):
    """Something has no counterpart on the other side; the text says what."""


# ---- to VHLO


@lru_cache(maxsize=MAXIMUM_CACHED)
def to_vhlo(stated: Type, *, mixed: bool = False) -> Type:
    """The type of VHLO that says the same.

    Args:
        stated: A type of MLIR or StableHLO.
        mixed: Whether types of other dialects stay as they are.

    Raises:
        NoCounterpart: There is none.
    """
    if isinstance(stated, VhloType):
        return stated
    convert = TO_VHLO.get(type(stated))
    found = None if convert is None else convert(stated, mixed)
    if found is None and mixed and not isinstance(stated, BUILTIN):
        return stated
    if found is None:
        raise NoCounterpart(f"the type {stated} has no form in portable artifacts")
    return found


def types_to_vhlo(types: tuple[Type, ...], mixed: bool) -> tuple[Type, ...]:
    """Several types as types of VHLO."""
    return tuple([to_vhlo(each, mixed=mixed) for each in types])


def integer_to_vhlo(stated: IntegerType, mixed: bool) -> Type | None:
    """``i1`` is bool; others keep their name, if there is one of it."""
    name = "bool" if stated == BOOLEAN else str(stated)
    return PlainV1Type(name) if name in PLAIN_TYPES else None


def float_to_vhlo(stated: FloatType, mixed: bool) -> Type | None:
    """The float of the same name, if there is one."""
    return PlainV1Type(stated.name) if stated.name in PLAIN_TYPES else None


def tensor_to_vhlo(stated: TensorType, mixed: bool) -> Type:
    """The tensor; its bounds as type extensions."""
    encoding: Attribute | None = stated.encoding
    if isinstance(encoding, BoundsAttribute):
        encoding = TypeExtensionsV1(encoding.bounds)
    elif encoding is not None and not isinstance(encoding, TypeExtensionsV1):
        raise NoCounterpart(f"the encoding {encoding} has no form in portable artifacts")
    return TensorV1Type(stated.shape, to_vhlo(stated.element_type, mixed=mixed), encoding)


def buffer_to_vhlo(stated: MemRefType, mixed: bool) -> Type | None:
    """The buffer; its layout and memory space are dropped, as upstream does."""
    if stated.shape is None:
        return None
    return BufferV1Type(stated.shape, to_vhlo(stated.element_type, mixed=mixed))


def quantized_to_vhlo(stated: QuantizedType, mixed: bool) -> Type | None:
    """The quantized type, per tensor or per axis; sub-channel types have no counterpart."""
    if stated.is_sub_channel:
        return None
    storage = stated.storage
    unsigned = isinstance(storage, IntegerType) and storage.is_unsigned
    stored = to_vhlo(stated.declared_storage, mixed=mixed)
    expressed = to_vhlo(stated.expressed, mixed=mixed)
    ends = int(stated.storage_min), int(stated.storage_max), 0 if unsigned else SIGNED
    if stated.quantization_dimension is None:
        scale, zero_point = stated.scales[0], stated.zero_points[0]
        return QuantizedV1Type(stored, expressed, scale, zero_point, *ends)
    axis, scales, zero_points = (
        stated.quantization_dimension, stated.scales, stated.zero_points
    )  # fmt: skip
    return QuantizedPerAxisV1Type(stored, expressed, axis, scales, zero_points, *ends)


TO_VHLO: Final[Mapping[type[Any], Callable[[Any, bool], Type | None]]] = {
    IntegerType: integer_to_vhlo,
    FloatType: float_to_vhlo,
    IndexType: lambda stated, mixed: PlainV1Type("index"),
    ComplexType: lambda stated, mixed: ComplexV1Type(to_vhlo(stated.element, mixed=mixed)),
    TensorType: tensor_to_vhlo,
    UnrankedTensorType: lambda stated, mixed: UnrankedTensorV1Type(
        to_vhlo(stated.element_type, mixed=mixed)
    ),
    MemRefType: buffer_to_vhlo,
    TokenType: lambda stated, mixed: TOKEN,
    FutureType: lambda stated, mixed: FutureV1Type(types_to_vhlo(stated.types, mixed)),
    TupleType: lambda stated, mixed: TupleV1Type(types_to_vhlo(stated.types, mixed)),
    FunctionType: lambda stated, mixed: FunctionV1Type(
        types_to_vhlo(stated.inputs, mixed), types_to_vhlo(stated.results, mixed)
    ),
    NoneType: lambda stated, mixed: NONE,
    OpaqueType: lambda stated, mixed: WITNESS if stated == WITNESS_TYPE else None,
    QuantizedType: quantized_to_vhlo,
}
BUILTIN: Final = (
    IntegerType,
    FloatType,
    MemRefType,
    builtin.VectorType,
)  # without a counterpart these have none in mixed artifacts either


# ---- from VHLO


@lru_cache(maxsize=MAXIMUM_CACHED)
def from_vhlo(stated: Type) -> Type:
    """The type of MLIR or StableHLO that a type of VHLO stands for; other types are themselves.

    Raises:
        NoCounterpart: It is made of parts that no such type has.
    """
    convert = FROM_VHLO.get(type(stated))
    return stated if convert is None else convert(stated)


def types_from_vhlo(types: tuple[Type, ...]) -> tuple[Type, ...]:
    """What several types of VHLO stand for."""
    return tuple([from_vhlo(each) for each in types])


def element_from_vhlo(stated: Type) -> Any:
    """What an element type of VHLO stands for.

    Raises:
        NoCounterpart: It stands for no element type.
    """
    found = from_vhlo(stated)
    if isinstance(found, ELEMENTS):
        return found
    raise NoCounterpart(f"{stated} is no element type")


def number_from_vhlo(stated: Type, allowed: tuple[type[Any], ...]) -> Any:
    """What a type of numbers stands for.

    Raises:
        NoCounterpart: It stands for something else.
    """
    found = from_vhlo(stated)
    if isinstance(found, allowed):
        return found
    raise NoCounterpart(f"{stated} does not fit where it stands")


def tensor_from_vhlo(stated: TensorV1Type) -> Type:
    """The tensor; type extensions become bounds."""
    encoding = stated.encoding
    if isinstance(encoding, TypeExtensionsV1):
        encoding = BoundsAttribute(encoding.bounds)
    return TensorType(stated.shape, element_from_vhlo(stated.element), encoding)


def quantized_from_vhlo(stated: QuantizedV1Type | QuantizedPerAxisV1Type) -> Type:
    """The quantized type."""
    storage = number_from_vhlo(stated.storage, (IntegerType, FloatType))
    expressed = number_from_vhlo(stated.expressed, (FloatType,))
    by_type = isinstance(storage, IntegerType) and storage.signedness == "unsigned"
    if isinstance(storage, IntegerType) and not stated.flags & SIGNED:
        storage = IntegerType(storage.width, "unsigned")
    ends: tuple[float, float] = (stated.minimum, stated.maximum)
    if isinstance(storage, FloatType):
        ends = float(stated.minimum), float(stated.maximum)
    if isinstance(stated, QuantizedV1Type):
        single = (stated.scale,), (stated.zero_point,)
        return QuantizedType(storage, expressed, *single, *ends, unsigned_by_type=by_type)
    scales, zero_points = stated.scales, stated.zero_points
    if len(scales) != len(zero_points):
        counts = f"{len(scales)} scales and {len(zero_points)} zero points"
        raise NoCounterpart(f"a quantized type with {counts}")
    return QuantizedType(
        storage, expressed, scales, zero_points, *ends, stated.axis, unsigned_by_type=by_type
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
FROM_VHLO: Final[Mapping[type[Any], Callable[[Any], Type]]] = {
    PlainV1Type: lambda stated: PLAIN[stated.name],
    ComplexV1Type: lambda stated: ComplexType(
        number_from_vhlo(stated.element, (FloatType, IntegerType))
    ),
    TensorV1Type: tensor_from_vhlo,
    UnrankedTensorV1Type: lambda stated: UnrankedTensorType(element_from_vhlo(stated.element)),
    BufferV1Type: lambda stated: MemRefType(stated.shape, element_from_vhlo(stated.element)),
    TupleV1Type: lambda stated: TupleType(types_from_vhlo(stated.types)),
    FutureV1Type: lambda stated: FutureType(types_from_vhlo(stated.types)),
    FunctionV1Type: lambda stated: FunctionType(
        types_from_vhlo(stated.inputs), types_from_vhlo(stated.outputs)
    ),
    QuantizedV1Type: quantized_from_vhlo,
    QuantizedPerAxisV1Type: quantized_from_vhlo,
}


def builtin_number_type(stated: Type) -> Type:
    """The builtin type that a type of numbers stands for; itself if it is of no such kind."""
    return PLAIN.get(stated.name, stated) if isinstance(stated, PlainV1Type) else stated
