"""Encodes StableHLO in plain bytecode; portable artifacts hold VHLO instead.

Source: StableHLO dialect, its bytecode encodings.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.stablehlo.attributes import (
    COMPARISON_DIRECTION,
    COMPARISON_TYPE,
    FFT_TYPE,
    PRECISION,
    RNG_ALGORITHM,
    RNG_DISTRIBUTION,
    TRANSPOSE,
    AxisRef,
    ChannelHandle,
    ComparisonDirection,
    ComparisonType,
    ConvDimensionNumbers,
    DotAlgorithm,
    DotDimensionNumbers,
    FftType,
    GatherDimensionNumbers,
    Mesh,
    MeshAxis,
    OutputOperandAlias,
    Precision,
    ReplicaGroupMeshAxes,
    RngAlgorithm,
    RngDistribution,
    ScatterDimensionNumbers,
    SubAxis,
    TransposeKind,
)
from stablemate.dialects.stablehlo.result_accuracy import (
    RESULT_ACCURACY_MODE,
    ResultAccuracy,
    ResultAccuracyMode,
)
from stablemate.formats.bytecode.entry_access import EntryReader, EntryWriter
from stablemate.formats.bytecode.rows import (
    BOOLEAN,
    BOUNDS,
    F64,
    STRING,
    SVARINT,
    SVARINTS,
    TYPE,
    TYPES,
    DialectEncoding,
    EntryField,
    attribute_of,
    constant,
    enumeration,
    list_of,
    row,
)
from stablemate.ir.attributes import ArrayAttribute, DenseElementsAttribute, SymbolAttribute
from stablemate.ir.kinds import EnumAttribute
from stablemate.ir.types import TOKEN, BoundsAttribute, FutureType


def flagged_attribute(cls: type[object]) -> EntryField[object]:
    """Returns a field for a byte that tells whether an attribute follows, and the attribute."""
    inner = attribute_of(cls)

    def read(reader: EntryReader) -> object:
        return inner.read(reader) if reader.byte() else None

    def write(writer: EntryWriter, value: object) -> None:
        writer.byte(int(value is not None))
        if value is not None:
            inner.write(writer, value)

    return EntryField(read, write)


def read_axes(reader: EntryReader) -> tuple[MeshAxis, ...]:
    """Reads an array of axes of a mesh."""
    array = attribute_of(ArrayAttribute).read(reader)
    axes = tuple(item for item in array.items if isinstance(item, MeshAxis))
    return axes if len(axes) == len(array.items) else reader.reject(f"{array} are not axes")


MESH_AXES: Final = EntryField(
    read_axes, lambda writer, axes: writer.attribute(ArrayAttribute(tuple(axes)))
)


def read_mode(reader: EntryReader) -> ResultAccuracyMode:
    """Reads the mode of a result accuracy."""
    mode = attribute_of(EnumAttribute).read(reader).value
    return mode if isinstance(mode, ResultAccuracyMode) else reader.reject(f"{mode} is not a mode")


ACCURACY_MODE: Final = EntryField(
    read_mode, lambda writer, mode: writer.attribute(RESULT_ACCURACY_MODE.attribute(mode))
)

ATTRIBUTE_ROWS: Final = (
    row(1, ChannelHandle, handle=SVARINT, type=SVARINT),
    enumeration(2, COMPARISON_DIRECTION, *ComparisonDirection),
    enumeration(3, COMPARISON_TYPE, *ComparisonType),
    row(
        4, ConvDimensionNumbers,
        input_batch_dimension=SVARINT, input_feature_dimension=SVARINT,
        input_spatial_dimensions=SVARINTS, kernel_input_feature_dimension=SVARINT,
        kernel_output_feature_dimension=SVARINT, kernel_spatial_dimensions=SVARINTS,
        output_batch_dimension=SVARINT, output_feature_dimension=SVARINT,
        output_spatial_dimensions=SVARINTS,
    ),
    row(
        5, DotDimensionNumbers,
        lhs_batching_dimensions=SVARINTS, rhs_batching_dimensions=SVARINTS,
        lhs_contracting_dimensions=SVARINTS, rhs_contracting_dimensions=SVARINTS,
    ),
    enumeration(6, FFT_TYPE, *FftType),
    row(
        7, GatherDimensionNumbers,
        offset_dims=SVARINTS, collapsed_slice_dims=SVARINTS, operand_batching_dims=SVARINTS,
        start_indices_batching_dims=SVARINTS, start_index_map=SVARINTS, index_vector_dim=SVARINT,
    ),
    enumeration(8, PRECISION, *Precision),
    enumeration(9, RNG_ALGORITHM, *RngAlgorithm),
    enumeration(10, RNG_DISTRIBUTION, None, RngDistribution.UNIFORM, RngDistribution.NORMAL),
    row(
        11, ScatterDimensionNumbers,
        update_window_dims=SVARINTS, inserted_window_dims=SVARINTS, input_batching_dims=SVARINTS,
        scatter_indices_batching_dims=SVARINTS, scatter_dims_to_operand_dims=SVARINTS,
        index_vector_dim=SVARINT,
    ),
    enumeration(12, TRANSPOSE, *TransposeKind),
    row(13, BoundsAttribute, bounds=BOUNDS),
    row(
        14, OutputOperandAlias,
        output_tuple_indices=SVARINTS, operand_index=SVARINT, operand_tuple_indices=SVARINTS,
    ),
    row(
        15, DotAlgorithm,
        lhs_precision_type=TYPE, rhs_precision_type=TYPE, accumulation_type=TYPE,
        lhs_component_count=SVARINT, rhs_component_count=SVARINT,
        num_primitive_operations=SVARINT, allow_imprecise_accumulation=BOOLEAN,
    ),
    enumeration(16, RESULT_ACCURACY_MODE, *ResultAccuracyMode),
    row(17, ResultAccuracy, atol=F64, rtol=F64, ulps=SVARINT, mode=ACCURACY_MODE),
    row(
        18, ReplicaGroupMeshAxes,
        mesh=attribute_of(Mesh, SymbolAttribute), axes=list_of(attribute_of(AxisRef)),
    ),
    row(19, SubAxis, pre_size=SVARINT, size=SVARINT),
    row(20, AxisRef, name=STRING, sub_axis_info=flagged_attribute(SubAxis)),
    row(21, MeshAxis, name=STRING, size=SVARINT),
    row(22, Mesh, axes=MESH_AXES, device_ids=flagged_attribute(DenseElementsAttribute)),
)  # fmt: skip

STABLEHLO: Final = DialectEncoding(
    "stablehlo", ATTRIBUTE_ROWS, (constant(0, TOKEN), row(1, FutureType, types=TYPES))
)
