"""Rules of discardable attributes: what a dialect says of its own, wherever they stand.

A dialect registers a rule under the attribute's name. What nobody has a rule for is kept as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Final, NamedTuple, TypeAlias, TypeVar

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

RuleT = TypeVar("RuleT")

OF_OPERATIONS: Final[dict[str, OperationRule]] = {}  # filled at import, then left alone
OF_FUNCTION_VALUES: Final[dict[str, ValueRule]] = {}
HOMES: Final[dict[str, str]] = {}  # the modules with the rules of dialects


def rules_in(dialect: str, module: str) -> None:
    """Says which module registers the rules of a dialect: it is imported when one is looked up."""
    HOMES[dialect] = module


def rule_of(name: str, rules: dict[str, RuleT]) -> RuleT | None:
    """The rule for attributes of a name; None if nobody has one."""
    home = HOMES.get(name.partition(".")[0])
    if home is not None:
        import_module(home)
    return rules.get(name)


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
        rule = rule_of(name, OF_OPERATIONS)
        if rule is not None:
            for broken in rule(operation, attribute):
                yield name, broken


def broken_by_value(
    function: Operation, name: str, attribute: Attribute, value_type: Type
) -> Broken | None:
    """The first rule that an attribute of an argument or result of a function breaks."""
    rule = rule_of(name, OF_FUNCTION_VALUES)
    return None if rule is None else next(rule(function, attribute, value_type), None)
