"""Modules without their large literals: to look at, not to run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from stablemate.xla.literal import Literal
from stablemate.xla.module import HloComputation, HloInstruction, HloModule


def with_elided_literals(module: HloModule, limit: int) -> HloModule:
    """The module with every array of more than ``limit`` elements left out of its literals."""
    computations = tuple(shortened(computation, limit) for computation in module.computations)
    return replace(module, computations=computations)


def shortened(computation: HloComputation, limit: int) -> HloComputation:
    """A computation whose literals are elided."""
    instructions = tuple(
        without_values(instruction, limit) if "literal" in instruction.attributes else instruction
        for instruction in computation.instructions
    )
    return replace(computation, instructions=instructions)


def without_values(instruction: HloInstruction, limit: int) -> HloInstruction:
    """An instruction whose literal is elided."""
    attributes: dict[str, Any] = dict(instruction.attributes)
    attributes["literal"] = elided(attributes["literal"], limit)
    return replace(instruction, attributes=attributes)


def elided(literal: Literal, limit: int) -> Literal:
    """A literal without the values of its large arrays."""
    if literal.shape.is_tuple:
        return replace(
            literal, elements=tuple(elided(element, limit) for element in literal.elements)
        )
    large = literal.array is not None and literal.array.size > limit
    return replace(literal, array=None) if large else literal
