"""After any edits, a client is served what it would be served of the text opened anew."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pygls")

from stablemate.lsp.programs.known_functions import KnownFunctions, first_line
from stablemate.lsp.programs.known_statements import Known
from tests.lsp.edits import differences


@pytest.mark.parametrize("language", ["mlir", "hlo"])
@pytest.mark.parametrize(
    ("seed", "edits"),
    [(0, 8), *(pytest.param(seed, 25, marks=pytest.mark.standard) for seed in range(1, 16))],
)
def test_an_edited_text_is_served_like_a_new_one(seed: int, edits: int, language: str) -> None:
    assert list(differences(seed, edits, language)) == []


@pytest.mark.standard
def test_a_missing_condition_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison finds statements that are taken over although their operands changed."""

    def replaced(known: Known, values: dict[str, Any]) -> dict[int, Any]:
        return {}

    monkeypatch.setattr(Known, "replacements", replaced)
    assert any(next(differences(seed, 25, "mlir"), None) for seed in range(40))


@pytest.mark.standard
def test_a_torn_function_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison finds functions that are taken over although statements of them are used."""

    def candidates(known: KnownFunctions, text: str, start: int) -> Any:
        group = known.by_line.get(first_line(text, start))
        others = group.items if group else ()
        now = known.statements.pass_number
        return (one for one in others
                if one.pass_number != now and text.startswith(one.text, start))  # fmt: skip

    monkeypatch.setattr(KnownFunctions, "candidates", candidates)
    assert any(next(differences(seed, 25, "mlir"), None) for seed in range(40))
