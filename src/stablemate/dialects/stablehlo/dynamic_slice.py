"""stablehlo.dynamic_slice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.dialects.stablehlo.dimensions import at_most
from stablemate.dialects.stablehlo.dynamism import shape_fact
from stablemate.dialects.stablehlo.indexing import clamped_slice
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.core import Value
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import INTEGER_SCALAR, PER_TENSOR_QUANTIZED, SI64_ARRAY, TENSOR
from stablemate.ir.traits import MOVED_FIRST, NO_WORK, Family, Trait
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array


@op(
    "stablehlo.dynamic_slice",
    family=Family.MOVEMENT,
    work=NO_WORK,
    traits=Trait.FOLDABLE | Trait.ASYNCHRONOUS,
)
class DynamicSlice(Op):
    """Takes the slice of ``slice_sizes`` that begins at ``start_indices``.

    result[result_index] = operand[clamp(0, start_indices, shape(operand) - slice_sizes)
    + result_index]

    Source: StableHLO specification, dynamic_slice.
    """

    __slots__ = ()
    linearity = MOVED_FIRST
    summary_attributes = ("slice_sizes",)
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    start_indices = define.variadic("I2", INTEGER_SCALAR)
    slice_sizes = define.attribute("I3", SI64_ARRAY)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C1", shape="C5")
    assembly = (
        "$operand `,` custom<DynamicSliceIndices> `sizes` `=` $slice_sizes "
        "attr-dict `:` functional-type"
    )

    @constraint
    def c2(self) -> Check:
        """size(start_indices) = size(slice_sizes) = rank(operand)"""
        sizes, rank = [len(self.start_indices), len(self.slice_sizes)], self.operand.type.rank
        return holds(all(size == rank for size in sizes), sizes=sizes, rank=rank)

    @constraint
    def c3(self) -> Check:
        """same(type(start_indices...))"""
        types = [f"tensor<{index.type.element_type}>" for index in self.start_indices]
        return holds(len(set(types)) <= 1, types=types)

    @constraint
    def c4(self) -> Check:
        """0 <= slice_sizes <= shape(operand)"""
        sizes, shape = self.slice_sizes, self.operand.type.shape
        return holds(at_most(sizes, shape), slice_sizes=sizes, shape=shape_fact(shape))

    def infer(self) -> TensorType:
        """C1, C5: the slice sizes."""
        return self.operand.type.with_shape(self.slice_sizes)

    def accessed_values(self) -> Sequence[Value[Type]]:
        """The slice is read and written; the indices are read."""
        return (*self.results, *self.results, *self.operands[1:])

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """A view of the operand."""
        operand, *start_indices = operands
        sizes, shape = self.slice_sizes, operand.shape
        message = "slice_sizes <= shape(operand)"
        require(self, at_most(sizes, shape), "C4", message, slice_sizes=sizes, shape=shape)
        return operand[clamped_slice(shape, sizes)(start_indices)]

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """With a static operand the last possible starts are known."""
        if not self.operand.type.is_static:
            return self.evaluate
        index = clamped_slice(self.operand.type.shape, self.slice_sizes)

        def take(operand: Array, *start_indices: Array) -> Array:
            return operand[index(start_indices)]

        return take
