"""Graphs of what uses what: functions that call functions, instructions that take instructions.

Chains may be as long as a program, and graphs may have cycles: nothing here is recursive.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.calls import CALLS
from stablemate.dialects.func import FuncOp
from stablemate.ir.core import Operation

T = TypeVar("T", bound=Hashable)
SHOWN: Final = 12  # functions of a path that an error shows


def post_order(roots: Iterable[T], before: Callable[[T], Iterable[T]]) -> Iterator[T]:
    """The roots and all their dependencies, each once, after its dependencies unless on a cycle.

    Args:
        roots: What is needed.
        before: Gives the dependencies of each.
    """
    entered: set[T] = set()
    for root in roots:
        pending = [] if root in entered else [(root, iter(before(root)))]
        while pending:
            item, rest = pending[-1]
            entered.add(item)
            following = next((other for other in rest if other not in entered), None)
            if following is None:
                pending.pop()
                yield item
            else:
                pending.append((following, iter(before(following))))


def on_cycles(roots: Iterable[T], before: Callable[[T], Iterable[T]]) -> set[T]:
    """Those of the roots and their dependencies that depend on themselves.

    Source: the algorithm of Kosaraju and Sharir for strongly connected components.
    """
    order = list(post_order(roots, before))
    after: dict[T, list[T]] = {item: [] for item in order}
    for item in order:
        for other in dict.fromkeys(before(item)):
            after[other].append(item)
    cyclic = {item for item in order if item in after[item]}
    found: set[T] = set()
    for item in reversed(order):
        component = [item] * (item not in found)
        found.add(item)
        for member in component:  # which grows meanwhile
            new = [other for other in after[member] if other not in found]
            found.update(new)
            component += new
        if len(component) > 1:
            cyclic.update(component)
    return cyclic


def first_cycle(roots: Iterable[T], before: Callable[[T], Iterable[T]]) -> Sequence[T]:
    """The way from a root to the first item that depends on itself, and back to it.

    Empty if there is no cycle.
    """
    done: set[T] = set()
    for root in roots:
        active = {} if root in done else {root: iter(before(root))}
        while active:
            item, rest = next(reversed(active.items()))
            following = next((other for other in rest if other not in done), None)
            if following is None:
                done.add(item)
                del active[item]
            elif following in active:
                return (*active, following)
            else:
                active[following] = iter(before(following))
    return ()


def inlined_sizes(
    roots: Iterable[T], callees: Callable[[T], Iterable[T]], size: Callable[[T], int], most: int
) -> dict[T, int]:
    """How many operations functions have when the bodies of callees take the place of calls.

    Args:
        roots: The functions; those that they call are among the keys, too.
        callees: The functions that a function calls, each as often as it does.
        size: The number of operations of a function itself.
        most: Larger numbers are not distinguished: calls in a chain can double them each time.
    """
    sizes: dict[T, int] = {}
    for function in post_order(roots, callees):
        inlined = sum(sizes.get(callee, 0) for callee in callees(function))
        sizes[function] = min(size(function) + inlined, most + 1)
    return sizes


def path_text(names: Sequence[str]) -> str:
    """A way through functions; of a long one the first and the last of them."""
    symbols = [f"@{name}" for name in names]
    if len(symbols) > SHOWN:
        symbols[SHOWN // 2 : -SHOWN // 2] = ["..."]
    return " -> ".join(symbols)


def called_functions(caller: Operation, calls: Mapping[str, str] = CALLS) -> Iterator[FuncOp]:
    """The functions that an operation and those inside it call, in order.

    Args:
        caller: The operation.
        calls: The names of operations that call, and of the attributes that name their callees.
    """
    for operation in caller.walk():
        if operation.name in calls:
            callee = find_symbol(operation, getattr(operation, calls[operation.name]))
            if isinstance(callee, FuncOp):
                yield callee
