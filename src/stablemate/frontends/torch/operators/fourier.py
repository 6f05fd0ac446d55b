"""Discrete Fourier transforms.

Source: PyTorch, torch.fft.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from stablemate.dialects.stablehlo.attributes import FftType
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.fourier import transform, transform_dimensions
from stablemate.frontends.tensor_functions.graph import SizeLike, is_empty
from stablemate.frontends.tensor_functions.tensor import Tensor, full, real_part, size_tensor
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import ComplexType, FloatType

# How results are scaled: not at all, by the root of the number of points, or by their number.
NONE, BY_ROOT, BY_COUNT = range(3)


def normalize(x: Tensor, count: SizeLike, normalization: int, *, is_divided: bool) -> Tensor:
    """A sum over points, scaled as PyTorch's ``norm`` says.

    Args:
        x: The sum; divided by the number of points already, if it is an inverse transform.
        count: The number of points.
        normalization: ``NONE``, ``BY_ROOT`` or ``BY_COUNT``.
        is_divided: Whether it is divided already.
    """
    number = size_tensor(x.graph, count, real_part(x.element))
    factor = {NONE: number if is_divided else None, BY_COUNT: None if is_divided else 1 / number}
    root = f.sqrt(number) if is_divided else f.rsqrt(number)
    wanted = root if normalization == BY_ROOT else factor[normalization]
    if wanted is None:
        return x
    if not x.is_complex:
        return x * wanted
    return f.complex_from_parts(f.real(x) * wanted, f.imag(x) * wanted)


def points(call: Call, shape: Sequence[SizeLike], dims: Sequence[int]) -> SizeLike:
    """The number of points of a transform.

    Raises:
        UnsupportedError: It is a symbolic size.
    """
    if not all(isinstance(shape[dim], int) for dim in dims):
        call.refuse("exported programs need to know the lengths of Fourier transforms")
    return prod(shape[dim] for dim in dims)


@lowers("_fft_c2c")
def fft_c2c(
    call: Call, self: Tensor, dim: Sequence[int], normalization: int, forward: bool
) -> Tensor:
    """The transform of complex numbers."""
    if is_empty(call.shape):
        return full(call.graph, call.shape, 0, call.element)
    if not dim:
        return self
    dims = [self.dimension(d) for d in dim]
    count = points(call, self.shape, dims)
    result = transform_dimensions(self, FftType.FFT if forward else FftType.IFFT, dims)
    return normalize(result, count, normalization, is_divided=not forward)


@lowers("_fft_r2c")
def fft_r2c(
    call: Call, self: Tensor, dim: Sequence[int], normalization: int, onesided: bool
) -> Tensor:
    """The transform of real numbers: its first half in the last dimension, or all of it."""
    if is_empty(call.shape):
        return full(call.graph, call.shape, 0, call.element)
    dims = [self.dimension(d) for d in dim]
    count = points(call, self.shape, dims)
    if onesided:
        moved = m.move_dimension(self, dims[-1], -1)
        length = moved.shape[-1]
        assert isinstance(length, int)
        assert isinstance(self.element, FloatType)
        shape = (*moved.shape[:-1], length // 2 + 1)
        half = transform(moved, FftType.RFFT, [length], shape, ComplexType(self.element))
        result = transform_dimensions(m.move_dimension(half, -1, dims[-1]), FftType.FFT, dims[:-1])
    else:
        whole = f.complex_from_parts(self, 0.0)
        result = transform_dimensions(whole, FftType.FFT, dims)
    return normalize(result, count, normalization, is_divided=False)


@lowers("_fft_c2r")
def fft_c2r(
    call: Call, self: Tensor, dim: Sequence[int], normalization: int, last_dim_size: int
) -> Tensor:
    """The real inverse transform of half of the last dimension."""
    if is_empty(call.shape):
        return full(call.graph, call.shape, 0, call.element)
    dims = [self.dimension(d) for d in dim]
    count = points(call, call.shape, dims)
    whole = transform_dimensions(self, FftType.IFFT, dims[:-1])
    moved = m.move_dimension(whole, dims[-1], -1)
    kept = m.slice_dimension(moved, -1, 0, last_dim_size // 2 + 1)
    shape = (*kept.shape[:-1], last_dim_size)
    real = transform(kept, FftType.IRFFT, [last_dim_size], shape, call.element)
    result = m.move_dimension(real, -1, dims[-1])
    return normalize(result, count, normalization, is_divided=True)


@lowers("prims.fft_c2c")
def prims_fft_c2c(call: Call, self: Tensor, *, dim: Sequence[int], forward: bool) -> Tensor:
    """The transform of complex numbers, not scaled."""
    return fft_c2c(call, self, dim, NONE, forward)


@lowers("prims.fft_r2c")
def prims_fft_r2c(call: Call, self: Tensor, *, dim: Sequence[int], onesided: bool) -> Tensor:
    """The transform of real numbers, not scaled."""
    return fft_r2c(call, self, dim, NONE, onesided)


@lowers("prims.fft_c2r")
def prims_fft_c2r(call: Call, self: Tensor, *, dim: Sequence[int], last_dim_size: int) -> Tensor:
    """The real inverse transform, not scaled."""
    return fft_c2r(call, self, dim, NONE, last_dim_size)
