"""Images resized without aliasing: products with matrices of weights.

Source: PyTorch, torch.nn.functional.interpolate with antialias=True.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.contraction import einsum
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.tensor import Tensor, constant
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import F32, Array

Weights = Callable[[Array], Array]


def triangle(x: Array) -> Array:
    """The weights of linear interpolation by distance."""
    weights: Array = np.maximum(1 - np.abs(x), 0)
    return weights


def cubic(x: Array) -> Array:
    """The weights of cubic convolution with the parameter -1/2.

    Source: R. Keys, Cubic convolution interpolation for digital image processing, 1981.
    """
    d = np.abs(x)
    near = (1.5 * d - 2.5) * d * d + 1
    far = ((-0.5 * d + 2.5) * d - 4) * d + 2
    return np.where(d < 1, near, np.where(d < 2, far, 0))


def lanczos(x: Array) -> Array:
    """The weights of Lanczos's window of three lobes."""
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


FILTERS: Final[dict[str, tuple[Weights, int]]] = {  # and the reach of each
    "bilinear": (triangle, 1), "bicubic": (cubic, 2), "lanczos": (lanczos, 3),
}  # fmt: skip


def weights(kind: str, sizes: tuple[int, int], scale: float) -> Array:
    """The matrix that takes a dimension to another size, a row for each new element.

    Args:
        kind: The name of the filter.
        sizes: The size before and after.
        scale: The distance of new elements.
    """
    function, reach = FILTERS[kind]
    before, after = sizes
    width = max(scale, 1.0)
    centers = scale * (np.arange(after) + 0.5)
    starts = np.maximum(np.trunc(centers - reach * width + 0.5), 0)
    ends = np.minimum(np.trunc(centers + reach * width + 0.5), before)
    places = np.arange(before)[None, :]
    values = function((places - centers[:, None] + 0.5) / width)
    values = np.where((places >= starts[:, None]) & (places < ends[:, None]), values, 0)
    totals = values.sum(axis=1, keepdims=True)
    return values / np.where(totals == 0, 1, totals)


def distance(before: int, after: int, given: float | None, *, align_corners: bool) -> float:
    """The distance of two new elements in old ones."""
    if align_corners:
        return (before - 1) / (after - 1) if after > 1 else 0.0
    return 1 / given if given is not None and given > 0 else before / after


def matrices(
    call: Call, before: Sequence[SizeLike], after: Sequence[SizeLike],
    scales: Sequence[float | None], x: Tensor, *, align_corners: bool,
) -> list[Tensor]:  # fmt: skip
    """The weights of both dimensions of an image."""
    kind = next(name for name in FILTERS if name in call.name)
    result: list[Tensor] = []
    for old, new, scale in zip(before, after, scales, strict=True):
        if not isinstance(old, int) or not isinstance(new, int):
            call.refuse("images need known sizes")
        step = distance(old, new, scale, align_corners=align_corners)
        array = weights(kind, (old, new), step).astype(x.element.dtype)
        result.append(constant(call.graph, array, x.element))
    return result


@lowers("_upsample_bilinear2d_aa", "_upsample_bicubic2d_aa", "_upsample_lanczos2d_aa")
def upsample(
    call: Call, self: Tensor, output_size: Sequence[SizeLike], align_corners: bool,
    scales_h: float | None, scales_w: float | None,
) -> Tensor:  # fmt: skip
    """Images of (n, c, h, w) resized"""
    wide = call.to_compute_type(self) if self.is_float else self.convert(F32)
    scales = (scales_h, scales_w)
    rows, columns = matrices(
        call, self.shape[2:], output_size, scales, wide, align_corners=align_corners
    )
    result = einsum(einsum(wide, "nchw", columns, "vw", "nchv"), "nchv", rows, "uh", "ncuv")
    return result.convert(call.element) if self.is_float else bytes_of(call, result)


def bytes_of(call: Call, x: Tensor) -> Tensor:
    """Floats rounded to the nearest integers from 0 to 255, as bytes."""
    return f.clamp(0.0, f.round_half_even(x), 255.0).convert(call.element)


@lowers(
    "_upsample_bilinear2d_aa_backward", "_upsample_bicubic2d_aa_backward",
    "_upsample_lanczos2d_aa_backward",
)  # fmt: skip
def upsample_backward(
    call: Call, grad_output: Tensor, output_size: Sequence[SizeLike],
    input_size: Sequence[SizeLike], align_corners: bool, scales_h: float | None,
    scales_w: float | None,
) -> Tensor:  # fmt: skip
    """The gradient of resized images"""
    wide = call.to_compute_type(grad_output)
    scales = (scales_h, scales_w)
    rows, columns = matrices(
        call, input_size[2:], output_size, scales, wide, align_corners=align_corners
    )
    result = einsum(einsum(wide, "ncuv", columns, "vw", "ncuw"), "ncuw", rows, "uh", "nchw")
    return result.convert(call.element)
