"""Refinement of result types: what is known beyond the declared types.

Operations whose result types follow from their operands implement ``infer``. The others take the
declared type as it is; the rules here refine it by their operands, including sizes that are
constants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.dialects.arith.types import element_of
from stablemate.dialects.stablehlo.all_gather import AllGather
from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.collectives import group_size
from stablemate.dialects.stablehlo.dynamic_pad import DynamicPad
from stablemate.dialects.stablehlo.dynamism import known_integers
from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.dialects.stablehlo.pad import padded_shape
from stablemate.dialects.stablehlo.real_dynamic_slice import RealDynamicSlice
from stablemate.dialects.stablehlo.reduce_scatter import ReduceScatter
from stablemate.dialects.stablehlo.reshape import Reshape, complete
from stablemate.dialects.stablehlo.torch_index_select import TorchIndexSelect
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import Operation, OpResult, Value
from stablemate.ir.definition import Op, definition_of, inferred_types
from stablemate.ir.kinds import is_listable
from stablemate.ir.shapes import compatible, most_specific
from stablemate.ir.types import DYNAMIC, TensorType, Type, UnrankedTensorType

Shape: TypeAlias = Sequence[int]
Rule: TypeAlias = Callable[
    [Any], Shape | None
]  # the shape of the single result, as far as it is known

SHAPE_OPERANDS: Final = "indices_of_shape_operands"


def refined_types(operation: Op) -> list[Type]:
    """The most specific result types that follow from operands and declared types.

    May assume that all constraints on the inputs hold.
    """
    return refined_by(operation, inferred_types(operation) or known_types(operation))


def declared_types(operation: Op) -> list[Type]:
    """The declared result types, refined by the operands if ``infer`` returns nothing.

    May assume that the constraints hold that do not depend on sizes.
    """
    return refined_by(operation, known_types(operation))


def refined_by(operation: Op, inferred: Sequence[Type] | None) -> list[Type]:
    """The declared result types, refined by inferred ones."""
    declared: list[Type] = [value.type for value in operation.results]
    if inferred is None or len(inferred) != len(declared):
        return declared
    return [
        refine_type(declared_type, more)
        for declared_type, more in zip(declared, inferred, strict=True)
    ]


def refine_type(declared: Type, inferred: Type) -> Type:
    """The most specific combination of both types; the declared one if they are incompatible."""
    if not compatible(declared, inferred):
        return declared
    match declared, inferred:
        case TensorType(), TensorType():
            return most_specific([declared, inferred])
        case UnrankedTensorType(), TensorType():
            return inferred
        case _:
            return declared


def known_types(operation: Op) -> Sequence[Type] | None:
    """The types that the operands determine if ``infer`` returns nothing."""
    if operation.name == "stablehlo.custom_call":
        return types_by_shape_operands(operation)
    if operation.name == "stablehlo.optimization_barrier":
        return [value.type for value in operation.operands]
    if operation.name == "stablehlo.rng_bit_generator":  # the next state is like the state
        return [operation.operands[0].type, operation.results[1].type]
    rule = RULES.get(operation.name)
    shape = rule(operation) if rule is not None else None
    if shape is None:
        return None
    element = element_of(operation.results[0].type)
    return None if element is None else (TensorType(tuple(shape), element),)


# ---- rules


def operand_shape(operation: Op) -> Shape | None:
    """The shape of the first operand."""
    shape: Shape | None = getattr(operation.operands[0].type, "shape", None)
    return shape


def bitcast_shape(operation: BitcastConvert) -> Shape | None:
    """The shape of the operand, with or without a dimension for the parts of an element."""
    operand, result = operation.operand.type, operation.result.type
    before, after = operand.element_type.bits, result.element_type.bits
    if before == after:
        return operand_shape(operation)
    return (*operand.shape, before // after) if before > after else operand.shape[:-1]


def reshaped_shape(operation: Reshape) -> Shape | None:
    """The declared shape, with its one dynamic size computed from the number of elements."""
    operand, result = operation.operand.type, operation.result.type
    if not operand.is_static or result.shape.count(DYNAMIC) != 1:
        return None
    return complete(result.shape, operand.size)


def broadcast_shape(operation: BroadcastInDim) -> Shape | None:
    """The declared shape, with the sizes of the operand where it is not repeated."""
    operand, shape = operation.operand.type.shape, list(operation.result.type.shape)
    for d, size in zip(operation.broadcast_dimensions, operand, strict=True):
        if shape[d] == DYNAMIC and size != 1:
            shape[d] = size
    return shape


def constant_shape(name: str) -> Rule:
    """The sizes that an operand holds, if it is a constant."""
    return lambda operation: known_integers(getattr(operation, name))


def padding_shape(operation: DynamicPad) -> Shape | None:
    """The shape of the operand with its padding, if that is constant."""
    low = known_integers(operation.edge_padding_low)
    high = known_integers(operation.edge_padding_high)
    interior = known_integers(operation.interior_padding)
    if low is None or high is None or interior is None:
        return None
    return padded_shape(operation.operand.type.shape, low, high, interior)


def slice_shape(operation: RealDynamicSlice) -> Shape | None:
    """The sizes of a slice, if its ends are constants or a constant distance apart."""
    strides = known_integers(operation.strides)
    if strides is None or min(strides, default=1) < 1:
        return None
    start, limit = known_integers(operation.start_indices), known_integers(operation.limit_indices)
    if start is not None and limit is not None:
        ranges = zip(start, limit, strides, strict=True)
        return [max(0, -(-(last - first) // stride)) for first, last, stride in ranges]
    sizes = constant_distance(operation.start_indices, operation.limit_indices)
    return sizes if all(stride == 1 for stride in strides) else None


def constant_distance(start: Value[Type], limit: Value[Type]) -> tuple[int, ...] | None:
    """The constant difference between the start and the end of slices, if there is one."""
    if not isinstance(limit, OpResult) or not isinstance(limit.operation, Add):
        return None
    lhs, rhs = limit.operation.operands
    return known_integers(rhs) if lhs is start else known_integers(lhs) if rhs is start else None


def gathered_shape(operation: AllGather) -> Shape | None:
    """The shape of the operand, as often along a dimension as there are processes in a group."""
    return group_scaled_shape(operation, operation.all_gather_dim, lambda size, group: size * group)


def scattered_shape(operation: ReduceScatter) -> Shape | None:
    """The shape of the operand, divided along a dimension by the processes in a group."""
    return group_scaled_shape(
        operation, operation.scatter_dimension, lambda size, group: size // group
    )


def group_scaled_shape(
    operation: AllGather | ReduceScatter, dimension: int, change: Callable[[int, int], int]
) -> Shape | None:
    """The shape of the operand, with one size changed by the size of the groups."""
    group, shape = group_size(operation), operation.operands[0].type.shape
    needs_partitions = operation.channel_handle and not operation.use_global_device_ids
    if len(operation.operands) != 1 or group is None or needs_partitions:
        return None
    size = shape[dimension]
    changed = DYNAMIC if size == DYNAMIC else change(size, group)
    return (*shape[:dimension], changed, *shape[dimension + 1 :])


def selected_shape(operation: TorchIndexSelect) -> Shape | None:
    """The sizes of the operand, with those of the index in place of the selected one."""
    operand, index = operation.operand.type.shape, operation.index.type.shape
    dim, batch = operation.dim, operation.batch_dims
    if not 0 <= batch <= min(dim, len(index)) or dim >= len(operand):
        return None
    return (*operand[:dim], *index[batch:], *operand[dim + 1 :])


def types_by_shape_operands(operation: Operation) -> Sequence[Type] | None:
    """The types of a custom call's results whose shapes are operands, if these are constants."""
    positions = shape_operands(operation)
    if positions is None:
        return None
    types: list[Type] = []
    for position, value in zip(positions, operation.results, strict=True):
        sizes, element = known_integers(operation.operands[position]), element_of(value.type)
        if sizes is None or element is None:
            return None
        shape = tuple(size if size >= 0 else DYNAMIC for size in sizes)
        types.append(TensorType(shape, element))
    return types


def shape_operands(operation: Operation) -> tuple[int, ...] | None:
    """The operands of a custom call that hold the shapes of its results; None if unspecified."""
    listed = operation.discardable.get(SHAPE_OPERANDS)
    if not isinstance(listed, DenseElementsAttribute) or not is_listable(listed):
        return None
    positions = tuple(int(index) for index in np.asarray(listed.array).reshape(-1))
    count = len(operation.operands)
    fits = len(positions) == len(operation.results) and all(0 <= i < count for i in positions)
    return positions if fits else None


def size_positions(operation: Operation) -> Sequence[int]:
    """The operands that hold sizes of the results."""
    if operation.name == "stablehlo.custom_call":
        return shape_operands(operation) or ()
    fields = definition_of(operation).operands
    return tuple(position for position, field in enumerate(fields) if field.holds_sizes)


ARITH_CASTS: Final = (
    "bitcast", "convertf", "extf", "extsi", "extui", "fptosi", "fptoui", "index_cast",
    "index_castui", "sitofp", "truncf", "trunci", "uitofp",
)  # fmt: skip

RULES: Final[Mapping[str, Rule]] = {
    "stablehlo.all_gather": gathered_shape,
    "stablehlo.bitcast_convert": bitcast_shape,
    "stablehlo.broadcast_in_dim": broadcast_shape,
    "stablehlo.convert": operand_shape,
    "stablehlo.dynamic_broadcast_in_dim": constant_shape("output_dimensions"),
    "stablehlo.dynamic_iota": constant_shape("output_shape"),
    "stablehlo.dynamic_pad": padding_shape,
    "stablehlo.dynamic_reshape": constant_shape("output_shape"),
    "stablehlo.real_dynamic_slice": slice_shape,
    "stablehlo.reduce_scatter": scattered_shape,
    "stablehlo.reshape": reshaped_shape,
    "stablehlo.torch_index_select": selected_shape,
    "stablehlo.uniform_quantize": operand_shape,
    "tensor.cast": operand_shape,
    **{f"arith.{name}": operand_shape for name in ARITH_CASTS},
}
