"""stablehlo.reverse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter

from stablemate.dialects.stablehlo.dimensions import is_unique, is_within
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, SI64_ARRAY, TENSOR
from stablemate.ir.traits import MOVED_FIRST, SAME_ELEMENT, Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array


@op("stablehlo.reverse", family=Family.MOVEMENT, work=SAME_ELEMENT, traits=Trait.FOLDABLE)
class Reverse(Op):
    """Reverses the order of elements along ``dimensions``.

    result[result_index] = operand[operand_index], where operand_index[d] =
    dim(result, d) - result_index[d] - 1 if d in dimensions, else result_index[d]

    Source: StableHLO specification, reverse.
    """

    __slots__ = ()
    linearity = MOVED_FIRST
    summary_attributes = ("dimensions",)
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    dimensions = define.attribute("I2", SI64_ARRAY)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C1", shape="C1")
    assembly = "$operand `,` `dims` `=` $dimensions attr-dict `:` same-type"

    @constraint
    def c2(self) -> Check:
        """is_unique(dimensions)"""
        return holds(is_unique(self.dimensions), dimensions=self.dimensions)

    @constraint
    def c3(self) -> Check:
        """0 <= dimensions < rank(result)"""
        dimensions, rank = self.dimensions, self.operand.type.rank
        return holds(is_within(dimensions, rank), dimensions=dimensions, rank=rank)

    def infer(self) -> TensorType:
        """C1: the operand's type, as elements only change their places."""
        return self.operand.type

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """A view that counts backwards."""
        (operand,) = operands
        return operand[self.index()]

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[[Array], Array]:
        """The view is the same at every call."""
        return itemgetter(self.index())

    def index(self) -> tuple[slice, ...]:
        """The NumPy index of the reversal."""
        rank = range(self.operand.type.rank)
        return tuple(slice(None, None, -1 if d in self.dimensions else 1) for d in rank)
