"""Buffers: custom calls that allocate, pin and unpin memory.

A buffer at run time is the array of its contents. What writes into one returns the array of the new
contents; that both share memory, as ``output_operand_aliases`` says, nobody can see, because a
buffer that was written is not read any more.

Source: StableHLO specification, custom_call, "Special custom_call targets" and "Alias".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from stablemate.execution.custom_calls.annotations import identity
from stablemate.execution.custom_calls.call import Target, TargetCall
from stablemate.ir.types import DYNAMIC, MemRefType, TensorType
from stablemate.numerics.elements import Array


def allocate(operands: Sequence[object], call: TargetCall) -> tuple[Array, ...]:
    """Memory whose contents are free: here zeros.

    Raises:
        EvaluationError: A size is known only at run time.
    """
    return tuple(zeros(result_type, call) for result_type in call.result_types)


def zeros(value_type: object, call: TargetCall) -> Array:
    """Zeros of a type with known sizes."""
    if not isinstance(value_type, TensorType | MemRefType):
        raise call.error("memory is allocated for a tensor or a buffer", result=value_type)
    if value_type.shape is None or DYNAMIC in value_type.shape:
        raise call.error("memory is allocated for known sizes", result=value_type)
    return np.zeros(value_type.shape, value_type.element_type.dtype)


TARGETS: Final[Mapping[str, Target]] = {
    "AllocateBuffer": allocate,
    "CreateBuffer": allocate,
    "Pin": identity,
    "Unpin": identity,
}
