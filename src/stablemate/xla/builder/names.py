"""Names of instructions: unique in a module."""

from __future__ import annotations

import re
from typing import Final

from stablemate.xla.primitive_types import PRIMITIVE_TYPES

INVALID: Final = re.compile(r"[^A-Za-z0-9_.-]")


class UsedNames:
    """Names that are in use."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.count = 0

    def take(self, requested: str) -> str:
        """A unique name: the requested one, or with a number appended."""
        name = valid(requested)
        return self.new_name(name) if name in self.used else self.keep(name)

    def new_name(self, stem: str) -> str:
        """``stem.5``, with a number that was not used."""
        while True:
            self.count += 1
            name = f"{stem}.{self.count}"
            if name not in self.used:
                return self.keep(name)

    def keep(self, name: str) -> str:
        """The name, which is taken from now on."""
        self.used.add(name)
        return name


def valid(name: str) -> str:
    """A name of the characters that text allows; not that of a type."""
    kept = INVALID.sub("_", name)
    starts = kept[:1].isalpha() or kept[:1] == "_"
    return kept if starts and kept not in PRIMITIVE_TYPES else f"_{kept}"
