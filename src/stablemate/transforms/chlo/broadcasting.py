"""broadcast_*: the operands brought to one shape, then the operation without broadcasting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from stablemate.dialects.chlo import broadcasting as chlo
from stablemate.dialects.chlo.elementwise import NextAfter, Polygamma, Zeta
from stablemate.dialects.stablehlo import elementwise as stablehlo
from stablemate.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.complex import Complex
from stablemate.dialects.stablehlo.dynamic_broadcast_in_dim import DynamicBroadcastInDim
from stablemate.dialects.stablehlo.runtime import require
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Value
from stablemate.ir.rewriter import Pattern
from stablemate.ir.types import TensorType
from stablemate.transforms.chlo.shapes import concatenated_sizes, integers, size_of

# The operation that is meant, of two operands and without attributes.
MEANINGS: Final[Mapping[type[Operation], type[Operation]]] = {
    chlo.BroadcastAdd: stablehlo.Add,
    chlo.BroadcastAnd: stablehlo.And,
    chlo.BroadcastAtan2: stablehlo.Atan2,
    chlo.BroadcastComplex: Complex,
    chlo.BroadcastDivide: stablehlo.Divide,
    chlo.BroadcastMaximum: stablehlo.Maximum,
    chlo.BroadcastMinimum: stablehlo.Minimum,
    chlo.BroadcastMultiply: stablehlo.Multiply,
    chlo.BroadcastNextAfter: NextAfter,
    chlo.BroadcastOr: stablehlo.Or,
    chlo.BroadcastPolygamma: Polygamma,
    chlo.BroadcastPower: stablehlo.Power,
    chlo.BroadcastRemainder: stablehlo.Remainder,
    chlo.BroadcastShiftLeft: stablehlo.ShiftLeft,
    chlo.BroadcastShiftRightArithmetic: stablehlo.ShiftRightArithmetic,
    chlo.BroadcastShiftRightLogical: stablehlo.ShiftRightLogical,
    chlo.BroadcastSubtract: stablehlo.Subtract,
    chlo.BroadcastXor: stablehlo.Xor,
    chlo.BroadcastZeta: Zeta,
}


def binary(cls: type[Operation]) -> Pattern:
    """The pattern of an operation that means one of two operands."""

    def rewrite(operation: chlo.BroadcastBinary, builder: Builder) -> Value[TensorType]:
        names = [field.name for field in cast(Any, cls.definition).operands]
        operands = dict(zip(names, broadcast_operands(operation, builder), strict=True))
        return builder.create(cls, results=(operation.result.type,), **operands).results[0]

    return rewrite


def compare(operation: chlo.BroadcastCompareBase, builder: Builder) -> Value[TensorType]:
    """Rewrites ``chlo.broadcast_compare`` as a comparison of broadcast operands."""
    lhs, rhs = broadcast_operands(operation, builder)
    compare_type = operation.compare_type
    return builder.create(
        Compare,
        lhs=lhs,
        rhs=rhs,
        comparison_direction=ComparisonDirection(operation.comparison_direction.value),
        compare_type=None if compare_type is None else ComparisonType(compare_type.value),
        results=(operation.result.type,),
    ).results[0]


def select(operation: chlo.BroadcastSelect, builder: Builder) -> Value[TensorType]:
    """The pattern of broadcast_select; a scalar predicate serves all elements as it is."""
    rank = max(value.type.rank for value in operation.operands)
    places = [range(rank - value.type.rank, rank) for value in operation.operands]
    pred, on_true, on_false = broadcast(operation, builder, places)
    if operation.pred.type.rank == 0:
        pred = operation.pred
    return builder.create(
        Select,
        pred=pred,
        on_true=on_true,
        on_false=on_false,
        results=(operation.result.type,),
    ).results[0]


def broadcast_operands(
    operation: chlo.BroadcastBinary, builder: Builder
) -> Sequence[Value[TensorType]]:
    """Both operands in the shape of the result."""
    places = [operation.dimensions_of(value.type) for value in (operation.lhs, operation.rhs)]
    return broadcast(operation, builder, places)


def broadcast(
    operation: Operation, builder: Builder, places: Sequence[Sequence[int]]
) -> Sequence[Value[TensorType]]:
    """The operands of an operation, brought to the shape of its result.

    Args:
        operation: The operation.
        builder: Creates others.
        places: For each operand the dimensions of the result that its own ones become.

    Raises:
        EvaluationError: Sizes that meet are different, and none of them is 1.
    """
    values: Sequence[Value[TensorType]] = operation.operands
    result: TensorType = operation.results[0].type
    rank = max(value.type.rank for value in values)
    fits = all(
        len(dimensions) == value.type.rank and max(dimensions, default=-1) < rank
        for dimensions, value in zip(places, values, strict=True)
    )
    message = "broadcast_dimensions are dimensions of the result, one for each of an operand"
    require(operation, fits, "", message, dimensions=places)
    types = [chlo.with_dimensions_at(v.type, p, rank) for v, p in zip(values, places, strict=True)]
    shapes = [value.type.shape for value in values]
    formula = "Sizes of dimensions that meet are equal or 1"
    require(operation, chlo.sizes_broadcast(types), "", formula, shapes=shapes)
    if all(value_type.is_static for value_type in types):
        result_type, extents = chlo.broadcast_type(types), None
    else:
        result_type, extents = result, extents_of(builder, values, places, result.rank)
    return [
        brought(
            builder, value, dimensions, result_type.with_element(value.type.element_type), extents
        )
        for value, dimensions in zip(values, places, strict=True)
    ]


def brought(
    builder: Builder,
    value: Value[TensorType],
    dimensions: Sequence[int],
    result_type: TensorType,
    extents: Value[TensorType] | None,
) -> Value[TensorType]:
    """A value brought to a type, whose shape is in ``extents`` if it is not static."""
    if extents is not None:
        return builder.create(
            DynamicBroadcastInDim,
            operand=value,
            output_dimensions=extents,
            broadcast_dimensions=dimensions,
            results=(result_type,),
        ).results[0]
    if value.type.shape == result_type.shape:
        return value
    return builder.create(
        BroadcastInDim, operand=value, broadcast_dimensions=dimensions, results=(result_type,)
    ).results[0]


def extents_of(
    builder: Builder,
    values: Sequence[Value[TensorType]],
    places: Sequence[Sequence[int]],
    rank: int,
) -> Value[TensorType]:
    """The shape to which values are brought, as a tensor of 32-bit integers; ``(rank,)``."""
    meeting: list[list[Value[TensorType]]] = [[] for _ in range(rank)]
    for value, dimensions in zip(values, places, strict=True):
        for i, d in enumerate(dimensions):
            if value.type.shape[i] != 1:
                meeting[d].append(size_of(builder, value, i))
    return concatenated_sizes(builder, [common_size(builder, sizes) for sizes in meeting])


def common_size(builder: Builder, sizes: Sequence[Value[TensorType]]) -> Value[TensorType]:
    """The one of sizes that is not 1, or 1."""
    if not sizes:
        return integers(builder, 1)
    result, one = sizes[0], integers(builder, 1)
    for size in sizes[1:]:
        is_one = builder.create(
            Compare, lhs=result, rhs=one, comparison_direction=ComparisonDirection.EQ
        ).result
        chosen = builder.create(Select, pred=is_one, on_true=size, on_false=result)
        result = chosen.results[0]
    return result


BROADCASTING: Final[Mapping[str, Pattern]] = {
    **{cls.definition.name: binary(meaning) for cls, meaning in MEANINGS.items()},
    "chlo.broadcast_compare": compare,
    "chlo.broadcast_select": select,
}
