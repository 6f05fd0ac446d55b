"""Operations whose sizes are operands, where these are known; sizes of bounded dimensions.

Source: StableHLO specification, dynamism; XLA, operation semantics, GetDimensionSize,
SetDimensionSize.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.registry import rules_by_name
from stablemate.dialects.stablehlo.dynamic_broadcast_in_dim import DynamicBroadcastInDim
from stablemate.dialects.stablehlo.dynamic_conv import DynamicConv
from stablemate.dialects.stablehlo.dynamic_gather import DynamicGather
from stablemate.dialects.stablehlo.dynamic_pad import DynamicPad
from stablemate.dialects.stablehlo.dynamic_reshape import DynamicReshape
from stablemate.dialects.stablehlo.dynamism import known_integers
from stablemate.dialects.stablehlo.get_dimension_size import GetDimensionSize
from stablemate.dialects.stablehlo.iota import DynamicIota
from stablemate.dialects.stablehlo.real_dynamic_slice import RealDynamicSlice
from stablemate.dialects.stablehlo.set_dimension_size import SetDimensionSize
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType, Type
from stablemate.xla.layout import Layout
from stablemate.xla.primitive_types import S32
from stablemate.xla.shape import Shape
from stablemate.xla.translate.from_stablehlo.body import BuiltInstruction, ComputationBuilder
from stablemate.xla.translate.from_stablehlo.contraction import convolution_of
from stablemate.xla.translate.from_stablehlo.program import Rule
from stablemate.xla.translate.from_stablehlo.shaping import (
    broadcast_into,
    translate_gather,
    translate_pad,
    translate_slice,
)
from stablemate.xla.values import SliceDimension

SCALAR: Final = Shape(S32, layout=Layout.row_major(0))


def constant_numbers(body: ComputationBuilder, value: Value[Type], what: str) -> tuple[int, ...]:
    """The numbers of an operand.

    Raises:
        UnsupportedError: They are known while the program runs only.
    """
    numbers = known_integers(value)
    if numbers is None:
        raise body.refusal(f"{what} are no constants; refine the shapes first")
    return numbers


def dynamic_broadcast_in_dim(
    body: ComputationBuilder, operation: DynamicBroadcastInDim
) -> BuiltInstruction:
    """``broadcast``, by the type of the result."""
    shape = static(body, operation.results[0])
    return broadcast_into(body, body.node(operation.operand), operation.broadcast_dimensions, shape)


def dynamic_iota(body: ComputationBuilder, operation: DynamicIota) -> BuiltInstruction:
    """``iota``, by the type of the result."""
    shape = static(body, operation.results[0])
    return body.emit("iota", shape, (), {"iota_dimension": operation.iota_dimension})


def static(body: ComputationBuilder, value: Value[TensorType]) -> Shape:
    """The shape of a result whose type is static."""
    shape = body.shape(value)
    if shape.dynamic:
        raise body.refusal(f"the type {value.type} has dimensions without a size")
    return shape


def dynamic_reshape(body: ComputationBuilder, operation: DynamicReshape) -> BuiltInstruction:
    """``reshape``; of bounded dimensions ``dynamic-reshape``, sizes one by one."""
    shape = body.shape(operation.results[0])
    operand = body.node(operation.operand)
    if not shape.dynamic:
        return body.emit("reshape", shape, [operand])
    sizes = body.node(operation.output_shape)
    element = sizes.shape.element_type
    if element is not S32:
        converted = Shape(S32, sizes.shape.dimensions, layout=sizes.shape.layout)
        sizes = body.emit("convert", converted, [sizes])
    parts = [size_at(body, sizes, i) for i in range(shape.rank)]
    return body.emit("dynamic-reshape", shape, [operand, *parts])


def size_at(body: ComputationBuilder, sizes: BuiltInstruction, index: int) -> BuiltInstruction:
    """A number of a vector, as a scalar."""
    one = Shape(S32, (1,), layout=Layout.row_major(1))
    part = body.emit("slice", one, [sizes], {"slice": (SliceDimension(index, index + 1),)})
    return body.reshape(part, ())


def dynamic_pad(body: ComputationBuilder, operation: DynamicPad) -> BuiltInstruction:
    """Emits ``pad``; the amounts must be constants of the program."""
    static(body, operation.results[0])
    operands = operation.operands[2:]
    low, high, interior = (constant_numbers(body, operand, "padding sizes") for operand in operands)
    return translate_pad(body, operation, low, high, interior)


def dynamic_gather(body: ComputationBuilder, operation: DynamicGather) -> BuiltInstruction:
    """``gather`` of slices of constant sizes."""
    return translate_gather(
        body, operation, constant_numbers(body, operation.slice_sizes, "slice sizes")
    )


def real_dynamic_slice(body: ComputationBuilder, operation: RealDynamicSlice) -> BuiltInstruction:
    """Emits ``slice``; the bounds must be constants of the program."""
    operands = operation.operands[1:]
    starts, limits, strides = (
        constant_numbers(body, operand, "bounds of the slice") for operand in operands
    )
    return translate_slice(body, operation, starts, limits, strides)


def dynamic_conv(body: ComputationBuilder, operation: DynamicConv) -> BuiltInstruction:
    """Emits ``convolution``; the padding must be a constant of the program."""
    numbers = constant_numbers(body, operation.padding, "padding sizes")
    return convolution_of(body, operation, list(zip(numbers[::2], numbers[1::2], strict=True)))


def translate_dimension_size(opcode: str) -> Rule:
    """Reading or setting the size of a dimension."""

    def rule(
        body: ComputationBuilder, operation: GetDimensionSize | SetDimensionSize
    ) -> BuiltInstruction:
        operands: Sequence[BuiltInstruction] = body.all_nodes(operation.operands)
        attributes = {"dimensions": (operation.dimension,)}
        return body.emit(opcode, body.shape(operation.results[0]), operands, attributes)

    return rule


RULES: Final[dict[str, Rule]] = {
    **rules_by_name(
        "stablehlo",
        dynamic_broadcast_in_dim,
        dynamic_iota,
        dynamic_reshape,
        dynamic_pad,
        dynamic_gather,
        dynamic_conv,
        real_dynamic_slice,
    ),
    "stablehlo.get_dimension_size": translate_dimension_size("get-dimension-size"),
    "stablehlo.set_dimension_size": translate_dimension_size("set-dimension-size"),
}
