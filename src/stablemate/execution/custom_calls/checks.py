"""Checks: custom calls by which test programs compare a value with the expected one.

They are the operations of the check dialect with fixed tolerances.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from stablemate.dialects.check import almost_equal, differences, equal, ulp_distance
from stablemate.execution.custom_calls.call import Target, TargetCall, tensors_in
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array, ComplexType, FloatType

MAXIMUM_ULPS: Final = 3  # units in the last place
TOLERANCE: Final = 1e-3
EQ_TOLERANCE: Final = 1e-4

Agreement = Callable[[Array, Array, TargetCall], Array]


def pair(operands: Sequence[object], call: TargetCall) -> tuple[Array, Array]:
    """The actual value and the expected one.

    Raises:
        EvaluationError: There are not two values of one element type and one shape.
    """
    tensors = tensors_in(operands)
    kinds = {(tensor.dtype, tensor.shape) for tensor in tensors}
    if not len(tensors) == len(operands) == 2 or len(kinds) != 1:
        types = ", ".join(map(str, call.operand_types))
        raise call.error("a value is compared with one of its type", types=types)
    actual, expected = tensors
    return actual, expected


def expectation(relation: str, agree: Agreement) -> Target:
    """A target that ends the run unless all elements agree; ``relation`` says what then holds."""

    def compare(operands: Sequence[object], call: TargetCall) -> tuple[()]:
        actual, expected = pair(operands, call)
        different = np.asarray(~agree(actual, expected, call))
        if different.any():
            raise call.error(relation, **differences(different, actual, expected))
        return ()

    return compare


def near(actual: Array, expected: Array, call: TargetCall) -> Array:
    """Which elements are equal, both NaN, or apart by a tolerance at most."""
    return np.asarray(almost_equal(actual, expected, TOLERANCE))


def close(actual: Array, expected: Array, call: TargetCall) -> Array:
    """Which elements are apart by a few units in the last place at most."""
    value_type = call.operand_types[0]
    element = value_type.element_type if isinstance(value_type, TensorType) else None
    if not isinstance(element, FloatType | ComplexType):
        raise call.error("floating-point or complex elements are compared", type=value_type)
    return np.asarray(ulp_distance(actual, expected, element) <= MAXIMUM_ULPS)


def same(operands: Sequence[object], call: TargetCall) -> Array:
    """Whether all elements are equal, or near each other if they are no integers."""
    actual, expected = pair(operands, call)
    value_type = call.operand_types[0]
    element = value_type.element_type if isinstance(value_type, TensorType) else None
    if isinstance(element, FloatType | ComplexType):
        return np.asarray(np.all(almost_equal(actual, expected, EQ_TOLERANCE)))
    return np.asarray(np.all(equal(actual, expected)))


TARGETS: Final[Mapping[str, Target]] = {
    "check.eq": same,
    "check.expect_almost_eq": expectation(f"abs(lhs - rhs) <= {TOLERANCE}", near),
    "check.expect_close": expectation(f"ulp distance <= {MAXIMUM_ULPS}", close),
    "check.expect_eq": expectation("lhs = rhs", lambda a, b, _: equal(a, b)),
}
