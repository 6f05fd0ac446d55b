"""Convolutions.

Source: XLA, operation semantics, "Conv", "ConvWithGeneralPadding".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from stablemate.xla.builder.argument_types import Integers, Operand, TypeLike
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.operations.contraction import Contraction
from stablemate.xla.builder.windows import Padding, Windows
from stablemate.xla.shape import Shape
from stablemate.xla.values import ConvolutionDimensions

# A value of the class, a mapping of its fields, or text: ``b01f_01io->b01f``.
ConvolutionNumbersLike: TypeAlias = ConvolutionDimensions | Mapping[str, Any] | str


class Convolution(Contraction, Windows):
    """Methods that move a kernel over an input."""

    def conv(
        self,
        lhs: Operand,
        rhs: Operand,
        window_strides: Integers,
        padding: Padding,
        feature_group_count: int = 1,
        batch_group_count: int = 1,
        precision_config: str | Sequence[str] | None = None,
        preferred_element_type: TypeLike | None = None,
    ) -> XlaOp:
        """A convolution of ``(batch, feature, spatial ...)`` and ``(out, in, spatial ...)``.

        Args:
            lhs: The input.
            rhs: The kernel.
            window_strides: Of each spatial dimension.
            padding: SAME or VALID.
            feature_group_count: Into how many groups features are cut.
            batch_group_count: Into how many groups the batch is cut.
            precision_config: One of default, high, highest, or one for each operand.
            preferred_element_type: Of the result.
        """
        return self.conv_general_dilated(
            lhs,
            rhs,
            window_strides,
            padding,
            feature_group_count=feature_group_count,
            batch_group_count=batch_group_count,
            precision_config=precision_config,
            preferred_element_type=preferred_element_type,
        )

    def conv_with_general_padding(
        self,
        lhs: Operand,
        rhs: Operand,
        window_strides: Integers,
        padding: Padding,
        lhs_dilation: Integers | None = None,
        rhs_dilation: Integers | None = None,
        feature_group_count: int = 1,
        batch_group_count: int = 1,
        precision_config: str | Sequence[str] | None = None,
        preferred_element_type: TypeLike | None = None,
    ) -> XlaOp:
        """``conv`` with (low, high) padding of each spatial dimension, and dilations."""
        return self.conv_general_dilated(
            *(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, None),
            *(feature_group_count, batch_group_count, precision_config, preferred_element_type),
        )

    def conv_with_general_dimensions(
        self,
        lhs: Operand,
        rhs: Operand,
        window_strides: Integers,
        padding: Padding,
        dimension_numbers: ConvolutionNumbersLike,
        feature_group_count: int = 1,
        batch_group_count: int = 1,
        precision_config: str | Sequence[str] | None = None,
        preferred_element_type: TypeLike | None = None,
    ) -> XlaOp:
        """``conv`` with dimensions in another order."""
        return self.conv_general_dilated(
            *(lhs, rhs, window_strides, padding, None, None, dimension_numbers),
            *(feature_group_count, batch_group_count, precision_config, preferred_element_type),
        )

    conv_general = conv_with_general_dimensions

    def conv_general_dilated(
        self,
        lhs: Operand,
        rhs: Operand,
        window_strides: Integers,
        padding: Padding,
        lhs_dilation: Integers | None = None,
        rhs_dilation: Integers | None = None,
        dimension_numbers: ConvolutionNumbersLike | None = None,
        feature_group_count: int = 1,
        batch_group_count: int = 1,
        precision_config: str | Sequence[str] | None = None,
        preferred_element_type: TypeLike | None = None,
        window_reversal: Sequence[bool] | None = None,
        *,
        convolution_kind: str = "unset",
    ) -> XlaOp:
        """``conv`` with everything stated.

        ``convolution_kind`` tells what the convolution is for: fprop, wgrad or dgrad.
        """
        operands = [self.handle(lhs), self.handle(rhs)]
        first, second = self.shapes_of(operands, "convolution")
        attributes = self.conv_attributes(
            *(first, second, window_strides, padding),
            *(lhs_dilation, rhs_dilation, dimension_numbers, window_reversal),
            *(feature_group_count, batch_group_count, precision_config),
        )
        attributes["convolution_kind"] = convolution_kind
        product = self.add_instruction("convolution", operands, attributes)
        if preferred_element_type is None:
            return product
        return self.retyped(product, self.as_type(preferred_element_type))

    def conv_kernel_grad(
        self,
        activations: Operand,
        gradients: Operand,
        window_strides: Integers,
        padding: Padding,
        lhs_dilation: Integers | None = None,
        rhs_dilation: Integers | None = None,
        dimension_numbers: ConvolutionNumbersLike | None = None,
        feature_group_count: int = 1,
        batch_group_count: int = 1,
        precision_config: str | Sequence[str] | None = None,
        preferred_element_type: TypeLike | None = None,
    ) -> XlaOp:
        """``conv_general_dilated``, noted as the gradient with respect to a kernel."""
        return self.conv_general_dilated(
            *(activations, gradients, window_strides, padding, lhs_dilation, rhs_dilation),
            *(dimension_numbers, feature_group_count, batch_group_count, precision_config),
            preferred_element_type,
            convolution_kind="wgrad",
        )

    def conv_attributes(
        self,
        lhs: Shape,
        rhs: Shape,
        window_strides: Integers,
        padding: Padding,
        lhs_dilation: Integers | None,
        rhs_dilation: Integers | None,
        dimension_numbers: ConvolutionNumbersLike | None,
        window_reversal: Sequence[bool] | None,
        feature_group_count: int,
        batch_group_count: int,
        precision_config: str | Sequence[str] | None,
    ) -> dict[str, Any]:
        """The attributes of every convolution: window, dimension numbers, groups and precision."""
        rule = "convolution"
        message = "both operands have one rank, at least 2"
        self.require(lhs.rank == rhs.rank >= 2, message, rule, lhs=lhs, rhs=rhs)
        numbers = self.conv_numbers(dimension_numbers, lhs.rank, rule)
        window = self.window(
            [rhs.dimensions[number] for number in numbers.kernel_spatial],
            [lhs.dimensions[number] for number in numbers.input_spatial],
            padding,
            rule,
            strides=window_strides,
            base_dilations=lhs_dilation,
            window_dilations=rhs_dilation,
            reversal=window_reversal,
        )
        return {
            "window": window or None,
            "dim_labels": numbers,
            "feature_group_count": feature_group_count,
            "batch_group_count": batch_group_count,
            "operand_precision": self.precision(precision_config, 2),
        }

    def conv_numbers(
        self, numbers: ConvolutionNumbersLike | None, rank: int, rule: str
    ) -> ConvolutionDimensions:
        """Dimension numbers in any of their forms, from 0 up."""
        spatial = tuple(range(2, rank))
        if numbers is None:
            return ConvolutionDimensions(0, 1, spatial, 1, 0, spatial, 0, 1, spatial)
        if isinstance(numbers, str):
            return self.conv_labels(numbers, rank, rule)
        if isinstance(numbers, Mapping):
            numbers = ConvolutionDimensions(**{short(name): numbers[name] for name in numbers})

        def one(number: int) -> int:
            return self.dimension(number, rank, rule)

        def many(listed: Integers) -> tuple[int, ...]:
            return tuple(map(one, listed))

        convolution_dimensions = ConvolutionDimensions(
            input_batch=one(numbers.input_batch),
            input_feature=one(numbers.input_feature),
            input_spatial=many(numbers.input_spatial),
            kernel_input_feature=one(numbers.kernel_input_feature),
            kernel_output_feature=one(numbers.kernel_output_feature),
            kernel_spatial=many(numbers.kernel_spatial),
            output_batch=one(numbers.output_batch),
            output_feature=one(numbers.output_feature),
            output_spatial=many(numbers.output_spatial),
            unused=numbers.unused,
        )
        for row in (
            (
                convolution_dimensions.input_batch,
                convolution_dimensions.input_feature,
                *convolution_dimensions.input_spatial,
            ),
            (
                convolution_dimensions.kernel_input_feature,
                convolution_dimensions.kernel_output_feature,
                *convolution_dimensions.kernel_spatial,
            ),
            (
                convolution_dimensions.output_batch,
                convolution_dimensions.output_feature,
                *convolution_dimensions.output_spatial,
            ),
        ):
            message = "dimension numbers name each dimension once"
            self.require(sorted(row) == list(range(rank)), message, rule, dimensions=row)
        return convolution_dimensions

    def conv_labels(self, labels: str, rank: int, rule: str) -> ConvolutionDimensions:
        """``b01f_01io->b01f`` as dimension numbers."""
        inputs, _, rest = labels.partition("_")
        kernel, _, output = rest.partition("->")
        places = [
            {letter: place for place, letter in enumerate(part)}
            for part in (inputs, kernel, output)
        ]
        digits = [str(d) for d in range(rank - 2)]
        expected = [{*"bf", *digits}, {*"io", *digits}, {*"bf", *digits}]
        message = f"dimension numbers are like {example(rank)}"
        fits = [set(place) for place in places] == expected and len(inputs) == rank
        self.require(fits, message, rule, dimension_numbers=labels)
        first, second, third = places
        return ConvolutionDimensions(
            input_batch=first["b"],
            input_feature=first["f"],
            input_spatial=tuple(first[digit] for digit in digits),
            kernel_input_feature=second["i"],
            kernel_output_feature=second["o"],
            kernel_spatial=tuple(second[digit] for digit in digits),
            output_batch=third["b"],
            output_feature=third["f"],
            output_spatial=tuple(third[digit] for digit in digits),
        )


def short(name: str) -> str:
    """The name of a field: ``input_spatial_dimensions`` is ``input_spatial``."""
    return name.removesuffix("_dimensions").removesuffix("_dimension")


def example(rank: int) -> str:
    """Dimension labels of a rank."""
    digits = "".join(str(d) for d in range(rank - 2))
    return f"bf{digits}_oi{digits}->bf{digits}"
