"""Attributes of StableHLO: enumerations, dimension numbers, handles.

A structured attribute is a frozen dataclass whose fields are its keys, in the order in which they
are written. ``SYNTAX`` says how the class is spelled.

Source: StableHLO specification, the operations that use them.
"""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from typing import Any, ClassVar, Final, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.result_accuracy import (
    RESULT_ACCURACY_MODE,
)
from stablemate.ir.attributes import DenseElementsAttribute, SymbolAttribute, quote
from stablemate.ir.kinds import (
    SI64_MATRIX,
    AttributeKind,
    enum_kind,
    integer_matrix,
    list_kind,
    struct_kind,
)
from stablemate.ir.types import Attribute


class Precision(Enum):
    """``precision_config``: how exact a dot or convolution must be."""

    DEFAULT = "DEFAULT"
    HIGH = "HIGH"
    HIGHEST = "HIGHEST"


class ComparisonDirection(Enum):
    """``comparison_direction`` of compare."""

    EQ = "EQ"
    NE = "NE"
    GE = "GE"
    GT = "GT"
    LE = "LE"
    LT = "LT"


class ComparisonType(Enum):
    """``compare_type`` of compare."""

    NOTYPE = "NOTYPE"
    FLOAT = "FLOAT"
    TOTALORDER = "TOTALORDER"
    SIGNED = "SIGNED"
    UNSIGNED = "UNSIGNED"


class FftType(Enum):
    """``fft_type`` of fft."""

    FFT = "FFT"
    IFFT = "IFFT"
    RFFT = "RFFT"
    IRFFT = "IRFFT"


class TransposeKind(Enum):
    """``transpose_a`` of triangular_solve."""

    TRANSPOSE_INVALID = "TRANSPOSE_INVALID"
    NO_TRANSPOSE = "NO_TRANSPOSE"
    TRANSPOSE = "TRANSPOSE"
    ADJOINT = "ADJOINT"


class RngDistribution(Enum):
    """``rng_distribution`` of rng."""

    UNIFORM = "UNIFORM"
    NORMAL = "NORMAL"


class RngAlgorithm(Enum):
    """``rng_algorithm`` of rng_bit_generator."""

    DEFAULT = "DEFAULT"
    THREE_FRY = "THREE_FRY"
    PHILOX = "PHILOX"


PRECISION: Final = enum_kind(Precision, "stablehlo", "precision")
COMPARISON_DIRECTION: Final = enum_kind(ComparisonDirection, "stablehlo", "comparison_direction")
COMPARISON_TYPE: Final = enum_kind(ComparisonType, "stablehlo", "comparison_type")
FFT_TYPE: Final = enum_kind(FftType, "stablehlo", "fft_type")
TRANSPOSE: Final = enum_kind(TransposeKind, "stablehlo", "transpose")
RNG_DISTRIBUTION: Final = enum_kind(RngDistribution, "stablehlo", "rng_distribution")
RNG_ALGORITHM: Final = enum_kind(RngAlgorithm, "stablehlo", "rng_algorithm")
PRECISION_CONFIG: Final = list_kind(PRECISION)

ENUMERATIONS: Final = (
    PRECISION,
    COMPARISON_DIRECTION,
    COMPARISON_TYPE,
    FFT_TYPE,
    TRANSPOSE,
    RNG_DISTRIBUTION,
    RNG_ALGORITHM,
    RESULT_ACCURACY_MODE,
)


def struct_text(attribute: Attribute, *, keep: tuple[str, ...] = ()) -> str:
    """``key = value`` pairs of a structured attribute; empty lists and zeros are left out.

    Args:
        attribute: An instance of a dataclass.
        keep: Fields that are always written.
    """
    entries: list[str] = []
    for name in (field.name for field in fields(cast(Any, attribute))):
        value = getattr(attribute, name)
        if value or name in keep:
            entries.append(f"{name} = {field_text(value)}")
    return ", ".join(entries)


def field_text(value: object) -> str:
    """A field's value as structured attributes spell it."""
    match value:
        case bool():
            return "true" if value else "false"
        case tuple():
            items = cast("tuple[object, ...]", value)
            return f"[{', '.join(map(field_text, items))}]"
        case _:
            return str(value)


@dataclass(frozen=True)
class ChannelHandle(Attribute):
    """``#stablehlo.channel_handle<handle = 1, type = 0>``."""

    handle: int = 0
    type: int = 0
    SYNTAX: ClassVar[str] = "stablehlo.channel_handle"

    def __str__(self) -> str:
        return f"#{self.SYNTAX}<{struct_text(self, keep=('handle', 'type'))}>"


@dataclass(frozen=True)
class DotDimensionNumbers(Attribute):
    """``#stablehlo.dot<...>``."""

    lhs_batching_dimensions: tuple[int, ...] = ()
    rhs_batching_dimensions: tuple[int, ...] = ()
    lhs_contracting_dimensions: tuple[int, ...] = ()
    rhs_contracting_dimensions: tuple[int, ...] = ()
    SYNTAX: ClassVar[str] = "stablehlo.dot"

    def __str__(self) -> str:
        return f"#{self.SYNTAX}<{struct_text(self)}>"


@dataclass(frozen=True)
class GatherDimensionNumbers(Attribute):
    """``#stablehlo.gather<...>``."""

    offset_dims: tuple[int, ...] = ()
    collapsed_slice_dims: tuple[int, ...] = ()
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()
    start_index_map: tuple[int, ...] = ()
    index_vector_dim: int = 0
    SYNTAX: ClassVar[str] = "stablehlo.gather"

    def __str__(self) -> str:
        return f"#{self.SYNTAX}<{struct_text(self)}>"


@dataclass(frozen=True)
class ScatterDimensionNumbers(Attribute):
    """``#stablehlo.scatter<...>``."""

    update_window_dims: tuple[int, ...] = ()
    inserted_window_dims: tuple[int, ...] = ()
    input_batching_dims: tuple[int, ...] = ()
    scatter_indices_batching_dims: tuple[int, ...] = ()
    scatter_dims_to_operand_dims: tuple[int, ...] = ()
    index_vector_dim: int = 0
    SYNTAX: ClassVar[str] = "stablehlo.scatter"

    def __str__(self) -> str:
        return f"#{self.SYNTAX}<{struct_text(self)}>"


@dataclass(frozen=True)
class ConvDimensionNumbers(Attribute):
    """``#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>``."""

    input_batch_dimension: int = 0
    input_feature_dimension: int = 0
    input_spatial_dimensions: tuple[int, ...] = ()
    kernel_input_feature_dimension: int = 0
    kernel_output_feature_dimension: int = 0
    kernel_spatial_dimensions: tuple[int, ...] = ()
    output_batch_dimension: int = 0
    output_feature_dimension: int = 0
    output_spatial_dimensions: tuple[int, ...] = ()
    SYNTAX: ClassVar[str] = "stablehlo.conv"

    def __str__(self) -> str:
        return f"#{self.SYNTAX}<{self.short_text() or f'raw {self.raw_text()}'}>"

    def raw_text(self) -> str:
        """Formats every field by its name, defaults included."""
        return struct_text(self, keep=tuple(self.__dataclass_fields__))

    def short_text(self) -> str:
        """``[b, 0, f]x[0, i, o]->[b, 0, f]``; empty if the dimensions do not permit it."""
        texts = (
            side_text(
                {self.input_batch_dimension: "b", self.input_feature_dimension: "f"},
                self.input_spatial_dimensions,
            ),
            side_text(
                {
                    self.kernel_input_feature_dimension: "i",
                    self.kernel_output_feature_dimension: "o",
                },
                self.kernel_spatial_dimensions,
            ),
            side_text(
                {self.output_batch_dimension: "b", self.output_feature_dimension: "f"},
                self.output_spatial_dimensions,
            ),
        )
        return "{}x{}->{}".format(*texts) if all(texts) else ""


def side_text(letters: dict[int, str], spatial: tuple[int, ...]) -> str:
    """The dimensions of one tensor in order; empty if they are not all named once."""
    names = {**letters, **{d: str(k) for k, d in enumerate(spatial)}}
    if sorted(names) != list(range(len(spatial) + 2)):
        return ""
    return f"[{', '.join(names[d] for d in range(len(names)))}]"


@dataclass(frozen=True)
class DotAlgorithm(Attribute):
    """``#stablehlo.dot_algorithm<...>``: how a dot is computed, exactly."""

    lhs_precision_type: object
    rhs_precision_type: object
    accumulation_type: object
    lhs_component_count: int = 1
    rhs_component_count: int = 1
    num_primitive_operations: int = 1
    allow_imprecise_accumulation: bool = False
    SYNTAX: ClassVar[str] = "stablehlo.dot_algorithm"

    def __str__(self) -> str:
        return f"#{self.SYNTAX}<{struct_text(self, keep=tuple(self.__dataclass_fields__))}>"


@dataclass(frozen=True)
class OutputOperandAlias(Attribute):
    """``#stablehlo.output_operand_alias<...>``: a result that shares an operand's buffer."""

    output_tuple_indices: tuple[int, ...] = ()
    operand_index: int = 0
    operand_tuple_indices: tuple[int, ...] = ()
    SYNTAX: ClassVar[str] = "stablehlo.output_operand_alias"

    def __str__(self) -> str:
        return f"#{self.SYNTAX}<{struct_text(self, keep=tuple(self.__dataclass_fields__))}>"


@dataclass(frozen=True)
class MeshAxis(Attribute):
    """``#stablehlo.mesh_axis<name = "x", size = 2>``."""

    name: str
    size: int
    SYNTAX: ClassVar[str] = "stablehlo.mesh_axis"

    def inner_text(self) -> str:
        """The text between the angle brackets."""
        return f"name = {quote(self.name)}, size = {self.size}"

    def __str__(self) -> str:
        return f"#{self.SYNTAX}<{self.inner_text()}>"


@dataclass(frozen=True)
class Mesh(Attribute):
    """``#stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<...> : ...>``."""

    axes: tuple[MeshAxis, ...] = ()
    device_ids: DenseElementsAttribute | None = None
    SYNTAX: ClassVar[str] = "stablehlo.mesh"

    def __str__(self) -> str:
        axes = ", ".join(f"<{axis.inner_text()}>" for axis in self.axes)
        device_ids = "" if self.device_ids is None else f", device_ids={self.device_ids}"
        return f"#{self.SYNTAX}<axes=[{axes}]{device_ids}>"


@dataclass(frozen=True)
class SubAxis(Attribute):
    """``(pre)size``: a part of a mesh axis."""

    pre_size: int
    size: int

    def __str__(self) -> str:
        return f"({self.pre_size}){self.size}"


@dataclass(frozen=True)
class AxisRef(Attribute):
    """``#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>``."""

    name: str
    sub_axis_info: SubAxis | None = None
    SYNTAX: ClassVar[str] = "stablehlo.axis_ref"

    def __str__(self) -> str:
        part = "" if self.sub_axis_info is None else f", sub_axis_info = {self.sub_axis_info}"
        return f"#{self.SYNTAX}<name = {quote(self.name)}{part}>"


@dataclass(frozen=True)
class ReplicaGroupMeshAxes(Attribute):
    """``#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [...]>``: groups along axes."""

    mesh: Mesh | SymbolAttribute
    axes: tuple[AxisRef, ...]
    SYNTAX: ClassVar[str] = "stablehlo.replica_group_mesh_axes"

    def __str__(self) -> str:
        return f"#{self.SYNTAX}<{struct_text(self, keep=('mesh', 'axes'))}>"


CHANNEL_HANDLE: Final = struct_kind(ChannelHandle, "channel handle")
DOT_DIMENSION_NUMBERS: Final = struct_kind(DotDimensionNumbers, "dot dimension numbers")
GATHER_DIMENSION_NUMBERS: Final = struct_kind(GatherDimensionNumbers, "gather dimension numbers")
SCATTER_DIMENSION_NUMBERS: Final = struct_kind(ScatterDimensionNumbers, "scatter dimension numbers")
CONV_DIMENSION_NUMBERS: Final = struct_kind(ConvDimensionNumbers, "convolution dimension numbers")
DOT_ALGORITHM: Final = struct_kind(DotAlgorithm, "dot algorithm")
OUTPUT_OPERAND_ALIASES: Final = list_kind(struct_kind(OutputOperandAlias, "output operand alias"))


def is_replica_groups(attribute: Attribute) -> bool:
    """Whether this is a matrix of process ids, or axes of a mesh."""
    if not isinstance(attribute, ReplicaGroupMeshAxes):
        return SI64_MATRIX.accepts(attribute)
    return is_mesh(attribute.mesh) and all_are(AxisRef, attribute.axes)


def is_mesh(attribute: Attribute) -> bool:
    """Whether this is a mesh that consists of axes, or the symbol of a mesh."""
    return isinstance(attribute, SymbolAttribute) or (
        isinstance(attribute, Mesh) and all_are(MeshAxis, attribute.axes)
    )


def all_are(cls: type[Attribute], items: tuple[object, ...]) -> bool:
    """Whether all items are of the required class."""
    return all(isinstance(item, cls) for item in items)


def replica_groups_value(
    attribute: Attribute,
) -> tuple[tuple[int, ...], ...] | ReplicaGroupMeshAxes:
    """Rows of process ids (-1 fills up short rows), or the axes."""
    return (
        attribute if isinstance(attribute, ReplicaGroupMeshAxes) else SI64_MATRIX.value(attribute)
    )


REPLICA_GROUPS: Final[AttributeKind[tuple[tuple[int, ...], ...] | ReplicaGroupMeshAxes]] = (
    AttributeKind(
        "replica groups",
        is_replica_groups,
        replica_groups_value,
        lambda value: value if isinstance(value, Attribute) else integer_matrix(value),
        lambda attribute: True,
    )
)
