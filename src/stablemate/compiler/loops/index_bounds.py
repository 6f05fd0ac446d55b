"""The minimum and maximum of an index expression, by enumeration.

The range that an index carries is that of its parts, each by itself; where quotients and remainders
of one index are added it may be wider than what is reached. Symbolic sizes have their typical
values here.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.traversal import evaluate_postorder
from stablemate.numerics.symbolic_sizes import typical_of

# An exact bound takes time for each value that is tried; beyond, the bound of intervals is taken,
# which may keep a check that is not needed.
MAX_ENUMERATED: Final = 1 << 24  # values that are tried


def bounds_of(place: Expression) -> tuple[int, int]:
    """The least and the greatest value of an index; its range where it depends on too much."""
    atoms = sorted(place.loops, key=lambda atom: str(atom.detail))
    counts = [1 + typical_of(atom.high) for atom in atoms]
    if not is_of_indices(place):
        return typical_of(place.low), typical_of(place.high)
    if prod(counts) > MAX_ENUMERATED:
        return interval_of(place)
    grids = np.meshgrid(*map(np.arange, counts), indexing="ij", sparse=True)
    values = np.asarray(value_of(place, dict(zip(atoms, grids, strict=True))))
    return int(values.min()), int(values.max())


def interval_of(root: Expression) -> tuple[int, int]:
    """Bounds of an index of the typical sizes, from those of what it is computed from."""
    bounds: dict[Expression, tuple[int, int]] = {}
    pending = [root]
    while pending:
        place = pending[-1]
        missing = [operand for operand in place.operands if operand not in bounds]
        if missing:
            pending += missing
            continue
        pending.pop()
        low, high = typical_of(place.low), typical_of(place.high)
        if place.operator in ("least", "greatest", "sum"):
            ends = [bounds[operand] for operand in place.operands]
            inner = sum_of(place, ends) if place.operator == "sum" else clip_bounds(place, ends)
            low, high = max(low, inner[0]), min(high, inner[1])
        bounds[place] = low, high
    return bounds[root]


def sum_of(place: Expression, ends: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The bounds of a sum of indices with these bounds."""
    constant, *coefficients = map(typical_of, place.detail)
    parts = [sorted((c * low, c * high)) for c, (low, high) in zip(coefficients, ends, strict=True)]
    return constant + sum(low for low, _ in parts), constant + sum(high for _, high in parts)


def clip_bounds(place: Expression, ends: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The bounds of the least or the greatest of an index with these bounds and a limit."""
    choose = min if place.operator == "least" else max
    ((low, high),), limit = ends, typical_of(place.detail)
    return choose(low, limit), choose(high, limit)


def is_of_indices(place: Expression) -> bool:
    """Whether an index is computed from loop indices alone."""
    pending = [place]
    while pending:
        last = pending.pop()
        if last.operator not in STEPS and last.operator not in ("index", "sum"):
            return False
        pending += last.operands
    return True


def value_of(root: Expression, values: dict[Expression, Any]) -> object:
    """The values of an index for those of the loops."""

    def value(part: Expression) -> Any:
        detail: Any = part.detail
        operands = [values[operand] for operand in part.operands]
        if part.operator != "sum":
            return STEPS[part.operator](operands[0], typical_of(detail))
        constant, *coefficients = map(typical_of, detail)
        terms = zip(coefficients, operands, strict=True)
        return sum((c * term for c, term in terms), np.int64(constant))

    return evaluate_postorder(root, values, value)


STEPS: Final = {
    "quotient": np.floor_divide,
    "remainder": np.remainder,
    "least": np.minimum,
    "greatest": np.maximum,
}
