"""stablehlo-check-shape-assertions: assertions that are known to hold or not."""

from __future__ import annotations

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import VerifyError
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.dynamism import known_integers
from stablemate.execution.targets.shape_assertion import filled
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module
from stablemate.ir.rewriter import Replacement, rewritten

TARGET = "shape_assertion"


def check_shape_assertions(module: Module) -> Module:
    """The module without the assertions that hold; those that are not known stay.

    Raises:
        VerifyError: An assertion does not hold.
    """
    return rewritten(module, {"stablehlo.custom_call": without_assertion})


def without_assertion(call: CustomCall, builder: Builder) -> Replacement:
    """Nothing in place of an assertion that holds.

    Raises:
        VerifyError: It does not hold.
    """
    if call.call_target_name != TARGET or not call.operands or call.results:
        return None
    condition, *numbers = [known_integers(value) for value in call.operands]
    message = call.discardable.get("error_message")
    if condition is None or any(each is None for each in numbers):
        return None
    if all(condition):
        return ()
    text = message.value if isinstance(message, StringAttribute) else "a shape assertion fails"
    known = [each[0] for each in numbers if each]
    rule = f"{call.name} @{TARGET}"
    raise VerifyError(Diagnostic(filled(text, known), rule=rule, span=call.span))
