"""Images and volumes sampled at the points of a grid, and the gradients.

Source: PyTorch, torch.nn.functional.grid_sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.images.grid_sampling import (
    Coordinate,
    Corner,
    corners_of,
    element_places,
    sample,
    values_at,
    weight_product,
)
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.table import lowers


@lowers("grid_sampler_3d")
def grid_sampler(
    call: Call, input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int,
    align_corners: bool,
) -> Tensor:  # fmt: skip
    """The elements around each point by their weights"""
    sampled = sample(
        call.to_compute_type(input), call.to_compute_type(grid), interpolation_mode, padding_mode,
        align_corners=align_corners,
    )  # fmt: skip
    return sampled.convert(call.element)


@lowers("grid_sampler_2d_backward", "grid_sampler_3d_backward")
def grid_sampler_backward(
    call: Call, grad_output: Tensor, input: Tensor, grid: Tensor, interpolation_mode: int,
    padding_mode: int, align_corners: bool, output_mask: Sequence[bool],
) -> list[Tensor | None]:  # fmt: skip
    """The gradients of the image and of the grid"""
    x, places = call.to_compute_type(input), call.to_compute_type(grid)
    points, around = corners_of(
        x, places, interpolation_mode, padding_mode, align_corners=align_corners
    )
    grad = m.move_dimension(call.to_compute_type(grad_output), 1, -1)
    of_input = image_gradient(x, grad, around, points) if output_mask[0] else None
    of_grid = grid_gradient(x, grad, around, points)
    return [
        None if of_input is None else of_input.convert(input.element),
        of_grid.convert(grid.element),
    ]


def image_gradient(
    x: Tensor, grad: Tensor, around: Sequence[Corner], points: Sequence[Coordinate]
) -> Tensor:
    """The gradients added to the elements that samples depend on."""
    total = full(x.graph, (x.shape[0], *x.shape[2:], x.shape[1]), 0, x.element)
    for corner in around:
        places, _ = element_places(corner, points)
        total = ix.put_points(total, places, grad * weight_product(corner.weights), ix.add)
    return m.move_dimension(total, -1, 1)


def grid_gradient(
    x: Tensor, grad: Tensor, around: Sequence[Corner], points: Sequence[Coordinate]
) -> Tensor:
    """The derivatives by the places of the points, the last dimension first."""
    totals = [m.filled_like(point.place, 0) for point in points]
    for corner in around:
        along = r.sum_over(grad * values_at(x, corner, points), [-1])
        for at, point in enumerate(points):
            others = [w for i, w in enumerate(corner.weights) if i != at]
            factor = reduce(lambda one, other: one * other, others) * point.slope
            totals[at] = totals[at] + along * factor * corner.slopes[at]
    return m.stack(totals[::-1], -1)
