"""Examples: a program for each operation, executed when its page is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from stablemate.deferred_dataclasses import dataclass

SEPARATOR: Final = re.compile(r"^// ----- (\S+)\n", re.MULTILINE)
HOME: Final = "stablemate.analysis.explain"


@dataclass(frozen=True, slots=True)
class Example:
    """A program that uses an operation.

    Attributes:
        name: The operation.
        text: The program, whose entry takes nothing.
    """

    name: str
    text: str


@cache
def examples_of(dialect: str) -> Mapping[str, Example]:
    """The examples of a dialect by operation; none if there are none."""
    file = files(HOME) / "examples" / f"{dialect}.mlir"
    if not file.is_file():
        return {}
    _, *parts = SEPARATOR.split(file.read_text(encoding="utf-8"))
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return {name: Example(name, text.rstrip("\n") + "\n") for name, text in pairs}
