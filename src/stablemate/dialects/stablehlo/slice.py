"""stablehlo.slice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter

from stablemate.dialects.stablehlo.dynamism import largest_shape, shape_fact
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.core import Value
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, SI64_ARRAY, TENSOR
from stablemate.ir.traits import MOVED_FIRST, SAME_ELEMENT, Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.numerics.elements import Array


@op(
    "stablehlo.slice",
    family=Family.MOVEMENT,
    work=SAME_ELEMENT,
    traits=Trait.FOLDABLE | Trait.ASYNCHRONOUS,
)
class Slice(Op):
    """Takes every ``strides``-th element from ``start_indices`` up to ``limit_indices``.

    result[result_index] = operand[start_indices + result_index * strides]

    Source: StableHLO specification, slice.
    """

    __slots__ = ()
    linearity = MOVED_FIRST
    summary_attributes = ("start_indices", "limit_indices")
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    start_indices = define.attribute("I2", SI64_ARRAY)
    limit_indices = define.attribute("I3", SI64_ARRAY)
    strides = define.attribute("I4", SI64_ARRAY)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C1", shape="C5")
    assembly = "$operand custom<SliceRanges> attr-dict `:` functional-type"

    @constraint
    def c2(self) -> Check:
        """size(start_indices) = size(limit_indices) = size(strides) = rank(operand)"""
        sizes = [len(self.start_indices), len(self.limit_indices), len(self.strides)]
        rank = self.operand.type.rank
        return holds(all(size == rank for size in sizes), sizes=sizes, rank=rank)

    @constraint
    def c3(self) -> Check:
        """0 <= start_indices <= limit_indices <= shape(operand)"""
        starts, limits = self.start_indices, self.limit_indices
        shape = largest_shape(self.operand.type)
        fits = all(
            0 <= start <= limit and (limit <= size or size == DYNAMIC)
            for start, limit, size in zip(starts, limits, shape, strict=True)
        )
        return holds(fits, start_indices=starts, limit_indices=limits, shape=shape_fact(shape))

    @constraint
    def c4(self) -> Check:
        """0 < strides"""
        return holds(all(stride > 0 for stride in self.strides), strides=self.strides)

    def infer(self) -> TensorType:
        """C1, C5: ceil((limit_indices - start_indices) / strides)."""
        ranges = zip(self.start_indices, self.limit_indices, self.strides, strict=True)
        shape = [-((start - limit) // stride) for start, limit, stride in ranges]
        return self.operand.type.with_shape(shape)

    def accessed_values(self) -> Sequence[Value[Type]]:
        """The slice is read and written; the indices are read."""
        return (*self.results, *self.results, *self.operands[1:])

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """A view of the operand."""
        (operand,) = operands
        limits, shape = self.limit_indices, operand.shape
        fits = all(limit <= size for limit, size in zip(limits, shape, strict=True))
        message = "limit_indices <= shape(operand)"
        require(self, fits, "C3", message, limit_indices=limits, shape=shape)
        return operand[self.index()]

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[[Array], Array]:
        """With a static operand C3 has been checked."""
        return itemgetter(self.index()) if self.operand.type.is_static else self.evaluate

    def index(self) -> tuple[slice, ...]:
        """The NumPy index of the slice."""
        ranges = zip(self.start_indices, self.limit_indices, self.strides, strict=True)
        return tuple(slice(*bounds) for bounds in ranges)
