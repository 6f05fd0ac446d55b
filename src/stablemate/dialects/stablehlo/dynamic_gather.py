"""stablehlo.dynamic_gather."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.attributes import GATHER_DIMENSION_NUMBERS
from stablemate.dialects.stablehlo.dimensions import at_most, is_sorted, is_unique
from stablemate.dialects.stablehlo.dynamism import (
    STATIC_DIMENSION_TENSOR,
    integers,
    known_integers,
    shape_fact,
)
from stablemate.dialects.stablehlo.gather import (
    AnyGather,
    gather,
    gathered_type,
    require_slices,
)
from stablemate.dialects.stablehlo.runtime import require, require_shape
from stablemate.ir.core import Value
from stablemate.ir.definition import Check, constraint, define, holds, op
from stablemate.ir.kinds import (
    BOOLEAN_KIND,
    INTEGER_TENSOR,
    PER_TENSOR_QUANTIZED,
    TENSOR,
    TypeConstraint,
)
from stablemate.ir.traits import MOVED_FIRST, NO_WORK, Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.numerics.elements import Array

SLICE_SIZES: TypeConstraint[TensorType] = TypeConstraint(
    "statically shaped 1-dimensional tensor of integer type",
    lambda candidate: (
        INTEGER_TENSOR.accepts(candidate) and STATIC_DIMENSION_TENSOR.accepts(candidate)
    ),
)


@op(
    "stablehlo.dynamic_gather",
    family=Family.MOVEMENT,
    work=NO_WORK,
    traits=Trait.FOLDABLE | Trait.DYNAMIC,
)
class DynamicGather(AnyGather):
    """``gather`` with ``slice_sizes`` that are an operand.

    result[result_index] = operand[full_start_index + full_batching_index + full_offset_index],
    where full_start_index[start_index_map] = clamp(0, start_index, shape(operand) - slice_sizes)

    The specification omits the batching dimensions, which the operation has nevertheless: their
    constraints have the numbers of gather.

    Source: StableHLO specification, dynamic_gather.
    """

    __slots__ = ()
    linearity = MOVED_FIRST
    slice_sizes = define.operand("I3", SLICE_SIZES).as_sizes()
    dimension_numbers = define.attribute("I4", GATHER_DIMENSION_NUMBERS)
    indices_are_sorted = define.default_attribute("I8", BOOLEAN_KIND, False)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C14", shape="C13")

    @constraint
    def c6(self) -> Check:
        """is_unique(concatenate(collapsed_slice_dims, operand_batching_dims)) and
        is_sorted(collapsed_slice_dims)
        """
        numbers = self.dimension_numbers
        collapsed, batching = numbers.collapsed_slice_dims, numbers.operand_batching_dims
        fits = is_unique(collapsed + batching) and is_sorted(collapsed)
        return holds(fits, collapsed_slice_dims=collapsed, operand_batching_dims=batching)

    @constraint
    def c7(self) -> Check:
        """0 <= collapsed_slice_dims < rank(operand)"""
        return self.collapsed_are_within()

    @constraint("C10 of gather")
    def batching_is_sorted(self) -> Check:
        """is_sorted(operand_batching_dims)"""
        return self.batching_are_sorted()

    @constraint("C11 of gather")
    def batching_is_within(self) -> Check:
        """0 <= operand_batching_dims < rank(operand)"""
        return self.batching_are_within()

    @constraint("C13 of gather")
    def batching_of_indices_is_unique(self) -> Check:
        """is_unique(start_indices_batching_dims)"""
        return self.indices_batching_are_unique()

    @constraint("C14 of gather")
    def batching_of_indices_is_within(self) -> Check:
        """0 <= start_indices_batching_dims < rank(start_indices)"""
        return self.indices_batching_are_within()

    @constraint("C15 of gather")
    def batching_is_not_along_vectors(self) -> Check:
        """index_vector_dim not in start_indices_batching_dims"""
        return self.vectors_are_not_batching()

    @constraint("C16 of gather")
    def batching_pairs_up(self) -> Check:
        """size(operand_batching_dims) == size(start_indices_batching_dims)"""
        return self.batching_pair_up()

    @constraint("C17 of gather")
    def batching_sizes_agree(self) -> Check:
        """dim(operand, operand_batching_dims...) =
        dim(start_indices, start_indices_batching_dims...)
        """
        return self.batching_have_equal_sizes()

    @constraint
    def c9(self) -> Check:
        """is_unique(concatenate(start_index_map, operand_batching_dims))"""
        return self.mapped_are_unique()

    @constraint
    def c10(self) -> Check:
        """0 <= start_index_map < rank(operand)"""
        return self.mapped_are_within()

    @constraint
    def c11(self) -> Check:
        """size(slice_sizes) = rank(operand)"""
        size, rank = self.slice_sizes.type.shape[0], self.operand.type.rank
        return holds(size == rank, size=size, rank=rank)

    @constraint
    def c8(self) -> Check:
        """slice_sizes[collapsed_slice_dims...] <= 1"""
        return self.collapsed_have_size_1(self.known_sizes())

    @constraint("C12 of gather")
    def batching_slices_have_size_1(self) -> Check:
        """slice_sizes[operand_batching_dims...] <= 1"""
        return self.batching_have_size_1(self.known_sizes())

    @constraint
    def c12(self) -> Check:
        """0 <= slice_sizes <= shape(operand)"""
        constant_sizes, shape = known_integers(self.slice_sizes), self.operand.type.shape
        return holds(
            constant_sizes is None or at_most(constant_sizes, shape),
            slice_sizes=constant_sizes,
            shape=shape_fact(shape),
        )

    def known_sizes(self) -> tuple[int, ...]:
        """The slice sizes if they are a constant, else DYNAMIC."""
        constant_sizes = known_integers(self.slice_sizes)
        return (DYNAMIC,) * self.operand.type.rank if constant_sizes is None else constant_sizes

    def infer(self) -> TensorType:
        """C13, C14: the sizes of start_indices and of the slices, at their dimensions."""
        operand, start_indices = self.operand.type, self.start_indices.type
        return gathered_type(self.dimension_numbers, operand, start_indices, self.known_sizes())

    def accessed_values(self) -> Sequence[Value[Type]]:
        """The slice is read and written; the indices are read."""
        return (*self.results, *self.results, *self.operands[1:])

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """One slice for each index vector."""
        operand, start_indices, slice_sizes = operands
        numbers, sizes = self.dimension_numbers, integers(slice_sizes)
        rules = ("C3", "C17 of gather", "C12")
        require_slices(self, numbers, operand.shape, start_indices.shape, sizes, rules)
        message = "slice_sizes[collapsed_slice_dims...] <= 1"
        dropped = numbers.collapsed_slice_dims + numbers.operand_batching_dims
        fits = all(sizes[d] <= 1 for d in dropped)
        require(self, fits, "C8", message, slice_sizes=sizes, collapsed_slice_dims=dropped)
        result = gather(numbers, sizes, operand, start_indices)
        require_shape(self, result.shape, "C13")
        return result
