"""Damaged inputs end in a result or a StablemateError: a short campaign, and what long ones found.

``python -m tests.fuzzing.mutations`` reads any number.
"""

from __future__ import annotations

from typing import Final

import pytest

from tests.fuzzing.child_process import Bounds, run_in_child
from tests.fuzzing.findings import findings
from tests.fuzzing.readers import READERS
from tests.fuzzing.sizes import ALL, MEGABYTE, measured
from tests.fuzzing.survival import CONVERSIONS, NATIVE, SHARE

INPUTS: Final = 100  # of each reader
SEED: Final = 0
BOUNDS: Final = Bounds(seconds=600.0, seconds_per_input=60.0)
# The numbers with which an input goes every way.
NUMBERS: Final = [SHARE * i for i in range(len(CONVERSIONS) * NATIVE)][:: len(CONVERSIONS) + 1]


@pytest.mark.parametrize("reader", READERS)
def test_damaged_inputs_are_read_or_refused(reader: str) -> None:
    next_number, outcomes, run_in_child_result = run_in_child(reader, SEED, range(INPUTS), BOUNDS)
    assert [f"{entry.number}: {entry.kind}\n{entry.trace}" for entry in run_in_child_result] == []
    assert next_number == INPUTS
    assert outcomes.total() == INPUTS
    assert len(outcomes) > 1  # some are read, some refused


@pytest.mark.parametrize("name", ALL)
def test_what_grows_is_read_in_bounds(name: str) -> None:
    assert measured(name, MEGABYTE // 25, short=1.0)


@pytest.mark.parametrize(
    ("reader", "data"), [pytest.param(*rest, id=f"{rest[0]}: {why}") for why, *rest in findings()]
)
def test_what_was_found_is_read_or_refused(reader: str, data: bytes) -> None:
    examine = READERS[reader].examine
    for number in NUMBERS:
        examine(data, number)
