"""Results of HLO programs beside XLA's: interpreted and compiled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from stablemate.xla.primitive_types import PrimitiveType
from tests.oracle.client import Oracle, OracleError
from tests.properties.hlo_parity.drafts import Draft
from tests.properties.hlo_parity.elementwise import CLOSE, Case, program
from tests.xla.translation import results, translated

Array = npt.NDArray[Any]

BACKENDS: Final = ("interpreter", "cpu")
# How far functions that XLA approximates may be off, by type of the result; others are exact. In
# types of eight bits and less, XLA rounds twice.
TOLERANCES: Final = {
    **{"f16": 4e-3, "bf16": 2e-2, "f32": 5e-6, "f64": 1e-12, "c64": 1e-4, "c128": 1e-10},
}
ROUNDED_TWICE: Final = 0.5


class HloValues:
    """Compares results.

    Attributes:
        oracle: XLA.
        differences: What was found.
        outcomes: How many results were equal, and so on.
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self.differences: list[str] = []
        self.outcomes: Counter[str] = Counter()

    def compare(self, draft: Draft) -> None:
        """Runs a drawn program."""
        if not draft.results:
            return
        text = draft.text()
        expected = self.expected(text, draft.arguments)
        if expected is None:
            return
        close = 2e-2 if draft.element in ("f16", "bf16") else 1e-4
        module = translated(text)
        for backend in BACKENDS:
            outcome = results(module, draft.arguments, backend)
            for (name, _), ours, theirs in zip(draft.results, outcome, expected, strict=True):
                line = next(line for line in draft.lines if line.startswith(f"{name} = "))
                self.judge(f"{backend}: {line}\n{text}", ours, theirs, close, draft.arguments)

    def compare_cases(self, cases: Sequence[Case]) -> None:
        """Runs elementwise operations on special values, all in one program."""
        text, arguments = program(cases, constant=False)
        expected = self.expected(text, arguments)
        if expected is None:
            if len(cases) > 1:
                for item in cases:
                    self.compare_cases([item])
            return
        module = translated(text)
        for backend in BACKENDS:
            outcome = results(module, arguments, backend)
            for case, ours, theirs in zip(cases, outcome, expected, strict=True):
                tolerance = tolerance_of(case)
                self.judge(f"{backend}: {case.name}", ours, theirs, tolerance, case.operands)

    def expected(self, text: str, arguments: Sequence[Array]) -> list[Array] | None:
        """XLA's results; None where it has none."""
        try:
            return list(self.oracle.hlo_run(text, *arguments))
        except OracleError:
            self.outcomes["XLA has no result"] += 1
            return None

    def judge(
        self, name: str, ours: Array, theirs: Array, tolerance: float, operands: Sequence[Array]
    ) -> None:
        """Notes whether two results are equal."""
        wrong = different(np.asarray(ours), np.asarray(theirs), tolerance)
        if not wrong.any():
            self.outcomes["equal"] += 1
            return
        self.outcomes["different"] += 1
        place = tuple(np.argwhere(wrong)[0].tolist())
        values = [operand[place] for operand in operands if operand.shape == ours.shape]
        self.differences.append(f"{name}\nat {place}, {values}: {ours[place]}, XLA {theirs[place]}")


def tolerance_of(case: Case) -> float:
    """How far a result may be off."""
    if case.opcode in CLOSE or case.result.family == "complex":
        return TOLERANCES.get(case.result.name, ROUNDED_TWICE)
    return 0.0


def different(ours: Array, theirs: Array, tolerance: float) -> npt.NDArray[np.bool_]:
    """Where results differ; NaN equals NaN, and numbers that XLA flushes to zero are zero."""
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return np.ones(ours.shape or (1,), np.bool_)
    if ours.dtype.kind in "biu":
        return np.asarray(ours != theirs)
    if ours.dtype.kind == "c":
        return different(ours.real, theirs.real, tolerance) | different(
            ours.imag, theirs.imag, tolerance
        )
    a, b = ours.astype(np.float64), theirs.astype(np.float64)
    with np.errstate(all="ignore"):
        equal = (a == b) | (np.isnan(a) & np.isnan(b))
        if tolerance:
            equal |= np.abs(a - b) <= tolerance * np.maximum(1, np.maximum(np.abs(a), np.abs(b)))
        else:
            equal &= (np.signbit(a) == np.signbit(b)) | np.isnan(a)
        small = least_normal(ours.dtype)
        return np.asarray(~(equal | ((np.abs(a) < small) & (np.abs(b) < small) & (a != b))))


def least_normal(dtype: np.dtype[Any]) -> float:
    """What XLA flushes is smaller."""
    return {"float32": 1.1754944e-38, "bfloat16": 1.1754944e-38, "float64": 2.3e-308}.get(
        dtype.name, 0.0
    )


def is_compared(case: Case) -> bool:
    """Whether XLA's answer is one; docs/choices.md has the others."""
    if case.opcode == "power" and case.result.is_integral:
        return False  # exponents are taken modulo 64
    if case.opcode == "popcnt" and case.result.name in ("s2", "s4"):
        return False  # bits of the byte around it
    return "TOTALORDER" not in case.tail or not is_narrow(case.types[0])


def is_narrow(element: PrimitiveType) -> bool:
    """Whether XLA loses payloads of not-a-numbers on the way."""
    return element.bits < 16
