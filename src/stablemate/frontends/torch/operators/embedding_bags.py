"""Sums, means and maxima of bags of rows of a matrix.

Source: PyTorch, torch.nn.functional.embedding_bag.
"""

from __future__ import annotations

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers

SUM, MEAN, MAX = range(3)


@lowers("_embedding_bag", "_embedding_bag_forward_only")
def embedding_bag(
    call: Call, weight: Tensor, indices: Tensor, offsets: Tensor, scale_grad_by_freq: bool,
    mode: int, sparse: bool, per_sample_weights: Tensor | None, include_last_offset: bool,
    padding_idx: int,
) -> list[Tensor]:  # fmt: skip
    """One row for each bag; the bag of each index; the sizes of bags; places of maxima."""
    rows = m.flatten(indices).convert(INT64)
    count = call.shape[0]
    bags = bags_of(rows, m.slice_dimension(offsets, 0, 0, count).convert(INT64))
    taken = call.to_compute_type(ix.take(weight, rows, 0))
    if per_sample_weights is not None:
        taken = taken * m.expand_dims(per_sample_weights.convert(taken.element), 1)
    kept = rows.differs(padding_idx) if padding_idx >= 0 else rows.equals(rows)
    zeros = full(call.graph, (count,), 0, INT64)
    sizes = ix.put_points(zeros, [bags], kept.convert(INT64), ix.add)
    if mode == MAX:
        result, places = maxima(call, taken, bags, rows, kept)
        return [result.convert(call.element), *others(call, bags, sizes), places]
    total = ix.put_points(
        full(call.graph, call.shape, 0, taken.element), [bags],
        f.select(m.expand_dims(kept, 1), taken, 0), ix.add,
    )  # fmt: skip
    if mode == MEAN:
        total = total / m.expand_dims(f.maximum(sizes, 1).convert(total.element), 1)
    return [total.convert(call.element), *others(call, bags, sizes), filler(call, 3, sizes)]


def bags_of(rows: Tensor, offsets: Tensor) -> Tensor:
    """The number of the bag of each index, from where bags begin."""
    places = m.arange(rows.graph, rows.shape[0], INT64)
    begun = m.expand_dims(offsets, 1) <= places
    return r.sum_over(begun.convert(INT64), [0]) - 1


def maxima(
    call: Call, taken: Tensor, bags: Tensor, rows: Tensor, kept: Tensor
) -> tuple[Tensor, Tensor]:
    """The largest number of each column of a bag, 0 of an empty one, and the row that has it."""
    lowest = r.lowest(taken.element)
    start = full(call.graph, call.shape, lowest, taken.element)
    chosen = f.select(m.expand_dims(kept, 1), taken, lowest)
    largest = ix.put_points(start, [bags], chosen, ix.larger)
    is_largest = chosen.equals(ix.take(largest, bags, 0))
    count = m.expand_dims(m.arange(call.graph, rows.shape[0], INT64), 1)
    nowhere = 1 << 40
    candidates = f.select(is_largest, count.broadcast_to(chosen.shape), nowhere)
    first = ix.put_points(
        full(call.graph, call.shape, nowhere, INT64), [bags], candidates,
        ix.smaller,
    )  # fmt: skip
    is_empty = largest.equals(lowest)
    place = ix.take(rows, f.select(is_empty, 0, first), 0)
    return f.select(is_empty, 0, largest), f.select(is_empty, -1, place)


def others(call: Call, bags: Tensor, sizes: Tensor) -> list[Tensor]:
    """The bag of each index and the sizes of bags, in the shapes that PyTorch gives them."""
    return [filler(call, 1, bags), filler(call, 2, sizes)]


def filler(call: Call, number: int, value: Tensor) -> Tensor:
    """A result that has the shape of a value, or one that PyTorch leaves without meaning."""
    row = call.types[number]
    assert row is not None
    return value if value.shape == row[0] else full(call.graph, row[0], 0, row[1])


@lowers("_embedding_bag_dense_backward")
def embedding_bag_dense_backward(
    call: Call, grad: Tensor, indices: Tensor, offset2bag: Tensor, bag_size: Tensor,
    maximum_indices: Tensor, num_weights: int, scale_grad_by_freq: bool, mode: int,
    per_sample_weights: Tensor | None, padding_idx: int = -1,
) -> Tensor:  # fmt: skip
    """The gradient of the matrix."""
    wide = call.to_compute_type(grad)
    target = full(call.graph, call.shape, 0, wide.element)
    if mode == MAX:
        places = maximum_indices.convert(INT64)
        columns = m.iota(call.graph, places.shape, 1, INT64)
        return ix.put_points(target, [places, columns], wide, ix.add).convert(call.element)
    rows, bags = m.flatten(indices).convert(INT64), offset2bag.convert(INT64)
    if mode == MEAN:
        sizes = f.maximum(bag_size, 1).convert(wide.element)
        wide = wide / m.expand_dims(sizes, 1)
    updates = ix.take(wide, bags, 0)
    if per_sample_weights is not None:
        updates = updates * m.expand_dims(per_sample_weights.convert(updates.element), 1)
    if scale_grad_by_freq:
        ones = full(call.graph, rows.shape, 1, updates.element)
        counts = full(call.graph, call.shape[:1], 0, updates.element)
        counts = ix.put_points(counts, [rows], ones, ix.add)
        updates = updates / m.expand_dims(ix.take(counts, rows, 0), 1)
    if padding_idx >= 0:
        updates = f.select(m.expand_dims(rows.equals(padding_idx), 1), 0, updates)
    return ix.put_points(target, [rows], updates, ix.add).convert(call.element)


@lowers("_embedding_bag_backward")
def embedding_bag_backward(
    call: Call, grad: Tensor, indices: Tensor, offsets: Tensor, offset2bag: Tensor,
    bag_size: Tensor, maximum_indices: Tensor, num_weights: int, scale_grad_by_freq: bool,
    mode: int, sparse: bool, per_sample_weights: Tensor | None, padding_idx: int = -1,
) -> Tensor:  # fmt: skip
    """The gradient of the matrix, from where bags begin."""
    if sparse:
        call.refuse("a sparse gradient is not computed; use sparse=False")
    bags = bags_of(m.flatten(indices), offsets.convert(INT64))
    return embedding_bag_dense_backward(
        call, grad, indices, bags, bag_size, maximum_indices, num_weights, scale_grad_by_freq,
        mode, per_sample_weights, padding_idx,
    )  # fmt: skip


@lowers("_embedding_bag_per_sample_weights_backward")
def per_sample_weights_backward(
    call: Call, grad: Tensor, weight: Tensor, indices: Tensor, offsets: Tensor,
    offset2bag: Tensor, mode: int, padding_idx: int = -1,
) -> Tensor:  # fmt: skip
    """The gradient of the weight of each index."""
    rows = m.flatten(indices).convert(INT64)
    bags = offset2bag.convert(INT64)
    if bags.shape != rows.shape:
        bags = bags_of(rows, offsets.convert(INT64))
    products = call.to_compute_type(ix.take(grad, bags, 0)) * call.to_compute_type(
        ix.take(weight, rows, 0)
    )
    sums = r.sum_over(products, [1])
    if padding_idx >= 0:
        sums = f.select(rows.equals(padding_idx), 0, sums)
    return m.reshape(sums.convert(call.element), call.shape)
