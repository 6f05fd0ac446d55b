"""Windowed reductions: positions of a window outside the operand contribute nothing.

StableHLO reduces the initial value once more for each position in the padding and between dilated
elements. The results are equal if that value is the identity of the reduction, or if the reduction
is idempotent. Otherwise each element is reduced together with a flag that is false outside the
operand.

Source: XLA, operation semantics, ReduceWindow; XLA, ``HloEvaluator``; StableHLO specification,
reduce_window.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stablemate.dialects.stablehlo.elementwise import MONOIDS
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import BlockArgument, OpResult, Region, Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN
from stablemate.xla.translate.to_stablehlo.step import (
    AnyValue,
    Fields,
    Rules,
    StepOperand,
    TranslationStep,
    Values,
)
from stablemate.xla.translate.to_stablehlo.windows import Moves, fields_of, windows

Array = Value[TensorType]

# Operations of one operand whose results keep the identities of monoids.
KEEPING: Final = frozenset(
    f"stablehlo.{name}" for name in ("convert", "reshape", "broadcast_in_dim", "transpose")
)


def inputs_and_init_values(step: TranslationStep) -> tuple[list[Array], list[Array]]:
    """The inputs and as many initial values."""
    operands = step.arrays()
    if not operands or len(operands) % 2:
        step.refuse("there are as many initial values as inputs", operands=len(operands))
    half = len(operands) // 2
    return operands[:half], operands[half:]


def reduce_window(step: TranslationStep) -> Values:
    """``reduce_window``."""
    inputs, init_values = inputs_and_init_values(step)
    moves = fields_of(windows(step, inputs[0].type.rank))
    region = step.region("to_apply")
    if is_padded(moves) and is_changed_by_padding(region, inputs, init_values):
        return reduce_with_flags(step, inputs, init_values, moves)
    fields: Fields = {
        "inputs": inputs,
        "init_values": init_values,
        "base_dilations": moves.base_dilations,
        "padding": moves.padding,
        "regions": [region],
    }
    return step.emit("stablehlo.reduce_window", **fields, **sizes_of(moves)).results


def sizes_of(moves: Moves) -> Fields:
    """The attributes of windows that do not depend on the padding."""
    return {
        "window_dimensions": moves.sizes,
        "window_strides": moves.strides,
        "window_dilations": moves.dilations,
    }


def is_padded(moves: Moves) -> bool:
    """Whether a window may have positions outside the operand."""
    edges = [edge for edges in moves.padding for edge in edges]
    return max(edges, default=0) > 0 or max(moves.base_dilations, default=1) > 1


def is_changed_by_padding(
    region: Region, inputs: Sequence[Array], init_values: Sequence[Array]
) -> bool:
    """Whether reducing the initial value again may change a result.

    False for sizes that are not static, and while shapes are inferred, when no value is defined.
    """
    if not all(isinstance(value, (OpResult, BlockArgument)) for value in init_values):
        return False
    if not all(value.type.is_static for value in inputs):
        return False
    laws = MONOIDS.get(only_operation(region))
    if laws is not None and laws.idempotent:
        return False
    number = constant_of(init_values[0]) if len(init_values) == 1 else None
    if number is None:
        return True
    if laws is not None:
        return bool(number != laws.identity)
    return bool(np.isfinite(number))  # reductions with an infinite identity, as log(exp a + exp b)


def only_operation(region: Region) -> str:
    """The name of the operation of both arguments that a region consists of; else nothing."""
    block = region.blocks[0]
    if len(block.operations) != 2 or len(block.arguments) != 2:
        return ""
    operation, end = block.operations
    both = {id(operand) for operand in operation.operands} == {id(a) for a in block.arguments}
    is_returned = [id(value) for value in end.operands] == [
        id(value) for value in operation.results
    ]
    return operation.name if both and is_returned else ""


def constant_of(value: AnyValue) -> Any:
    """The number that a value is known to be; None if it is not known or is complex."""
    while isinstance(value, OpResult):
        operation = value.operation
        if operation.name == "stablehlo.constant":
            literal = operation.attributes["value"]
            assert isinstance(literal, DenseElementsAttribute)
            return literal.data[0] if literal.data.dtype.kind != "c" else None
        if operation.name not in KEEPING:
            return None
        value = operation.operands[0]
    return None


def reduce_with_flags(
    step: TranslationStep, inputs: Sequence[Array], init_values: Sequence[Array], moves: Moves
) -> Values:
    """The reduction of the elements that are inside, each with a flag that it is."""
    flag = step.constant(True, BOOLEAN)
    flags = step.spread(flag, inputs[0].type.shape)
    outside = step.constant(False, BOOLEAN)
    values = zip((*inputs, flags), (*init_values, outside), strict=True)
    fields: Fields = {
        "inputs": [pad_and_dilate(step, value, filler, moves) for value, filler in values],
        "init_values": [*init_values, flag],
        "regions": [body_with_flags(step, init_values)],
    }
    return step.emit("stablehlo.reduce_window", **fields, **sizes_of(moves)).results[:-1]


def pad_and_dilate(step: TranslationStep, operand: Array, filler: Array, moves: Moves) -> Array:
    """The operand with its padding and dilation carried out."""
    fields: Fields = {
        "operand": operand,
        "padding_value": step.reshape(filler, ()),
        "edge_padding_low": [low for low, _ in moves.padding],
        "edge_padding_high": [high for _, high in moves.padding],
        "interior_padding": [dilation - 1 for dilation in moves.base_dilations],
    }
    return step.one("stablehlo.pad", **fields)


def body_with_flags(step: TranslationStep, init_values: Sequence[Array]) -> Region:
    """The region that reduces two groups of values if both are inside, else takes the one."""
    computation = step.need("to_apply")
    shapes = step.scope.signature(computation, step.span).parameters
    count = len(init_values)

    def combine(inner: TranslationStep, *arguments: AnyValue) -> Values:
        lhs, is_lhs = arguments[:count], arguments[count]
        rhs, is_rhs = arguments[count + 1 : -1], arguments[-1]
        operands = [
            StepOperand(shape, (value,)) for shape, value in zip(shapes, (*lhs, *rhs), strict=True)
        ]
        reduced = inner.scope.inline(computation, operands, inner)
        results = [
            select_scalar(inner, is_lhs, select_scalar(inner, is_rhs, both, a), b)
            for both, a, b in zip(reduced, lhs, rhs, strict=True)
        ]
        return [*results, inner.one("stablehlo.or", lhs=is_lhs, rhs=is_rhs)]

    types = [*(value.type for value in init_values), TensorType((), BOOLEAN)]
    return step.body([*types, *types], combine)


def select_scalar(
    step: TranslationStep, condition: AnyValue, on_true: AnyValue, on_false: AnyValue
) -> AnyValue:
    """Emits a selection of one of two scalars."""
    return step.one("stablehlo.select", pred=condition, on_true=on_true, on_false=on_false)


RULES: Final[Rules] = {"reduce-window": reduce_window}
