"""Encodes VHLO, the form of portable artifacts, which never changes.

Source: StableHLO, VHLO dialect, its bytecode encodings.
"""

from __future__ import annotations

import math
from typing import Any, Final

from stablemate.dialects.stablehlo.attributes import (
    ComparisonDirection,
    ComparisonType,
    FftType,
    Precision,
    RngAlgorithm,
    RngDistribution,
    TransposeKind,
)
from stablemate.dialects.stablehlo.result_accuracy import ResultAccuracyMode
from stablemate.dialects.vhlo import attributes as vhlo
from stablemate.dialects.vhlo import types
from stablemate.dialects.vhlo.conversion import NoCounterpart, builtin_number_type, from_vhlo
from stablemate.formats.bytecode.entry_access import EntryReader, EntryWriter
from stablemate.formats.bytecode.literals import dense_bytes, literal_of_data
from stablemate.formats.bytecode.rows import (
    ATTRIBUTE,
    ATTRIBUTES,
    BOUNDS,
    F64,
    OPTIONAL_ATTRIBUTE,
    SHAPE,
    STRING,
    SVARINT,
    SVARINTS,
    TYPE,
    TYPES,
    VARINT,
    DialectEncoding,
    EntryField,
    EntryFormat,
    constant,
    converted_field,
    custom_row,
    enumeration,
    list_of,
    row,
)
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.kinds import EnumAttribute
from stablemate.ir.types import Attribute, TensorType, Type
from stablemate.numerics.elements import (
    BOOLEAN,
    FloatType,
    IndexType,
    IntegerType,
)

# ---- attributes


def read_entry(reader: EntryReader) -> tuple[Attribute, Attribute]:
    """Reads a key and a value."""
    return reader.attribute(), reader.attribute()


def write_entry(writer: EntryWriter, entry: tuple[Attribute, Attribute]) -> None:
    """Writes a key and a value."""
    for attribute in entry:
        writer.attribute(attribute)


def read_flagged_attribute(reader: EntryReader) -> Attribute | None:
    """Reads whether an attribute follows, and the attribute."""
    return reader.attribute() if reader.varint() else None


def write_flagged_attribute(writer: EntryWriter, value: Attribute | None) -> None:
    """Writes whether an attribute follows, and the attribute."""
    writer.varint(int(value is not None))
    if value is not None:
        writer.attribute(value)


def read_float(reader: EntryReader) -> vhlo.FloatV1:
    """Reads the type, then the bits as an integer of its width."""
    value_type = reader.type()
    number_type = builtin_number_type(value_type)
    if not isinstance(number_type, FloatType):
        reader.reject(f"no number has type {value_type}")
    return vhlo.FloatV1(reader.integer(number_type.bits), value_type)


def write_float(writer: EntryWriter, value: vhlo.FloatV1) -> None:
    """Writes the type, then the bits."""
    writer.type(value.type)
    writer.integer(value.bits, width_of(value.type))


def width_of(value_type: Type) -> int:
    """Returns the number of bits of a numeric type."""
    width: int = getattr(builtin_number_type(value_type), "bits", 64)
    return width


def read_integer(reader: EntryReader) -> vhlo.IntegerV1:
    """Reads the type, then an integer of its width."""
    value_type = reader.type()
    number_type = builtin_number_type(value_type)
    if not isinstance(number_type, IntegerType | IndexType):
        reader.reject(f"an integer has no type {value_type}")
    return vhlo.IntegerV1(number_type.wrap(reader.integer(number_type.width)), value_type)


def write_integer(writer: EntryWriter, value: vhlo.IntegerV1) -> None:
    """Writes the type, then the value."""
    writer.type(value.type)
    writer.integer(value.value, width_of(value.type))


def read_tensor(reader: EntryReader) -> vhlo.TensorV1:
    """Reads the type, then the data; large data is a view of the file."""
    vhlo_type = reader.type()
    try:
        tensor_type = from_vhlo(vhlo_type)
    except NoCounterpart as error:
        reader.reject(str(error))
    if not isinstance(tensor_type, TensorType) or min(tensor_type.shape, default=0) < 0:
        reader.reject(f"a tensor has a static tensor type, not {vhlo_type}")
    raw = reader.blob()
    return vhlo.TensorV1(literal_of_data(reader, raw, tensor_type))


def write_tensor(writer: EntryWriter, value: vhlo.TensorV1) -> None:
    """Writes the type, then the elements as a blob."""
    writer.type(value.type)
    writer.blob(lambda: tensor_bytes(value.elements))


def tensor_bytes(value: DenseElementsAttribute) -> object:
    """Returns the raw data.

    A single boolean is one bit, and none takes no byte; builtin literals fill a byte with it.
    """
    count = math.prod(value.shape)
    if value.type.element_type == BOOLEAN and count < 2:
        return bytes(map(bool, value.data[:count]))
    return dense_bytes(value)


def is_vhlo_member(attribute: EnumAttribute) -> bool:
    """Whether a member belongs to an enumeration of VHLO.

    StableHLO's enumerations have the same members.
    """
    return attribute.dialect == "vhlo"


def vhlo_enumeration(kind: int, members: Any, *values: Any) -> EntryFormat:
    """Declares a kind for the members of an enumeration of VHLO."""
    return enumeration(kind, members, *values).when(is_vhlo_member)


ENTRIES: Final = list_of(EntryField(read_entry, write_entry))
FLAGGED_ATTRIBUTE: Final = EntryField(read_flagged_attribute, write_flagged_attribute)
ATTRIBUTE_ROWS: Final = (
    row(1, vhlo.ArrayV1, items=ATTRIBUTES),
    row(2, vhlo.BooleanV1, value=converted_field(VARINT, bool, int)),
    vhlo_enumeration(3, vhlo.COMPARISON_DIRECTION, *ComparisonDirection),
    vhlo_enumeration(4, vhlo.COMPARISON_TYPE, *ComparisonType),
    vhlo_enumeration(5, vhlo.API_VERSION, *vhlo.ApiVersion),
    row(6, vhlo.DictionaryV1, entries=ENTRIES),
    vhlo_enumeration(7, vhlo.FFT_TYPE, *FftType),
    custom_row(8, vhlo.FloatV1, read_float, write_float),
    custom_row(9, vhlo.IntegerV1, read_integer, write_integer),
    row(
        10, vhlo.OutputOperandAliasV1,
        output_tuple_indices=SVARINTS, operand_index=SVARINT, operand_tuple_indices=SVARINTS,
    ),
    vhlo_enumeration(11, vhlo.PRECISION, *Precision),
    vhlo_enumeration(12, vhlo.RNG_ALGORITHM, *RngAlgorithm),
    vhlo_enumeration(13, vhlo.RNG_DISTRIBUTION, None, *RngDistribution),
    row(14, vhlo.StringV1, value=STRING),
    custom_row(15, vhlo.TensorV1, read_tensor, write_tensor),
    vhlo_enumeration(16, vhlo.TRANSPOSE, *TransposeKind),
    row(17, vhlo.TypeV1, type=TYPE),
    row(18, types.TypeExtensionsV1, bounds=BOUNDS),
    vhlo_enumeration(19, vhlo.RESULT_ACCURACY_MODE, *ResultAccuracyMode),
    row(20, vhlo.ResultAccuracyV1, atol=F64, rtol=F64, ulps=SVARINT, mode=ATTRIBUTE),
    row(21, vhlo.SubAxisInfoV1, pre_size=SVARINT, size=SVARINT),
    row(22, vhlo.AxisRefV1, name=ATTRIBUTE, sub_axis_info=FLAGGED_ATTRIBUTE),
    row(23, vhlo.ReplicaGroupMeshAxesV1, mesh=ATTRIBUTE, axes=ATTRIBUTE),
    row(24, vhlo.MeshAxisV1, name=ATTRIBUTE, size=SVARINT),
    row(25, vhlo.MeshV1, axes=ATTRIBUTE, device_ids=OPTIONAL_ATTRIBUTE),
)  # fmt: skip


# ---- types

PLAIN_KINDS: Final = {
    0: "bool", 2: "bf16", 3: "f16", 4: "f32", 5: "f64", 6: "f8E4M3FN", 7: "f8E5M2", 9: "index",
    10: "i4", 11: "i8", 12: "i16", 13: "i32", 14: "i64",
    15: "ui4", 16: "ui8", 17: "ui16", 18: "ui32", 19: "ui64",
    22: "token", 26: "witness", 27: "f8E4M3FNUZ", 28: "f8E5M2FNUZ", 29: "f8E4M3B11FNUZ",
    31: "i2", 32: "ui2", 33: "none", 34: "tf32", 35: "f8E4M3", 36: "f8E3M4",
    37: "f4E2M1FN", 38: "f6E2M3FN", 39: "f6E3M2FN", 40: "f8E8M0FNU",
}  # fmt: skip
STORAGE_FIELDS: Final[dict[str, EntryField[Any]]] = {
    "flags": VARINT,
    "storage": TYPE,
    "expressed": TYPE,
}
RANGE_FIELDS: Final[dict[str, EntryField[Any]]] = {"minimum": SVARINT, "maximum": SVARINT}
TYPE_ROWS: Final = (
    *(constant(kind, types.PlainV1Type(name)) for kind, name in PLAIN_KINDS.items()),
    row(1, types.ComplexV1Type, element=TYPE),
    row(8, types.FunctionV1Type, inputs=TYPES, outputs=TYPES),
    row(20, types.TensorV1Type, shape=SHAPE, element=TYPE).when(lambda t: t.encoding is None),
    row(21, types.TensorV1Type, encoding=ATTRIBUTE, shape=SHAPE, element=TYPE),
    row(23, types.TupleV1Type, types=TYPES),
    row(24, types.QuantizedV1Type, **STORAGE_FIELDS, scale=F64, zero_point=SVARINT, **RANGE_FIELDS),
    row(25, types.UnrankedTensorV1Type, element=TYPE),
    row(
        30, types.QuantizedPerAxisV1Type,
        **STORAGE_FIELDS, axis=VARINT, **RANGE_FIELDS, scales=list_of(F64), zero_points=SVARINTS,
    ),
    row(41, types.BufferV1Type, shape=SHAPE, element=TYPE),
    row(42, types.FutureV1Type, types=TYPES),
)  # fmt: skip

VHLO: Final = DialectEncoding("vhlo", ATTRIBUTE_ROWS, TYPE_ROWS)
