"""Rules of the specification that upstream's verifier does not check: breaking one is a warning.

Each dialect has a table of them. A program that breaks such rules alone loads, prints and converts
between formats of StableHLO. It runs where the operation keeps a plain meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of
from stablemate.ir.dialect import dialect_of
from stablemate.ir.traits import Trait
from stablemate.ir.type_rules import (
    CHECKED_IN_TEXT,
    LENIENT_TYPES,
    UNCHECKED_TYPES,
    WARNED_TYPES,
)

Judgment: TypeAlias = Callable[[Any, Diagnostic], bool]


def passes_values(operation: Operation) -> bool:
    """Whether an operation passes tensors on, and computes nothing with them."""
    definition = definition_of(operation)
    passes = Trait.SELECT in definition.traits or dialect_of(operation.name).passes_values
    return passes or not definition.registered


def is_unregistered(operation: Operation, violation: Diagnostic) -> bool:
    """Whether the violation is that nobody registered the operation."""
    return not definition_of(operation).registered and not violation.rule


def always(_: object, __: Diagnostic) -> bool:
    """The verdict of a verifier that does not check the rule at all."""
    return True


def never(_: object, __: Diagnostic) -> bool:
    """The verdict on operations that keep no meaning."""
    return False


@dataclass(frozen=True, slots=True)
class Leniency:
    """How upstream treats operations that break a rule of the specification.

    Attributes:
        upstream_accepts: Whether upstream's verifier accepts an operation that breaks the rule.
        is_executable: Whether such an operation keeps a plain meaning, so that it can be executed.
    """

    upstream_accepts: Judgment = always
    is_executable: Judgment = never


@cache
def rules_of(dialect: str) -> Mapping[str, Leniency]:
    """The rules that upstream does not check, by their names, such as ``stablehlo.compare C3``."""
    home = dialect_of(dialect).upstream_leniency
    if not home:
        return {}
    table: Mapping[str, Leniency] = import_module(home).LENIENCIES
    return table


@cache
def may_lose_meaning(name: str) -> bool:
    """Whether operations of a name can break such a rule and keep no meaning."""
    rules = rules_of(name.partition(".")[0])
    return any(
        rule.partition(" ")[0] == name and leniency.is_executable is not always
        for rule, leniency in rules.items()
    )


def is_accepted_upstream(operation: Operation, violation: Diagnostic) -> bool:
    """Whether upstream's verifier accepts an operation that breaks this rule."""
    if violation.rule in LENIENT_TYPES:
        return passes_values(operation)
    if violation.rule in CHECKED_IN_TEXT:
        return operation.span is not None and operation.span.source.binary
    if violation.rule in UNCHECKED_TYPES or is_unregistered(operation, violation):
        return True
    leniency = rules_of(violation.rule.partition(".")[0]).get(violation.rule)
    if leniency is None:
        return False
    try:
        return leniency.upstream_accepts(operation, violation)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False  # the operation breaks other rules too


def has_meaning(operation: Operation, warning: Diagnostic) -> bool:
    """Whether an operation that breaks such a rule can be executed."""
    if warning.rule in LENIENT_TYPES:
        return True  # the operation passes the value on, and does not compute with it
    if warning.rule in WARNED_TYPES or warning.rule in CHECKED_IN_TEXT:
        return False
    if is_unregistered(operation, warning):
        return True  # the executor rejects the operation if it gets there
    return rules_of(warning.rule.partition(".")[0])[warning.rule].is_executable(operation, warning)
