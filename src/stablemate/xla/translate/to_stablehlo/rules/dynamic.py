"""Instructions whose sizes or starts are values: dynamic reshapes and slices, sizes of dimensions.

Source: XLA, operation semantics, the operations of the same names.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.set_dimension_size import SetDimensionSize
from stablemate.ir.core import OpResult, Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import I32
from stablemate.xla.translate.to_stablehlo.rules.shaping import one_dimension
from stablemate.xla.translate.to_stablehlo.step import Fields, Rules, TranslationStep, Values


def dynamic_reshape(step: TranslationStep) -> Values:
    """``dynamic_reshape``; the sizes, one scalar each, become a tensor."""
    operand, sizes = step.array(0), step.arrays(1)
    rows = [step.reshape(size, (1,)) for size in sizes]
    shape = (
        step.one("stablehlo.concatenate", inputs=rows, dimension=0)
        if rows
        else step.constant(np.zeros(0), I32)
    )
    fields: Fields = {"operand": operand, "output_shape": shape}
    return [step.one("stablehlo.dynamic_reshape", results=[step.result_type], **fields)]


def start_indices(step: TranslationStep, first: int, rank: int) -> list[Value[TensorType]]:
    """The starts of a dynamic slice: one scalar for each dimension, or all in one vector."""
    starts = step.arrays(first)
    if len(starts) != 1 or starts[0].type.rank != 1:
        return starts
    vector = starts[0]
    if math.prod(vector.type.shape) != rank:
        step.refuse("there is one start for each dimension", starts=vector.type, rank=rank)
    return [
        step.reshape(
            step.one(
                "stablehlo.slice",
                operand=vector,
                start_indices=[i],
                limit_indices=[i + 1],
                strides=[1],
            ),
            (),
        )
        for i in range(rank)
    ]


def dynamic_slice(step: TranslationStep) -> Values:
    """``dynamic_slice``."""
    operand = step.array(0)
    fields: Fields = {
        "operand": operand,
        "start_indices": start_indices(step, 1, operand.type.rank),
        "slice_sizes": step.need("dynamic_slice_sizes"),
    }
    return [step.one("stablehlo.dynamic_slice", **fields)]


def dynamic_update_slice(step: TranslationStep) -> Values:
    """``dynamic_update_slice``."""
    operand = step.array(0)
    fields: Fields = {
        "operand": operand,
        "update": step.array(1),
        "start_indices": start_indices(step, 2, operand.type.rank),
    }
    return [step.one("stablehlo.dynamic_update_slice", **fields)]


def get_dimension_size(step: TranslationStep) -> Values:
    """``get_dimension_size``."""
    fields: Fields = {"operand": step.array(0), "dimension": one_dimension(step)}
    return [step.one("stablehlo.get_dimension_size", **fields)]


def set_dimension_size(step: TranslationStep) -> Values:
    """``set_dimension_size``: of an array whose size was set before, the whole array's.

    XLA changes the size and not the elements, so that elements are there again when a size grows.
    """
    operand, dimension = step.array(0), one_dimension(step)
    while (sized := whole_operand(operand, dimension)) is not None:
        operand = sized
    fields: Fields = {"operand": operand, "size": step.array(1), "dimension": dimension}
    results = None if step.shape is None else [step.result_type]
    return [step.one("stablehlo.set_dimension_size", results=results, **fields)]


def whole_operand(value: Value[TensorType], dimension: int) -> Value[TensorType] | None:
    """The array whose size in a dimension was set to give a value; None if it was not."""
    if not isinstance(value, OpResult) or not isinstance(value.operation, SetDimensionSize):
        return None
    return value.operation.operand if value.operation.dimension == dimension else None


RULES: Final[Rules] = {
    "dynamic-reshape": dynamic_reshape,
    "dynamic-slice": dynamic_slice,
    "dynamic-update-slice": dynamic_update_slice,
    "get-dimension-size": get_dimension_size,
    "set-dimension-size": set_dimension_size,
}
