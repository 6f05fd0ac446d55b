"""Traverses expressions bottom-up."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from stablemate.compiler.loops.expressions import Expression

FoundT = TypeVar("FoundT")


def evaluate_postorder(
    root: Expression, results: dict[Expression, FoundT], find: Callable[[Expression], FoundT]
) -> FoundT:
    """Evaluates an expression, operands first.

    Args:
        root: The expression; it may be deeper than Python can recurse.
        results: The results for subexpressions visited before; receives the others.
        find: What a part stands for whose operands are known.
    """
    pending = [root]
    while pending:
        last = pending[-1]
        if last in results:
            pending.pop()
            continue
        inner = [operand for operand in last.operands if operand not in results]
        if inner:
            pending += inner
        else:
            results[pending.pop()] = find(last)
    return results[root]
