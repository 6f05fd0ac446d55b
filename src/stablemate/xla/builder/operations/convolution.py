"""Convolutions.

Source: XLA, operation semantics, "Conv", "ConvWithGeneralPadding".
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.xla.builder.argument_types import Integers, Operand, TypeLike
from stablemate.xla.builder.convolution_attributes import (
    ConvolutionNumbersLike,
    convolution_attributes,
)
from stablemate.xla.builder.core import Core, creates
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.windows import Padding


class ConvolutionMethods(Core):
    """Methods that move a kernel over an input."""

    @creates("stablehlo.convolution")
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

    @creates("stablehlo.convolution")
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

    @creates("stablehlo.convolution")
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
        attributes = convolution_attributes(
            self,
            *(first, second, window_strides, padding),
            *(lhs_dilation, rhs_dilation, dimension_numbers, window_reversal),
            *(feature_group_count, batch_group_count, precision_config),
        )
        attributes["convolution_kind"] = convolution_kind
        product = self.add_instruction("convolution", operands, attributes)
        if preferred_element_type is None:
            return product
        return self.retype(product, self.as_type(preferred_element_type))

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
