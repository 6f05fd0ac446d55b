"""Names that are not in use."""

from __future__ import annotations

from stablemate.dialects.fresh_names import FreshNames


def test_stems_in_use_get_the_first_free_number() -> None:
    names = FreshNames(["f", "f_1"])
    assert [names.take(stem) for stem in ("f", "f", "g", "g")] == ["f_0", "f_2", "g", "g_0"]
    assert names.with_number("h") == "h_0"


def test_a_number_is_tried_once() -> None:
    names = FreshNames(["f"])
    assert [names.take("f") for _ in range(20_000)][-1] == "f_19999"
