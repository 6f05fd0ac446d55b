"""The short form of ``tests/properties/torch_programs``: generated programs beside PyTorch."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

from tests.properties.torch_programs.campaign import case_of, difference

pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"
)


def marks(number: int) -> list[pytest.MarkDecorator]:
    return [pytest.mark.standard] if number >= 4 else []


@pytest.mark.parametrize("number", [pytest.param(n, marks=marks(n)) for n in range(60)])
def test_generated_programs_are_those_of_pytorch(number: int) -> None:
    case = case_of(39, number)
    if case is None:
        pytest.skip("PyTorch runs none of the lines")
    text = difference(case)
    assert not text or text.startswith("PyTorch"), f"{text}\n{case.source}"
