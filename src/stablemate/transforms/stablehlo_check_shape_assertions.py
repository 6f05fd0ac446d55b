"""stablehlo-check-shape-assertions: assertions that are known to hold or not."""

from __future__ import annotations

from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import VerifyError
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.dynamism import known_integers
from stablemate.execution.custom_calls.shape_assertion import format_message
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module
from stablemate.ir.rewriter import Replacement, rewrite_module

TARGET: Final = "shape_assertion"


def check_shape_assertions(module: Module) -> Module:
    """The module without the assertions that hold; those that are not known stay.

    Raises:
        VerifyError: An assertion does not hold.
    """
    return rewrite_module(module, {"stablehlo.custom_call": without_assertion})


def without_assertion(call: CustomCall, builder: Builder) -> Replacement:
    """Nothing in place of an assertion that holds.

    Raises:
        VerifyError: It does not hold.
    """
    refuse_failed_assertion(call)
    holds = is_assertion(call) and all(known_integers(call.operands[0]) or (False,))
    return () if holds else None


def is_assertion(call: CustomCall) -> bool:
    """Whether a call is an assertion with operands as these have."""
    return call.call_target_name == TARGET and len(call.operands) > 0 and not call.results


def refuse_failed_assertion(call: CustomCall) -> None:
    """Refuses an assertion that is known to fail.

    Raises:
        VerifyError: It does.
    """
    if not is_assertion(call) or known_integers(call.operands[0]) != (False,):
        return
    numbers = [known_integers(value) for value in call.operands[1:]]
    message = call.discardable.get("error_message")
    text = message.value if isinstance(message, StringAttribute) else "a shape assertion fails"
    texts = [str(number[0]) if number else "?" for number in numbers]
    rule = f"{call.name} @{TARGET}"
    raise VerifyError(Diagnostic(format_message(text, texts), rule=rule, span=call.span))
