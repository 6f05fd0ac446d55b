"""The operations that ``benchmarks/ops.py`` measures: one table per family."""

from collections.abc import Mapping, Sequence
from typing import Final

from benchmarks.op_cases import (
    contraction,
    control,
    elementwise,
    movement,
    reduction,
    sorting,
)
from benchmarks.op_cases.case import Case

FAMILIES: Final[Mapping[str, Sequence[Case]]] = {
    "elementwise": elementwise.CASES,
    "moving and making elements": movement.CASES,
    "sorting": sorting.CASES,
    "reductions, windows, normalization": reduction.CASES,
    "contractions, transforms, linear algebra": contraction.CASES,
    "control flow, sizes, collectives": control.CASES,
}
CASES: Final = tuple(case for cases in FAMILIES.values() for case in cases)
