"""Overlays: numbers of operations by which a page colors them.

Any tool can write one: ``{"name": "time", "unit": "s", "kind": "time", "values": {"17": 0.002}}``,
where the keys are places of operations in the walk over the program, from 0, outermost first; of
HLO, places of instructions in the order of the text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Final, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError

# How colors follow numbers, and what the number of a box is that holds several operations.
KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "time": ("linear", "sum"),
    "bytes": ("log", "sum"),
    "flops": ("log", "sum"),
    "count": ("linear", "sum"),
    "error": ("log", "max"),
    "nan": ("flag", "sum"),
    "magnitude": ("log", "max"),
    "value": ("linear", "max"),
}


@dataclass(frozen=True, slots=True)
class Overlay:
    """Numbers of operations.

    Attributes:
        name: What they are.
        unit: Their unit; may be empty.
        kind: One of ``KINDS``: ``time``, ``bytes``, ``flops``, ``count``, ``error``, ``nan`` (how
            many; any is a finding), ``magnitude``, ``value``.
        values: The number of each operation that has one, by its place in the walk.

    Raises:
        ArgumentValueError: There is no such kind.
    """

    name: str
    unit: str
    kind: str
    values: Mapping[int, float]

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            listed = ", ".join(KINDS)
            raise ArgumentValueError(f"no kind of overlay is called {self.kind!r}; known: {listed}")

    def to_json(self) -> dict[str, object]:
        """As JSON has it, with the scale of its colors and how numbers of a box are joined."""
        scale, total = KINDS[self.kind]
        return {
            "name": self.name,
            "unit": self.unit,
            "kind": self.kind,
            "scale": scale,
            "total": total,
            "values": {str(k): finite(v) for k, v in self.values.items()},
        }


def finite(value: float) -> float | str:
    """A number as JSON can say it; JSON knows neither infinities nor not-a-numbers."""
    return value if math.isfinite(value) else str(value)


def overlays_of_text(text: str, name: str) -> list[Overlay]:
    """The overlays in a JSON text: one, or a list of them.

    Args:
        text: The text.
        name: What messages call it.

    Raises:
        ArgumentValueError: It is no JSON, or no overlay.
    """
    try:
        document: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArgumentValueError(f"{name} is no JSON: {error}") from None
    several: list[object] = document if text.lstrip().startswith("[") else [document]
    return [overlay_of(entry, name) for entry in several]


def overlay_of(document: object, name: str) -> Overlay:
    """The overlay in a value of JSON.

    Raises:
        ArgumentValueError: It is none.
    """
    entries = cast(dict[str, object], document) if isinstance(document, dict) else {}
    entry = entries.get("values")
    if not isinstance(entry, dict):
        raise ArgumentValueError(f"{name} is no overlay: an object with 'values' is expected")
    entries_json = cast(dict[str, object], entry)
    kind = str(entries.get("kind", "value"))
    values = {operation_number(k, name): number_of(k, v, name) for k, v in entries_json.items()}
    return Overlay(str(entries.get("name", kind)), str(entries.get("unit", "")), kind, values)


def operation_number(key: str, name: str) -> int:
    """The place of an operation."""
    if not (key.isascii() and key.isdigit()) or len(key) > 9:
        raise ArgumentValueError(f"{name}: {key!r} is no number of an operation")
    return int(key)


def number_of(key: str, value: object, name: str) -> float:
    """The number of an operation; ``"nan"`` and ``"inf"`` encode what JSON has no numbers for."""
    try:
        if not isinstance(value, bool | int | float | str):
            raise ValueError
        return float(value)
    except (ValueError, OverflowError):
        raise ArgumentValueError(f"{name}: the value of operation {key} is no number") from None
