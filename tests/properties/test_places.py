"""Errors are on the line where jaxlib reports them; ``parity.places`` compares any number."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.oracle.client import Oracle
from tests.properties.parity.places import (
    Places,
    changed_operations,
    rejected_texts,
    texts_with_another_token,
)


@pytest.mark.full
def test_rejected_programs_have_their_error_on_jaxlibs_line(oracle: Oracle) -> None:
    campaign = Places(oracle)
    campaign.compare([*rejected_texts()])
    assert [d.text for d in campaign.differences if d.is_on_another_line] == []
    assert campaign.outcomes["same place"] > 700


@pytest.mark.full
def test_changed_operations_have_their_error_on_jaxlibs_line(oracle: Oracle) -> None:
    """Types of dialects that nobody knows are warnings here and errors there, at another place."""
    campaign = Places(oracle)
    campaign.compare([t for t in changed_operations(0, 2) if "!foo.bar" not in t])
    assert [d.text for d in campaign.differences if d.is_on_another_line] == []


@pytest.mark.full
def test_texts_with_another_token_have_their_error_on_jaxlibs_line(oracle: Oracle) -> None:
    """But for one in a hundred: what is checked first differs."""
    campaign = Places(oracle)
    campaign.compare([*islice(texts_with_another_token(0), 600)])
    elsewhere = [d.text for d in campaign.differences if d.is_on_another_line]
    assert len(elsewhere) <= 6, "\n".join(elsewhere)
    assert campaign.outcomes["same place"] > 200
