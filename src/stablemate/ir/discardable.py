"""Rules of discardable attributes: what a dialect says of its own, wherever they stand.

A dialect registers a rule under the attribute's name. What nobody has a rule for is kept as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

from stablemate.ir.core import Operation
from stablemate.ir.definition import Violation
from stablemate.ir.types import Attribute, Type


class Broken(NamedTuple):
    """A rule that an attribute breaks.

    Attributes:
        label: Its name.
        formula: What it says.
        violation: The facts.
    """

    label: str
    formula: str
    violation: Violation


OperationRule: TypeAlias = Callable[[Operation, Attribute], Iterator[Broken]]
ValueRule: TypeAlias = Callable[[Operation, Attribute, Type], Iterator[Broken]]

OF_OPERATIONS: Final[dict[str, OperationRule]] = {}  # filled at import, then left alone
OF_FUNCTION_VALUES: Final[dict[str, ValueRule]] = {}


def on_operations(name: str) -> Callable[[OperationRule], OperationRule]:
    """Registers what an attribute of an operation must keep."""

    def register(rule: OperationRule) -> OperationRule:
        OF_OPERATIONS[name] = rule
        return rule

    return register


def on_function_values(name: str) -> Callable[[ValueRule], ValueRule]:
    """Registers what an attribute of an argument or result of a function must keep."""

    def register(rule: ValueRule) -> ValueRule:
        OF_FUNCTION_VALUES[name] = rule
        return rule

    return register


def broken_by_operation(operation: Operation) -> Iterator[tuple[str, Broken]]:
    """The rules that the discardable attributes of an operation break, with their names."""
    for name, attribute in operation.discardable.items():
        rule = OF_OPERATIONS.get(name)
        if rule is not None:
            for broken in rule(operation, attribute):
                yield name, broken


def broken_by_value(
    function: Operation, name: str, attribute: Attribute, value_type: Type
) -> Broken | None:
    """The first rule that an attribute of an argument or result of a function breaks."""
    rule = OF_FUNCTION_VALUES.get(name)
    return None if rule is None else next(rule(function, attribute, value_type), None)
