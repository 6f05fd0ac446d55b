"""Tables of rules by operation, whose rows are named by their functions or classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of

RuleT = TypeVar("RuleT", bound=Callable[..., Any])


def rules_by_name(dialect: str, *rules: RuleT) -> dict[str, RuleT]:
    """The rules of operations that their functions are named after.

    A trailing underscore, as in ``slice_`` and ``while_``, is no part of the name.
    """
    return {f"{dialect}.{rule.__name__.removesuffix('_')}": rule for rule in rules}


def rules_by_class(rules: Mapping[type[Operation], RuleT]) -> dict[str, RuleT]:
    """The rules of the operations of these classes, by their names."""
    return {definition_of(cls).name: rule for cls, rule in rules.items()}
