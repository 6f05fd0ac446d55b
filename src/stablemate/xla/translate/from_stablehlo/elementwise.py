"""Elementwise operations: the same words, with dashes.

Source: StableHLO specification, elementwise ops; XLA, operation semantics, element-wise ops.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from stablemate.dialects.stablehlo.clamp import Clamp
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.reduce_precision import ReducePrecision
from stablemate.dialects.stablehlo.result_accuracy import ResultAccuracyMode
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.core import Operation
from stablemate.xla.primitive_types import C64, C128, F32, F64
from stablemate.xla.shape import Shape
from stablemate.xla.translate.elementwise_names import CHLO, OPERATION_OF
from stablemate.xla.translate.from_stablehlo.body import (
    BuiltInstruction,
    ComputationBuilder,
    element_of,
)
from stablemate.xla.translate.from_stablehlo.program import Rule
from stablemate.xla.values import ResultAccuracy


def elementwise(body: ComputationBuilder, operation: Operation) -> BuiltInstruction:
    """The instruction of the same name."""
    opcode = operation.name.partition(".")[2].replace("_", "-")
    operands = body.all_nodes(operation.operands)
    accuracy = result_accuracy(getattr(operation, "result_accuracy", None))
    shape = body.shape(operation.results[0])
    return body.emit(opcode, shape, operands, {"result_accuracy": accuracy})


def result_accuracy(accuracy: Any) -> ResultAccuracy | None:
    """How exact a result must be; None for the default."""
    if accuracy is None or accuracy.mode is ResultAccuracyMode.DEFAULT:
        return None
    if accuracy.mode is ResultAccuracyMode.HIGHEST:
        return ResultAccuracy("highest")
    return ResultAccuracy(atol=accuracy.atol, rtol=accuracy.rtol, ulps=accuracy.ulps)


def convert(body: ComputationBuilder, operation: Convert) -> BuiltInstruction:
    """``convert``; of complex numbers the real part."""
    operand = body.node(operation.operand)
    shape, source = body.shape(operation.results[0]), operand.shape.element_type
    if source.family != "complex" or shape.element_type.family == "complex":
        return body.emit("convert", shape, [operand])
    part = PARTS[source]
    real = body.emit("real", replace(operand.shape, element_type=part), [operand])
    return real if part is shape.element_type else body.emit("convert", shape, [real])


PARTS: Final = {C64: F32, C128: F64}


def compare(body: ComputationBuilder, operation: Compare) -> BuiltInstruction:
    """``compare``; the default comparison type is left out."""
    compare_type = None if operation.compare_type is None else operation.compare_type.value
    default = element_of(operation.lhs).comparison
    attributes = {
        "direction": operation.comparison_direction.value,
        "type": None if compare_type in (None, "NOTYPE", default) else compare_type,
    }
    operands = body.all_nodes(operation.operands)
    return body.emit("compare", body.shape(operation.results[0]), operands, attributes)


def clamp(body: ComputationBuilder, operation: Clamp) -> BuiltInstruction:
    """``clamp``, bounds in the shape of the operand."""
    shape = body.shape(operation.results[0])
    operands = [like(body, all_node, shape) for all_node in body.all_nodes(operation.operands)]
    return body.emit("clamp", shape, operands)


def select(body: ComputationBuilder, operation: Select) -> BuiltInstruction:
    """``select``, the predicate in the shape of the result."""
    shape = body.shape(operation.results[0])
    pred, *choices = body.all_nodes(operation.operands)
    return body.emit("select", shape, [like(body, pred, shape), *choices])


def like(body: ComputationBuilder, node: BuiltInstruction, shape: Shape) -> BuiltInstruction:
    """A scalar in every place of an array; an array as it is."""
    return node if node.shape.dimensions else body.spread(node, shape)


def reduce_precision(body: ComputationBuilder, operation: ReducePrecision) -> BuiltInstruction:
    """``reduce-precision``."""
    attributes = {
        "exponent_bits": operation.exponent_bits,
        "mantissa_bits": operation.mantissa_bits,
    }
    shape = body.shape(operation.results[0])
    return body.emit("reduce-precision", shape, body.all_nodes(operation.operands), attributes)


def square(body: ComputationBuilder, operation: Operation) -> BuiltInstruction:
    """Multiplies the operand with itself."""
    operand = body.node(operation.operands[0])
    return body.emit("multiply", body.shape(operation.results[0]), [operand, operand])


def atan(body: ComputationBuilder, operation: Operation) -> BuiltInstruction:
    """``atan2`` with one: the opcode ``atan`` is younger than most of XLA."""
    shape = body.shape(operation.results[0])
    element = shape.element_type
    if element.family != "float":
        raise body.refusal("it has no opcode for complex numbers; decompose it first")
    one = body.constant(np.ones((), element.dtype), element)
    operand = body.node(operation.operands[0])
    return body.emit("atan2", shape, [operand, body.spread(one, shape)])


RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(OPERATION_OF.values(), elementwise),
    **dict.fromkeys(CHLO, elementwise),
    "stablehlo.bitcast_convert": elementwise,
    "chlo.atan": atan,
    "chlo.square": square,
    "stablehlo.compare": compare,
    "stablehlo.convert": convert,
    "stablehlo.clamp": clamp,
    "stablehlo.select": select,
    "stablehlo.reduce_precision": reduce_precision,
}
