"""Walking: what each part of an expression stands for, the deepest parts first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from stablemate.compiler.loops.expressions import Expression

FoundT = TypeVar("FoundT")


def found_for(
    root: Expression, known: dict[Expression, FoundT], find: Callable[[Expression], FoundT]
) -> FoundT:
    """What an expression stands for.

    Args:
        root: The expression; it may be deeper than Python can recurse.
        known: What parts stand for that were met before; takes the others.
        find: What a part stands for whose operands are known.
    """
    pending = [root]
    while pending:
        last = pending[-1]
        if last in known:
            pending.pop()
            continue
        inner = [each for each in last.operands if each not in known]
        if inner:
            pending += inner
        else:
            known[pending.pop()] = find(last)
    return known[root]
