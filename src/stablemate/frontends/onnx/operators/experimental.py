"""Operators of the default domain that were experimental and left it in version 10.

Models that were converted from Core ML and CNTK have them, and ONNX Runtime runs them.

Source: ONNX Runtime, its schemas of these operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.operators.indexing import slice_axes
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.floating_point import to_compute_type
from stablemate.frontends.tensor_functions.tensor import Tensor, constant

LAST: Final = 9  # the last version that has them


@lowers("Affine", until=LAST)
def affine(call: Call, x: Tensor, *, alpha: float = 1.0, beta: float = 0.0) -> Tensor:
    """Alpha x + beta"""
    return (to_compute_type(x) * alpha + beta).convert(x.element)


@lowers("Scale", until=LAST)
def scale_(call: Call, x: Tensor, *, scale: float = 1.0) -> Tensor:
    """The input times a number, in its element type"""
    return (to_compute_type(x) * scale).convert(x.element)


@lowers("ParametricSoftplus", until=LAST)
def parametric_softplus(call: Call, x: Tensor, *, alpha: float, beta: float) -> Tensor:
    """Alpha log(exp(beta x) + 1)"""
    wide = to_compute_type(x) * beta
    soft = f.maximum(wide, 0) + f.log1p(f.exp(-abs(wide)))
    return (soft * alpha).convert(x.element)


@lowers("ScaledTanh", until=LAST)
def scaled_tanh(call: Call, x: Tensor, *, alpha: float, beta: float) -> Tensor:
    """Alpha tanh(beta x)"""
    return (f.tanh(to_compute_type(x) * beta) * alpha).convert(x.element)


@lowers("ImageScaler", until=LAST)
def image_scaler(call: Call, x: Tensor, *, scale: float = 1.0, bias: Sequence[float]) -> Tensor:
    """Images (n, c, h, w) times a number, and a number for each channel added"""
    wide = to_compute_type(x) * scale
    summand = constant(call.graph, np.array(bias, np.float32)).convert(wide.element)
    return (wide + summand.broadcast(x.shape, [1])).convert(x.element)


@lowers("Crop", until=LAST)
def crop(
    call: Call, x: Tensor, *, border: Sequence[int], scale: Sequence[int] | None = None
) -> Tensor:
    """The part of images (n, c, h, w) inside a border (left, top, right, bottom)

    With ``scale``, the height and width of the part, its right and bottom border are what is left.
    """
    left, top, right, bottom = border
    if scale is not None:
        height, width = scale
        return slice_axes(x, [top, left], [top + height, left + width], [2, 3], [1, 1])
    ends = [x.shape[2] - bottom, x.shape[3] - right]
    return m.slice_dimension(m.slice_dimension(x, 2, top, ends[0]), 3, left, ends[1])
