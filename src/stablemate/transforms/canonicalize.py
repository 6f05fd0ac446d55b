"""canonicalize: removes unused operations, and operations that return an operand unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.core import Module, Value
from stablemate.ir.rewriter import Pattern, rewrite_module
from stablemate.transforms.dead_code import without_dead_code
from stablemate.transforms.simplification.rules import IDENTITIES, Rule, keeping_type

MOST_ROUNDS: Final = 32  # the bound ends rules that undo each other


def canonicalize(module: Module) -> Module:
    """The module in which every value that is computed is new and used."""
    return canonicalize_module(module, IDENTITIES)


def canonicalize_module(module: Module, rules: Mapping[str, Rule]) -> Module:
    """The module after rules and the removal of dead code, again until nothing changes."""
    for _ in range(MOST_ROUNDS):
        changes: list[Value[object]] = []
        patterns: dict[str, Pattern] = {
            name: keeping_type(rule, changes) for name, rule in rules.items()
        }
        module = without_dead_code(rewrite_module(module, patterns))
        if not changes:
            break
    return module
