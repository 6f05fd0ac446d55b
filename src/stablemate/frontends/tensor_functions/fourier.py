"""Discrete Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.stablehlo.attributes import FftType
from stablemate.dialects.stablehlo.fft import Fft
from stablemate.frontends.tensor_functions.graph import Shape
from stablemate.frontends.tensor_functions.movement import inverse, transpose
from stablemate.frontends.tensor_functions.tensor import Tensor, emit
from stablemate.numerics.elements import ElementType

MOST: Final = 3  # dimensions that one operation transforms


def transform(
    x: Tensor, kind: FftType, lengths: Sequence[int], shape: Shape, element: ElementType
) -> Tensor:
    """The transform of the last dimensions, at most three of them."""
    return emit(
        x.graph, Fft, shape, element, operand=x.value, fft_type=kind, fft_length=tuple(lengths)
    )


def transform_dimensions(x: Tensor, kind: FftType, dimensions: Sequence[int]) -> Tensor:
    """The complex transform of some dimensions, ``FFT`` or ``IFFT``."""
    result = x
    for first in range(0, len(dimensions), MOST):
        result = transform_few(result, kind, dimensions[first : first + MOST])
    return result


def transform_few(x: Tensor, kind: FftType, dimensions: Sequence[int]) -> Tensor:
    """The complex transform of at most three dimensions."""
    order = [*[i for i in range(x.rank) if i not in dimensions], *dimensions]
    moved = transpose(x, order)
    lengths = [size for size in moved.shape[-len(dimensions) :] if isinstance(size, int)]
    result = transform(moved, kind, lengths, moved.shape, x.element)
    return transpose(result, inverse(order))
