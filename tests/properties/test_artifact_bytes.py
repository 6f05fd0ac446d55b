"""Portable artifacts are upstream's byte by byte; ``artifact_bytes`` compares any number."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.oracle.client import Oracle
from tests.properties.artifact_bytes import (
    NEWEST,
    Bytes,
    changed_programs,
    functions,
    large_modules,
    serializable,
    versions_of,
)
from tests.properties.generation.choices import Seeded


@pytest.mark.standard
def test_modules_of_many_functions_have_upstreams_bytes(oracle: Oracle) -> None:
    """Their tables have more than 127 entries, whose numbers take two bytes."""
    draw, texts = Seeded("artifact bytes"), functions()
    campaign = Bytes(oracle)
    for text in large_modules(0, 2, serializable(oracle, [draw.of(texts) for _ in range(60)])):
        campaign.compare(text, (NEWEST,))
    assert campaign.outcomes == {"same bytes": 2}


@pytest.mark.standard
def test_changed_programs_have_upstreams_bytes(oracle: Oracle) -> None:
    campaign = Bytes(oracle)
    for number, text in enumerate(islice(changed_programs(0, 3), 0, None, 2)):
        campaign.compare(text, versions_of(number))
    assert [str(difference) for difference in campaign.differences] == []
    assert campaign.outcomes["same bytes"] > 100
