"""Elementwise instructions: the operations of the same names, or CHLO's.

Source: XLA, operation semantics, "Element-wise binary arithmetic operations" and those that follow.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from stablemate.diagnostics.errors import VerifyError
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from stablemate.dialects.stablehlo.result_accuracy import ResultAccuracy, ResultAccuracyMode
from stablemate.ir.core import Value
from stablemate.ir.definition import definition_of
from stablemate.ir.types import TensorType, Type
from stablemate.xla import values
from stablemate.xla.translate.elementwise_names import OPERATION_OF
from stablemate.xla.translate.to_stablehlo.emission import create_operation
from stablemate.xla.translate.to_stablehlo.step import Fields, Rules, TranslationStep, Values


def elementwise(step: TranslationStep) -> Values:
    """The operation of the same name."""
    name = OPERATION_OF[step.opcode]
    definition = definition_of(OPERATIONS[name])
    operands = [step.array(i) for i in range(len(definition.operands))]
    fields: Fields = {
        field.name: value for field, value in zip(definition.operands, operands, strict=True)
    }
    accuracy = step.get("result_accuracy")
    if accuracy is not None and "result_accuracy" in definition.attributes:
        return [step.one(name, **fields, result_accuracy=accuracy_attribute(accuracy))]
    try:
        results = result_types(name, *(value.type for value in operands))
    except VerifyError:
        return [step.one(name, **fields)]  # which says where it is wrong
    return step.append(name, results=results, **fields).results


@lru_cache(maxsize=1024)
def result_types(name: str, *types: TensorType) -> tuple[Type, ...]:
    """The result types of an operation without regions or attributes, for these operands.

    Raises:
        VerifyError: It does not take them.
    """
    fields = definition_of(OPERATIONS[name]).operands
    values = {
        field.name: Value(value_type) for field, value_type in zip(fields, types, strict=True)
    }
    return tuple(
        result.type for result in create_operation(OPERATIONS[name], None, **values).results
    )


def accuracy_attribute(accuracy: values.ResultAccuracy) -> ResultAccuracy:
    """How exact a function must be."""
    mode = ResultAccuracyMode[accuracy.mode.upper() or "TOLERANCE"]
    return ResultAccuracy(accuracy.atol, accuracy.rtol, accuracy.ulps, mode)


def compare(step: TranslationStep) -> Values:
    """``compare``; without a type it is that of the elements."""
    kind = step.get("type")
    fields: Fields = {
        "lhs": step.array(0),
        "rhs": step.array(1),
        "comparison_direction": ComparisonDirection[step.need("direction")],
        "compare_type": None if kind is None else ComparisonType[kind],
    }
    return [step.one("stablehlo.compare", **fields)]


def select(step: TranslationStep) -> Values:
    """``select``."""
    pred, on_true, on_false = (step.array(i) for i in range(3))
    return [step.one("stablehlo.select", pred=pred, on_true=on_true, on_false=on_false)]


def convert(step: TranslationStep) -> Values:
    """``convert``; from complex numbers to others only their real part is kept."""
    operand, result = step.array(0), step.result_type
    return [step.one("stablehlo.convert", results=[result], operand=operand)]


def bitcast_convert(step: TranslationStep) -> Values:
    """``bitcast_convert``."""
    results = [step.result_type]
    return [step.one("stablehlo.bitcast_convert", results=results, operand=step.array(0))]


def reduce_precision(step: TranslationStep) -> Values:
    """``reduce_precision``."""
    fields: Fields = {
        "operand": step.array(0),
        "exponent_bits": step.need("exponent_bits"),
        "mantissa_bits": step.need("mantissa_bits"),
    }
    return [step.one("stablehlo.reduce_precision", **fields)]


RULES: Final[Rules] = {
    **dict.fromkeys(OPERATION_OF, elementwise),
    "compare": compare,
    "select": select,
    "convert": convert,
    "bitcast-convert": bitcast_convert,
    "reduce-precision": reduce_precision,
}
