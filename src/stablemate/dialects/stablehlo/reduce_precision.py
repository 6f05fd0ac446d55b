"""stablehlo.reduce_precision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.baseline import (
    expressed_type,
    lift_to_quantized,
    with_declared_parameters,
)
from stablemate.dialects.stablehlo.elementwise import REALS
from stablemate.dialects.stablehlo.elementwise_math import Function, bits_of
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import SI32
from stablemate.ir.traits import ARITHMETIC, Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import F16, F32, Array, FloatType
from stablemate.numerics.rounding import round_float

ALL_EXPONENT_BITS: Final = 11  # of f64


@op(
    "stablehlo.reduce_precision",
    family=Family.ELEMENTWISE,
    work=ARITHMETIC,
    traits=Trait.FOLDABLE | Trait.ELEMENTWISE | Trait.REAL_VALUED,
)
class ReducePrecision(Op):
    """Rounds floats to a format of ``exponent_bits`` and ``mantissa_bits``, in their own type.

    The mantissa is rounded to the nearest, ties to even; without mantissa bits a number halfway
    between two powers becomes the one with an odd exponent. Then numbers too large for the exponent
    become infinity (in types without it, what infinity converts to), and those below the smallest
    normal number zero, with their signs. NaN becomes infinity if there is no mantissa.

    Source: StableHLO specification, reduce_precision; XLA's evaluator for NaN.
    """

    __slots__ = ()
    operand = define.operand("I1", REALS)
    exponent_bits = define.attribute("I2", SI32)
    mantissa_bits = define.attribute("I3", SI32)
    output = define.result(REALS, element_type="C1", shape="C1")
    assembly = "$operand `,` `format` `=` custom<ExponentMantissa> attr-dict `:` same-type"

    @constraint
    def c2(self) -> Check:
        """1 <= exponent_bits"""
        return holds(self.exponent_bits >= 1, exponent_bits=self.exponent_bits)

    @constraint
    def c3(self) -> Check:
        """0 <= mantissa_bits"""
        return holds(self.mantissa_bits >= 0, mantissa_bits=self.mantissa_bits)

    def infer(self) -> TensorType:
        """C1: the type of the operand, quantization parameters aside."""
        return with_declared_parameters(self, self.operand.type)

    def function(self) -> Function:
        """The function of arrays that computes the operation."""
        element = self.operand.type.element_type
        floats = expressed_type(element)
        assert isinstance(floats, FloatType)
        function = reducer(floats, self.exponent_bits, self.mantissa_bits)
        if element != floats:
            return lift_to_quantized(function, [element], self.output.type.element_type)
        return function

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """The function of arrays itself."""
        return self.function()

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The function of all elements at once."""
        return self.function()(*operands)


def reducer(element: FloatType, exponent_bits: int, mantissa_bits: int) -> Function:
    """The function that reduces the precision of floats of one type."""
    if element.bits > 8:
        return ieee_reducer(element, exponent_bits, mantissa_bits)
    through = F32 if element.name == "f8E8M0FNU" else F16  # holds all numbers, as in XLA
    reduce_there = ieee_reducer(through, exponent_bits, mantissa_bits)

    def reduce(values: Array) -> Array:
        return round_float(reduce_there(values.astype(through.dtype)), element)

    return reduce


def ieee_reducer(element: FloatType, exponent_bits: int, mantissa_bits: int) -> Function:
    """The function for an IEEE format, or bf16: it works on the bits."""
    stored_bits = element.precision - 1
    bias = int(bits_of(np.asarray(1.0, element.dtype))) >> stored_bits
    sign_bit = 1 << element.bits - 1
    reach = (1 << min(exponent_bits, ALL_EXPONENT_BITS) - 1) - 1  # exponents are 1 - reach to reach

    infinity = 2 * bias + 1 << stored_bits

    def reduce(values: Array) -> Array:
        sign = bits_of(values) & sign_bit
        magnitude = bits_of(values) ^ sign
        rounded = with_rounded_mantissa(magnitude, stored_bits - mantissa_bits)
        if reach < bias:
            exponent = rounded >> stored_bits
            rounded = np.where(exponent <= bias - reach, 0, rounded)
            rounded = np.where(exponent > bias + reach, infinity, rounded)
        nan = bits_of(values) if mantissa_bits else infinity
        return np.asarray(np.where(magnitude > infinity, nan, rounded | sign)).view(values.dtype)

    return reduce


def with_rounded_mantissa(magnitude: Array, dropped: int) -> Array:
    """The bits of numbers, rounded so that the last ones are zero; ties to even."""
    if dropped <= 0:
        return magnitude
    last = magnitude >> dropped & 1
    below_half = (1 << dropped - 1) - 1
    rounded: Array = (magnitude + last + below_half) >> dropped << dropped
    return rounded
