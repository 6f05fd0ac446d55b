"""Generated networks: weights that are prepared, layouts, and narrow element types."""

from __future__ import annotations

import pytest

from tests.properties.networks.campaign import difference
from tests.properties.networks.programs import Network


@pytest.mark.standard
@pytest.mark.parametrize("number", range(21))
def test_networks_have_the_values_of_the_interpreter(number: int) -> None:
    assert not difference(Network(7, number), least=True)
