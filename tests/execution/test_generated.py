"""Generated programs on grids: interpreted and native, again and again; upstream for some."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.execution.campaign import difference
from tests.oracle.client import Oracle

PROGRAMS = 60
UPSTREAM = 8


@pytest.mark.parametrize("number", range(PROGRAMS))
def test_native_code_gives_what_the_interpreter_gives(number: int) -> None:
    assert not difference(f"0:{number}", 8, None, Counter())


def test_programs_exchange_again_by_themselves() -> None:
    counts = Counter[str]()
    for number in range(16):
        assert not difference(f"1:{number}", 8, None, counts)
    assert counts["rounds"] > 4


@pytest.mark.parametrize("number", range(UPSTREAM))
def test_upstream_gives_the_same(number: int) -> None:
    most = len(os.sched_getaffinity(0))
    if most < 2:
        pytest.skip("the upstream interpreter runs as many processes as there are processors")
    with Oracle() as oracle:
        assert not difference(f"2:{number}", most, oracle, Counter())
