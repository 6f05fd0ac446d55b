"""Reach: the least and the greatest value that an index takes, by trying all of them.

The range that an index carries is that of its parts, each by itself; where quotients and remainders
of one index are added it may be wider than what is reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np

from stablemate.compiler.nest.expressions import Expression

MOST: Final = 1 << 24  # values that are tried


def reach_of(place: Expression) -> tuple[int, int]:
    """The least and the greatest value of an index; its range where it depends on too much."""
    atoms = sorted(place.loops, key=lambda atom: str(atom.detail))
    counts = [1 + atom.high for atom in atoms]
    if prod(counts) > MOST or not is_of_indices(place):
        return place.low, place.high
    grids = np.meshgrid(*map(np.arange, counts), indexing="ij", sparse=True)
    values = np.asarray(value_of(place, dict(zip(atoms, grids, strict=True))))
    return int(values.min()), int(values.max())


def is_of_indices(place: Expression) -> bool:
    """Whether an index is computed from those of loops alone."""
    pending = [place]
    while pending:
        last = pending.pop()
        if last.operator not in STEPS and last.operator not in ("index", "sum"):
            return False
        pending += last.operands
    return True


def value_of(place: Expression, values: dict[Expression, Any]) -> Any:
    """The values of an index for those of the loops."""
    if place not in values:
        operands = [value_of(each, values) for each in place.operands]
        values[place] = (
            summed(place, operands) if place.operator == "sum" else stepped(place, operands)
        )
    return values[place]


def summed(place: Expression, operands: Sequence[Any]) -> Any:
    """The values of a sum."""
    detail: Any = place.detail
    return sum(
        (c * each for c, each in zip(detail[1:], operands, strict=True)), np.int64(detail[0])
    )


def stepped(place: Expression, operands: Sequence[Any]) -> Any:
    """The values of what is computed with a constant."""
    return STEPS[place.operator](operands[0], place.detail)


STEPS: Final = {
    "quotient": np.floor_divide,
    "remainder": np.remainder,
    "least": np.minimum,
    "greatest": np.maximum,
}
