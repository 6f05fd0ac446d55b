"""Convolutions of dilated images, among them transposed ones, as several without dilation.

Between two elements of an image that is dilated by s are s - 1 zeros. Of the points of the result
every s-th meets the same points of the kernel, so that the result is s interleaved convolutions of
the image itself, each with every s-th point of the kernel. Where the kernel has fewer than s
points, as in the gradient of a strided convolution of single points, some of these are zero.
Source: Shi et al., "Is the deconvolution layer the same as a convolutional layer?", 2016.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any, Final

from stablemate.compiler.graph.expansion import NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.contraction.multiply_accumulate import sums_of
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.convolution import Convolution
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import FloatType

# Phases leave out products with zeros, for a launch each and a copy that interleaves their
# results.
MAX_PHASES: Final = 64  # convolutions that replace one
MIN_PRODUCTS: Final = 1 << 12  # of a convolution that is worth several launches


@dataclass(frozen=True, slots=True)
class DilationPhase:
    """Every s-th point of the result in one dimension, s being the dilation of the image.

    Attributes:
        first: The first point of the kernel that meets elements of the image there.
        size: How many points of the kernel do.
        padding: The padding of the image, before and after it.
    """

    first: int
    size: int
    padding: tuple[int, int]


def phases_of(
    extent: int, kernel: int, points: int, dilation: int, padding: int
) -> Sequence[DilationPhase]:
    """The phases of a dimension; each has as many points as the first one.

    Args:
        extent: The extent of the image.
        kernel: The extent of the kernel.
        points: The extent of the result.
        dilation: The dilation of the image.
        padding: The padding before the image.
    """
    count = -(-points // dilation)
    phases: list[DilationPhase] = []
    for phase in range(dilation):
        first = (padding - phase) % dilation
        size = max(-(-(kernel - first) // dilation), 0)
        low = (padding - phase - first) // dilation
        phases.append(DilationPhase(first, size, (low, count - 1 + size - extent - low)))
    return phases


def has_dilated_image(node: Node) -> bool:
    """Whether a node is a convolution of floats whose image is dilated, and worth the phases."""
    if node.operation.name != "stablehlo.convolution" or sums_of(node) is None:
        return False
    lhs, rhs = node.operands
    (result,) = node.results
    windows = node.operation.windows_of(rhs.shape)
    dilated = [d for d, dilation in enumerate(windows.base_dilations) if dilation > 1]
    if not dilated or any(node.operation.window_reversal or ()):
        return False
    if prod(windows.base_dilations) > MAX_PHASES or 0 in (*lhs.shape, *rhs.shape, *result.shape):
        return False
    if any(windows.strides[d] != 1 or windows.window_dilations[d] != 1 for d in dilated):
        return False
    assert isinstance(result.type, TensorType)
    products = prod(result.shape) * prod(windows.sizes)
    return isinstance(result.type.element_type, FloatType) and products >= MIN_PRODUCTS


def expand_dilated_image(node: Node, new_tensor: NewTensor) -> list[Node]:
    """Expands a convolution into that of each phase, whose results are interleaved."""
    return PhaseExpansion(node, new_tensor).expand()


class PhaseExpansion:
    """Expands one convolution.

    Args:
        node: The convolution.
        new_tensor: Creates values.
    """

    def __init__(self, node: Node, new_tensor: NewTensor) -> None:
        self.expansion = NodeExpansion(node, new_tensor)
        self.operation: Any = node.operation
        self.image, self.kernel = node.operands
        (self.result,) = node.results
        self.numbers = self.operation.dimension_numbers
        self.windows = self.operation.windows_of(self.kernel.shape)
        self.dilations: Sequence[int] = self.windows.base_dilations
        self.dimensions: Sequence[int] = self.numbers.output_spatial_dimensions
        self.points = [self.result.shape[d] for d in self.dimensions]
        spatial: Sequence[int] = self.numbers.input_spatial_dimensions
        self.phases = [
            phases_of(self.image.shape[d], size, points, dilation, low)
            for d, size, points, dilation, (low, _) in zip(
                spatial, self.windows.sizes, self.points,
                self.dilations, self.windows.padding, strict=True,
            )
        ]  # fmt: skip

    def expand(self) -> list[Node]:
        """The nodes that replace the convolution."""
        shape = list(self.result.shape)
        for d, points, dilation in zip(self.dimensions, self.points, self.dilations, strict=True):
            shape[d] = -(-points // dilation) if dilation > 1 else points
        parts = [
            self.phase(phase, shape)
            for phase in product(*map(self.axis_phases, range(len(shape) - 2)))
        ]
        whole = self.interleave(parts, shape)
        limits = self.result.shape
        self.expansion.create_result(
            self.result, Slice, operand=whole, start_indices=(0,) * len(limits),
            limit_indices=limits, strides=(1,) * len(limits),
        )  # fmt: skip
        return self.expansion.nodes

    def axis_phases(self, axis: int) -> Sequence[DilationPhase | None]:
        """The phases of a spatial dimension; None where there is no dilation."""
        return self.phases[axis] if self.dilations[axis] > 1 else (None,)

    def phase(self, phases: Sequence[DilationPhase | None], shape: Sequence[int]) -> Tensor:
        """The convolution of one phase of each dimension, of a shape; zeros if it has no points."""
        if any(phase is not None and phase.size == 0 for phase in phases):
            return self.expansion.zeros(self.of_shape(self.result, shape))
        starts, limits = [0] * len(shape), list(self.kernel.shape)
        strides, padding = [1] * len(shape), [tuple(pair) for pair in self.windows.padding]
        for axis, phase in enumerate(phases):
            if phase is not None:
                d = self.numbers.kernel_spatial_dimensions[axis]
                starts[d], strides[d] = phase.first, self.dilations[axis]
                padding[axis] = phase.padding
        kernel = self.expansion.create(
            self.of_shape(
                self.kernel,
                [-(-(b - a) // c) for a, b, c in zip(starts, limits, strides, strict=True)],
            ),
            Slice,
            operand=self.kernel,
            start_indices=starts,
            limit_indices=limits,
            strides=strides,
        )
        return self.expansion.create(
            self.of_shape(self.result, shape),
            Convolution,
            lhs=self.image,
            rhs=kernel,
            window_strides=self.operation.window_strides,
            padding=padding,
            rhs_dilation=self.operation.rhs_dilation,
            dimension_numbers=self.numbers,
            feature_group_count=self.operation.feature_group_count,
            batch_group_count=self.operation.batch_group_count,
            precision_config=self.operation.precision_config,
        )

    def interleave(self, parts: Sequence[Tensor], shape: Sequence[int]) -> Tensor:
        """The results of all phases, each dimension with those of its phases in turn."""
        sizes, values = list(shape), list(parts)
        for axis in reversed(range(len(self.dimensions))):
            dilation, d = self.dilations[axis], self.dimensions[axis]
            if dilation == 1:
                continue
            apart = [*sizes[: d + 1], 1, *sizes[d + 1 :]]
            together = [*sizes[: d + 1], dilation, *sizes[d + 1 :]]
            sizes[d] *= dilation
            joined: list[Tensor] = []
            for begin in range(0, len(values), dilation):
                inputs = [
                    self.expansion.create(self.of_shape(self.result, apart), Reshape, operand=value)
                    for value in values[begin : begin + dilation]
                ]
                stacked = self.expansion.create(
                    self.of_shape(self.result, together), Concatenate, inputs=inputs,
                    dimension=d + 1,
                )  # fmt: skip
                joined.append(
                    self.expansion.create(
                        self.of_shape(self.result, sizes), Reshape, operand=stacked
                    )
                )
            values = joined
        (whole,) = values
        return whole

    def of_shape(self, tensor: Tensor, shape: Sequence[int]) -> TensorType:
        """The type of a tensor with another shape."""
        assert isinstance(tensor.type, TensorType)
        return TensorType(tuple(shape), tensor.type.element_type)
