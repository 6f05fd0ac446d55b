"""Tables of rules: what a rewrite knows of each operation, by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from stablemate.compiler.fusion.classification import kind_of
from stablemate.compiler.fusion.index_maps import moves_elements
from stablemate.compiler.graph.graph import Node

RuleT = TypeVar("RuleT")


def rule_in(rules: Mapping[str, RuleT], node: Node, elementwise: RuleT) -> RuleT | None:
    """The rule of an operation that the compiler computes; None if there is none.

    Args:
        rules: The rules of operations, by name.
        node: The operation.
        elementwise: The rule of operations without one of their own, each element of whose results
            is computed from the same elements of their operands.
    """
    kind, name = kind_of(node), node.operation.name
    if kind in ("element", "kernel") and name in rules:
        return rules[name]
    if kind != "element" or moves_elements(node) or node.regions or not node.operands:
        return None
    return elementwise
