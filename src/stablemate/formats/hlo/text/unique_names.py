"""Makes instruction names unique in a module, as XLA does when it reads one.

Source: XLA, ``NameUniquer``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from stablemate.xla.module import HloModule

NUMBERED: Final = re.compile(r"(.+)\.([0-9]{1,18})")


def unique_names(module: HloModule) -> Mapping[str, Mapping[str, str]]:
    """Returns the new names of the instructions of each computation, by the old names."""
    used: dict[str, Suffixes] = {}
    return {
        computation.name: {
            instruction.name: unique_name(instruction.name, used)
            for instruction in computation.instructions
        }
        for computation in module.computations
    }


class Suffixes:
    """The numbers that are in use as suffixes of a name."""

    def __init__(self) -> None:
        self.used_numbers: set[int] = set()
        self.next = 1

    def take(self, number: int) -> int:
        """Takes the number, or the next free one."""
        if number in self.used_numbers:
            while self.next in self.used_numbers:
                self.next += 1
            number = self.next
        self.used_numbers.add(number)
        return number


def unique_name(name: str, used: dict[str, Suffixes]) -> str:
    """Returns the name, or the name with a number that is not in use."""
    match = NUMBERED.fullmatch(name)
    stem = match[1] if match else name
    number = used.setdefault(stem, Suffixes()).take(int(match[2]) if match else 0)
    return f"{stem}.{number}" if number or match else stem
