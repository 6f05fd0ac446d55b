"""Generated programs with dynamic sizes; the short form of ``dynamic_sizes``."""

from __future__ import annotations

import pytest

from tests.properties.dynamic_sizes import outcome_of


@pytest.mark.standard
@pytest.mark.parametrize("seed", range(40))
def test_versions_have_the_bits_of_specializations(seed: int) -> None:
    text, outcome = outcome_of(seed, 4)
    assert not outcome.differences, text


def test_a_program_is_compiled_once_for_many_sizes() -> None:
    _, outcome = outcome_of(0, 5)
    assert not outcome.differences
    assert outcome.versions
    assert not outcome.failures
