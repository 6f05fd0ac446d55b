"""Fourier transforms, and the filters of mel frequencies.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.attributes import FftType
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.element_types import element_of
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.fourier import transform_dimensions
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, size_tensor
from stablemate.numerics.elements import F64, I64, Array

MEL: Final = 2595.0
MEL_BREAK: Final = 700.0  # hertz


@lowers("DFT", until=19)
def dft_by_attribute(
    call: Call, x: Tensor, length: Tensor | None = None, *, axis: int = 1, inverse: int = 0,
    onesided: int = 0,
) -> Tensor:  # fmt: skip
    """The Fourier transform along an axis; the last dimension has real and imaginary parts"""
    size = None if length is None else call.numbers(length, "the length")[0]
    return transform_axis(x, size, axis, inverse=bool(inverse), onesided=bool(onesided))


@lowers("DFT", since=20)
def dft(
    call: Call, x: Tensor, length: Tensor | None = None, axis: Tensor | None = None, *,
    inverse: int = 0, onesided: int = 0,
) -> Tensor:  # fmt: skip
    """The Fourier transform along an axis; the last dimension has real and imaginary parts"""
    size = None if length is None else call.numbers(length, "the length")[0]
    at = -2 if axis is None else call.integers(axis, "the axis")[0]
    return transform_axis(x, size, at, inverse=bool(inverse), onesided=bool(onesided))


def transform_axis(
    x: Tensor, length: SizeLike | None, axis: int, *, inverse: bool, onesided: bool
) -> Tensor:
    """The Fourier transform along an axis, of so many elements."""
    at = x.dimension(axis)
    values = complex_of(x)
    if inverse and onesided:
        return real_signal(values, length, at).convert(x.element)
    values = resize_axis(values, length, at)
    result = transform_dimensions(values, FftType.IFFT if inverse else FftType.FFT, [at])
    if onesided:
        result = m.slice_dimension(result, at, 0, values.shape[at] // 2 + 1)
    return parts_of(result).convert(x.element)


def real_signal(x: Tensor, length: SizeLike | None, axis: int) -> Tensor:
    """The real signal whose transform begins with these elements; the others are conjugates."""
    size = (x.shape[axis] - 1) * 2 if length is None else length
    half = resize_axis(x, size // 2 + 1, axis)
    others = size - half.shape[axis]
    mirrored = m.reverse(m.slice_dimension(half, axis, 1, 1 + others), [axis])
    whole = m.concatenate([half, f.conjugate(mirrored)], axis)
    result = f.real(transform_dimensions(whole, FftType.IFFT, [axis]))
    return m.expand_dims(result, -1)


def complex_of(x: Tensor) -> Tensor:
    """Complex numbers of 64-bit parts, which the last dimension has; of one part real numbers."""
    wide = x.convert(F64)
    if x.shape[-1] == 1:
        real = m.squeeze(wide, -1)
        return f.complex_from_parts(real, m.filled_like(real, 0))
    real, imag = (m.squeeze(m.slice_dimension(wide, -1, i, i + 1), -1) for i in range(2))
    return f.complex_from_parts(real, imag)


def parts_of(x: Tensor) -> Tensor:
    """The parts of complex numbers along a new last dimension."""
    return m.stack([f.real(x), f.imag(x)], -1)


def resize_axis(x: Tensor, length: SizeLike | None, axis: int) -> Tensor:
    """A dimension cut, or with zeros at its end."""
    if length is None:
        return x
    high: list[SizeLike] = [0] * x.rank
    high[axis] = length - x.shape[axis]
    return m.pad(x, 0, [0] * x.rank, high)


@lowers("STFT")
def stft(
    call: Call, signal: Tensor, frame_step: Tensor, window: Tensor | None = None,
    frame_length: Tensor | None = None, *, onesided: int = 1,
) -> Tensor:  # fmt: skip
    """The Fourier transforms of frames of a signal"""
    (step,) = call.numbers(frame_step, "the step")
    length: SizeLike
    if frame_length is not None:
        (length,) = call.numbers(frame_length, "the length of frames")
    elif window is not None:
        length = window.shape[0]
    else:
        call.refuse("either a window or the length of frames is needed")
    values = complex_of(signal)
    count = (signal.shape[1] - length) // step + 1
    starts = m.iota(call.graph, (count, length), 0, I64) * size_tensor(call.graph, step, I64)
    frames = ix.take(values, starts + m.iota(call.graph, (count, length), 1, I64), 1)
    if window is not None:
        real = window.convert(f.real(frames).element)
        frames = frames * f.complex_from_parts(real, m.filled_like(real, 0))
    result = transform_dimensions(frames, FftType.FFT, [2])
    if onesided:
        result = m.slice_dimension(result, 2, 0, length // 2 + 1)
    return parts_of(result).convert(signal.element)


@lowers("MelWeightMatrix")
def mel_weight_matrix(
    call: Call, bins: Tensor, length: Tensor, rate: Tensor, lower: Tensor, upper: Tensor, *,
    output_datatype: int = 1,
) -> Tensor:  # fmt: skip
    """The weights of frequencies in each mel bin: triangles, equally wide in mel"""
    numbers = [
        call.needed_array(x, "its inputs").item() for x in (bins, length, rate, lower, upper)
    ]
    element = element_of(output_datatype, "the result")
    return constant(call.graph, mel_weights(*numbers).astype(element.dtype), element)


def mel_weights(bins: int, length: int, rate: int, lower: float, upper: float) -> Array:
    """The weights of frequencies in each mel bin."""
    low, high = (MEL * np.log10(1 + edge / MEL_BREAK) for edge in (lower, upper))
    mels = np.arange(bins + 2) * ((high - low) / (bins + 2)) + low
    hertz = MEL_BREAK * (np.power(10.0, mels / MEL) - 1)
    edges = ((length + 1) * hertz // rate).astype(np.int64)
    weights = np.zeros((length // 2 + 1, bins))
    for i in range(bins):
        first, peak, last = (int(edge) for edge in edges[i : i + 3])
        if first == peak:
            weights[peak, i] = 1
        else:
            weights[first : peak + 1, i] = np.linspace(0, 1, peak + 1 - first)
        if last > peak:
            weights[peak:last, i] = np.linspace(1, 0, last - peak, endpoint=False)
    return weights
