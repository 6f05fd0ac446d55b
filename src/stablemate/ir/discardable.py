"""Rules of discardable attributes: a dialect verifies its own, on any operation.

A dialect registers a rule under the attribute's name. Attributes without a rule are not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Final, NamedTuple, TypeAlias, TypeVar

from stablemate.ir.core import Operation
from stablemate.ir.definition import Violation
from stablemate.ir.dialect import dialect_of
from stablemate.ir.types import Attribute, Type


class AttributeViolation(NamedTuple):
    """A rule that an attribute breaks.

    Attributes:
        label: Its name.
        formula: The rule.
        violation: The facts.
    """

    label: str
    formula: str
    violation: Violation


OperationRule: TypeAlias = Callable[[Operation, Attribute], Iterator[AttributeViolation]]
ValueRule: TypeAlias = Callable[[Operation, Attribute, Type], Iterator[AttributeViolation]]

RuleT = TypeVar("RuleT")

OPERATION_RULES: Final[dict[str, OperationRule]] = {}  # filled at import, then left alone
FUNCTION_VALUE_RULES: Final[dict[str, ValueRule]] = {}


def find_rule(name: str, rules: dict[str, RuleT]) -> RuleT | None:
    """The rule for attributes of a name; None if there is none."""
    home = dialect_of(name).attribute_rules
    if home:
        import_module(home)
    return rules.get(name)


def operation_rule(name: str) -> Callable[[OperationRule], OperationRule]:
    """Registers the rule for an attribute of operations."""

    def register(rule: OperationRule) -> OperationRule:
        OPERATION_RULES[name] = rule
        return rule

    return register


def function_value_rule(name: str) -> Callable[[ValueRule], ValueRule]:
    """Registers the rule for an attribute of arguments and results of functions."""

    def register(rule: ValueRule) -> ValueRule:
        FUNCTION_VALUE_RULES[name] = rule
        return rule

    return register


def broken_rules(operation: Operation) -> Iterator[tuple[str, AttributeViolation]]:
    """The rules that the discardable attributes of an operation break, with their names."""
    for name, attribute in operation.discardable.items():
        rule = find_rule(name, OPERATION_RULES)
        if rule is not None:
            for broken in rule(operation, attribute):
                yield name, broken


def broken_value_rule(
    function: Operation, name: str, attribute: Attribute, value_type: Type
) -> AttributeViolation | None:
    """The first rule that an attribute of an argument or result of a function breaks."""
    rule = find_rule(name, FUNCTION_VALUE_RULES)
    return None if rule is None else next(rule(function, attribute, value_type), None)
