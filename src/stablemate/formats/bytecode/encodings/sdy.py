"""Encodes Shardy's attributes.

Source: Shardy dialect, its bytecode encodings.
"""

from __future__ import annotations

from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.attributes import (
    AllToAllParam,
    AllToAllParamList,
    AxisRef,
    AxisRefList,
    DimensionSharding,
    ListOfAxisRefLists,
    ManualAxes,
    Mesh,
    MeshAxis,
    OpShardingRule,
    ReductionOp,
    SubAxis,
    TensorSharding,
    TensorShardingPerValue,
)
from stablemate.formats.bytecode.entry_access import EntryReader
from stablemate.formats.bytecode.rows import (
    BOOLEAN,
    STRING,
    SVARINT,
    SVARINTS,
    TEXT,
    VARINT,
    DialectEncoding,
    EntryField,
    attribute_of,
    converted_field,
    list_of,
    optional_attribute_of,
    row,
)
from stablemate.ir.attributes import SymbolAttribute
from stablemate.ir.types import Attribute


@dataclass(frozen=True)
class DimensionMapping(Attribute):
    """The factors of a dimension, which are an attribute of their own in bytecode only."""

    factors: tuple[int, ...]


@dataclass(frozen=True)
class TensorMapping(Attribute):
    """The factors of each dimension of a tensor: an attribute of its own in bytecode only."""

    dimensions: tuple[DimensionMapping, ...]


def to_factors(mappings: tuple[TensorMapping, ...]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Returns the factors in the attributes that hold them."""
    return tuple(tuple(dimension.factors for dimension in tensor.dimensions) for tensor in mappings)


def to_mappings(mappings: tuple[tuple[tuple[int, ...], ...], ...]) -> tuple[TensorMapping, ...]:
    """Returns attributes that hold the factors."""
    return tuple(TensorMapping(tuple(map(DimensionMapping, tensor))) for tensor in mappings)


AXES: Final = list_of(attribute_of(AxisRef))
AXIS_LISTS: Final = converted_field(
    list_of(attribute_of(AxisRefList)),
    lambda lists: tuple(axis_list.axes for axis_list in lists),
    lambda axes: tuple(AxisRefList(axis) for axis in axes),
)
MAPPINGS: Final = converted_field(list_of(attribute_of(TensorMapping)), to_factors, to_mappings)
# The lowest bit tells whether there is a priority.
PRIORITY: Final = converted_field(
    VARINT,
    lambda number: number >> 1 if number & 1 else None,
    lambda priority: 0 if priority is None else priority << 1 | 1,
)
SHARDING: Final[dict[str, Any]] = {
    "mesh": attribute_of(Mesh, SymbolAttribute),
    "dimensions": list_of(attribute_of(DimensionSharding)),
    "replicated": AXES,
}


def read_reduction(reader: EntryReader) -> ReductionOp:
    """Reads the reduction that combines partial tensors."""
    number, members = reader.svarint(), tuple(ReductionOp)
    if 0 <= number < len(members):
        return members[number]
    return reader.reject(f"no reduction has number {number}")


REDUCTION: Final = EntryField(
    read_reduction, lambda writer, member: writer.svarint(tuple(ReductionOp).index(member))
)


def read_factors(reader: EntryReader) -> tuple[int, ...]:
    """Reads the numbers of factors."""
    factors = SVARINTS.read(reader)
    if min(factors, default=0) < 0:
        return reader.reject(f"no factor has number {min(factors)}")
    return factors


FACTORS: Final = EntryField(read_factors, SVARINTS.write)


def any_unreduced(value: TensorShardingPerValue) -> bool:
    """Whether some sharding has unreduced axes."""
    return any(sharding.unreduced for sharding in value.shardings)


ATTRIBUTE_ROWS: Final = (
    row(0, ManualAxes, axes=list_of(TEXT)),
    row(1, MeshAxis, name=STRING, size=SVARINT),
    row(2, Mesh, axes=list_of(attribute_of(MeshAxis)), device_ids=SVARINTS),
    row(3, SubAxis, pre_size=SVARINT, size=SVARINT),
    row(4, AxisRef, name=STRING, sub_axis=optional_attribute_of(SubAxis)),
    row(
        5, DimensionSharding,
        axes=AXES, is_closed=BOOLEAN, priority=PRIORITY,
    ),
    row(6, TensorSharding, **SHARDING).when(lambda a: not a.unreduced),
    row(7, TensorShardingPerValue, shardings=list_of(attribute_of(TensorSharding))).when(
        lambda a: not any_unreduced(a)
    ),
    row(8, DimensionMapping, factors=FACTORS),
    row(9, TensorMapping, dimensions=list_of(attribute_of(DimensionMapping))),
    row(
        10, OpShardingRule,
        sizes=SVARINTS, operands=MAPPINGS, results=MAPPINGS, reduction=FACTORS,
        need_replication=FACTORS, permutation=FACTORS, blocked_propagation=FACTORS,
        is_custom=BOOLEAN,
    ),
    row(11, AxisRefList, axes=AXES),
    row(12, ListOfAxisRefLists, dimensions=AXIS_LISTS),
    row(13, AllToAllParam, axes=AXES, source=SVARINT, target=SVARINT),
    row(14, AllToAllParamList, params=list_of(attribute_of(AllToAllParam))),
    row(15, TensorSharding, **SHARDING, unreduced=AXES).when(
        lambda a: a.reduction is ReductionOp.SUM
    ),
    row(16, TensorShardingPerValue, shardings=list_of(attribute_of(TensorSharding))),
    row(17, TensorSharding, **SHARDING, unreduced=AXES, reduction=REDUCTION),
)  # fmt: skip

SDY: Final = DialectEncoding("sdy", ATTRIBUTE_ROWS)
