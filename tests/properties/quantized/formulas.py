"""The specification's formulas of quantization in exact arithmetic, written without our own code.

A number is a fraction, or an infinity where a format overflows. Every step of a formula is rounded
to the expressed type, as the specification's conversions say.

Source: StableHLO specification, "Quantization computations".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Number = Fraction | float  # a float only if infinite

FORMATS: Final = {  # bits of the significand, exponents of the smallest and largest normal numbers
    "f16": (11, -14, 15),
    "bf16": (8, -126, 127),
    "f32": (24, -126, 127),
    "f64": (53, -1022, 1023),
}


@dataclass(frozen=True)
class Quantized:
    """A quantized element type by what its text says.

    Attributes:
        storage: ``i8``, ``u8``, ``ui8`` and so on.
        expressed: The name of a format.
        scales: Per tensor one, else one per slice or block in row-major order.
        zero_points: As many.
        low: Smallest stored value.
        high: Largest stored value.
        axis: The dimension of the slices.
        blocks: Block size along each dimension, for sub-channel types; 0 for a whole dimension.
        grid: Number of blocks along each dimension.
    """

    storage: str
    expressed: str
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    low: int
    high: int
    axis: int | None = None
    blocks: tuple[int, ...] = ()
    grid: tuple[int, ...] = field(default=())

    @property
    def bits(self) -> int:
        return int(self.storage.lstrip("ui"))

    @property
    def limits(self) -> tuple[int, int]:
        """The range of the storage type."""
        if self.storage.startswith("u"):
            return 0, 2**self.bits - 1
        return -(2 ** (self.bits - 1)), 2 ** (self.bits - 1) - 1

    def parameters(self, index: Sequence[int]) -> tuple[Fraction, int]:
        """Scale, rounded to the expressed type, and zero point of an element."""
        place = 0
        if self.axis is not None:
            place = index[self.axis]
        elif self.blocks:
            for i, block, count in zip(index, self.blocks, self.grid, strict=True):
                place = place * count + (i // block if block else 0)
        scale = rounded(Fraction(self.scales[place]), self.expressed)
        assert isinstance(scale, Fraction)
        return scale, self.zero_points[place]

    def __str__(self) -> str:
        storage = self.storage
        if (self.low, self.high) != self.limits:
            storage += f"<{self.low}:{self.high}>"
        pairs = [f"{s!r}:{z}" for s, z in zip(self.scales, self.zero_points, strict=True)]
        head = f"!quant.uniform<{storage}:{self.expressed}"
        if self.axis is not None:
            return f"{head}:{self.axis}, {{{', '.join(pairs)}}}>"
        if self.blocks:
            sizes = ", ".join(f"{d}:{size}" for d, size in enumerate(self.blocks) if size)
            return f"{head}:{{{sizes}}}, {braced(pairs, self.grid)}>"
        return f"{head}, {pairs[0]}>"


def braced(items: Sequence[str], shape: Sequence[int]) -> str:
    """The items in nested braces."""
    for size in reversed(shape):
        items = ["{" + ", ".join(items[i : i + size]) + "}" for i in range(0, len(items), size)]
    return items[0]


def rounded(x: Number, name: str) -> Number:
    """The nearest number of a format, of two the even one; infinity beyond the largest."""
    if isinstance(x, float) or x == 0:
        return x
    precision, smallest, largest = FORMATS[name]
    exponent = max(floor_log2(abs(x)), smallest)
    unit = Fraction(2) ** (exponent - precision + 1)
    nearest = round(x / unit) * unit  # Python rounds halves of fractions to even
    limit = (2 - Fraction(2) ** (1 - precision)) * Fraction(2) ** largest
    return nearest if abs(nearest) <= limit else math.copysign(math.inf, x)


def floor_log2(x: Fraction) -> int:
    """The exponent of the largest power of two that is not above a positive number."""
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    return exponent if Fraction(2) ** exponent <= x else exponent - 1


def dequantized(stored: int, element: Quantized, index: Sequence[int]) -> Number:
    """What a stored value stands for."""
    scale, zero_point = element.parameters(index)
    difference = rounded(Fraction(stored - zero_point), element.expressed)
    return rounded(difference * scale, element.expressed)


def quantized(x: Number, element: Quantized, index: Sequence[int]) -> int:
    """The stored value of a number."""
    if math.isnan(x):
        return 0  # as XLA converts it; the specification leaves it open
    scale, zero_point = element.parameters(index)
    ends = element.low, element.high
    shift, low, high = (rounded(Fraction(end), element.expressed) for end in (zero_point, *ends))
    scaled = rounded(x / scale, element.expressed) if isinstance(x, Fraction) else x
    shifted = rounded(scaled + shift, element.expressed)
    clamped = min(max(low, shifted), high)
    smallest, largest = element.limits  # an end may have been rounded beyond them
    if isinstance(clamped, float):
        return largest if clamped > 0 else smallest
    return min(max(round(clamped), smallest), largest)


def numbers_of(stored: Array, element: Quantized) -> Array:
    """What an array of stored values stands for: an array of numbers."""
    result = np.empty(stored.shape, object)
    for index in product(*map(range, stored.shape)):
        result[index] = dequantized(int(stored[index]), element, index)
    return result


def stored_of(numbers: Array, element: Quantized) -> Array:
    """The stored values of an array of numbers."""
    result = np.empty(numbers.shape, np.int64)
    for index in product(*map(range, numbers.shape)):
        result[index] = quantized(numbers[index], element, index)
    return result


def applied(function: Callable[..., Number], *arrays: Array) -> Array:
    """A function of numbers on corresponding elements; arrays of rank 0 go with every element."""
    shape = max((array.shape for array in arrays), key=len)
    result = np.empty(shape, object)
    for index in product(*map(range, shape)):
        result[index] = function(*(array[index if array.ndim else ()] for array in arrays))
    return result
