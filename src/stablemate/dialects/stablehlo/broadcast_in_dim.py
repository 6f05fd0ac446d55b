"""stablehlo.broadcast_in_dim."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.dimensions import is_unique, is_within
from stablemate.dialects.stablehlo.dynamism import STATIC_OR_BOUNDED_TENSOR, shape_fact
from stablemate.dialects.stablehlo.quantized_axes import repeats_parameters, same_but_parameters
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR, SI64_ARRAY
from stablemate.ir.traits import MOVED_FIRST, SAME_ELEMENT, Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array

# Microseconds to copy and to view, with the addition that reads it: 3,072 floats 3.2 and 5.7,
# 12,288 5.9 and 7.4 (NumPy 2, an Intel Xeon). A copy takes memory, too.
MAXIMUM_COPIED: Final = (
    4096  # elements; up to here writing the result is cheaper than creating a view
)


class AnyBroadcastInDim(Op):
    """A broadcast along ``broadcast_dimensions``; subclasses define the shape of the result."""

    __slots__ = ()
    operand = define.operand("I1", ANY_TENSOR)
    broadcast_dimensions = define.attribute("I2", SI64_ARRAY)

    @constraint
    def c1(self) -> Check:
        """element_type(result) = element_type(operand), but for parameters per axis"""
        operand, result = self.operand.type.element_type, self.results[0].type.element_type
        return holds(same_but_parameters(operand, result), operand=operand, result=result)

    @constraint
    def c2(self) -> Check:
        """size(broadcast_dimensions) = rank(operand)"""
        size, rank = len(self.broadcast_dimensions), self.operand.type.rank
        return holds(size == rank, size=size, rank=rank)

    @constraint
    def c3(self) -> Check:
        """0 <= broadcast_dimensions < rank(result)"""
        dimensions, rank = self.broadcast_dimensions, self.results[0].type.rank
        return holds(is_within(dimensions, rank), broadcast_dimensions=dimensions, rank=rank)

    @constraint
    def c4(self) -> Check:
        """is_unique(broadcast_dimensions)"""
        dimensions = self.broadcast_dimensions
        return holds(is_unique(dimensions), broadcast_dimensions=dimensions)

    def parameters_are_repeated(self) -> Check:
        """Whether scales and zero points of the result are those of the operand, repeated."""
        operand, result = self.operand.type, self.results[0].type
        fits = repeats_parameters(operand, result, self.broadcast_dimensions)
        return holds(fits, operand=operand.element_type, result=result.element_type)


@op("stablehlo.broadcast_in_dim", family=Family.MOVEMENT, work=SAME_ELEMENT, traits=Trait.FOLDABLE)
class BroadcastInDim(AnyBroadcastInDim):
    """Repeats ``operand`` along dimensions of size 1 and along new dimensions.

    result[result_index] = operand[operand_index], where operand_index[d] = 0
    if dim(operand, d) = 1, else result_index[broadcast_dimensions[d]]

    Source: StableHLO specification, broadcast_in_dim.
    """

    __slots__ = ()
    linearity = MOVED_FIRST
    opcodes = ("broadcast",)
    summary_attributes = ("broadcast_dimensions",)
    result = define.result(STATIC_OR_BOUNDED_TENSOR)
    assembly = "$operand `,` `dims` `=` $broadcast_dimensions attr-dict `:` functional-type"

    @constraint
    def c5(self) -> Check:
        """dim(operand, d) = 1 or dim(operand, d) = dim(result, broadcast_dimensions[d])"""
        operand, result = self.operand.type.shape, self.result.type.shape
        # A static size does not fit a bounded one here: only the operand's may be dynamic.
        fits = all(
            size in (1, DYNAMIC, result[d])
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

    def known_shape(self) -> Sequence[int] | None:
        """The declared shape, with the sizes of the operand where it is not repeated."""
        operand, shape = self.operand.type.shape, list(self.result.type.shape)
        for d, size in zip(self.broadcast_dimensions, operand, strict=True):
            if shape[d] == DYNAMIC and size != 1:
                shape[d] = size
        return shape

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """The operand along the result's dimensions, repeated."""
        (operand,) = operands
        dimensions, declared = self.broadcast_dimensions, self.result.type
        shape = shape_at_run_time(declared, operand.shape, dimensions)
        require_broadcastable(self, operand.shape, shape, dimensions)
        return broadcast(operand, shape, dimensions)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[[Array], Array]:
        """With static shapes, the mapping of dimensions is computed once."""
        operand, result = self.operand.type, self.result.type
        if not (operand.is_static and result.is_static):
            return self.evaluate
        return broadcaster(operand.shape, result.shape, self.broadcast_dimensions)


def shape_at_run_time(
    declared: TensorType, operand: Sequence[int], dimensions: Sequence[int]
) -> tuple[int, ...]:
    """The result's shape: a bounded size is the operand's, or the bound if that one is repeated."""
    shape = list(declared.shape)
    sizes = dict(zip(dimensions, operand, strict=True))
    for d, size in enumerate(shape):
        if size == DYNAMIC:
            actual = sizes.get(d, 1)
            shape[d] = declared.bounds[d] if actual == 1 else actual
    return tuple(shape)


def require_broadcastable(
    op: Operation, operand: Sequence[int], result: Sequence[int], dimensions: Sequence[int]
) -> None:
    """Ends the run unless C5 holds for the shapes at run time."""
    fits = all(size in (1, result[d]) for d, size in zip(dimensions, operand, strict=True))
    message = "dim(operand, d) = 1 or dim(operand, d) = dim(result, broadcast_dimensions[d])"
    require(
        op, fits, "C5", message, operand=tuple(operand), result=tuple(result), dimensions=dimensions
    )


def broadcast(operand: Array, shape: Sequence[int], dimensions: Sequence[int]) -> Array:
    """The operand with its dimension d as dimension ``dimensions[d]`` of the given shape."""
    return broadcaster(operand.shape, tuple(shape), dimensions)(operand)


def broadcaster(
    operand: Sequence[int], shape: tuple[int, ...], dimensions: Sequence[int]
) -> Callable[[Array], Array]:
    """The function that broadcasts arrays of the first shape to the second one."""
    order = tuple(sorted(range(len(operand)), key=dimensions.__getitem__))
    sizes = dict(zip(dimensions, operand, strict=True))
    first = min(dimensions, default=len(shape))
    aligned = tuple(sizes.get(d, 1) for d in range(first, len(shape)))  # NumPy adds leading ones
    fill = filler(aligned, shape)
    if order != tuple(range(len(operand))):
        return lambda x: fill(x.transpose(order).reshape(aligned))
    if aligned != tuple(operand):
        return lambda x: fill(x.reshape(aligned))
    return fill


def filler(operand: tuple[int, ...], shape: tuple[int, ...]) -> Callable[[Array], Array]:
    """The function that repeats arrays of the first shape to the second one, by NumPy's rule.

    Small results are copies; large ones are read-only views.
    """
    if operand == shape:
        return lambda x: x
    if math.prod(shape) > MAXIMUM_COPIED:
        return lambda x: np.broadcast_to(x, shape)

    def copy(x: Array) -> Array:
        result = np.empty(shape, x.dtype)
        result[...] = x
        return result

    return copy
