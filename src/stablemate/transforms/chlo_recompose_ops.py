"""chlo-recompose-ops: custom calls that stand for operations of CHLO, as these operations.

MHLO has functions that StableHLO has not; a program that uses them calls ``mhlo.erf`` and the like.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.diagnostics.errors import VerifyError
from stablemate.dialects.chlo import elementwise
from stablemate.dialects.chlo.elementwise import Unary
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.builder import Builder
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.ir.verifier import diagnose

FUNCTIONS: Final[Mapping[str, type[Unary]]] = {
    "mhlo.acos": elementwise.Acos,
    "mhlo.acosh": elementwise.Acosh,
    "mhlo.asin": elementwise.Asin,
    "mhlo.asinh": elementwise.Asinh,
    "mhlo.atan": elementwise.Atan,
    "mhlo.atanh": elementwise.Atanh,
    "mhlo.cosh": elementwise.Cosh,
    "mhlo.erf": elementwise.Erf,
    "mhlo.sinh": elementwise.Sinh,
    "mhlo.tan": elementwise.Tan,
}


def recompose(call: CustomCall, builder: Builder) -> Replacement:
    """The operation of CHLO that a call stands for.

    Raises:
        VerifyError: The call does not have the operands and results of the operation.
    """
    function = FUNCTIONS.get(call.call_target_name)
    if function is None:
        return None
    if len(call.operands) != 1 or len(call.results) != 1:
        message = f"@{call.call_target_name} has one operand and one result"
        raise VerifyError(message, span=call.span)
    (operand,) = call.operands
    types = [value.type for value in call.results]
    operation = builder.create(function, operand=operand, results=types)
    findings = diagnose(operation)
    if findings:
        raise VerifyError(findings)
    return operation.results


RECOMPOSE_PATTERNS: Final[Mapping[str, Pattern]] = {"stablehlo.custom_call": recompose}
