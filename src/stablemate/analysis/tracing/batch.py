"""Batches: events as columns, as the recorder keeps them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from stablemate.analysis.conditions import TraceCondition
from stablemate.analysis.tracing.event import numbers_of
from stablemate.analysis.tracing.watched import Watched
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import Array


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """Events in the order of the run; n of them with m results.

    Attributes:
        keys: Which operation each is of; ``(n,)``.
        frames: The frame in which each happened; ``(n,)``.
        occurrences: How often its operation had run before; ``(n,)``, none until that is counted.
        firsts: The first result of each, and m; ``(n + 1,)``.
        rows: The statistics of each result; ``(m, 12)``.
        imaginary: Those of imaginary parts, by result.
        shapes: The sizes of results whose types leave them open.
        kept: What gives the elements of results that are kept.
        values: The results themselves; none once they have been looked at.
    """

    keys: Array
    frames: Array
    occurrences: Array
    firsts: Array
    rows: Array
    imaginary: Mapping[int, Array]
    shapes: Mapping[int, tuple[int, ...]]
    kept: dict[int, Callable[[], Array]]
    values: Sequence[object]

    def __len__(self) -> int:
        return len(self.keys)

    def without_values(self) -> Batch:
        """The same without the results themselves."""
        return replace(self, values=())

    def first(self, count: int) -> Batch:
        """Selects the first ``count`` events."""
        return self.select(np.arange(count))

    def select(self, events: Array) -> Batch:
        """Some events, by their numbers."""
        widths = np.diff(self.firsts)[events]
        firsts = np.concatenate([[0], np.cumsum(widths)])
        starts: Array = np.repeat(self.firsts[:-1][events] - firsts[:-1], widths)
        results: Array = np.add(starts, np.arange(int(firsts[-1])))
        numbers: list[int] = results.tolist()
        new = {old: i for i, old in enumerate(numbers)}
        values = [self.values[i] for i in numbers] if len(self.values) else ()
        return Batch(
            self.keys[events],
            self.frames[events],
            self.occurrences[events] if len(self.occurrences) else self.occurrences,
            firsts,
            self.rows[results],
            {new[i]: row for i, row in self.imaginary.items() if i in new},
            {new[i]: shape for i, shape in self.shapes.items() if i in new},
            {},
            values,
        )

    def filter(self, condition: TraceCondition | None, watched: Sequence[Watched]) -> Batch:
        """Returns the events with a result for which a condition holds."""
        if condition is None:
            return self
        holds = np.zeros(len(self.rows), bool)
        keys: list[int] = self.keys.tolist()
        kinds = [kind for key in keys for kind in watched[key].kinds]
        groups: dict[tuple[bool, bool], list[int]] = {}
        for i, kind in enumerate(kinds):
            groups.setdefault((kind.is_float, kind.scan_dtype.kind == "u"), []).append(i)
        for (is_float, is_unsigned), members in groups.items():
            rows = self.rows[members]
            numbers = numbers_of(rows, is_float=is_float, is_unsigned=is_unsigned)
            holds[members] = condition(numbers)
        for i, row in self.imaginary.items():
            numbers = numbers_of(row.reshape(1, -1), is_float=True)
            holds[i] |= bool(np.all(condition(numbers)))
        owners = np.repeat(np.arange(len(self)), np.diff(self.firsts))
        events = np.unique(owners[holds])
        return self if len(events) == len(self) else self.select(events)
