"""Delta debugging: the fewest items with which a predicate still holds.

Source: A. Zeller, R. Hildebrandt, Simplifying and isolating failure-inducing input, 2002, ddmin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")


def minimal(items: Sequence[T], holds: Callable[[Sequence[T]], bool]) -> list[T]:
    """A subset with which a predicate holds, and from which no single item can be removed.

    If one item alone suffices, it takes ``log2(n) + 1`` evaluations of the predicate: if the first
    half does not suffice, the second is assumed to, which is checked when one item is left. If the
    assumption was wrong, ddmin goes on with all items.

    Args:
        items: All items, with which the predicate holds; subsets keep their order.
        holds: The predicate; evaluated once for each subset.
    """
    current = list(items)
    asked: dict[tuple[int, ...], bool] = {}
    numbers = list(range(len(current)))

    def ask(subset: Sequence[int]) -> bool:
        key = tuple(subset)
        if key not in asked:
            asked[key] = holds([items[i] for i in key])
        return asked[key]

    if not numbers or ask(()):
        return []
    guess = guess_number(numbers, ask)
    if ask([guess]):
        return [items[guess]]
    parts = 2
    while len(numbers) > 1:
        chunks = split_evenly(numbers, parts)
        failing = next((chunk for chunk in chunks if ask(chunk)), None)
        if failing is not None:
            numbers, parts = failing, 2
            continue
        rests = ([i for i in numbers if i not in set(chunk)] for chunk in chunks)
        rest = next((rest for rest in rests if parts > 2 and ask(rest)), None)
        if rest is not None:
            numbers, parts = rest, max(parts - 1, 2)
        elif parts < len(numbers):
            parts = min(2 * parts, len(numbers))
        else:
            break
    return [items[i] for i in numbers]


def guess_number(numbers: Sequence[int], ask: Callable[[Sequence[int]], bool]) -> int:
    """The number that is enough alone, if one is."""
    while len(numbers) > 1:
        first, second = split_evenly(numbers, 2)
        numbers = first if ask(first) else second
    return numbers[0]


def split_evenly(items: Sequence[int], parts: int) -> list[list[int]]:
    """Parts of nearly one size, none of them empty."""
    parts = min(parts, len(items))
    ends = [len(items) * i // parts for i in range(parts + 1)]
    return [list(items[a:b]) for a, b in pairwise(ends)]
