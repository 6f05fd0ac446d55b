"""Places that a mask selects, whose number is a size that depends on values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.frontends.tensor_functions.elementwise import select
from stablemate.frontends.tensor_functions.graph import SIZE
from stablemate.frontends.tensor_functions.indexing import coordinates, put_points, replace
from stablemate.frontends.tensor_functions.movement import arange, flatten, slice_dimension
from stablemate.frontends.tensor_functions.reductions import sum_over
from stablemate.frontends.tensor_functions.scans import cumulative
from stablemate.frontends.tensor_functions.tensor import Tensor, full, size_tensor
from stablemate.numerics.elements import I64
from stablemate.numerics.symbolic_sizes import SymbolicSize

TYPICAL: Final = 8  # number of elements that a mask selects


def value_size(count: Tensor, least: int = 0) -> SymbolicSize:
    """A scalar that is computed, as a size, or a number that is not less than another one."""
    size = count.graph.assumptions.symbol(TYPICAL, least)
    count.graph.bind(size, count.convert(SIZE).value)
    return size


def first_true(mask: Tensor) -> tuple[Tensor, Tensor]:
    """The places of true elements of a mask of one dimension, and their number.

    The places are as many as the mask has elements; those behind the number mean nothing.
    """
    hits = mask.convert(I64)
    length = mask.shape[0]
    end = size_tensor(mask.graph, length, I64)
    targets = select(mask, cumulative(hits, Add, 0) - 1, end.broadcast_to(mask.shape))
    blank = full(mask.graph, mask.shape, 0, I64)
    places = arange(mask.graph, length, I64)
    return put_points(blank, [targets], places, replace, unique=False), sum_over(hits)


def true_coordinates(mask: Tensor) -> Sequence[Tensor]:
    """The index in each dimension of the true elements of a mask."""
    places, count = first_true(flatten(mask))
    return coordinates(slice_dimension(places, 0, 0, value_size(count)), mask.shape)
