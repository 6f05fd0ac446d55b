"""Data movement against the specification's formulas, written as loops over the index space."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stablemate.dialects.stablehlo.attributes import GatherDimensionNumbers
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.ir.builder import create
from stablemate.ir.core import Value
from stablemate.ir.definition import Op, definition_of
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import F32, I8, I32, I64, UI8, UI64, Array, ElementType

SEEDS = st.integers(0, 2**32 - 1)
INDEX_TYPES: tuple[ElementType, ...] = (I8, I32, I64, UI8, UI64)


def indices(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The index space of a shape."""
    return itertools.product(*map(range, shape))


def value(shape: Sequence[int], element: ElementType = F32) -> Value[TensorType]:
    return Value(tensor(element, *shape))


def numbered(shape: Sequence[int]) -> Array:
    """An array whose elements are all different."""
    return np.arange(np.prod(shape, dtype=np.int64), dtype=np.float32).reshape(shape)


def outcome(op: Op, *operands: Any) -> Array:
    """The result, which is the same from both ways to evaluate, and of the inferred shape."""
    result: Array = np.asarray(op.evaluate(*operands))
    np.testing.assert_array_equal(op.prepare(())(*operands), result)
    assert result.shape == op.results[0].type.shape
    return result


def sample(rng: np.random.Generator, items: Sequence[int], number: int) -> list[int]:
    return [int(item) for item in rng.permutation(items)[:number]]


def random_gather(rng: np.random.Generator) -> tuple[Gather, Array]:
    """A valid gather of small sizes, and start indices for it."""
    rank = int(rng.integers(1, 5))
    shape = [int(size) for size in rng.integers(1, 5, rank)]
    order = sample(rng, range(rank), rank)
    batching = sorted(order[: rng.integers(0, min(rank, 2) + 1)])
    others = [d for d in range(rank) if d not in batching]
    collapsed = sorted(sample(rng, others, int(rng.integers(0, len(others) + 1))))
    mapped = sample(rng, others, int(rng.integers(0, len(others) + 1)))
    kept = [d for d in others if d not in collapsed]
    sizes = [int(rng.integers(0, shape[d] + 1)) if d in kept else 1 for d in range(rank)]
    sizes = [shape[d] if d in kept and rng.random() < 0.5 else sizes[d] for d in range(rank)]
    free = [-1] * int(rng.integers(0, 3))  # batch dimensions of start_indices alone
    sources = [int(i) for i in rng.permutation([*batching, *free])]
    batch = [shape[d] if d >= 0 else int(rng.integers(0, 4)) for d in sources]
    implicit = len(mapped) == 1 and rng.random() < 0.5
    vector = len(batch) if implicit else int(rng.integers(0, len(batch) + 1))
    start_shape = batch if implicit else [*batch[:vector], len(mapped), *batch[vector:]]
    positions = [sources.index(d) for d in batching]
    numbers = GatherDimensionNumbers(
        offset_dims=tuple(sorted(sample(rng, range(len(kept) + len(batch)), len(kept)))),
        collapsed_slice_dims=tuple(collapsed),
        operand_batching_dims=tuple(batching),
        start_indices_batching_dims=tuple(p + (p >= vector and not implicit) for p in positions),
        start_index_map=tuple(mapped),
        index_vector_dim=vector,
    )
    element = INDEX_TYPES[rng.integers(len(INDEX_TYPES))]
    low = max(int(np.iinfo(element.dtype).min), -3)
    start_indices = rng.integers(low, 8, start_shape).astype(element.dtype)
    if start_indices.size:
        start_indices.reshape(-1)[0] = np.iinfo(element.dtype).max
    op = create(
        Gather,
        operand=value(shape),
        start_indices=value(start_shape, element),
        dimension_numbers=numbers,
        slice_sizes=sizes,
    )
    return op, start_indices


def gather_formula(op: Gather, operand: Array, start_indices: Array) -> Array:
    """The semantics of gather, name by name."""
    numbers, sizes = op.dimension_numbers, op.slice_sizes
    result = np.zeros(op.result.type.shape, operand.dtype)
    batch_dims = [d for d in range(result.ndim) if d not in numbers.offset_dims]
    dropped = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    kept = [d for d in range(operand.ndim) if d not in dropped]
    for result_index in indices(result.shape):
        place: list[Any] = [result_index[d] for d in batch_dims]
        if numbers.index_vector_dim < start_indices.ndim:
            place.insert(numbers.index_vector_dim, slice(None))
        start_index = [int(i) for i in np.atleast_1d(start_indices[tuple(place)])]
        operand_index = [0] * operand.ndim
        for d_start, d in enumerate(numbers.start_index_map):
            last = operand.shape[d] - sizes[d]
            operand_index[d] += min(max(start_index[d_start], 0), last)
        pairs = zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)
        for d, d_start in pairs:
            operand_index[d] += place[d_start]
        for d, offset in zip(kept, numbers.offset_dims, strict=True):
            operand_index[d] += result_index[offset]
        result[result_index] = operand[tuple(operand_index)]
    return result


@given(SEEDS)
@settings(deadline=None)
def test_gather_is_its_formula(seed: int) -> None:
    op, start_indices = random_gather(np.random.default_rng(seed))
    operand = numbered(op.operand.type.shape)
    broken = [rule.label for rule in definition_of(op).constraints if rule.check(op)]
    assert broken == []
    result = outcome(op, operand, start_indices)
    np.testing.assert_array_equal(result, gather_formula(op, operand, start_indices))


@given(SEEDS)
@settings(deadline=None)
def test_pad_is_its_formula(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(0, 4))
    shape = [int(size) for size in rng.integers(0, 5, rank)]
    interior = [int(size) for size in rng.integers(0, 4, rank)]
    spread = [size + max(size - 1, 0) * gap for size, gap in zip(shape, interior, strict=True)]
    low = [int(size) for size in rng.integers(-6, 6, rank)]
    high = [int(size) for size in rng.integers(-6, 6, rank)]
    high = [max(last, -size - first) for size, first, last in zip(spread, low, high, strict=True)]
    op = create(
        Pad,
        operand=value(shape),
        padding_value=value(()),
        edge_padding_low=low,
        edge_padding_high=high,
        interior_padding=interior,
    )
    operand, expected = numbered(shape), np.full(op.result.type.shape, -1, np.float32)
    for index in indices(shape):
        place = tuple(f + i * (g + 1) for f, i, g in zip(low, index, interior, strict=True))
        if all(0 <= i < size for i, size in zip(place, expected.shape, strict=True)):
            expected[place] = operand[index]
    np.testing.assert_array_equal(outcome(op, operand, np.float32(-1)), expected)


@pytest.mark.parametrize("size", [3, 5000])
@given(SEEDS)
@settings(deadline=None, max_examples=30)
def test_broadcast_in_dim_is_its_formula(size: int, seed: int) -> None:
    """Small results are copies, large ones views."""
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(0, 4))
    result_shape = [size, *(int(integer) for integer in rng.integers(0, 4, rank))]
    dimensions = sample(rng, range(rank + 1), rank)
    shape = [1 if rng.random() < 0.4 else result_shape[d] for d in dimensions]
    op = create(
        BroadcastInDim,
        operand=value(shape),
        broadcast_dimensions=dimensions,
        results=[tensor(F32, *result_shape)],
    )
    operand = numbered(shape)
    places = np.indices(result_shape, sparse=True)
    source = zip(shape, dimensions, strict=True)
    index = [np.zeros((), np.int64) if n == 1 else places[d] for n, d in source]
    expected = np.broadcast_to(operand[tuple(index)], result_shape)
    np.testing.assert_array_equal(outcome(op, operand), expected)
