"""Instructions that take several operations to say.

Source: XLA, operation semantics, StochasticConvertType; XLA, ``HloEvaluator``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import F32, UI64, FloatType, IntegerType
from stablemate.xla.translate.to_stablehlo.step import Rules, TranslationStep, Values

MASK: Final = (1 << 64) - 1


def stochastic_convert(step: TranslationStep) -> Values:
    """Rounds floats to integers, up if the fraction exceeds the random bits as a fraction.

    With n the bits of ``random``: result = sign(x) (floor(abs(x)) + up), saturated, zero for NaN;
    up = random < (abs(x) - floor(abs(x))) 2^n.
    """
    operand, random, result = step.array(0), step.array(1), step.result_type
    element, bits = operand.type.element_type, random.type.element_type
    if not isinstance(element, FloatType):
        step.refuse("the operand is of a floating-point type", operand=operand.type)
    if not isinstance(result.element_type, IntegerType):
        step.refuse_unsupported(
            "only floats are rounded to integers", operand=element, result=result
        )
    fits = isinstance(bits, IntegerType) and bits.is_unsigned and bits.width == element.bits
    if not fits or random.type.shape != operand.type.shape:
        expected = f"unsigned integers of {element.bits} bits"
        step.refuse(f"random has the operand's shape, of {expected}", random=random.type)
    wide = step.convert(operand, F32) if element.bits < F32.bits else operand
    size = one(step, "abs", operand=wide)
    floor = one(step, "floor", operand=size)
    fraction = one(step, "subtract", lhs=size, rhs=floor)
    scale = step.spread(step.constant(2.0**element.bits, wide.type.element_type), wide.type.shape)
    threshold = step.convert(one(step, "multiply", lhs=fraction, rhs=scale), bits)
    less = step.less(random, threshold)
    up = step.convert(less, wide.type.element_type)
    rounded = one(step, "add", lhs=floor, rhs=up)
    signed = one(step, "multiply", lhs=rounded, rhs=one(step, "sign", operand=wide))
    return [step.convert(signed, result.element_type)]


def one(step: TranslationStep, name: str, **operands: Any) -> Value[TensorType]:
    """The result of an operation of StableHLO."""
    return step.one(f"stablehlo.{name}", **operands)


def rng_get_and_update_state(step: TranslationStep) -> Values:
    """The state as it is before the instruction, its lower half first."""
    state = step.scope.advanced_state(step.need("delta"), step)
    halves = np.array([state & MASK, state >> 64 & MASK], np.uint64)
    return [step.constant(halves, UI64)]


RULES: Final[Rules] = {
    "stochastic-convert": stochastic_convert,
    "rng-get-and-update-state": rng_get_and_update_state,
}
