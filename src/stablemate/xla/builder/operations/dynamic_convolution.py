"""Convolutions whose sizes are known at run time only, and gradients of kernels.

XLA's builder makes custom calls of them, whose padding is worked out at run time.

Source: XLA, ``XlaBuilder::DynamicConvForward`` and its gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from stablemate.xla.builder.argument_types import Integers, Operand, TypeLike
from stablemate.xla.builder.caller import caller
from stablemate.xla.builder.convolution_attributes import (
    ConvolutionNumbersLike,
    convolution_attributes,
)
from stablemate.xla.builder.core import Core, without_defaults
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.windows import Padding
from stablemate.xla.shape import Shape
from stablemate.xla.shape_inference.inference import result_shape

PADDING_TYPES: Final = {
    "PADDING_VALID": "PADDING_VALID",
    "VALID": "PADDING_VALID",
    "PADDING_SAME": "PADDING_SAME",
    "SAME": "PADDING_SAME",
}


# Strides, padding, dilations of both sides and dimension numbers, as the caller passed them.
WindowArguments: TypeAlias = tuple[
    Integers, Padding, Integers | None, Integers | None, ConvolutionNumbersLike | None
]
# The numbers of groups of features and of the batch, and the precision.
GroupArguments: TypeAlias = tuple[int, int, str | Sequence[str] | None]


class DynamicConvolution(Core):
    """Convolutions as custom calls."""

    def dynamic_conv_forward(
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
        padding_type: str = "PADDING_VALID",
        preferred_element_type: TypeLike | None = None,
    ) -> XlaOp:
        """``conv_general_dilated`` whose padding follows from sizes at run time."""
        window = (window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers)
        counts = (feature_group_count, batch_group_count, precision_config)
        return self.dynamic_conv(
            "DynamicConvolutionForward",
            (),
            (lhs, rhs),
            (window, counts, padding_type),
            preferred_element_type,
        )

    def dynamic_conv_input_grad(
        self,
        input_sizes: Operand,
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
        padding_type: str = "PADDING_VALID",
        preferred_element_type: TypeLike | None = None,
    ) -> XlaOp:
        """The gradient of a convolution with respect to its input, whose sizes are an operand."""
        window = (window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers)
        counts = (feature_group_count, batch_group_count, precision_config)
        return self.dynamic_conv(
            "DynamicConvolutionInputGrad",
            (input_sizes,),
            (lhs, rhs),
            (window, counts, padding_type),
            preferred_element_type,
        )

    def dynamic_conv_kernel_grad(
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
        padding_type: str = "PADDING_VALID",
        preferred_element_type: TypeLike | None = None,
    ) -> XlaOp:
        """The gradient of a convolution with respect to its kernel."""
        window = (window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers)
        counts = (feature_group_count, batch_group_count, precision_config)
        return self.dynamic_conv(
            "DynamicConvolutionKernelGrad",
            (),
            (activations, gradients),
            (window, counts, padding_type),
            preferred_element_type,
        )

    # ---- arguments

    def dynamic_conv_attributes(
        self,
        operands: Sequence[XlaOp],
        window: WindowArguments,
        counts: GroupArguments,
        padding_type: str,
    ) -> dict[str, object]:
        """The attributes of a convolution, and how it is padded at run time."""
        lhs, rhs = self.shapes_of(operands, "convolution")
        attributes = convolution_attributes(self, lhs, rhs, *window, None, *counts)
        kind = PADDING_TYPES.get(padding_type.upper())
        message = "padding_type is PADDING_VALID or PADDING_SAME"
        self.require(kind is not None, message, "custom-call", padding_type=padding_type)
        attributes["padding_type"] = kind
        return attributes

    def conv_shape(
        self, operands: Sequence[XlaOp], attributes: dict[str, object], wanted: TypeLike | None
    ) -> Shape:
        """The shape of the convolution for the sizes that are known, or their bounds."""
        plain = {
            name: attribute for name, attribute in attributes.items() if name != "padding_type"
        }
        shapes = self.shapes_of(operands, "convolution")
        shape = result_shape("convolution", shapes, without_defaults(plain), {}, span=caller())
        return shape if wanted is None else replace(shape, element_type=self.as_type(wanted))

    def dynamic_conv(
        self,
        target: str,
        sizes: Sequence[Operand],
        convolved: Sequence[Operand],
        configuration: tuple[WindowArguments, GroupArguments, str],
        wanted: TypeLike | None,
    ) -> XlaOp:
        """The custom call of one of the targets.

        Args:
            target: Its name.
            sizes: Operands before those of the convolution.
            convolved: The operands of the convolution.
            configuration: The window, the counts and the padding type: the arguments of
                ``dynamic_conv_attributes``.
            wanted: The element type of the result; None for the inferred one.
        """
        operands = [self.handle(operand) for operand in convolved]
        attributes = self.dynamic_conv_attributes(operands, *configuration)
        shape = self.conv_shape(operands, attributes, wanted)
        attributes_ = {**attributes, "custom_call_target": target}
        return self.add_instruction(
            "custom-call", [*map(self.handle, sizes), *operands], attributes_, shape
        )
