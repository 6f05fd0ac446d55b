"""Compares the results of a call with what they must satisfy, and with XLA's."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

import stablemate as sm
from tests.compiler.linear_algebra.cases import Case, disturbed, operands_of
from tests.compiler.linear_algebra.programs import results_of, text_of
from tests.compiler.linear_algebra.residuals import Arrays
from tests.compiler.linear_algebra.routines import BELOW
from tests.oracle.client import Oracle, OracleAborted, OracleRejected

BOUND: Final = 40  # of residuals, in rounding errors times the order
SECONDS: Final = 20  # of processor time that a call with numbers that are not finite may take
XLA_SECONDS: Final = 60.0
# LAPACK iterates for seconds or for ever on what is not finite, and its statuses and results say
# little then: docs/choices.md. Ours are NaN with a status of their own.
ITERATIVE: Final = ("syevd", "gesdd", "geev", "gees")


def outputs(executable: Callable[..., Any], operands: Sequence[Any]) -> list[Any]:
    """The results of a call."""
    outcome = executable(*operands)
    return [np.asarray(result) for result in listed(outcome)]


def listed(outcome: Any) -> Sequence[Any]:
    """The results, of which there may be one."""
    is_one = hasattr(outcome, "shape")
    return [outcome] if is_one else outcome


def findings(case: Case, oracle: Oracle | None) -> list[str]:
    """What is wrong with a case."""
    operands = operands_of(case)
    run = sm.compile(sm.load(text_of(case, operands, case.form)))
    found = outputs(run, operands)
    reported = findings_of_results(case, operands, found, oracle)
    if case.form != "call" and not reported:
        plain = outputs(sm.compile(sm.load(text_of(case, operands, "call"))), operands)
        reported += [
            f"result {place} of the {case.form} has other bits than that of one call"
            for place, (one, two) in enumerate(zip(found, plain, strict=True))
            if one.tobytes() != two.tobytes()
        ]
    if case.batch and operands[0].size:
        reported += findings_of_numbers(case, run, operands, found, oracle)
    return reported


def findings_of_results(
    case: Case, operands: Sequence[Any], found: Arrays, oracle: Oracle | None
) -> list[str]:
    """What is wrong with the results for finite matrices."""
    theirs = None if oracle is None else xla(case, operands, oracle)
    finite = finite_matrices(case, found) & (status_of(case, found) == 0)
    reported: list[str] = []
    if theirs is not None:
        reported += compared(case, found, theirs)
        finite = finite & finite_matrices(case, theirs)
    if finite.any():
        worst = residuals(case, [x[finite] for x in operands], [x[finite] for x in found])
        if not all(residual <= BOUND for residual in worst):
            reported.append(f"residuals {worst}")
    return reported


def xla(case: Case, operands: Sequence[Any], oracle: Oracle) -> list[Any] | None:
    """XLA's results; None if it does not answer in time or takes no such sizes."""
    try:
        text = text_of(case, operands, "call")
        return list(oracle.xla(text, *operands, timeout=XLA_SECONDS))
    except (OracleAborted, OracleRejected):
        return None


def finite_matrices(case: Case, found: Arrays) -> Any:
    """Of which matrices all defined numbers are finite."""
    finite = np.ones(case.batch, bool)
    for result, array in zip(results_of(case), found, strict=True):
        if result.is_defined and array.dtype.kind != "i":
            finite &= np.isfinite(array).reshape(case.batch, math.prod(array.shape[1:])).all(axis=1)
    return finite


def compared(case: Case, found: Arrays, theirs: Arrays) -> list[str]:
    """Which matrices have another status than XLA's, or finite results there only.

    The results of a failure are not defined; LAPACK's for tiny matrices may be not finite. Of a
    matrix without elements XLA's status says that its leading dimension is illegal.
    """
    shapes = [(x.shape, x.dtype) for x in found]
    if shapes != [(x.shape, x.dtype) for x in theirs]:
        return [f"shapes {shapes} are not XLA's"]
    if not case.sizes.n:
        return []
    statuses = [status_of(case, x) for x in (found, theirs)]
    succeeds = (statuses[0] == 0) & (statuses[1] == 0)
    finite = [finite_matrices(case, x) & succeeds for x in (found, theirs)]
    finite[0] &= finite[1]
    return [
        f"{what} of matrices {np.flatnonzero(one != two)[:4]} is {one[one != two][:4]}, "
        f"XLA's {two[one != two][:4]}"
        for what, (one, two) in (("status", statuses), ("finiteness", finite))
        if not np.array_equal(one, two)
    ]


def status_of(case: Case, found: Arrays) -> Any:
    """The statuses, zero if there are none."""
    return found[-1] if case.routine.status else np.zeros(case.batch, np.int32)


def findings_of_numbers(
    case: Case, run: Any, operands: Sequence[Any], found: Arrays, oracle: Oracle | None
) -> list[str]:
    """What is wrong if a matrix of the batch is not finite."""
    others, number = disturbed(case, operands)
    begun = time.process_time()
    again = outputs(run, others)
    reported: list[str] = []
    if time.process_time() - begun > SECONDS:
        reported.append("takes long if a matrix is not finite")
    rest = np.arange(case.batch) != number
    for place, (one, two) in enumerate(zip(found, again, strict=True)):
        if one[rest].tobytes() != two[rest].tobytes():
            places = [k for k in np.flatnonzero(rest) if one[k].tobytes() != two[k].tobytes()]
            reported.append(f"result {place} of matrices {places[:4]} depends on matrix {number}")
    if case.name in ITERATIVE:
        if finite_matrices(case, again)[number] and not status_of(case, again)[number]:
            reported.append(f"matrix {number} is not finite, all results are")
        return reported
    theirs = None if oracle is None else xla(case, others, oracle)
    if theirs is not None:
        usable = [finite_matrices(case, x) & (status_of(case, x) == 0) for x in (again, theirs)]
        if usable[0][number] != usable[1][number]:
            origin = np.argwhere(~np.isfinite(others[0][number])).tolist()[:1]
            reported.append(
                f"matrix {number}, not finite at {origin}: {usable[0][number]} for XLA's"
            )
    return reported


def wide(array: Any) -> Any:
    """Numbers in the widest type, integers as they are."""
    kind = array.dtype.kind
    return array if kind == "i" else array.astype(np.complex128 if kind == "c" else np.float64)


def residuals(case: Case, operands: Arrays, found: Arrays) -> list[float]:
    """The largest residuals in rounding errors times the order."""
    scale, routine, s = 1.0, case.routine, case.sizes
    if case.is_scaled:  # exact in float64, where nothing overflows
        largest = float(np.abs(wide(operands[0])).max(initial=0)) or 1.0
        scale = 2.0 ** -round(np.log2(largest))
    wanted = [wide(x) for x in found]
    places = [*routine.scaled, *([1] if case.name == "geev" and not s.is_complex else [])]
    for place in places:
        exponent = 0.5 if routine.operands == "definite" else 1.0
        wanted[place] = scaled(case, wanted[place], scale**exponent)
    errors = routine.errors([wide(x) * scale for x in operands], wanted, case.options)
    unit = np.finfo(case.dtype).eps * max(s.m, s.n, s.k, 1)
    return [float(np.max(error, initial=0)) / float(unit) for error in errors]


def scaled(case: Case, values: Any, factor: float) -> Any:
    """A result of a matrix that was multiplied by a number."""
    if values.ndim < 3 or case.name not in BELOW:
        return values * factor
    if case.options.get("uplo") == "U":
        above = np.triu(values, -BELOW[case.name])
        return (values - above) * factor + above
    below = np.tril(values, BELOW[case.name])
    return (values - below) * factor + below
