"""Programs of the campaign of attention that found something."""

from __future__ import annotations

import pytest

pytest.importorskip("jax")

from tests.properties.attention.campaign import compared
from tests.properties.attention.programs import form


@pytest.mark.standard
def test_stack_buffers_of_dynamic_size_are_checked() -> None:
    assert not compared(form(622, 1), check=True).detail


@pytest.mark.standard
def test_numbers_that_are_not_finite_are_where_checked_code_has_them() -> None:
    outcome = compared(form(623, 3), check=True)
    assert outcome.operations
    assert not outcome.detail
