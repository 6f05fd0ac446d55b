"""Rules of the specification that upstream's verifier does not check: breaking one is a warning.

Each dialect has a table of them. A program that breaks such rules alone loads, prints and converts
between formats of StableHLO. It runs where the operation keeps a plain meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Final, TypeAlias

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of
from stablemate.ir.type_rules import (
    CHECKED_IN_TEXT,
    TOLERATED_TYPES,
    UNCHECKED_TYPES,
    WARNED_TYPES,
)

Accepts: TypeAlias = Callable[[Any, Diagnostic], bool]

# The modules with the tables, by the prefix of the names of their rules.
TABLES: Final = {
    "stablehlo": "stablemate.dialects.stablehlo.tolerated",
    "arith": "stablemate.dialects.arith.tolerated",
    "chlo": "stablemate.dialects.chlo.tolerated",
    "mhlo": "stablemate.dialects.mhlo.tolerated",
    "mpmd": "stablemate.dialects.mlir.tolerated",
    "sdy": "stablemate.dialects.sdy.tolerated",
    "shape": "stablemate.dialects.shape.tolerated",
    "vhlo": "stablemate.dialects.vhlo.tolerated",
}

PASSING: Final = frozenset(["builtin", "func", "sdy", "shape", "tensor"])  # these only pass values
SELECT: Final = "arith.select"


def passes_values(operation: Operation) -> bool:
    """Whether an operation is of a dialect whose operations do not compute with tensors."""
    passes = operation.name == SELECT or operation.name.partition(".")[0] in PASSING
    return passes or not definition_of(operation).registered


def is_unregistered(operation: Operation, violation: Diagnostic) -> bool:
    """Whether the violation is that nobody registered the operation."""
    return not definition_of(operation).registered and not violation.rule


def always(_: Any, __: Diagnostic) -> bool:
    """The verdict of a verifier that does not check the rule at all."""
    return True


def never(_: Any, __: Diagnostic) -> bool:
    """The verdict on operations that keep no meaning."""
    return False


@dataclass(frozen=True, slots=True)
class Tolerated:
    """How upstream treats operations that break a rule.

    Attributes:
        accepts: Whether upstream's verifier accepts an operation that breaks the rule.
        runs: Whether such an operation keeps a plain meaning, so that it can be executed.
    """

    accepts: Accepts = always
    runs: Accepts = never


@cache
def rules_of(dialect: str) -> Mapping[str, Tolerated]:
    """The tolerated rules of a dialect, by their names, such as ``stablehlo.compare C3``."""
    if dialect not in TABLES:
        return {}
    table: Mapping[str, Tolerated] = import_module(TABLES[dialect]).TOLERATED
    return table


@cache
def may_lose_meaning(name: str) -> bool:
    """Whether operations of a name can break a tolerated rule and keep no meaning."""
    rules = rules_of(name.partition(".")[0])
    return any(
        rule.partition(" ")[0] == name and tolerated.runs is not always
        for rule, tolerated in rules.items()
    )


def is_tolerated(operation: Operation, violation: Diagnostic) -> bool:
    """Whether upstream's verifier accepts an operation that breaks this rule."""
    if violation.rule in TOLERATED_TYPES:
        return passes_values(operation)
    if violation.rule in CHECKED_IN_TEXT:
        return operation.span is not None and operation.span.source.binary
    if violation.rule in UNCHECKED_TYPES or is_unregistered(operation, violation):
        return True
    tolerated = rules_of(violation.rule.partition(".")[0]).get(violation.rule)
    if tolerated is None:
        return False
    try:
        return tolerated.accepts(operation, violation)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False  # the operation breaks other rules too


def has_meaning(operation: Operation, warning: Diagnostic) -> bool:
    """Whether an operation that breaks a tolerated rule can be executed."""
    if warning.rule in TOLERATED_TYPES:
        return True  # the operation passes the value on, and does not compute with it
    if warning.rule in WARNED_TYPES or warning.rule in CHECKED_IN_TEXT:
        return False
    if is_unregistered(operation, warning):
        return True  # the executor rejects the operation if it gets there
    return rules_of(warning.rule.partition(".")[0])[warning.rule].runs(operation, warning)
