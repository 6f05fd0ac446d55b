"""Names as XLA makes them when it reads a module: no two instructions share one.

Source: XLA, ``NameUniquer``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from stablemate.xla.module import HloModule

NUMBERED: Final = re.compile(r"(.+)\.([0-9]{1,18})")


def unique_names(module: HloModule) -> Mapping[str, Mapping[str, str]]:
    """For each computation the new names of its instructions by the old ones."""
    used: dict[str, Suffixes] = {}
    return {
        computation.name: {
            instruction.name: unique_name(instruction.name, used)
            for instruction in computation.instructions
        }
        for computation in module.computations
    }


class Suffixes:
    """The numbers that are taken after a name."""

    def __init__(self) -> None:
        self.taken: set[int] = set()
        self.next = 1

    def take(self, number: int) -> int:
        """The number, or the next free one."""
        if number in self.taken:
            while self.next in self.taken:
                self.next += 1
            number = self.next
        self.taken.add(number)
        return number


def unique_name(name: str, used: dict[str, Suffixes]) -> str:
    """The name, or with a number after it that is not taken."""
    match = NUMBERED.fullmatch(name)
    stem = match[1] if match else name
    number = used.setdefault(stem, Suffixes()).take(int(match[2]) if match else 0)
    return f"{stem}.{number}" if number or match else stem
