"""The operations that ``benchmarks/ops.py`` measures: one table per family."""

from typing import Final

from benchmarks.op_cases import contraction, control, elementwise, movement, reduction, sorting
from benchmarks.op_cases.case import Case

CASES: Final[tuple[Case, ...]] = (
    *elementwise.CASES,
    *movement.CASES,
    *sorting.CASES,
    *reduction.CASES,
    *contraction.CASES,
    *control.CASES,
)
