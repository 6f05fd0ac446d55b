"""Makes names unique in a whole module, as XLA does.

Source: XLA, ``ProtoNameUniquer``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from stablemate.xla.module import HloModule

NUMBERED: Final = re.compile(r"(.*)\.(0|[1-9]\d{0,17})")


class ProtoNameUniquer:
    """Returns each name as it is if possible, else with the next free number."""

    def __init__(self) -> None:
        self.used_ids: dict[str, set[int]] = {}
        self.following: dict[str, int] = {}

    def name(self, preferred: str) -> str:
        """Returns a name that has not been used before."""
        match = NUMBERED.fullmatch(preferred)
        root, number = (match[1], int(match[2])) if match else (preferred, 0)
        used = self.used_ids.setdefault(root, set())
        if number in used:
            number = self.following.get(root, 0)
            while number in used:
                number += 1
            self.following[root] = number + 1
        used.add(number)
        return f"{root}.{number}" if number or match else root


def unique_names(module: HloModule) -> Mapping[str, Mapping[str, str]]:
    """Returns unique names for all instructions, by computation."""
    uniquer = ProtoNameUniquer()
    return {
        computation.name: {
            instruction.name: uniquer.name(instruction.name)
            for instruction in computation.instructions
        }
        for computation in module.computations
    }
