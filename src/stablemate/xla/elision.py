"""Modules without their large literals, to look at; values for literals that were left out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from stablemate.diagnostics.errors import LimitError
from stablemate.numerics.random_elements import ElidedValues
from stablemate.xla.literal import Literal
from stablemate.xla.module import HloComputation, HloInstruction, HloModule


def with_elided_literals(module: HloModule, limit: int) -> HloModule:
    """The module with every array of more than ``limit`` elements left out of its literals."""
    computations = tuple(
        elide_computation(computation, limit) for computation in module.computations
    )
    return replace(module, computations=computations)


def elide_computation(computation: HloComputation, limit: int) -> HloComputation:
    """A computation whose literals are elided."""
    instructions = tuple(
        without_values(instruction, limit) if "literal" in instruction.attributes else instruction
        for instruction in computation.instructions
    )
    return replace(computation, instructions=instructions)


def without_values(instruction: HloInstruction, limit: int) -> HloInstruction:
    """An instruction whose literal is elided."""
    attributes: dict[str, Any] = dict(instruction.attributes)
    attributes["literal"] = elide_literal(attributes["literal"], limit)
    return replace(instruction, attributes=attributes)


def elide_literal(literal: Literal, limit: int) -> Literal:
    """A literal without the values of its large arrays."""
    if literal.shape.is_tuple:
        return replace(
            literal, elements=tuple(elide_literal(element, limit) for element in literal.elements)
        )
    large = literal.array is not None and literal.array.size > limit
    return replace(literal, array=None) if large else literal


def with_values(module: HloModule, filling: ElidedValues, limit: int) -> HloModule:
    """The module with values for literals that were left out of its text.

    Args:
        module: The module.
        filling: The values.
        limit: The largest size of random elements, in bytes.

    Raises:
        LimitError: A literal is larger.
    """
    positions = count()
    computations = tuple(
        replace(
            computation,
            instructions=tuple(
                with_literal(instruction, filling, limit, positions)
                for instruction in computation.instructions
            ),
        )
        for computation in module.computations
    )
    return replace(module, computations=computations)


def with_literal(
    instruction: HloInstruction, filling: ElidedValues, limit: int, positions: Iterator[int]
) -> HloInstruction:
    """An instruction whose literal has values."""
    literal = instruction.attributes.get("literal")
    if not isinstance(literal, Literal) or not literal.is_elided:
        return instruction
    attributes: dict[str, object] = dict(instruction.attributes)
    attributes["literal"] = fill_elided_literal(literal, filling, limit, positions)
    return replace(instruction, attributes=attributes)


def fill_elided_literal(
    literal: Literal, filling: ElidedValues, limit: int, positions: Iterator[int]
) -> Literal:
    """A literal with values in place of those that were left out."""
    shape = literal.shape
    if shape.is_tuple:
        parts = tuple(
            fill_elided_literal(part, filling, limit, positions) for part in literal.elements
        )
        return replace(literal, elements=parts)
    if literal.array is not None:
        return literal
    element = shape.element_type.element
    if element is None or filling.seed is None:
        zero = np.zeros((), shape.element_type.dtype)
        return Literal(replace(shape, dynamic=()), np.broadcast_to(zero, shape.dimensions))
    size = math.prod(shape.dimensions) * element.dtype.itemsize
    if size > limit:
        raise LimitError(f"random elements of {size} bytes exceed the limit of {limit} bytes")
    array = filling.elements(shape.dimensions, element, next(positions))
    return Literal(replace(shape, dynamic=()), array)
