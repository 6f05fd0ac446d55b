"""Operators of ONNX Runtime's domain com.microsoft that cut, gather and forbid elements.

Source: ONNX Runtime, Contrib Operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.model import MICROSOFT
from stablemate.frontends.onnx.operators.convolution import conv_transpose
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.floating_point import to_compute_type
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.tensor import Tensor, full, size_tensor
from stablemate.numerics.elements import I64


@lowers("UnfoldTensor", domain=MICROSOFT)
def unfold_tensor(call: Call, x: Tensor, *, size: int, dim: int = -1, step: int = 1) -> Tensor:
    """Slices of a size, a step apart, of a dimension; their elements are the last dimension"""
    at = x.dimension(dim)
    if size < 1 or step < 1:
        raise ValueError(f"size is {size} and step {step}")
    count = (x.shape[at] - size) // step + 1
    shape = (count, size)
    places = m.iota(call.graph, shape, 0, I64) * step + m.iota(call.graph, shape, 1, I64)
    return m.move_dimension(ix.take(x, places, at), at + 1, x.rank)


@lowers("NGramRepeatBlock", domain=MICROSOFT)
def ngram_repeat_block(call: Call, input_ids: Tensor, scores: Tensor, *, ngram_size: int) -> Tensor:
    """Scores of the next token, none of which may end a sequence of a length that came before"""
    if ngram_size < 1:
        raise ValueError(f"ngram_size is {ngram_size}")
    batch, length = input_ids.shape
    if isinstance(length, int) and length < ngram_size:
        return scores
    count = length - ngram_size + 1
    ids = input_ids.convert(I64)
    is_match = full(call.graph, (batch, count), True, (ids < 0).element)
    for i in range(ngram_size - 1):
        last = m.slice_dimension(ids, 1, count + i, count + i + 1).broadcast_to((batch, count))
        is_match = is_match & m.slice_dimension(ids, 1, i, i + count).equals(last)
    tokens = m.slice_dimension(ids, 1, ngram_size - 1, length)
    rows = m.iota(call.graph, (batch, count), 0, I64)
    blank = full(call.graph, (batch, count), inf, scores.element)
    return ix.put_points(scores, [rows, tokens], f.select(is_match, -inf, blank), ix.smaller)


@lowers("ConvTransposeWithDynamicPads", domain=MICROSOFT)
def conv_transpose_with_dynamic_pads(
    call: Call, x: Tensor, w: Tensor, pads: Tensor | None = None, bias: Tensor | None = None, *,
    auto_pad: str = "NOTSET", dilations: Sequence[int] | None = None, group: int = 1,
    kernel_shape: Sequence[int] | None = None, output_padding: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """Elements spread by a kernel, less a padding that is an input"""
    return conv_transpose(
        call, x, w, bias, auto_pad=auto_pad, dilations=dilations, group=group,
        kernel_shape=kernel_shape, output_padding=output_padding, strides=strides,
        pads=None if pads is None else call.integers(pads, "the padding"),
    )  # fmt: skip


@lowers("CropAndResize", domain=MICROSOFT)
def crop_and_resize(
    call: Call, x: Tensor, rois: Tensor, batch_indices: Tensor, crop_size: Tensor, *,
    mode: str = "bilinear", extrapolation_value: float = 0.0,
) -> Tensor:  # fmt: skip
    """Regions of images (n, c, height, width), sampled at as many places for each"""
    if mode not in ("bilinear", "nearest"):
        raise ValueError(f"the mode {mode!r} is none of bilinear, nearest")
    images = m.transpose(to_compute_type(x), (0, 2, 3, 1))
    regions, height, width = rois.shape[0], *call.integers(crop_size, "the size of crops")
    shape = (regions, height, width)
    rows, columns = (
        sampled_places(to_compute_type(rois), first, count, size)
        for first, count, size in ((0, height, x.shape[2]), (1, width, x.shape[3]))
    )
    y, z = rows.broadcast(shape, [0, 1]), columns.broadcast(shape, [0, 2])
    last = [size_tensor(call.graph, n - 1, I64).convert(y.element) for n in x.shape[2:]]
    is_inside = [
        (place >= 0) & (place <= end.broadcast_to(shape))
        for place, end in zip((y, z), last, strict=True)
    ]
    image = batch_indices.convert(I64).broadcast(shape, [0])

    def take_at(at: Tensor, along: Tensor) -> Tensor:
        return ix.take_points(images, [image, at.convert(I64), along.convert(I64)])

    if mode == "nearest":
        values = take_at(f.floor(y + 0.5), f.floor(z + 0.5))
    else:
        corners = [
            [take_at(a, b) for b in (f.floor(z), f.ceil(z))] for a in (f.floor(y), f.ceil(y))
        ]
        across, down = z - f.floor(z), y - f.floor(y)
        lines = [between(left, right, across) for left, right in corners]
        values = between(lines[0], lines[1], down)
    inside = (is_inside[0] & is_inside[1]).broadcast(values.shape, [0, 1, 2])
    result = f.select(inside, values, extrapolation_value)
    return m.transpose(result, (0, 3, 1, 2)).convert(x.element)


def sampled_places(rois: Tensor, first: int, count: int, size: SizeLike) -> Tensor:
    """Where regions (regions, 4) are sampled in a dimension of an image, (regions, count).

    Args:
        rois: The first and the last place of each region in each dimension, from 0 to 1.
        first: Which dimension.
        count: How many samples a region has.
        size: How many elements the image has.
    """
    shape = (rois.shape[0], count)
    start, end = (m.take_index(rois, 1, i).broadcast(shape, [0]) for i in (first, first + 2))
    reach = size_tensor(rois.graph, size - 1, I64).convert(rois.element).broadcast_to(shape)
    if count == 1:
        return (start + end) * 0.5 * reach
    step = (end - start) * reach / (count - 1)
    return start * reach + m.iota(rois.graph, shape, 1, I64).convert(rois.element) * step


def between(first: Tensor, second: Tensor, part: Tensor) -> Tensor:
    """The point that lies a part of the way from one tensor to another; channels are last."""
    return first + (second - first) * part.broadcast(first.shape, [0, 1, 2])
