"""Delta debugging: the fewest things with which something still holds.

Source: A. Zeller, R. Hildebrandt, Simplifying and isolating failure-inducing input, 2002, ddmin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")


def minimal(things: Sequence[T], holds: Callable[[Sequence[T]], bool]) -> list[T]:
    """A subset with which something holds, of which no single thing can be left out.

    If one thing alone is enough, it is found with ``log2(n) + 1`` questions: where the first half
    is not enough the second is taken to be, which is asked when one thing is left. If that was
    wrong, ddmin goes on with all things.

    Args:
        things: In their order, which subsets keep. It holds with all of them.
        holds: Whether it holds with a subset; asked once for each.
    """
    current = list(things)
    asked: dict[tuple[int, ...], bool] = {}
    numbers = list(range(len(current)))

    def ask(subset: Sequence[int]) -> bool:
        key = tuple(subset)
        if key not in asked:
            asked[key] = holds([things[i] for i in key])
        return asked[key]

    if not numbers or ask(()):
        return []
    guess = guessed(numbers, ask)
    if ask([guess]):
        return [things[guess]]
    parts = 2
    while len(numbers) > 1:
        chunks = divided(numbers, parts)
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
    return [things[i] for i in numbers]


def guessed(numbers: Sequence[int], ask: Callable[[Sequence[int]], bool]) -> int:
    """The number that is enough alone, if one is."""
    while len(numbers) > 1:
        first, second = divided(numbers, 2)
        numbers = first if ask(first) else second
    return numbers[0]


def divided(things: Sequence[int], parts: int) -> list[list[int]]:
    """Parts of nearly one size, none of them empty."""
    parts = min(parts, len(things))
    ends = [len(things) * i // parts for i in range(parts + 1)]
    return [list(things[a:b]) for a, b in pairwise(ends)]
