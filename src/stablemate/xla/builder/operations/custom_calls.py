"""Calls of functions that are known by a name only.

Source: XLA, operation semantics, "CustomCall".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from stablemate.xla.builder.argument_types import Computation, Integers, Operand, ShapeLike
from stablemate.xla.builder.convolution_attributes import (
    ConvolutionNumbersLike,
    convolution_attributes,
)
from stablemate.xla.builder.core import Core
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.renaming import renamed_arguments
from stablemate.xla.builder.values import constant_like
from stablemate.xla.builder.windows import Padding
from stablemate.xla.values import OutputOperandAlias

Index = tuple[int, ...]


class CustomCalls(Core):
    """Methods that call functions of other libraries."""

    @renamed_arguments(call_target_name="target_name", operands="args")
    def custom_call(
        self,
        target_name: str,
        args: Sequence[Operand],
        shape: ShapeLike,
        opaque: str = "",
        has_side_effect: bool = False,
        output_operand_aliasing: Mapping[Index, tuple[int, Index]]
        | Sequence[OutputOperandAlias] = (),
        literal: object = None,
        schedule: str = "SCHEDULE_NONE",
        api_version: str = "API_VERSION_ORIGINAL",
        *,
        computations: Sequence[Computation] = (),
        operand_shapes_with_layout: Sequence[ShapeLike] = (),
        attributes: Mapping[str, object] | None = None,
    ) -> XlaOp:
        """The result of a function of another library, ``void target(void* out, void** in)``.

        Args:
            target_name: The name of the function.
            args: Its arguments.
            shape: Of its result.
            opaque: What else it is told.
            has_side_effect: Whether it does more than to compute its result.
            output_operand_aliasing: Which parts of the result lie where which operands did.
            literal: A constant that belongs to it.
            schedule: SCHEDULE_NONE, SCHEDULE_LATEST or SCHEDULE_EARLIEST.
            api_version: How it is called.
            computations: What it may call.
            operand_shapes_with_layout: The layouts that it needs; the result's is then kept too.
            attributes: Further attributes of the instruction, by their names in text.
        """
        handles = [self.handle(argument) for argument in args]
        shapes = [self.shape(handle) for handle in handles]
        layouts = tuple(self.as_shape(shape) for shape in operand_shapes_with_layout)
        named = tuple(
            self.computation(computation, shapes, "called") for computation in computations
        )
        call_attributes: dict[str, object] = {
            **(attributes or {}),
            "custom_call_target": target_name,
            "backend_config": opaque or None,
            "custom_call_has_side_effect": has_side_effect,
            "output_to_operand_aliasing": aliases(output_operand_aliasing) or None,
            "literal": None if literal is None else self.at_caller(constant_like, literal, None),
            "schedule": schedule,
            "api_version": api_version,
            "called_computations": named or None,
            "operand_layout_constraints": layouts or None,
        }
        return self.add_instruction("custom-call", handles, call_attributes, self.as_shape(shape))

    def custom_call_with_layout(
        self,
        target_name: str,
        args: Sequence[Operand],
        shape: ShapeLike,
        operand_shapes_with_layout: Sequence[ShapeLike],
        opaque: str = "",
        **named: Any,
    ) -> XlaOp:
        """``custom_call`` of a function that needs layouts."""
        named["operand_shapes_with_layout"] = operand_shapes_with_layout
        return self.custom_call(target_name, args, shape, opaque, **named)

    def custom_call_with_computation(
        self,
        target_name: str,
        args: Sequence[Operand],
        computation: Computation,
        shape: ShapeLike,
        opaque: str = "",
        **named: Any,
    ) -> XlaOp:
        """``custom_call`` of a function that calls a computation."""
        named["computations"] = [computation]
        return self.custom_call(target_name, args, shape, opaque, **named)

    def custom_call_with_computation_and_layouts(
        self,
        target_name: str,
        args: Sequence[Operand],
        computation: Computation,
        shape: ShapeLike,
        operand_shapes_with_layout: Sequence[ShapeLike],
        opaque: str = "",
        **named: Any,
    ) -> XlaOp:
        """``custom_call`` of a function that calls a computation and needs layouts."""
        named["computations"] = [computation]
        named["operand_shapes_with_layout"] = operand_shapes_with_layout
        return self.custom_call(target_name, args, shape, opaque, **named)

    def custom_call_with_conv_dnums(
        self,
        target_name: str,
        args: Sequence[Operand],
        shape: ShapeLike,
        operand_shapes_with_layout: Sequence[ShapeLike],
        window_strides: Integers,
        padding: Padding,
        dimension_numbers: ConvolutionNumbersLike | None = None,
        opaque: str = "",
        feature_group_count: int = 1,
        batch_group_count: int = 1,
        **named: Any,
    ) -> XlaOp:
        """``custom_call`` of a function that convolves its first two arguments."""
        operands = [self.handle(argument) for argument in args]
        message = "there are an input and a kernel"
        self.require(len(operands) >= 2, message, "custom-call", operands=len(operands))
        lhs, rhs, *_ = self.shapes_of(operands, "custom-call")
        attributes = convolution_attributes(
            self,
            *(lhs, rhs, window_strides, padding, None, None, dimension_numbers, None),
            *(feature_group_count, batch_group_count, None),
        )
        named["operand_shapes_with_layout"] = operand_shapes_with_layout
        return self.custom_call(
            target_name, operands, shape, opaque, attributes=attributes, **named
        )


def aliases(
    pairs: Mapping[Index, tuple[int, Index]] | Sequence[OutputOperandAlias],
) -> tuple[OutputOperandAlias, ...]:
    """Aliases as values: a mapping is of output indices to operands and their indices."""
    if not isinstance(pairs, Mapping):
        return tuple(pairs)
    return tuple(
        OutputOperandAlias(tuple(index), operand, tuple(part))
        for index, (operand, part) in pairs.items()
    )
