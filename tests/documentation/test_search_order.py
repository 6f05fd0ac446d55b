"""The search of the site: operations before methods, and results for pages opened as files."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import sync_playwright

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
SCORER: Final = Path(__file__).parents[2] / "docs" / "_static" / "scorer.js"
FLAGS: Final = ("--headless", "--no-sandbox", "--disable-gpu")

# Page, title, anchor, description and score of results, as Sphinx finds them.
FOUND: Final = [
    ["reference/library/building", "stablemate.XlaBuilder.gather", "#x", "method", 26],
    ["reference/attributes", "Attributes", "", None, 20],
    ["reference/operations/mhlo/gather", "mhlo.gather", "", None, 5],
    ["reference/operations/stablehlo/all_gather", "stablehlo.all_gather", "", None, 15],
    ["reference/operations/stablehlo/gather", "stablehlo.gather", "", None, 8],
]


@pytest.mark.standard
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_operations_come_before_methods(tmp_path: Path) -> None:
    page_path = tmp_path / "search.html"
    page_path.write_text(
        "<script>const DOCUMENTATION_OPTIONS = { SHOW_SEARCH_SUMMARY: true };</script>"
        f"<script>{SCORER.read_text()}</script>"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        page = browser.new_page()
        page.goto(f"{page_path.as_uri()}?q=gather")
        order = page.evaluate(
            "found => found.map(each => [Scorer.score(each), each[1]])"
            ".sort((a, b) => b[0] - a[0]).map(each => each[1])",
            FOUND,
        )
        excerpts = page.evaluate("DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY")
        browser.close()
    assert order == [
        *("stablehlo.gather", "mhlo.gather", "stablemate.XlaBuilder.gather"),
        *("stablehlo.all_gather", "Attributes"),
    ]  # fmt: skip
    assert excerpts is False, "excerpts are fetched, which pages opened as files cannot do"
