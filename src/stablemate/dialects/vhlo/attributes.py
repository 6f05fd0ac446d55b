"""Attributes of VHLO, with the version of StableHLO that introduced each.

Source: StableHLO, VHLO attributes; their spellings are upstream's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, fields
from enum import Enum
from typing import Any, ClassVar, Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo import attributes as stablehlo
from stablemate.dialects.stablehlo.result_accuracy import ResultAccuracyMode
from stablemate.dialects.vhlo.conversion import builtin_number_type, to_vhlo
from stablemate.dialects.vhlo.types import VhloAttribute
from stablemate.dialects.vhlo.versions import Version
from stablemate.ir.attributes import (
    DenseElementsAttribute,
    quote,
)
from stablemate.ir.kinds import EnumKind, enum_kind
from stablemate.ir.types import Attribute, Type
from stablemate.numerics.elements import FloatType
from stablemate.numerics.float_text import format_float
from stablemate.numerics.literal_data import number_texts


@dataclass(frozen=True)
class StructuredAttribute(VhloAttribute):
    """An attribute that is written as ``#vhlo.name<key = value, ...>``, a key for each field.

    The reader of MLIR text derives the keys and the kinds of their values from the same fields.

    Attributes:
        SYNTAX: The name of the attribute, with its dialect.
        KEYS: The keys of the fields that are not spelled as the fields are.
    """

    SYNTAX: ClassVar[str] = ""
    KEYS: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def fields_by_key(cls) -> dict[str, Field[object]]:
        """The fields, by their keys in the order of the text."""
        return {cls.KEYS.get(field.name, field.name): field for field in fields(cls)}

    def __str__(self) -> str:
        entries = (
            f"{key} = {value_text(field, getattr(self, field.name))}"
            for key, field in self.fields_by_key().items()
            if getattr(self, field.name) is not None
        )
        return f"#{self.SYNTAX}<{', '.join(entries)}>"


def value_text(field: Field[object], value: Any) -> str:
    """The value of a field of a structured attribute."""
    match field.type:
        case "float":
            return format_float(value, np.float64)
        case "tuple[int, ...]":
            return str(list(value))
        case _:
            return str(value)


@dataclass(frozen=True)
class ArrayV1(VhloAttribute):
    """``#vhlo.array_v1<[a, b]>``."""

    items: tuple[Attribute, ...] = ()

    def parts(self) -> Iterable[Type | Attribute]:
        """The items, for the conversion of nested attributes."""
        return self.items

    def __str__(self) -> str:
        return f"#vhlo.array_v1<[{', '.join(map(str, self.items))}]>"


@dataclass(frozen=True)
class BooleanV1(VhloAttribute):
    """``#vhlo.bool_v1<true>``."""

    value: bool

    def __str__(self) -> str:
        return f"#vhlo.bool_v1<{'true' if self.value else 'false'}>"


@dataclass(frozen=True)
class DictionaryV1(VhloAttribute):
    """``#vhlo.dict_v1<{#vhlo.string_v1<"k"> = v}>``, in any order."""

    entries: tuple[tuple[Attribute, Attribute], ...] = ()

    def parts(self) -> Iterable[Type | Attribute]:
        """The keys and values, for the conversion of nested attributes."""
        return (part for entry in self.entries for part in entry)

    def __str__(self) -> str:
        entries = ", ".join(f"{key} = {value}" for key, value in self.entries)
        return f"#vhlo.dict_v1<{{{entries}}}>"


@dataclass(frozen=True)
class FloatV1(VhloAttribute):
    """``#vhlo.float_v1<1.000000e+00 : !vhlo.f32_v1>``, by its bit pattern."""

    bits: int
    type: Type

    def parts(self) -> Iterable[Type | Attribute]:
        """The type of the number."""
        return (self.type,)

    def __str__(self) -> str:
        number_type = builtin_number_type(self.type)
        if not isinstance(number_type, FloatType):
            return f"#vhlo.float_v1<{self.bits:#x} : {self.type}>"
        return f"#vhlo.float_v1<{number_texts((self.bits,), number_type)[0]} : {self.type}>"


@dataclass(frozen=True)
class IntegerV1(VhloAttribute):
    """``#vhlo.integer_v1<1 : i64>``; the text has the name of the builtin type."""

    value: int
    type: Type

    def parts(self) -> Iterable[Type | Attribute]:
        """The type of the number."""
        return (self.type,)

    def __str__(self) -> str:
        return f"#vhlo.integer_v1<{self.value} : {builtin_number_type(self.type)}>"


@dataclass(frozen=True)
class OutputOperandAliasV1(StructuredAttribute):
    """``#vhlo.output_operand_alias_v1<...>``."""

    SYNTAX: ClassVar[str] = "vhlo.output_operand_alias_v1"
    KEYS: ClassVar[Mapping[str, str]] = {
        "output_tuple_indices": "outputTupleIndices",
        "operand_index": "operandIndex",
        "operand_tuple_indices": "operandTupleIndices",
    }
    output_tuple_indices: tuple[int, ...]
    operand_index: int
    operand_tuple_indices: tuple[int, ...]


@dataclass(frozen=True)
class StringV1(VhloAttribute):
    """``#vhlo.string_v1<"x">``; bytes that are not UTF-8 are surrogate escapes."""

    value: str

    def __str__(self) -> str:
        return f"#vhlo.string_v1<{quote(self.value)}>"


@dataclass(frozen=True)
class TensorV1(VhloAttribute):
    """``#vhlo.tensor_v1<dense<1> : tensor<2xi64>>``.

    Attributes:
        elements: The elements, with the builtin type that corresponds to the type of VHLO.
    """

    elements: DenseElementsAttribute

    @property
    def type(self) -> Type:
        """The tensor type as one of VHLO."""
        return to_vhlo(self.elements.type)

    def parts(self) -> Iterable[Type | Attribute]:
        """The type of the tensor."""
        return (self.type,)

    def __str__(self) -> str:
        return f"#vhlo.tensor_v1<{self.elements}>"


@dataclass(frozen=True)
class TypeV1(VhloAttribute):
    """``#vhlo.type_v1<!vhlo.f32_v1>``."""

    type: Type

    def parts(self) -> Iterable[Type | Attribute]:
        """The type that the attribute holds."""
        return (self.type,)

    def __str__(self) -> str:
        return f"#vhlo.type_v1<{self.type}>"


@dataclass(frozen=True)
class ResultAccuracyV1(StructuredAttribute):
    """``#vhlo.result_accuracy_v1<...>``."""

    SYNTAX: ClassVar[str] = "vhlo.result_accuracy_v1"
    SINCE: ClassVar[Version] = Version(1, 9, 0)
    atol: float
    rtol: float
    ulps: int
    mode: Attribute

    def parts(self) -> Iterable[Type | Attribute]:
        """The mode, an attribute of its own version."""
        return (self.mode,)


@dataclass(frozen=True)
class SubAxisInfoV1(StructuredAttribute):
    """``#vhlo.sub_axis_info_v1<pre_size = 1, size = 2>``."""

    SYNTAX: ClassVar[str] = "vhlo.sub_axis_info_v1"
    SINCE: ClassVar[Version] = Version(1, 16, 0)
    pre_size: int
    size: int


@dataclass(frozen=True)
class AxisRefV1(StructuredAttribute):
    """``#vhlo.axis_ref_v1<name = #vhlo.string_v1<"x">>``, with part of the axis if not all."""

    SYNTAX: ClassVar[str] = "vhlo.axis_ref_v1"
    SINCE: ClassVar[Version] = Version(1, 16, 0)
    name: Attribute
    sub_axis_info: Attribute | None = None

    def parts(self) -> Iterable[Type | Attribute]:
        """Its name and the part of the axis."""
        return (self.name,) if self.sub_axis_info is None else (self.name, self.sub_axis_info)


@dataclass(frozen=True)
class ReplicaGroupMeshAxesV1(StructuredAttribute):
    """``#vhlo.replica_group_mesh_axes_v1<mesh = ..., axes = ...>``."""

    SYNTAX: ClassVar[str] = "vhlo.replica_group_mesh_axes_v1"
    SINCE: ClassVar[Version] = Version(1, 16, 0)
    mesh: Attribute
    axes: Attribute

    def parts(self) -> Iterable[Type | Attribute]:
        """The mesh and the axes."""
        return (self.mesh, self.axes)


@dataclass(frozen=True)
class MeshAxisV1(StructuredAttribute):
    """``#vhlo.mesh_axis_v1<name = #vhlo.string_v1<"x">, size = 2>``."""

    SYNTAX: ClassVar[str] = "vhlo.mesh_axis_v1"
    SINCE: ClassVar[Version] = Version(1, 16, 0)
    name: Attribute
    size: int


@dataclass(frozen=True)
class MeshV1(StructuredAttribute):
    """``#vhlo.mesh_v1<axes = ..., device_ids = ...>``."""

    SYNTAX: ClassVar[str] = "vhlo.mesh_v1"
    SINCE: ClassVar[Version] = Version(1, 16, 0)
    axes: Attribute
    device_ids: Attribute | None = None


STRUCTURED_ATTRIBUTES: Final[Sequence[type[StructuredAttribute]]] = (
    OutputOperandAliasV1,
    ResultAccuracyV1,
    SubAxisInfoV1,
    AxisRefV1,
    ReplicaGroupMeshAxesV1,
    MeshAxisV1,
    MeshV1,
)


class ApiVersion(Enum):
    """``api_version`` of custom_call."""

    UNSPECIFIED = "API_VERSION_UNSPECIFIED"
    ORIGINAL = "API_VERSION_ORIGINAL"
    STATUS_RETURNING = "API_VERSION_STATUS_RETURNING"
    STATUS_RETURNING_UNIFIED = "API_VERSION_STATUS_RETURNING_UNIFIED"
    TYPED_FFI = "API_VERSION_TYPED_FFI"


COMPARISON_DIRECTION: Final = enum_kind(
    stablehlo.ComparisonDirection, "vhlo", "comparison_direction_v1"
)
COMPARISON_TYPE: Final = enum_kind(stablehlo.ComparisonType, "vhlo", "comparison_type_v1")
API_VERSION: Final = enum_kind(ApiVersion, "vhlo", "api_version_v1")
FFT_TYPE: Final = enum_kind(stablehlo.FftType, "vhlo", "fft_type_v1")
PRECISION: Final = enum_kind(stablehlo.Precision, "vhlo", "precision_v1")
RNG_ALGORITHM: Final = enum_kind(stablehlo.RngAlgorithm, "vhlo", "rng_algorithm_v1")
RNG_DISTRIBUTION: Final = enum_kind(stablehlo.RngDistribution, "vhlo", "rng_distribution_v1")
TRANSPOSE: Final = enum_kind(stablehlo.TransposeKind, "vhlo", "transpose_v1")
RESULT_ACCURACY_MODE: Final = enum_kind(ResultAccuracyMode, "vhlo", "result_accuracy_mode_v1")
ENUMERATIONS: Final[Mapping[type[Enum], EnumKind[Enum]]] = {
    type(next(iter(kind.members.values()))): kind
    for kind in (
        COMPARISON_DIRECTION,
        COMPARISON_TYPE,
        API_VERSION,
        FFT_TYPE,
        PRECISION,
        RNG_ALGORITHM,
        RNG_DISTRIBUTION,
        TRANSPOSE,
        RESULT_ACCURACY_MODE,
    )
}
ENUMERATIONS_SINCE: Final = {"result_accuracy_mode_v1": Version(1, 9, 0)}
