"""Assertions about programs; ``plugin`` is loaded by pytest."""

from __future__ import annotations

from stablemate.analysis.tolerance import Tolerance
from stablemate.api.inspection.structure import diff
from stablemate.api.module import Module
from stablemate.debugging.comparison import compare
from stablemate.formats.recognition import Readable


def assert_programs_equal(actual: Readable | Module, expected: Readable | Module) -> None:
    """Asserts that two programs are the same by structure: names, places and formats do not count.

    Raises:
        AssertionError: They are not; it lists what differs, with lines.
    """
    __tracebackhide__ = True
    result = diff(expected, actual)
    if not result.equal:
        raise AssertionError(f"the programs differ (- expected, + actual):\n{result}")


def assert_results_match(
    actual: Readable | Module, expected: Readable | Module, *arguments: object,
    backend: str = "cpu", ulp: int | None = None, atol: float | None = None,
    rtol: float | None = None,
) -> None:  # fmt: skip
    """Asserts that two programs have the same results for some arguments.

    Args:
        actual: The one.
        expected: The other.
        *arguments: What both take.
        backend: What runs them: ``cpu``, ``interpreter`` or ``xla``.
        ulp: Near enough is at most as many representable numbers apart.
        atol: Near enough is ``|actual - expected| <= atol + rtol * |expected|``.
        rtol: See ``atol``. Without the three, half of the digits of a float have to agree.

    Raises:
        AssertionError: They do not; it lists the results, and where the values part first.
    """
    __tracebackhide__ = True
    tolerance = Tolerance.from_options(ulp, atol, rtol)
    result = compare(actual, *arguments, other=expected, backend=backend, tolerance=tolerance)
    if not result.matches:
        raise AssertionError(f"the results differ:\n{result}")
