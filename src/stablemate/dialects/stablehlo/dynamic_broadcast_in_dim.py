"""stablehlo.dynamic_broadcast_in_dim."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.broadcast_in_dim import (
    AnyBroadcastInDim,
    broadcast,
    require_broadcastable,
)
from stablemate.dialects.stablehlo.dimensions import is_unique, is_within
from stablemate.dialects.stablehlo.dynamism import (
    STATIC_DIMENSION_TENSOR,
    integers,
    known_integers,
    shape_fact,
    shape_operand_fits,
)
from stablemate.dialects.stablehlo.runtime import require, require_shape
from stablemate.ir.definition import Check, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR, SI64_ARRAY
from stablemate.ir.shapes import same_size
from stablemate.ir.traits import MOVED_FIRST, NO_WORK, Family, Trait
from stablemate.numerics.elements import Array


@op(
    "stablehlo.dynamic_broadcast_in_dim",
    family=Family.MOVEMENT,
    work=NO_WORK,
    traits=Trait.FOLDABLE | Trait.DYNAMIC,
)
class DynamicBroadcastInDim(AnyBroadcastInDim):
    """``broadcast_in_dim`` to the shape in ``output_dimensions``.

    shape(result) = output_dimensions

    Source: StableHLO specification, dynamic_broadcast_in_dim.
    """

    __slots__ = ()
    linearity = MOVED_FIRST
    output_dimensions = define.operand("I2", STATIC_DIMENSION_TENSOR).as_sizes()
    broadcast_dimensions = define.attribute("I3", SI64_ARRAY)
    known_expanding_dimensions = define.optional_attribute("I4", SI64_ARRAY)
    known_nonexpanding_dimensions = define.optional_attribute("I5", SI64_ARRAY)
    result = define.result(ANY_TENSOR)
    assembly = (
        "$operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions "
        "attr-dict `:` functional-type"
    )

    # Upstream does not compare quantized element types in C1.

    @constraint
    def c7(self) -> Check:
        """size(output_dimensions) = rank(result), and output_dimensions = shape(result)"""
        result = self.result.type
        # Upstream compares the number of sizes only when they are a constant.
        return shape_operand_fits(
            "output_dimensions", self.output_dimensions, result, shape_fact(result.shape)
        )

    @constraint
    def c5(self) -> Check:
        """dim(operand, d) = 1 or dim(operand, d) = dim(result, broadcast_dimensions[d])"""
        operand, result = self.operand.type.shape, self.result.type.shape
        if self.operand.type.is_static:  # otherwise the operation may never be executed
            result = known_integers(self.output_dimensions) or result
        fits = all(
            size == 1 or same_size(size, result[d])
            for d, size in zip(self.broadcast_dimensions, operand, strict=True)
        )
        values = {"operand": shape_fact(operand), "result": shape_fact(result)}
        return holds(fits, **values, dimensions=self.broadcast_dimensions)

    @constraint
    def c6(self) -> Check:
        """is_per_axis_quantized(result): quantization_dimension(result) =
        broadcast_dimensions[quantization_dimension(operand)], and a scale and zero point
        that are repeated stay the same
        """
        return self.parameters_are_repeated()

    @constraint
    def c8(self) -> Check:
        """is_unique(known_expanding_dimensions + known_nonexpanding_dimensions)"""
        expanding = self.known_expanding_dimensions or ()
        nonexpanding = self.known_nonexpanding_dimensions or ()
        both = expanding + nonexpanding
        return holds(is_unique(both), expanding=expanding, nonexpanding=nonexpanding)

    @constraint
    def c9(self) -> Check:
        """0 <= known_expanding_dimensions < rank(operand)"""
        dimensions, rank = self.known_expanding_dimensions or (), self.operand.type.rank
        return holds(is_within(dimensions, rank), known_expanding_dimensions=dimensions, rank=rank)

    @constraint
    def c10(self) -> Check:
        """0 <= known_nonexpanding_dimensions < rank(operand)"""
        dimensions, rank = self.known_nonexpanding_dimensions or (), self.operand.type.rank
        return holds(
            is_within(dimensions, rank),
            known_nonexpanding_dimensions=dimensions,
            rank=rank,
        )

    def known_shape(self) -> Sequence[int] | None:
        """The sizes in ``output_dimensions``, if that is a constant."""
        return known_integers(self.output_dimensions)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """``broadcast_in_dim`` to the shape that the second operand holds."""
        operand, output_dimensions = operands
        shape = integers(output_dimensions)
        message = "0 <= output_dimensions"
        require(self, min(shape, default=0) >= 0, "C7", message, output_dimensions=shape)
        require_shape(self, shape, "C7")
        require_broadcastable(self, operand.shape, shape, self.broadcast_dimensions)
        return broadcast(operand, shape, self.broadcast_dimensions)
