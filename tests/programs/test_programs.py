"""Whole models: what the benchmarks export loads, verifies, prints, and agrees with XLA."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.execution.executable import Executable
from tests.oracle.client import Oracle
from tests.programs.program import Array, load_program, programs

# Largest error, relative to the largest value of the result. Sums in another order, and functions
# that are right within an ulp or two, give some 1e-6 in f32.
TOLERANCE: Final = 4e-6
# Programs in bf16: XLA keeps wider intermediate results, a rounding of bf16 is 4e-3.
BF16_TOLERANCE: Final = 2e-2
EXACT: Final = frozenset({"argtopk", "sort"})


def relative_error(ours: object, theirs: object) -> float:
    """The largest difference, relative to the largest value."""
    a, b = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    return float(np.max(np.abs(a - b), initial=0) / (np.max(np.abs(b), initial=0) or 1))


@pytest.mark.parametrize("name", programs())
def test_program_prints_and_reparses_to_the_same_module(name: str) -> None:
    text, _ = load_program(name)
    module = sm.load(text)
    module.verify()
    assert module.to_text() == text
    for generic in (False, True):
        again = sm.load(module.to_text(generic=generic))
        assert module.difference(again) == ""


@pytest.mark.parametrize("name", programs())
def test_program_agrees_with_xla(name: str, oracle: Oracle) -> None:
    text, arrays = load_program(name)
    results = sm.run(text, *arrays)
    results = results if isinstance(results, tuple) else (results,)
    expected = oracle.xla(text, *arrays)
    tolerance = BF16_TOLERANCE if "bf16" in name else 0 if name in EXACT else TOLERANCE
    for ours, theirs in zip(results, expected, strict=True):
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        assert relative_error(ours, theirs) <= tolerance


@pytest.mark.parametrize("name", programs())
def test_arguments_are_left_as_they_were(name: str) -> None:
    text, arrays = load_program(name)
    before = [array.copy() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    sm.run(text, *arrays)
    for a, b in zip(before, arrays, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", programs())
def test_runs_repeat_to_the_bit(name: str) -> None:
    text, arrays = load_program(name)
    executable = sm.compile(sm.load(text))
    runs = [executable(*arrays) for _ in range(2)]
    first, second = (run if isinstance(run, tuple) else (run,) for run in runs)
    for a, b in zip(first, second, strict=True):
        assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("name", programs())
def test_checked_code_stays_in_its_memory_and_gives_the_same_bits(name: str) -> None:
    text, arrays = load_program(name)
    module = sm.load(text)
    executables = [sm.compile(module, check=check) for check in (False, True)]
    plain, checked = ([np.asarray(x) for x in results_of(e, arrays)] for e in executables)
    for a, b in zip(plain, checked, strict=True):
        assert a.tobytes() == b.tobytes()


def results_of(executable: Executable, arrays: Sequence[Array]) -> Sequence[Any]:
    """What a call returns, as a sequence."""
    executable_result: Any = executable(*arrays)
    return executable_result if isinstance(executable_result, tuple) else (executable_result,)
