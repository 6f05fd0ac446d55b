"""Maxima over windows that begin at random places, and their gradients.

Source: PyTorch, torch.nn.functional.fractional_max_pool2d; B. Graham, Fractional Max-Pooling, 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.operators.images.pooling import put_flat
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers


@lowers("fractional_max_pool2d", "fractional_max_pool3d")
def fractional_max_pool(
    call: Call, self: Tensor, kernel_size: Sequence[int], output_size: Sequence[int],
    random_samples: Tensor,
) -> list[Tensor]:  # fmt: skip
    """The maximum of each window, and its flat index."""
    rank = len(output_size)
    leading, sizes = self.shape[:-rank], self.shape[-rank:]
    rows = prod(leading)
    planes = m.reshape(random_samples, (prod(random_samples.shape[:-1]), rank))
    samples = m.slice_dimension(planes, 0, 0, rows)  # there may be those of more images
    shape = (rows, *output_size, *kernel_size)
    place: Tensor | None = None
    for i, size in enumerate(sizes):
        if not isinstance(size, int):
            call.refuse("the pooled dimensions need known sizes")
        # PyTorch draws the column of a plane before its row, but the depth of a volume first.
        sample = m.take_index(samples, 1, 1 - i if rank == 2 else i)
        first = window_starts(sample, size, output_size[i], kernel_size[i])
        index = first.broadcast(shape, [0, i + 1]) + m.iota(call.graph, shape, 1 + rank + i, INT64)
        place = index if place is None else place * size + index
    assert place is not None
    flat = m.reshape(self, (rows, prod(sizes)))
    places = m.reshape(place, (rows, prod(output_size), prod(kernel_size)))
    values = m.reshape(ix.take_along(flat, m.flatten(places, 1, 2), 1), places.shape)
    largest, at = r.argmax(values, -1, INT64)
    index = ix.take_along(places, m.expand_dims(at, -1), -1)
    return [m.reshape(largest, call.shape), m.reshape(index, call.shape)]


def window_starts(sample: Tensor, size: int, count: int, window: int) -> Tensor:
    """Where the windows of each row begin; the last one ends with the dimension.

    Args:
        sample: A random number from 0 to 1 for each row.
        size: The size of the dimension.
        count: How many windows there are.
        window: How many elements a window has.
    """
    rows = sample.shape[0]
    last = full(sample.graph, (rows, 1), size - window, INT64)
    if count == 1:
        return last
    alpha = full(sample.graph, (), size - window, sample.element) / (count - 1)
    offset = m.expand_dims(sample, 1)
    numbers = m.arange(sample.graph, count - 1, sample.element)
    starts = ((offset + numbers) * alpha).convert(INT64) - (offset * alpha).convert(INT64)
    return m.concatenate([starts, last], 1)


@lowers("fractional_max_pool2d_backward", "fractional_max_pool3d_backward")
def fractional_max_pool_backward(
    call: Call, grad_output: Tensor, self: Tensor, kernel_size: Sequence[int],
    output_size: Sequence[int], indices: Tensor,
) -> Tensor:  # fmt: skip
    """Gradients added at the places of the maxima."""
    return put_flat(call, grad_output, indices, len(output_size))
