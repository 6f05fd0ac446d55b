"""Rules that only run-time values can break."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import EvaluationError
from stablemate.ir.core import Operation
from stablemate.ir.definition import fact_text
from stablemate.ir.shapes import compatible
from stablemate.ir.types import TensorType


def require(op: Operation, condition: bool, rule: str, message: str, /, **values: object) -> None:
    """Ends the run unless the condition holds.

    Args:
        op: The operation that is evaluated.
        condition: What must hold.
        rule: Label of the broken rule, e.g. ``C4``; empty if it has none.
        message: The rule's formula.
        **values: The facts for the message.

    Raises:
        EvaluationError: The condition does not hold.
    """
    if not condition:
        facts = {name: fact_text(value) for name, value in values.items()}
        name = f"{op.name} {rule}".rstrip()
        raise EvaluationError(Diagnostic(message, rule=name, span=op.span, values=facts))


def require_shape(op: Operation, shape: Sequence[int], rule: str) -> None:
    """Ends the run unless the operation's one result was declared with a type that has this shape.

    Raises:
        EvaluationError: A static size or a bound of the declared type excludes the shape.
    """
    declared: TensorType = op.results[0].type
    fits = compatible(declared, declared.with_shape(shape))
    require(op, fits, rule, "shape(result)", shape=tuple(shape), result=declared)
