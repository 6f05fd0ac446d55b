"""HLO that was changed, and HLO that is run: as XLA reads, prints and computes it.

``python -m tests.properties.hlo_parity.campaign`` compares any number.
"""

from __future__ import annotations

from typing import Final

import pytest

from stablemate.xla.primitive_types import ARRAY_TYPES, PrimitiveType, primitive_type
from tests.oracle.client import Oracle
from tests.properties.generation.choices import Seeded
from tests.properties.hlo_parity.campaign import batches, shortest
from tests.properties.hlo_parity.comparison import HloParity
from tests.properties.hlo_parity.elementwise import cases, conversions
from tests.properties.hlo_parity.structural import structural
from tests.properties.hlo_parity.values import HloValues, is_compared

TEXTS: Final = 800
PROGRAMS: Final = 8
ELEMENTWISE: Final = ("pred", "s4", "u32", "f8e5m2", "bf16", "f32")
CONVERTED: Final = [primitive_type(name) for name in ("f32", "s32")]


@pytest.mark.standard
def test_changed_texts_are_judged_printed_and_stored_as_by_xla(oracle: Oracle) -> None:
    parity = HloParity(oracle)
    for texts in batches(TEXTS, seed=0):
        parity.compare(texts)
    assert [str(difference) for _, difference in shortest(parity.differences)] == []
    assert parity.outcomes["both accept"] > TEXTS // 5
    assert parity.outcomes["both refuse"] > TEXTS // 3


def test_drawn_instructions_give_what_xla_gives(oracle: Oracle) -> None:
    values = HloValues(oracle)
    for number in range(PROGRAMS):
        values.compare(structural(Seeded(f"hlo values:{number}")))
    assert values.differences == []
    assert values.outcomes["equal"] > 4 * PROGRAMS


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_special_values_give_what_xla_gives(name: str, oracle: Oracle) -> None:
    values = HloValues(oracle)
    values.compare_cases([case for case in cases(primitive_type(name)) if is_compared(case)])
    assert values.differences == []
    assert values.outcomes["equal"] > 10


@pytest.mark.parametrize("element", CONVERTED, ids=str)
def test_conversions_give_what_xla_gives(element: PrimitiveType, oracle: Oracle) -> None:
    values = HloValues(oracle)
    values.compare_cases(list(conversions(element)))
    assert values.differences == []
    assert values.outcomes["equal"] > len(ARRAY_TYPES)
