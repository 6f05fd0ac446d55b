"""Programs with attributes of every kind are converted as jaxlib does, and lose nothing in silence.

``python -m tests.properties.conversions.campaign`` compares any number.
"""

from __future__ import annotations

from typing import Final

import pytest

from tests.oracle.client import Oracle
from tests.properties.conversions.campaign import compared, shortest

FEW: Final = 3
PROGRAMS: Final = 60


def test_a_few_programs_lose_nothing_in_silence(oracle: Oracle) -> None:
    check(oracle, FEW, seed=1)


@pytest.mark.standard
def test_programs_are_converted_as_by_jaxlib_and_lose_nothing_in_silence(oracle: Oracle) -> None:
    check(oracle, PROGRAMS, seed=0)


def check(oracle: Oracle, programs: int, seed: int) -> None:
    conversions = compared(oracle, programs, seed)
    assert shortest(conversions.differences) == []
    assert conversions.outcomes["refused by jaxlib"] <= programs // 10
    for kind in ("MLIR-HLO-MLIR", "HLO-MLIR-HLO"):
        assert conversions.outcomes[f"kept {kind}"] > 20 * programs
    for kind in ("to HLO", "to StableHLO"):
        assert conversions.outcomes[f"equal {kind}"] > 20 * programs
