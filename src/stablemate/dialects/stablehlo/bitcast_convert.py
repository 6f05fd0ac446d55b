"""stablehlo.bitcast_convert."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR
from stablemate.ir.shapes import same_shape, same_size
from stablemate.ir.traits import NO_WORK, Family, Trait
from stablemate.numerics.elements import Array, ComplexType, ElementType


@op(
    "stablehlo.bitcast_convert",
    family=Family.MOVEMENT,
    work=NO_WORK,
    traits=Trait.FOLDABLE | Trait.ELEMENTWISE,
)
class BitcastConvert(Op):
    """The bits of the operand, reinterpreted as elements of another type.

    One element of more bits is a row of elements of fewer bits in a further dimension, the lowest
    bits first:

    bits(result[i0, ..., iR-1, :]) = bits(operand[i0, ..., iR-1]) if num_bits(E') < num_bits(E)
    bits(result[i0, ..., iR-2]) = bits(operand[i0, ..., iR-2, :]) if num_bits(E') > num_bits(E)
    bits(result[i0, ..., iR-1]) = bits(operand[i0, ..., iR-1]) otherwise

    Source: StableHLO specification, bitcast_convert.
    """

    __slots__ = ()
    operand = define.operand("I1", ANY_TENSOR)
    result = define.result(ANY_TENSOR)
    assembly = "$operand attr-dict `:` functional-type"

    @constraint
    def c1(self) -> Check:
        """shape(result) = shape(operand), a last dimension of the quotient of num_bits aside"""
        operand, result = self.operand.type, self.result.type
        bits, result_bits = operand.element_type.bits, result.element_type.bits
        if bits <= result_bits:
            fits = divides(operand.shape, bits, result.shape, result_bits)
        else:
            fits = divides(result.shape, result_bits, operand.shape, bits)
        return holds(fits, operand=operand, result=result)

    @constraint
    def c2(self) -> Check:
        """is_complex(operand) = is_complex(result)"""
        operand, result = self.operand.type.element_type, self.result.type.element_type
        fits = isinstance(operand, ComplexType) == isinstance(result, ComplexType)
        return holds(fits, operand=operand, result=result)

    def known_shape(self) -> Sequence[int] | None:
        """The shape of the operand, with or without a dimension for the parts of an element."""
        operand, result = self.operand.type, self.result.type
        before, after = operand.element_type.bits, result.element_type.bits
        if before == after:
            return operand.shape
        return (*operand.shape, before // after) if before > after else operand.shape[:-1]

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """The same bytes where elements are whole bytes; else bit by bit."""
        source, target = self.operand.type.element_type, self.result.type.element_type
        operand = np.ascontiguousarray(operands[0]).reshape(np.shape(operands[0]))
        if source.bits == target.bits < 8:
            return (operand.view(np.uint8) & ((1 << source.bits) - 1)).view(target.dtype)
        if source.bits % 8 or target.bits % 8:
            return from_bits(to_bits(operand, source), source, target)
        if source.bits > target.bits:
            return operand[..., np.newaxis].view(target.dtype)
        view = operand.view(target.dtype)
        return view[..., 0] if source.bits < target.bits else view


def divides(
    narrow: tuple[int, ...], narrow_bits: int, wide: tuple[int, ...], wide_bits: int
) -> bool:
    """Whether rows of narrow elements are wide elements."""
    if narrow_bits == wide_bits:
        return same_shape(narrow, wide)
    per_element, rest = divmod(wide_bits, narrow_bits)
    return (
        len(narrow) > 0
        and rest == 0
        and same_size(narrow[-1], per_element)
        and same_shape(narrow[:-1], wide)
    )


def to_bits(array: Array, element: ElementType) -> Array:
    """The bits of every element, lowest first, in a further dimension."""
    stored = array[..., np.newaxis].view(np.uint8)
    rows = stored.reshape(array.size, stored.shape[-1])  # NumPy unpacks 32 dimensions at most
    bits = np.unpackbits(rows, axis=-1, count=element.bits, bitorder="little")
    return bits.reshape(*array.shape, element.bits)


def from_bits(bits: Array, source: ElementType, target: ElementType) -> Array:
    """The elements that have these bits, those of a source element in the last dimension."""
    *shape, _ = bits.shape
    if source.bits > target.bits:
        bits = bits.reshape(*shape, source.bits // target.bits, target.bits)
    elif source.bits < target.bits:
        bits = bits.reshape(*shape[:-1], target.bits)
    rows = bits.reshape(math.prod(bits.shape[:-1]), bits.shape[-1])
    stored = np.packbits(rows, axis=-1, bitorder="little")
    return stored.view(target.dtype).reshape(bits.shape[:-1])
