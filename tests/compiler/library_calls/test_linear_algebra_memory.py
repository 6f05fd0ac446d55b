"""Routines of linear algebra between pages that nobody may touch, again, and with one thread.

``pytest -m nightly tests/compiler/library_calls/test_linear_algebra_memory.py`` runs many programs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.compiler.child_processes import Child
from tests.compiler.linear_algebra_programs import seeded_programs
from tests.compiler.variants import Variant
from tests.properties.generation.native import computed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the system has no mprotect")


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    """Where native code runs."""
    with Child(patience=600) as child:
        yield child


def assert_same_in_guarded_memory(child: Child, count: int) -> None:
    """Runs programs twice, in guarded memory, and with one thread, checked and not."""
    for number, (_, text, arguments) in enumerate(seeded_programs("guarded", 0, count)):
        variant = Variant(fuse=True, threads=2, check=number % 2 == 0)
        how, results = child.ask(computed, text, arguments, variant, False)
        assert "guarded" in how
        assert results


def test_a_few_programs(child: Child) -> None:
    assert_same_in_guarded_memory(child, 6)


@pytest.mark.standard
def test_more_programs(child: Child) -> None:
    assert_same_in_guarded_memory(child, 60)


@pytest.mark.nightly
def test_many_programs(child: Child) -> None:
    assert_same_in_guarded_memory(child, 1500)
