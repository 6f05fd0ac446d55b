"""Integers of shape computations that depend on symbolic sizes: arrays of ``object``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stablemate.diagnostics.errors import StablemateError
from stablemate.dialects.arith.types import element_of
from stablemate.dialects.symbolic_evaluation import evaluate_on_sizes
from stablemate.ir.core import Operation
from stablemate.ir.definition import Op
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array, IntegerType
from stablemate.numerics.symbolic_sizes import SizeValueError, is_symbolic


def is_symbolic_array(values: object) -> bool:
    """Whether some of the values are symbolic sizes."""
    return getattr(values, "dtype", None) == np.dtype(object)


def symbolic_result(operation: Operation, operands: Sequence[object]) -> Array | None:
    """The only result of an operation; None if nothing is known of it.

    Args:
        operation: The operation, with refined types.
        operands: What is known of its operands, completely.
    """
    if not isinstance(operation, Op) or len(operation.results) != 1:
        return None
    element = static_integer_type(operation.results[0].type)
    if element is None:
        return None
    try:
        values = evaluate_on_sizes(operation, [np.asarray(operand) for operand in operands])
    except (StablemateError, SizeValueError):
        return None  # it is said when the program runs
    return values if values is not None and fits(values, element) else None


def static_integer_type(value_type: Type) -> IntegerType | None:
    """The type of the integers in an array whose shape consists of numbers; None of others."""
    element = element_of(value_type)
    if not isinstance(value_type, TensorType) or not isinstance(element, IntegerType):
        return None
    is_known = value_type.is_static and not any(map(is_symbolic, value_type.shape))
    return element if is_known else None


def fits(values: Array, element: IntegerType) -> bool:
    """Whether integers are computed without overflow."""
    if element.is_boolean:
        return True
    low = 0 if element.is_unsigned else -(1 << (element.width - 1))
    high = (1 << (element.width - (not element.is_unsigned))) - 1
    return all(low <= value <= high for value in values.reshape(-1))
