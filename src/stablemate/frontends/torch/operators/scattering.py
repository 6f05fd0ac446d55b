"""Gradients and updates that put elements at places: padding, masks, strides, embeddings.

Source: PyTorch, torch.nn.functional.pad, torch.as_strided_scatter, torch.Tensor.masked_scatter.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.scans import cumulative
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, full, size_tensor
from stablemate.frontends.torch.call import Call, memory_order
from stablemate.frontends.torch.operators.views import strided_places
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import BOOLEAN, F32

NORM_FLOOR: Final = 1e-7  # added to norms of embeddings before they divide


@lowers("replication_pad1d_backward", "replication_pad2d_backward", "replication_pad3d_backward")
def replication_pad_backward(
    call: Call, grad_output: Tensor, self: Tensor, padding: Sequence[int]
) -> Tensor:
    """The sums of the gradients of all copies of an element"""
    result = call.to_compute_type(grad_output)
    for pair in range(len(padding) // 2):
        at = self.rank - 1 - pair
        result = fold_padding(call, result, at, self.shape[at], padding[2 * pair])
    return result.convert(call.element)


def fold_padding(call: Call, x: Tensor, dimension: int, size: SizeLike, low: int) -> Tensor:
    """The elements of a dimension added to those that they repeat."""
    length = x.shape[dimension]
    if isinstance(length, int) and isinstance(size, int):
        array = np.clip(np.arange(length, dtype=np.int64) - low, 0, size - 1)
        places = constant(x.graph, array, INT64)
    else:
        last = size_tensor(x.graph, size - 1, INT64)
        places = f.clamp(0, m.arange(x.graph, length, INT64) - low, last)
    first = m.move_dimension(x, dimension, 0)
    target = full(x.graph, (size, *first.shape[1:]), 0, x.element)
    summed = ix.put_points(target, [places], first, ix.add)
    return m.move_dimension(summed, 0, dimension)


@lowers("masked_scatter_backward")
def masked_scatter_backward(
    call: Call, grad_output: Tensor, mask: Tensor, sizes: Sequence[SizeLike]
) -> Tensor:
    """The gradients where a mask is true, in order; then zeros"""
    target = m.flatten(full(call.graph, call.shape, 0, call.element))
    hits = m.flatten(mask.broadcast_to(grad_output.shape))
    numbers = cumulative(hits.convert(INT64), Add, 0) - 1
    places = f.select(hits, numbers, -1)
    result = ix.put_points(target, [places], m.flatten(grad_output), ix.replace)
    return m.reshape(result, call.shape)


@lowers("as_strided_scatter", "prims.as_strided_scatter")
def as_strided_scatter(
    call: Call, self: Tensor, src: Tensor, size: Sequence[SizeLike], stride: Sequence[SizeLike],
    storage_offset: SizeLike | None = None,
) -> Tensor:  # fmt: skip
    """Self with src at places of the memory in which it lies in order"""
    places = strided_places(call, src.shape, stride, storage_offset or 0)
    order = memory_order(call.examples[0]) or range(self.rank)
    stored = m.transpose(self, order)
    flat = ix.put_points(m.reshape(stored, (self.size,)), [places], src, ix.replace)
    return m.transpose(m.reshape(flat, stored.shape), m.inverse(order))


@lowers("embedding_renorm")
def embedding_renorm(
    call: Call, self: Tensor, indices: Tensor, max_norm: float, norm_type: float
) -> Tensor:
    """The rows at indices shortened to a norm, the others as they are"""
    rows = m.flatten(indices).convert(INT64)
    unlisted = full(call.graph, (self.shape[0],), 0, F32)
    hits = full(call.graph, rows.shape, 1, F32)
    is_listed = ix.put_points(unlisted, [rows], hits, ix.replace).convert(BOOLEAN)
    wide = call.to_compute_type(self)
    norms = row_norms(wide, norm_type)
    factors = f.select(is_listed & (norms > max_norm), max_norm / (norms + NORM_FLOOR), 1)
    return (wide * m.expand_dims(factors, 1)).convert(call.element)


def row_norms(x: Tensor, order: float) -> Tensor:
    """The norms of the rows of a matrix."""
    if order == inf:
        return r.maximum_over(abs(x), [1])
    if order == 2:
        return f.sqrt(r.sum_over(x * x, [1]))
    return f.power(r.sum_over(f.power(abs(x), order), [1]), 1 / order)
