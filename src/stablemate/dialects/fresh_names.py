"""Names of symbols that are not in use."""

from __future__ import annotations

from collections.abc import Iterable


class FreshNames:
    """Names that are in use, and ``stem_0``, ``stem_1``, ... for stems that are.

    A number is tried once, so that many symbols of one stem take linear time.
    """

    def __init__(self, used: Iterable[str]) -> None:
        self.used = set(used)
        self.numbers: dict[str, int] = {}  # the next number to try of each stem

    def take(self, stem: str) -> str:
        """The stem if no symbol has it, or else the stem with a number; it is in use then."""
        if stem in self.used:
            return self.with_number(stem)
        self.used.add(stem)
        return stem

    def with_number(self, stem: str) -> str:
        """The stem with the first number that makes it unused; it is in use then."""
        number = self.numbers.get(stem, 0)
        while (name := f"{stem}_{number}") in self.used:
            number += 1
        self.numbers[stem] = number + 1
        self.used.add(name)
        return name
