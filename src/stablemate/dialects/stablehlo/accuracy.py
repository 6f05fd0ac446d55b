"""``result_accuracy``: the accuracy of results, and the implementation that a program requires.

An error is measured in units in the last place of the exact result. The bounds are what
``python -m tools.accuracy`` finds at hard points, rounded up; ``docs/accuracy.md`` has its numbers.

Source: StableHLO, the proposal "Add result accuracy to transcendental unary ops" (2024), which has
the inequality; the specification does not describe it.
"""

from __future__ import annotations

import math
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.result_accuracy import ResultAccuracy, ResultAccuracyMode
from stablemate.ir.core import Operation
from stablemate.ir.definition import fact_text
from stablemate.numerics.elements import COMPLEX128, F64, ComplexType, ElementType, FloatType

# Computed in 64 bits, or more for 64-bit floats, and rounded once.
ROUNDED_ONCE: Final = 0.6
HIGHEST: Final = 1.0
# Plain functions of 64-bit floats that are not always within one unit.
DEFAULT_OF_F64: Final = {"logistic": 2.5, "rsqrt": 2.0, "tanh": 2.0}
# The largest magnitude of a result, if it is bounded.
LARGEST: Final = {
    "cosine": 1.0,
    "log": 745.2,
    "log_plus_one": 745.2,
    "logistic": 1.0,
    "sine": 1.0,
    "tanh": 1.0,
}


def bound(name: str, element: ElementType, *, highest: bool = False) -> float:
    """The largest error of a result, in units in the last place.

    Args:
        name: The operation, without its dialect.
        element: The element type, which is not quantized.
        highest: Whether the most accurate implementation is meant.
    """
    if element == F64 and not highest:
        return DEFAULT_OF_F64.get(name, HIGHEST)
    return HIGHEST if element in (F64, COMPLEX128) else ROUNDED_ONCE


def wants_highest(operation: Operation, required: ResultAccuracy, element: ElementType) -> bool:
    """Whether the most accurate implementation is required; otherwise the fastest suffices.

    Raises:
        UnsupportedError: No implementation is within the tolerance.
    """
    if required.mode is not ResultAccuracyMode.TOLERANCE:
        return required.mode is ResultAccuracyMode.HIGHEST
    name = operation.name.partition(".")[2]
    if meets(required, name, element, bound(name, element)):
        return False
    best = bound(name, element, highest=True)
    if meets(required, name, element, best):
        return True
    message = "the tolerance cannot be met"
    tolerance = {"atol": required.atol, "rtol": required.rtol, "ulps": required.ulps}
    facts = {**tolerance, "element_type": element, "best": f"{best} ulps"}
    values = {key: fact_text(value) for key, value in facts.items()}
    rule = f"{operation.name} result_accuracy"
    raise UnsupportedError(Diagnostic(message, rule, operation.span, values))


def is_achievable(operation: Operation) -> bool:
    """Whether some implementation is within the tolerance of an operation, if it has one."""
    required = operation.attributes.get("result_accuracy")
    if not isinstance(required, ResultAccuracy):
        return True
    try:
        wants_highest(operation, required, operation.operands[0].type.element_type)
    except UnsupportedError:
        return False
    return True


def meets(required: ResultAccuracy, name: str, element: ElementType, ulps: float) -> bool:
    """Whether ``error <= max(abs(exact) max(rtol, ulps epsilon), atol)`` for every result."""
    part = element.element if isinstance(element, ComplexType) else element
    assert isinstance(part, FloatType)
    epsilon = 2.0 ** (1 - part.precision)
    largest = LARGEST.get(name, math.inf) if part is element else math.inf
    relative = max(required.rtol, required.ulps * epsilon)
    return relative >= ulps * epsilon or required.atol >= ulps * epsilon * largest
