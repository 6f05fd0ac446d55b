"""stablehlo.dynamic_update_slice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.dialects.stablehlo.dimensions import at_most
from stablemate.dialects.stablehlo.dynamism import shape_fact
from stablemate.dialects.stablehlo.indexing import clamped_slice
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.core import Value
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import INTEGER_SCALAR, PER_TENSOR_QUANTIZED, TENSOR
from stablemate.ir.traits import NO_WORK, Family, Linearity, Trait
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.numerics.elements import Array


@op(
    "stablehlo.dynamic_update_slice",
    family=Family.MOVEMENT,
    work=NO_WORK,
    traits=Trait.FOLDABLE | Trait.ASYNCHRONOUS,
)
class DynamicUpdateSlice(Op):
    """Replaces the slice of ``operand`` that begins at ``start_indices`` by ``update``.

    result[result_index] = update[update_index] if 0 <= update_index < shape(update), where
    update_index = result_index - clamp(0, start_indices, shape(operand) - shape(update)),
    else operand[result_index]

    Source: StableHLO specification, dynamic_update_slice.
    """

    __slots__ = ()
    linearity = Linearity(((0, 1),), moves=True)
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    update = define.operand("I2", TENSOR | PER_TENSOR_QUANTIZED)
    start_indices = define.variadic("I3", INTEGER_SCALAR)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C1", shape="C1")
    assembly = "$operand `,` $update (`,` $start_indices)? attr-dict `:` functional-type"

    @constraint
    def c2(self) -> Check:
        """element_type(update) = element_type(operand)"""
        update, operand = self.update.type.element_type, self.operand.type.element_type
        return holds(update == operand, update=update, operand=operand)

    @constraint
    def c3(self) -> Check:
        """rank(update) = rank(operand)"""
        update, operand = self.update.type.rank, self.operand.type.rank
        return holds(update == operand, update=update, operand=operand)

    @constraint
    def c4(self) -> Check:
        """size(start_indices) = rank(operand)"""
        size, rank = len(self.start_indices), self.operand.type.rank
        return holds(size == rank, size=size, rank=rank)

    @constraint
    def c5(self) -> Check:
        """same(type(start_indices...))"""
        types = [f"tensor<{index.type.element_type}>" for index in self.start_indices]
        return holds(len(set(types)) <= 1, types=types)

    @constraint
    def c6(self) -> Check:
        """0 <= shape(update) <= shape(operand)"""
        update, operand = self.update.type.shape, self.operand.type.shape
        fits = all(
            size <= limit or DYNAMIC in (size, limit)
            for size, limit in zip(update, operand, strict=True)
        )
        return holds(fits, update=shape_fact(update), operand=shape_fact(operand))

    def infer(self) -> TensorType:
        """C1: the operand's type, as an update is written into it."""
        return self.operand.type

    def accessed_values(self) -> Sequence[Value[Type]]:
        """The update is read, and written in place; the indices are read."""
        return (self.update, *self.operands[1:])

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """A copy of the operand into which the update is written."""
        operand, update, *start_indices = operands
        message = "shape(update) <= shape(operand)"
        fits = at_most(update.shape, operand.shape)
        require(self, fits, "C6", message, update=update.shape, operand=operand.shape)
        return updater(operand.shape, update.shape)(operand, update, *start_indices)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """With static shapes the last possible starts are known."""
        operand, update = self.operand.type, self.update.type
        if not (operand.is_static and update.is_static):
            return self.evaluate
        return updater(operand.shape, update.shape)

    def prepare_in_place(self) -> Callable[..., object]:
        """With static shapes: a function that writes the update into the operand and returns it."""
        index = clamped_slice(self.operand.type.shape, self.update.type.shape)

        def overwrite(operand: Array, update: Array, *start_indices: Array) -> Array:
            operand[index(start_indices)] = update
            return operand

        return overwrite


def updater(shape: Sequence[int], sizes: Sequence[int]) -> Callable[..., Array]:
    """The function that updates arrays of the first shape with arrays of the second."""
    index = clamped_slice(shape, sizes)

    def write(operand: Array, update: Array, *start_indices: Array) -> Array:
        result = operand.copy()
        result[index(start_indices)] = update
        return result

    def replace(operand: Array, update: Array, *start_indices: Array) -> Array:
        return update

    return replace if tuple(shape) == tuple(sizes) else write
