"""stablehlo.real_dynamic_slice."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.dynamism import STATIC_DIMENSION_TENSOR, integers, known_integers
from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.dialects.stablehlo.runtime import require, require_shape
from stablemate.ir.core import OpResult, Value
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, TENSOR
from stablemate.ir.traits import MOVED_FIRST, NO_WORK, Family, Trait
from stablemate.ir.types import Type
from stablemate.numerics.elements import Array


@op(
    "stablehlo.real_dynamic_slice",
    family=Family.MOVEMENT,
    work=NO_WORK,
    traits=Trait.FOLDABLE | Trait.DYNAMIC,
)
class RealDynamicSlice(Op):
    """``slice`` with start indices, limit indices and strides that are operands.

    result[result_index] = operand[start_indices + result_index * strides]

    Source: StableHLO, real_dynamic_slice, which the specification does not list; its constraints
    are those of slice, under the numbers of slice.
    """

    __slots__ = ()
    linearity = MOVED_FIRST
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    start_indices = define.operand("I2", STATIC_DIMENSION_TENSOR).as_sizes()
    limit_indices = define.operand("I3", STATIC_DIMENSION_TENSOR).as_sizes()
    strides = define.operand("I4", STATIC_DIMENSION_TENSOR).as_sizes()
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED)
    assembly = (
        "$operand `,` $start_indices `,` $limit_indices `,` $strides attr-dict `:` functional-type"
    )

    @constraint
    def c1(self) -> Check:
        """element_type(operand) = element_type(result)"""
        operand, result = self.operand.type.element_type, self.result.type.element_type
        return holds(operand == result, operand=operand, result=result)

    @constraint
    def c2(self) -> Check:
        """same(type(start_indices), type(limit_indices), type(strides)), and
        size(start_indices) = size(limit_indices) = size(strides) = rank(operand)
        """
        types = [
            str(operand.type) for operand in (self.start_indices, self.limit_indices, self.strides)
        ]
        size, rank = self.start_indices.type.shape[0], self.operand.type.rank
        return holds(len(set(types)) == 1 and size == rank, types=types, rank=rank)

    def known_shape(self) -> Sequence[int] | None:
        """The sizes of a slice, if its ends are constants or a constant distance apart."""
        strides = known_integers(self.strides)
        if strides is None or min(strides, default=1) < 1:
            return None
        start, limit = known_integers(self.start_indices), known_integers(self.limit_indices)
        if start is not None and limit is not None:
            ranges = zip(start, limit, strides, strict=True)
            return [max(0, -(-(last - first) // stride)) for first, last, stride in ranges]
        sizes = constant_distance(self.start_indices, self.limit_indices)
        return sizes if all(stride == 1 for stride in strides) else None

    def accessed_values(self) -> Sequence[Value[Type]]:
        """The slice is read and written; the indices are read."""
        return (*self.results, *self.results, *self.operands[1:])

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """A view of the operand."""
        operand, *rest = operands
        starts, limits, strides = map(integers, rest)
        ranges = tuple(zip(starts, limits, strides, strict=True))
        fits = all(
            0 <= start <= limit <= size
            for (start, limit, _), size in zip(ranges, operand.shape, strict=True)
        )
        message = "0 <= start_indices <= limit_indices <= shape(operand)"
        values = {"start_indices": starts, "limit_indices": limits, "shape": operand.shape}
        require(self, fits, "C3", message, **values)
        require(self, all(stride > 0 for stride in strides), "C4", "0 < strides", strides=strides)
        result = operand[tuple(slice(*bounds) for bounds in ranges)]
        require_shape(self, result.shape, "C5")
        return result


def constant_distance(start: Value[Type], limit: Value[Type]) -> tuple[int, ...] | None:
    """The constant difference between the start and the end of slices, if there is one."""
    if not isinstance(limit, OpResult) or not isinstance(limit.operation, Add):
        return None
    lhs, rhs = limit.operation.operands
    return known_integers(rhs) if lhs is start else known_integers(lhs) if rhs is start else None
