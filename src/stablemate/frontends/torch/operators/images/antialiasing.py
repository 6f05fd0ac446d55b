"""Images resized without aliasing: products with matrices of weights.

Source: PyTorch, torch.nn.functional.interpolate with antialias=True.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import pi
from typing import Final

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.contraction import einsum
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.tensor import Tensor, scalar, size_tensor
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import F32, F64

Weights = Callable[[Tensor], Tensor]


def triangle(x: Tensor) -> Tensor:
    """The weights of linear interpolation by distance."""
    return f.maximum(1.0 - abs(x), 0.0)


def cubic(x: Tensor) -> Tensor:
    """The weights of cubic convolution with the parameter -1/2.

    Source: R. Keys, Cubic convolution interpolation for digital image processing, 1981.
    """
    d = abs(x)
    near = (d * 1.5 - 2.5) * d * d + 1.0
    far = ((d * -0.5 + 2.5) * d - 4.0) * d + 2.0
    return f.select(d < 1.0, near, f.select(d < 2.0, far, 0.0))


def lanczos(x: Tensor) -> Tensor:
    """The weights of Lanczos's window of three lobes."""
    return f.select(abs(x) < 3.0, sinc(x) * sinc(x / 3.0), 0.0)


def sinc(x: Tensor) -> Tensor:
    """sin(pi x) / (pi x), 1 at 0."""
    angle = x * pi
    return f.select(x.equals(0.0), 1.0, f.sin(angle) / angle)


FILTERS: Final[dict[str, tuple[Weights, int]]] = {  # and the reach of each
    "bilinear": (triangle, 1), "bicubic": (cubic, 2), "lanczos": (lanczos, 3),
}  # fmt: skip


def weights(kind: str, before: Tensor, places: Tensor, new: Tensor, step: Tensor) -> Tensor:
    """The matrix that takes a dimension to another size, a row for each new element.

    Args:
        kind: The name of the filter.
        before: The size before.
        places: The indices of the old elements, (1, before).
        new: The indices of the new elements, (after, 1).
        step: The distance of new elements.
    """
    function, reach = FILTERS[kind]
    width = f.maximum(step, 1.0)
    centers = step * (new + 0.5)
    starts = f.trunc(centers - width * float(reach) + 0.5)
    ends = f.minimum(f.trunc(centers + width * float(reach) + 0.5), before)
    values = function((places - centers + 0.5) / width)
    values = f.select((places >= starts) & (places < ends), values, 0.0)
    totals = m.expand_dims(r.sum_over(values, [1]), 1)
    return values / f.select(totals.equals(0.0), 1.0, totals)


def distance(before: Tensor, after: Tensor, given: float | None, *, align_corners: bool) -> Tensor:
    """The distance of two new elements in old ones."""
    if align_corners:
        return f.select(after > 1.0, (before - 1.0) / f.maximum(after - 1.0, 1.0), 0.0)
    if given is None or given <= 0:
        return before / after
    return scalar(before.graph, 1 / given, F64)


def matrices(
    call: Call, before: Sequence[SizeLike], after: Sequence[SizeLike],
    scales: Sequence[float | None], x: Tensor, *, align_corners: bool,
) -> list[Tensor]:  # fmt: skip
    """The weights of both dimensions of an image."""
    kind = next(name for name in FILTERS if name in call.name)
    graph = call.graph
    result: list[Tensor] = []
    for old, new, scale in zip(before, after, scales, strict=True):
        first, last = size_tensor(graph, old, F64), size_tensor(graph, new, F64)
        step = distance(first, last, scale, align_corners=align_corners)
        places = m.expand_dims(m.arange(graph, old, F64), 0)
        rows = m.expand_dims(m.arange(graph, new, F64), 1)
        result.append(weights(kind, first, places, rows, step).convert(x.element))
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
