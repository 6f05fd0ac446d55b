"""stablehlo.reduce_precision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import ml_dtypes
import numpy as np

from stablemate.dialects.stablehlo.baseline import (
    dequantized,
    expressed,
    with_declared_parameters,
)
from stablemate.dialects.stablehlo.elementwise import REALS
from stablemate.dialects.stablehlo.elementwise_math import Function, bits_of
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import SI32
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array, FloatType
from stablemate.numerics.rounding import round_float

ALL_EXPONENT_BITS: Final = 11  # of f64


@op("stablehlo.reduce_precision")
class ReducePrecision(Op):
    """Floats rounded to a format of ``exponent_bits`` and ``mantissa_bits``, in their own type.

    The mantissa is rounded to the nearest, ties to even; without mantissa bits a number halfway
    between two powers becomes the one with an odd exponent, as in IEEE's formats, whose biases are
    odd. Then what is too large for the exponent becomes infinity, and what is below its smallest
    normal number zero, with their signs; in types without infinities what infinity is converted to.
    NaN becomes infinity if there is no mantissa.

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
        """The function of arrays that stands for the operation."""
        element = self.operand.type.element_type
        floats = expressed(element)
        assert isinstance(floats, FloatType)
        function = reducer(floats, self.exponent_bits, self.mantissa_bits)
        if element != floats:
            return dequantized(function, [element], self.output.type.element_type)
        return function

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """The function of arrays itself."""
        return self.function()

    def evaluate(self, *operands: Array, **_: Any) -> Any:
        """The function of all elements at once."""
        return self.function()(*operands)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a format spells its numbers.

    Attributes:
        mantissa_bits: Bits of the mantissa that are stored.
        bias: Exponent of 1.0, as it is stored.
        sign: The sign bit; zero in a format without one.
        largest: The bits of the largest number.
    """

    mantissa_bits: int
    bias: int
    sign: int
    largest: int


def layout(element: FloatType) -> Layout:
    """The layout of a format."""
    info = ml_dtypes.finfo(element.dtype)
    one, largest = (int(bits_of(np.asarray(x, element.dtype))) for x in (1.0, info.max))
    bits = 1 + info.nexp + info.nmant
    sign = 0 if bits > info.bits else 1 << bits - 1  # f8E8M0FNU has no sign
    return Layout(info.nmant, one >> info.nmant, sign, largest)


def reducer(element: FloatType, exponent_bits: int, mantissa_bits: int) -> Function:
    """The function that reduces the precision of floats of one type."""
    fmt = layout(element)
    infinities, zeros = (
        round_float(np.array([x, -x], np.float32), element)
        for x in (np.float32(np.inf), np.float32(0))
    )

    reach = (1 << min(exponent_bits, ALL_EXPONENT_BITS) - 1) - 1  # exponents are 1 - reach to reach
    to_odd_bias = 0 if fmt.bias % 2 else 1 << fmt.mantissa_bits

    def reduce(values: Array) -> Any:
        sign = bits_of(values) & fmt.sign
        magnitude = bits_of(values) ^ sign
        dropped = fmt.mantissa_bits - mantissa_bits
        rounded = with_rounded_mantissa(magnitude + to_odd_bias, dropped) - to_odd_bias
        exponent = rounded >> fmt.mantissa_bits
        is_large = (rounded > fmt.largest) | (exponent > fmt.bias + reach)
        is_small = (rounded == 0) & (magnitude != 0)
        if reach < fmt.bias:
            is_small |= exponent <= fmt.bias - reach
        is_negative = (sign != 0).astype(np.intp)
        without_nan = values if mantissa_bits else infinities[0]
        return np.select(
            (np.isnan(values), is_small, is_large),
            (without_nan, zeros[is_negative], infinities[is_negative]),
            (rounded | sign).view(values.dtype),
        )

    return reduce


def with_rounded_mantissa(magnitude: Array, dropped: int) -> Any:
    """The bits of numbers, rounded so that the last ones are zero; ties to even."""
    if dropped <= 0:
        return magnitude
    last = magnitude >> dropped & 1
    below_half = (1 << dropped - 1) - 1
    return (magnitude + last + below_half) >> dropped << dropped
