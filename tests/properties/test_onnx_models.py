"""Generated models of ONNX, of all versions of operators, beside ONNX Runtime."""

from __future__ import annotations

import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from tests.properties.onnx_models.campaign import case_of, described, difference


@pytest.mark.standard
@pytest.mark.parametrize("number", range(120))
def test_generated_models_give_the_values_of_the_runtime(number: int) -> None:
    case = case_of(44, number)
    if case is None:
        pytest.skip("no operator takes these inputs")
    text = difference(case, backend="cpu" if number % 20 == 0 else "interpreter")
    assert not text, f"{text}\n{described(case.model)}"
