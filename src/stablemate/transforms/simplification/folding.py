"""Operations on constants, evaluated where the specification determines every bit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.dialects.registry import names_with
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Value
from stablemate.ir.definition import Op, RequestOp
from stablemate.ir.rewriter import Replacement
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.array_limits import array_excess
from stablemate.numerics.elements import BOOLEAN, FloatType, IntegerType
from stablemate.transforms.simplification.rules import Rule, literal_of

# Elements that a constant may have that an operation becomes.
ELEMENT_LIMIT: Final = 65_536


def foldable_names() -> Sequence[str]:
    """The operations of StableHLO that are folded."""
    return names_with(Trait.FOLDABLE, "stablehlo")


def folding_rule(limit: int) -> Rule:
    """The rule for results of at most so many elements."""

    def rule(operation: Operation, builder: Builder) -> Replacement:
        return fold_operation(operation, builder, limit)

    return rule


def fold_operation(operation: Operation, builder: Builder, limit: int) -> Value[TensorType] | None:
    """The constant that an operation is; None if it is none, or a large one.

    The operation itself is asked, as the interpreter does. One that fails stays, to say so when it
    runs.
    """
    literals = [literal_of(value) for value in operation.operands]
    if not literals or None in literals or operation.regions or len(operation.results) != 1:
        return None
    result_type = operation.results[0].type
    if (
        not isinstance(result_type, TensorType)
        or not result_type.is_static
        or result_type.size > limit
        or array_excess(result_type.shape)
    ):
        return None
    if any(not is_exact(value.type) for value in (*operation.operands, *operation.results)):
        return None
    if any(value.type.bytes > DEFAULT_LIMITS.tensor_bytes for value in operation.operands):
        return None  # a literal that repeats one number, of which an evaluation may make an array
    if not isinstance(operation, Op) or isinstance(operation, RequestOp):
        return None
    try:
        with np.errstate(all="ignore"):
            arrays = [literal.array for literal in literals if literal is not None]
            data = np.asarray(operation.prepare(())(*arrays))
    except StablemateError:
        return None
    value = dense_elements(result_type, data.reshape(-1))
    return builder.create(Constant, value=value, results=[result_type]).results[0]


def is_exact(value_type: object) -> bool:
    """Whether a type holds numbers whose arithmetic rounds once: not complex, not quantized."""
    if not isinstance(value_type, TensorType):
        return False
    element = value_type.element_type
    return element == BOOLEAN or isinstance(element, IntegerType | FloatType)
