"""docs/requests.md is what the compiler does, and every request has a reason that counts."""

from __future__ import annotations

import pytest

from tools.requests import PAGE, UNEXPLAINED, page


@pytest.mark.standard
def test_page_is_up_to_date_and_explains_every_request() -> None:
    text = page()
    assert UNEXPLAINED not in text, "an operation leaves native code that should not"
    assert PAGE.read_text() == text, "run: python -m tools.requests"
