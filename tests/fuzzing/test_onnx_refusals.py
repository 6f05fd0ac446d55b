"""What ONNX's checker and ONNX Runtime both refuse is refused: a few models."""

from __future__ import annotations

import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from tests.fuzzing.onnx_refusals import outcome


@pytest.mark.standard
def test_changed_models_that_others_refuse_are_refused() -> None:
    outcomes = [outcome("short", number) for number in range(150)]
    assert [text for text in outcomes if text.startswith("finding")] == []
    assert outcomes.count("refused") > 30
