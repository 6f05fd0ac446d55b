"""Attributes that speak of sizes: what they say of a piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.ir.core import Value
from stablemate.ir.kinds import SI64_ARRAY
from stablemate.ir.types import Attribute, Type

Local: TypeAlias = Callable[[Any, Sequence[Value[Any]], Sequence[Type]], Mapping[str, Attribute]]


def slice_limits(
    operation: Slice, operands: Sequence[Value[Any]], results: Sequence[Type]
) -> Mapping[str, Attribute]:
    """A dimension that is taken whole ends where the piece ends."""
    global_shape, local_shape = operation.operand.type.shape, operands[0].type.shape
    pairs = zip(operation.limit_indices, global_shape, local_shape, strict=True)
    limits = [here if here != there else limit for limit, there, here in pairs]
    return {**operation.attributes, "limit_indices": SI64_ARRAY.attribute(tuple(limits))}


def slice_sizes(
    operation: DynamicSlice | Gather, operands: Sequence[Value[Any]], results: Sequence[Type]
) -> Mapping[str, Attribute]:
    """A dimension that is taken whole has the size of the piece."""
    global_shape, local_shape = operation.operand.type.shape, operands[0].type.shape
    pairs = zip(operation.slice_sizes, global_shape, local_shape, strict=True)
    sizes = [here if size == there else size for size, there, here in pairs]
    return {**operation.attributes, "slice_sizes": SI64_ARRAY.attribute(tuple(sizes))}


LOCAL: Final[Mapping[str, Local]] = {
    "stablehlo.dynamic_slice": slice_sizes,
    "stablehlo.gather": slice_sizes,
    "stablehlo.slice": slice_limits,
}
