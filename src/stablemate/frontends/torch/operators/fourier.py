"""Discrete Fourier transforms, their frequencies, and windows of signals.

Frequencies and windows are constants, because their lengths are numbers.
Source: PyTorch, torch.fft, and torch, "Spectral Ops".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from stablemate.dialects.stablehlo.attributes import FftType
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.fourier import transform, transform_dimensions
from stablemate.frontends.tensor_functions.graph import SizeLike, is_empty
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    constant,
    full,
    real_part,
    size_tensor,
)
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import Array, ComplexType, FloatType

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


def window(call: Call, length: int, periodic: bool, values: Array) -> Tensor:
    """A window of a length, of whose values a periodic one leaves out the last."""
    whole = np.ones(1) if length == 1 else values[: length if periodic else None]
    return constant(call.graph, whole.astype(call.element.dtype), call.element)


def phases(length: int, periodic: bool) -> Array:
    """Numbers from 0 to 1, one for each point of a window."""
    points = length + periodic
    return np.arange(points) / max(points - 1, 1)


def cosines(call: Call, length: int, periodic: bool, *factors: float) -> Tensor:
    """A sum of cosines of multiples of the phase."""
    angles = 2 * np.pi * phases(length, periodic)
    terms = [factor * np.cos(k * angles) for k, factor in enumerate(factors)]
    return window(call, length, periodic, np.sum(terms, 0))


@lowers("hann_window", "hann_window.periodic")
def hann(call: Call, length: int, periodic: bool = True) -> Tensor:
    """(1 - cos(2 pi t)) / 2 for phases t."""
    return cosines(call, length, periodic, 0.5, -0.5)


@lowers(
    "hamming_window", "hamming_window.periodic", "hamming_window.periodic_alpha",
    "hamming_window.periodic_alpha_beta",
)  # fmt: skip
def hamming(
    call: Call, length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46
) -> Tensor:
    """alpha - beta cos(2 pi t) for phases t."""
    return cosines(call, length, periodic, alpha, -beta)


@lowers("blackman_window", "blackman_window.periodic")
def blackman(call: Call, length: int, periodic: bool = True) -> Tensor:
    """0.42 - 0.5 cos(2 pi t) + 0.08 cos(4 pi t) for phases t."""
    return cosines(call, length, periodic, 0.42, -0.5, 0.08)


@lowers("bartlett_window", "bartlett_window.periodic")
def bartlett(call: Call, length: int, periodic: bool = True) -> Tensor:
    """1 - abs(2t - 1) for phases t."""
    return window(call, length, periodic, 1 - np.abs(2 * phases(length, periodic) - 1))


@lowers("kaiser_window", "kaiser_window.periodic", "kaiser_window.beta")
def kaiser(call: Call, length: int, periodic: bool = True, beta: float = 12.0) -> Tensor:
    """I0(beta sqrt(1 - (2t - 1)^2)) / I0(beta) for phases t and the Bessel function I0."""
    heights = np.sqrt(np.maximum(1 - (2 * phases(length, periodic) - 1) ** 2, 0))
    return window(call, length, periodic, np.i0(beta * heights) / np.i0(beta))


@lowers("fft_fftfreq", "fft_rfftfreq")
def frequencies(call: Call, n: int, d: float = 1.0) -> Tensor:
    """The frequencies of a transform of n points at a distance d: all, or those that are not
    negative.
    """
    values = np.fft.rfftfreq(n, d) if "rfftfreq" in call.name else np.fft.fftfreq(n, d)
    return constant(call.graph, values.astype(call.element.dtype), call.element)
