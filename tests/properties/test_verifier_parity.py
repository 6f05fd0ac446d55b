"""Changed programs: accepted and refused as by jaxlib, printed alike, and never anything worse.

``python -m tests.properties.parity.campaign`` compares any number.
"""

from __future__ import annotations

from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle
from tests.properties.generation.choices import Seeded
from tests.properties.parity.binaries import Binaries
from tests.properties.parity.binaries import texts as texts_of_binaries
from tests.properties.parity.campaign import batches, shortest
from tests.properties.parity.comparison import Parity
from tests.properties.parity.inference import compared
from tests.properties.parity.inference import texts as opened_texts
from tests.properties.parity.texts import functions, with_other_bytes

PROGRAMS: Final = 8  # of each operation
TOKENS: Final = 3000
FORMS: Final = 2000
STRUCTURES: Final = 2000
BINARIES: Final = 300  # programs that are written as bytecode and as artifacts
TEXTS: Final = 5000
OPEN: Final = 3  # programs with open sizes, of each operation


@pytest.mark.full
def test_changed_programs_are_judged_and_printed_as_by_jaxlib(oracle: Oracle) -> None:
    parity = Parity(oracle)
    for texts in batches(PROGRAMS, TOKENS, FORMS, STRUCTURES, seed=0):
        parity.compare(texts)
    assert [str(difference) for difference in shortest(parity.differences)] == []
    assert parity.outcomes["both accept"] > 500
    assert parity.outcomes["both refuse"] > 500


@pytest.mark.full
def test_bytecode_and_artifacts_are_read_as_by_jaxlib(oracle: Oracle) -> None:
    campaign = Binaries(oracle)
    campaign.compare("undamaged", list(texts_of_binaries(0, BINARIES)), 0)
    assert [str(difference) for difference in shortest(campaign.parity.differences)] == []
    assert campaign.parity.outcomes["both accept"] > 50
    campaign.compare("damaged", list(texts_of_binaries(1, BINARIES)), 1)
    kinds = {difference.kind for difference in campaign.parity.differences}
    assert "failed here" not in kinds


@pytest.mark.full
def test_types_that_follow_say_as_much_as_those_of_jaxlib(oracle: Oracle) -> None:
    differences, counts = compared(oracle, opened_texts(OPEN, seed=0))
    assert differences == []
    assert counts["same"] > 300


def test_changed_bytes_are_read_or_refused() -> None:
    outcomes = {False: 0, True: 0}
    for number in range(TEXTS):
        draw = Seeded(f"bytes:{number}")
        data = with_other_bytes(draw, draw.of(functions()).encode())
        try:
            module = sm.load(data + b"\n")
            module.to_text()
            outcomes[bool(module.diagnostics())] += 1
        except sm.StablemateError:
            outcomes[True] += 1
    assert min(outcomes.values()) > 0
