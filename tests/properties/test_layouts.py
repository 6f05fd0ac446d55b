"""Generated programs of convolutions, in the layouts that the compiler chooses."""

from __future__ import annotations

import pytest

pytest.importorskip("jax")

from tests.properties.layouts.campaign import difference
from tests.properties.layouts.programs import Program


@pytest.mark.standard
@pytest.mark.parametrize("number", range(16))
def test_layouts_change_no_value(number: int) -> None:
    assert not difference(Program(7, number), check=number % 4 == 0)
