"""The parts of floats, and the types in which narrow ones are computed.

Source: IEEE 754, binary interchange formats.
"""

from __future__ import annotations

from typing import Final

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.numerics.elements import F32, F64, ElementType, FloatType, IntegerType

FRACTION_BITS: Final[dict[ElementType, int]] = {F32: 23, F64: 52}


def fraction_and_exponent(x: Tensor) -> tuple[Tensor, Tensor]:
    """Fractions from 1/2 to 1 and exponents of two, of floats of 32 or 64 bits.

    Zeros, infinities and NaN are their own fractions, with the exponent 0.
    """
    width, bits = x.element.bits, FRACTION_BITS[x.element]
    bias = 2 ** (width - bits - 2) - 2
    is_special = x.equals(0) | ~f.is_finite(x)
    is_small = abs(x) < 2.0 ** (2 - bias)
    pattern = f.bits_of(f.select(is_small, x * 2.0**bits, x))
    exponents = (2 ** (width - bits - 1) - 1) << bits
    fields = f.shift_right_logical(pattern & exponents, bits)
    exponent = f.bitcast(fields, IntegerType(width)) - bias
    exponent = f.select(is_small, exponent - bits, exponent)
    fraction = f.bitcast(pattern & ~exponents & (2**width - 1) | bias << bits, x.element)
    return f.select(is_special, x, fraction), f.select(is_special, 0, exponent)


def to_compute_type(x: Tensor) -> Tensor:
    """A tensor in the element type of intermediate results."""
    return x.convert(computed_element(x.element))


def computed_element(element: ElementType) -> ElementType:
    """The element type of intermediate results: float32 for narrower floats."""
    is_narrow = isinstance(element, FloatType) and element.bits < 32
    return F32 if is_narrow else element
