"""Operand layouts of convolutions: which element has which index.

    result[g, b, p..., o] = sum over k..., c of image[g, b, p * stride + k * dilation, c]
                                                * kernel[g, k..., c, o]

with groups g of features or of the batch, batch b, points p of the result, points k of the kernel,
features c and o of a group. The image is padded.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.loops.expressions import Expression
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import ConvDimensionNumbers
from stablemate.dialects.stablehlo.convolution import Convolution
from stablemate.dialects.stablehlo.windows import WindowDimensions

Index = Sequence[Expression]


@dataclass(frozen=True, slots=True)
class IntegerConvolution:
    """A convolution in integers.

    Attributes:
        node: The operation.
        numbers: Which dimension is what.
        windows: The windows on the image, one entry per spatial dimension.
        reversal: Where the kernel is turned round.
        feature_groups: Groups of features of the image.
        batch_groups: Groups of its batch.
    """

    node: Node
    numbers: ConvDimensionNumbers
    windows: WindowDimensions
    reversal: tuple[bool, ...]
    feature_groups: int
    batch_groups: int

    @property
    def image(self) -> Tensor:
        """The left operand: the image."""
        return self.node.operands[0]

    @property
    def kernel(self) -> Tensor:
        """The right operand: the weights."""
        return self.node.operands[1]

    @property
    def result(self) -> Tensor:
        """The tensor that the convolution computes."""
        return self.node.results[0]

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return self.feature_groups * self.batch_groups

    @property
    def batch(self) -> int:
        """The batch of a group."""
        return self.image.shape[self.numbers.input_batch_dimension] // self.batch_groups

    @property
    def inputs(self) -> int:
        """The features of the image in a group."""
        return self.kernel.shape[self.numbers.kernel_input_feature_dimension]

    @property
    def outputs(self) -> int:
        """The features of the result in a group."""
        return self.kernel.shape[self.numbers.kernel_output_feature_dimension] // self.groups

    @property
    def sizes(self) -> tuple[int, ...]:
        """The spatial sizes of the image, without padding."""
        return tuple([self.image.shape[d] for d in self.numbers.input_spatial_dimensions])

    @property
    def counts(self) -> tuple[int, ...]:
        """The points of the result."""
        return self.windows.counts(self.sizes)

    @property
    def padded(self) -> tuple[int, ...]:
        """How much of the padded image windows reach."""
        windows = self.windows
        return tuple(
            [
                (count - 1) * stride + (size - 1) * dilation + 1
                for count, stride, size, dilation in zip(
                    self.counts, windows.strides, windows.sizes, windows.window_dilations,
                    strict=True,
                )
            ]
        )  # fmt: skip

    @property
    def is_padded(self) -> bool:
        """Whether the windows see more than the image."""
        for size, padded, (low, _), dilation in zip(
            self.sizes, self.padded, self.windows.padding, self.windows.base_dilations, strict=True
        ):
            if dilation != 1 or low > 0 or padded - low > size:
                return True
        return False

    def window_points(self, points: Index, steps: Index) -> list[Expression]:
        """The point of the padded image that each step of the window at a point reaches."""
        windows = self.windows
        return [
            p * stride + k * dilation
            for p, stride, k, dilation in zip(
                points, windows.strides, steps, windows.window_dilations, strict=True
            )
        ]

    def image_index(
        self, group: Expression, batch: Expression, points: Index, feature: Expression
    ) -> list[Expression]:
        """The index of an element of the image."""
        numbers = self.numbers
        index = [group] * len(self.image.shape)
        in_batch, in_features = self.batch_groups > 1, self.feature_groups > 1
        index[numbers.input_batch_dimension] = batch + group * (self.batch * in_batch)
        index[numbers.input_feature_dimension] = feature + group * (self.inputs * in_features)
        for d, point in zip(numbers.input_spatial_dimensions, points, strict=True):
            index[d] = point
        return index

    def kernel_index(
        self, group: Expression, steps: Index, feature: Expression, output: Expression
    ) -> list[Expression]:
        """The index of an element of the kernel."""
        numbers = self.numbers
        index = [group] * len(self.kernel.shape)
        index[numbers.kernel_input_feature_dimension] = feature
        index[numbers.kernel_output_feature_dimension] = output + group * self.outputs
        for d, step, size, is_reversed in zip(
            numbers.kernel_spatial_dimensions, steps, self.windows.sizes, self.reversal, strict=True
        ):
            index[d] = step * -1 + (size - 1) if is_reversed else step
        return index

    def result_index(
        self, group: Expression, batch: Expression, points: Index, output: Expression
    ) -> list[Expression]:
        """The index of an element of the result."""
        numbers = self.numbers
        index = [group] * len(self.result.shape)
        index[numbers.output_batch_dimension] = batch
        index[numbers.output_feature_dimension] = output + group * self.outputs
        for d, point in zip(numbers.output_spatial_dimensions, points, strict=True):
            index[d] = point
        return index


def geometry_of(node: Node) -> IntegerConvolution:
    """The integers of a convolution."""
    operation: Convolution = node.operation
    windows = operation.windows_of(node.operands[1].shape)
    reversal = tuple(operation.window_reversal or ()) or (False,) * len(windows.sizes)
    return IntegerConvolution(
        node,
        operation.dimension_numbers,
        windows,
        reversal,
        int(operation.feature_group_count),
        int(operation.batch_group_count),
    )
