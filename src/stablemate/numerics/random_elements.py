"""Random elements of every type: arguments, and values of constants that are unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.array_limits import require_array
from stablemate.numerics.elements import (
    F64,
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
)
from stablemate.numerics.number_text import storage_type
from stablemate.numerics.rounding import converter

SMALL: Final = 8  # random integers are from -8 to 7


def random_elements(shape: Sequence[int], element: ElementType, seed: int) -> Array:
    """Random elements: normal floats, small integers, either boolean.

    Drawn by ``numpy.random.default_rng(seed)`` and rounded to the element type.
    """
    generator = np.random.default_rng(seed)
    match storage_type(element):
        case IntegerType() | IndexType() as integer:
            low, high = max(-SMALL, integer.minimum), min(SMALL - 1, integer.maximum)
            if isinstance(element, QuantizedType):
                low, high = int(element.storage_min), int(element.storage_max)
            return generator.integers(low, high, shape, endpoint=True).astype(element.dtype)
        case ComplexType():
            parts = generator.standard_normal((*shape, 2))
            return parts.view(np.complex128).reshape(shape).astype(element.dtype)
        case FloatType(name="f8E8M0FNU"):  # the powers of two
            exponents = np.round(generator.standard_normal(shape))
            return np.exp2(exponents).astype(np.float32).astype(element.dtype)
        case FloatType() as floating:
            numbers = np.asarray(generator.standard_normal(shape))
            return np.asarray(converter(F64, floating)(numbers))


@dataclass(frozen=True, slots=True)
class ElidedValues:
    """Elements in place of those that are unknown.

    Attributes:
        seed: The seed of random elements; None for zeros.
    """

    seed: int | None = None

    def elements(self, shape: Sequence[int], element: ElementType, position: int) -> Array:
        """The elements of the constant at a position; zeros take the memory of one element."""
        require_array(shape)
        if self.seed is not None:
            return random_elements(shape, element, self.seed + position)
        return np.broadcast_to(np.zeros((), element.dtype), shape)
