"""Refinement of result types: what is known beyond the declared types.

Operations whose result types follow from their operands implement ``infer``. The others take the
declared type as it is, refined by what their classes know of it (``Op.known_types``,
``Op.known_shape``), including sizes that are constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.dialects.arith.types import element_of
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.dynamism import known_integers
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import Op, definition_of, inferred_types
from stablemate.ir.kinds import is_listable
from stablemate.ir.shapes import compatible, most_specific
from stablemate.ir.types import DYNAMIC, TensorType, Type, UnrankedTensorType

SHAPE_OPERANDS: Final = "indices_of_shape_operands"


def refined_types(operation: Op) -> list[Type]:
    """The most specific result types that follow from operands and declared types.

    May assume that all constraints on the inputs hold.
    """
    return refined_by(operation, inferred_types(operation) or known_types(operation))


def declared_types(operation: Op) -> list[Type]:
    """The declared result types, refined by the operands if ``infer`` returns nothing.

    May assume that the constraints hold that do not depend on sizes.
    """
    return refined_by(operation, known_types(operation))


def refined_by(operation: Op, inferred: Sequence[Type] | None) -> list[Type]:
    """The declared result types, refined by inferred ones."""
    declared: list[Type] = [value.type for value in operation.results]
    if inferred is None or len(inferred) != len(declared):
        return declared
    return [
        refine_type(declared_type, more)
        for declared_type, more in zip(declared, inferred, strict=True)
    ]


def refine_type(declared: Type, inferred: Type) -> Type:
    """The most specific combination of both types; the declared one if they are incompatible."""
    if not compatible(declared, inferred):
        return declared
    match declared, inferred:
        case TensorType(), TensorType():
            return most_specific([declared, inferred])
        case UnrankedTensorType(), TensorType():
            return inferred
        case _:
            return declared


def known_types(operation: Op) -> Sequence[Type] | None:
    """The types that the operands determine if ``infer`` returns nothing."""
    if isinstance(operation, CustomCall):
        return types_by_shape_operands(operation)
    types = operation.known_types()
    if types is not None:
        return types
    shape = operation.known_shape()
    if shape is None:
        return None
    element = element_of(operation.results[0].type)
    return None if element is None else (TensorType(tuple(shape), element),)


def types_by_shape_operands(operation: Operation) -> Sequence[Type] | None:
    """The types of a custom call's results whose shapes are operands, if these are constants."""
    positions = shape_operands(operation)
    if positions is None:
        return None
    types: list[Type] = []
    for position, value in zip(positions, operation.results, strict=True):
        sizes, element = known_integers(operation.operands[position]), element_of(value.type)
        if sizes is None or element is None:
            return None
        shape = tuple(size if size >= 0 else DYNAMIC for size in sizes)
        types.append(TensorType(shape, element))
    return types


def shape_operands(operation: Operation) -> tuple[int, ...] | None:
    """The operands of a custom call that hold the shapes of its results; None if unspecified."""
    listed = operation.discardable.get(SHAPE_OPERANDS)
    if not isinstance(listed, DenseElementsAttribute) or not is_listable(listed):
        return None
    positions = tuple(int(index) for index in np.asarray(listed.array).reshape(-1))
    count = len(operation.operands)
    fits = len(positions) == len(operation.results) and all(0 <= i < count for i in positions)
    return positions if fits else None


def size_positions(operation: Operation) -> Sequence[int]:
    """The operands that hold sizes of the results."""
    if isinstance(operation, CustomCall):
        return shape_operands(operation) or ()
    fields = definition_of(operation).operands
    return tuple(position for position, field in enumerate(fields) if field.holds_sizes)
