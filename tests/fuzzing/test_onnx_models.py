"""The short form of ``onnx_models``."""

from __future__ import annotations

import pytest

pytest.importorskip("onnx")
from tests.fuzzing.onnx_models import outcome

INPUTS = 60


@pytest.mark.standard
def test_damaged_models_are_read_or_refused() -> None:
    outcomes = [outcome(0, number) for number in range(INPUTS)]
    assert [result for result in outcomes if result.startswith("finding")] == []
    assert {"read", "refused"} <= set(outcomes)
