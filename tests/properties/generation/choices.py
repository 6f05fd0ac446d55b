"""Where the decisions of a generator come from: a seed, hypothesis, or a list that is shrunk.

Everything is decided by ``below``, whose smaller answers mean simpler programs.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

import numpy as np
from hypothesis import strategies as st

T = TypeVar("T")


class Choices(ABC):
    """A source of decisions."""

    @abstractmethod
    def below(self, bound: int) -> int:
        """An integer from 0 to ``bound - 1``; the smaller, the simpler."""

    def integer(self, low: int, high: int) -> int:
        """An integer from ``low``, the simplest, to ``high``."""
        return low + self.below(high - low + 1)

    def of(self, items: Sequence[T]) -> T:
        """One of the items; the first is the simplest."""
        return items[self.below(len(items))]

    def chance(self, percent: int) -> bool:
        """True so often; false is simpler."""
        return self.below(100) >= 100 - percent

    def weighted(self, items: Sequence[tuple[T, int]]) -> T:
        """One of the items, by weight; the first is the simplest."""
        place = self.below(sum(weight for _, weight in items))
        for item, weight in items:
            place -= weight
            if place < 0:
                return item
        raise AssertionError("weights are positive")

    def permutation(self, items: Sequence[T]) -> list[T]:
        """The items in some order; their own is the simplest."""
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in items]

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """So many of the items, in some order."""
        return self.permutation(items)[:count]

    def subset(self, items: Sequence[T], percent: int = 50) -> list[T]:
        """Some of the items, in their order; none is the simplest."""
        return [item for item in items if self.chance(percent)]

    def generator(self) -> np.random.Generator:
        """A source of elements of arrays; one decision stands for them all."""
        return np.random.default_rng(self.below(1 << 32))


class Seeded(Choices):
    """Decisions that follow from a seed."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)

    def below(self, bound: int) -> int:
        """Uniformly distributed."""
        return self.random.randrange(bound)


class Recorded(Choices):
    """Decisions of another source, kept in order.

    Attributes:
        decisions: What was decided so far.
    """

    def __init__(self, source: Choices) -> None:
        self.source = source
        self.decisions: list[int] = []

    def below(self, bound: int) -> int:
        """What the source decides."""
        decision = self.source.below(bound)
        self.decisions.append(decision)
        return decision


class Replayed(Choices):
    """Given decisions; the simplest ones where they do not fit or are at an end."""

    def __init__(self, decisions: Sequence[int]) -> None:
        self.rest = iter(decisions)

    def below(self, bound: int) -> int:
        """The next decision."""
        return min(next(self.rest, 0), bound - 1)


class HypothesisChoices(Choices):
    """Decisions of hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def below(self, bound: int) -> int:
        """What hypothesis wants to try."""
        return self.draw(numbers(bound)) if bound > 1 else 0


@lru_cache(maxsize=1024)
def numbers(bound: int) -> st.SearchStrategy[int]:
    """Integers from 0 to ``bound - 1``; made once, since programs draw thousands of them."""
    return st.integers(0, bound - 1)
