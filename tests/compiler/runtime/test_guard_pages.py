"""Examples and programs between pages that nobody may touch: no access leaves its buffer.

``pytest -m nightly tests/compiler/runtime/test_guard_pages.py`` runs all of them, for three
machines, at both ends of their pages; some of them run every time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.executable import CompiledExecutable
from tests.compiler.child_processes import Child, Fault
from tests.compiler.codegen.test_bounds_checks import (
    STEP,
    TEXT,
    VALUES,
    Changed,
    copied,
    launching,
    loop,
    nothing,
)
from tests.compiler.guard_pages import guarded
from tests.compiler.plan.test_plan_evaluator import SHORT
from tests.compiler.test_examples import FILES, check_examples, loaded
from tests.compiler.variants import Variant
from tests.programs.program import load_program, programs
from tests.properties.generation.tolerances import differs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the system has no mprotect")
VARIANTS: Final = [
    *(Variant(fuse, 2, machine) for machine in ("", "avx2", "sse2") for fuse in (True, False))
]
SHARE: Final = 40  # one of so many files is run every time, with one of the variants
N: Final = len(VALUES)


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    """Where native code runs."""
    with Child(patience=600) as child:
        yield child


# ---- what is outside is a fault


class Wrong(Changed):
    """A program whose plan was changed, without checks in its code."""

    def __init__(self, change: Any) -> None:
        self.change = change
        interpreted: Any = sm.load(TEXT).executable("main", backend="interpreter")
        CompiledExecutable.__init__(self, interpreted, options=CompileOptions(fuse=False))


CHANGES: Final = {
    "nothing": nothing,
    "load behind": launching(loop(N, copied(STEP, STEP + 1))),
    "load before": launching(loop(N, copied(STEP, STEP - 1))),
    "store behind": launching(loop(N, copied(STEP + 1, STEP))),
    "store before": launching(loop(N, copied(STEP - 1, STEP))),
}


def ran(change: str, at_end: bool) -> bool:
    """Runs the program with a change."""
    guarded(Wrong(CHANGES[change]), [VALUES], at_end=at_end)
    return True


@pytest.mark.standard
@pytest.mark.parametrize("at_end", [True, False], ids=["at the end", "at the beginning"])
def test_what_stays_inside_runs(at_end: bool, child: Child) -> None:
    assert child.ask(ran, "nothing", at_end)


@pytest.mark.parametrize("change", [change for change in CHANGES if change != "nothing"])
def test_one_element_beyond_is_a_fault(change: str, child: Child) -> None:
    with pytest.raises(Fault, match=r"SIGSEGV|SIGBUS"):
        child.ask(ran, change, change.endswith("behind"))


# ---- nothing goes there


def outcome(file: str, name: str, variant: Variant) -> str:
    """What is wrong with an example in guarded memory; empty if nothing is."""
    executable = variant.compiled(loaded(file), name)
    if isinstance(executable, CompiledExecutable) and not executable.runs_as_process:
        try:
            for at_end in (True, False):
                guarded(executable, (), at_end=at_end)
        except sm.StablemateError as error:
            return str(error)
    return ""


def outcome_of_program(name: str, variant: Variant) -> str:
    """What is wrong with a program in guarded memory; empty if nothing is."""
    text, arguments = load_program(name)
    executable = variant.compiled(sm.load(text))
    assert isinstance(executable, CompiledExecutable), executable.fallback
    expected = [np.array(argument) for argument in executable.run(arguments)]
    for at_end in (True, False):
        guarded_value = guarded(executable, arguments, at_end=at_end)
        for number, (one, other) in enumerate(zip(guarded_value, expected, strict=True)):
            if differs(one, other).any():
                return f"result {number} is another one"
    return ""


@pytest.mark.parametrize(
    ("file", "variant"),
    [(file, VARIANTS[i % len(VARIANTS)]) for i, file in enumerate(FILES[::SHARE])],
    ids=str,
)
def test_some_examples_stay_inside(file: str, variant: Variant, child: Child) -> None:
    check_examples(outcome, file, variant, child)


@pytest.mark.nightly
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("file", FILES)
def test_examples_stay_inside(file: str, variant: Variant, child: Child) -> None:
    check_examples(outcome, file, variant, child)


@pytest.mark.parametrize("name", sorted(SHORT & {*programs()}))
def test_short_programs_stay_inside(name: str, child: Child) -> None:
    assert not child.ask(outcome_of_program, name, Variant())


@pytest.mark.nightly
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("name", programs())
def test_programs_stay_inside(name: str, variant: Variant, child: Child) -> None:
    if not variant.runs:
        pytest.skip(f"this machine has no {variant.machine}")
    assert not child.ask(outcome_of_program, name, variant)
