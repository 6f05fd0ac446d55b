"""The minimum and maximum of an index expression, by enumeration.

The range that an index carries is that of its parts, each by itself; where quotients and remainders
of one index are added it may be wider than what is reached. Symbolic sizes have their typical
values here.
"""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.traversal import evaluate_postorder
from stablemate.numerics.symbolic_sizes import typical_of

MAX_ENUMERATED: Final = 1 << 24  # values that are tried


def bounds_of(place: Expression) -> tuple[int, int]:
    """The least and the greatest value of an index; its range where it depends on too much."""
    atoms = sorted(place.loops, key=lambda atom: str(atom.detail))
    counts = [1 + typical_of(atom.high) for atom in atoms]
    if prod(counts) > MAX_ENUMERATED or not is_of_indices(place):
        return typical_of(place.low), typical_of(place.high)
    grids = np.meshgrid(*map(np.arange, counts), indexing="ij", sparse=True)
    values = np.asarray(value_of(place, dict(zip(atoms, grids, strict=True))))
    return int(values.min()), int(values.max())


def is_of_indices(place: Expression) -> bool:
    """Whether an index is computed from loop indices alone."""
    pending = [place]
    while pending:
        last = pending.pop()
        if last.operator not in STEPS and last.operator not in ("index", "sum"):
            return False
        pending += last.operands
    return True


def value_of(root: Expression, values: dict[Expression, Any]) -> Any:
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
