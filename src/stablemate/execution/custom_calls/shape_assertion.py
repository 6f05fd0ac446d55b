"""Assertions about sizes, as JAX writes them for programs whose shapes are symbols.

The first operand says whether the assertion holds; the others are integers that the error message
names: ``{0}`` is the first of them.

Source: OpenXLA, "shape_assertion" custom calls, as jax.export emits them; the message is a format
of LLVM's ``formatv``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from stablemate.execution.custom_calls.call import Target, TargetCall
from stablemate.numerics.elements import Array

PLACE: Final = re.compile(r"\{\{|\{(\d+)(?:,[^:}]*)?(?::[^}]*)?\}")  # {index,layout:format}


def shape_assertion(operands: Sequence[object], call: TargetCall) -> tuple[()]:
    """Nothing, if the first operand holds.

    Raises:
        EvaluationError: It does not; or the call is no assertion.
    """
    holds, *numbers = scalars(operands, call)
    message = call.attributes.get("error_message")
    if not isinstance(message, str):
        raise call.error("an assertion has the attribute error_message, a string")
    highest = max((int(place[1]) for place in PLACE.finditer(message) if place[1]), default=-1)
    if highest >= len(numbers):
        values = {"place": f"{{{highest}}}", "operands": len(operands)}
        raise call.error("error_message names operands that exist", **values)
    if not holds:
        raise call.error(format_message(message, numbers))
    return ()


def scalars(operands: Sequence[object], call: TargetCall) -> list[bool | int]:
    """The operands as Python values.

    Raises:
        EvaluationError: They are not a boolean and any number of integers.
    """
    arrays: list[Array] = [np.asarray(operand) for operand in operands]
    fits = (
        len(arrays) > 0
        and all(array.shape == () for array in arrays)
        and arrays[0].dtype == np.bool_
        and all(array.dtype.name in ("int32", "int64") for array in arrays[1:])
        and not call.result_types
    )
    if not fits:
        types = [str(operand_type) for operand_type in call.operand_types]
        message = "an assertion has a tensor<i1> and any number of tensor<i32> or tensor<i64>"
        raise call.error(message, operands=types, results=len(call.result_types))
    return [array.item() for array in arrays]


def format_message(message: str, numbers: Sequence[object]) -> str:
    """The message with the numbers in their places; a place without number stays."""

    def text(place: re.Match[str]) -> str:
        if not place[1]:
            return "{"
        position = int(place[1])
        return str(numbers[position]) if position < len(numbers) else place[0]

    return PLACE.sub(text, message)


TARGETS: Final[Mapping[str, Target]] = {"shape_assertion": shape_assertion}
