"""Every program, command and output in the README and the pages of ``docs`` runs as shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documentation.snippets import ROOT, Block, Page, answers, blocks_of, set_up, typed

DOCS = ROOT / "docs"
README = ROOT / "README.md"
# Generated pages have their own tests.
PAGES = [
    README,
    *(path for path in sorted(DOCS.rglob("*.md")) if DOCS / "reference" not in path.parents),
]
RUNNABLE = ("pycon", "python", "console", "sh")
# A language of a fence that is neither run nor known to be no program would go unnoticed.
OTHERS = ("c", "mlir", "hlo", "json", "text", "toml", "yaml", "{toctree}", "{include}", "{image}")


def name_of(path: Path) -> str:
    return path.relative_to(DOCS if DOCS in path.parents else ROOT).as_posix()


WITH_BLOCKS = [page for page in PAGES if list(blocks_of(page.read_text()))]


@pytest.mark.parametrize("path", WITH_BLOCKS, ids=name_of)
def test_a_page_runs_as_it_stands(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    page = Page(name_of(path), tmp_path)
    blocks = list(blocks_of(path.read_text()))
    for block in blocks:
        assert block.language in (*RUNNABLE, *OTHERS), block
        page.run(block)
    runnable = [block for block in blocks if block.language in RUNNABLE and not block.skipped]
    assert page.ran >= len(runnable)


def test_the_pages_that_show_programs_are_found() -> None:
    assert {"README.md", "tutorial.md", "planning.md", "command-line.md", "how-to/python.md"} <= {
        name_of(path) for path in WITH_BLOCKS
    }


def test_the_readme_is_short_and_its_links_lead_somewhere() -> None:
    text = README.read_text()
    assert len(text.splitlines()) <= 150
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert (ROOT / link).exists(), link


def test_the_figures_of_the_readme_are_those_of_the_pages() -> None:
    section = README.read_text().partition("## Why you might want it")[2].partition("\n\nIn ")[0]
    claims = re.findall(r"^\* (.+)\(.*?\]\((.+?)\)\)\.$", section, re.MULTILINE)
    assert len(claims) == 5
    for claim, page in claims:
        shown = set(re.findall(r"\d+(?:[.,]\d+)*", (ROOT / page).read_text()))
        figures = set(re.findall(r"(?<!-)\b\d+(?:[.,]\d+)*", claim)) - {"20"}  # counted below
        assert figures <= shown, (page, figures - shown)
    table = (DOCS / "performance.md").read_text().partition("<!-- /table:native")[0]
    assert len(re.findall(r"^\| \w+ \|", table, re.MULTILINE)) - 1 == 20  # without the heading


def test_a_block_that_is_not_run_says_why() -> None:
    (block,) = blocks_of("<!-- not run: eight devices -->\n```sh\nfalse\n```\n")
    assert block == Block("sh", "false\n", 3, skipped="eight devices")
    with pytest.raises(ValueError, match="no reason"):
        list(blocks_of("<!-- not run -->\n```sh\nfalse\n```\n"))
    with pytest.raises(ValueError, match="in front of no block"):
        list(blocks_of("<!-- not run: so -->\n\ntext\n"))


def test_a_page_that_says_what_is_not_so_fails(tmp_path: Path) -> None:
    set_up(tmp_path)
    wrong = [
        "```pycon\n>>> 1 + 1\n3\n\n```\n",
        "```python\nassert False\n```\n",
        "```console\n$ stablemate --version\nstablemate 0\n```\n",
        "```console\n$ echo a | cat\nb\n```\n",
        "```sh\nstablemate explain nothing_of_this_name\n```\n",
    ]
    for text in wrong:
        (block,) = blocks_of(text)
        with pytest.raises(AssertionError):
            Page("page", tmp_path).run(block)


def test_a_captioned_block_is_a_file(tmp_path: Path) -> None:
    text = "```{code-block} mlir\n:caption: sub/a.mlir\n\nfunc.func @f()\n```\n"
    for block in blocks_of(text):
        Page("page", tmp_path).run(block)
    assert (tmp_path / "sub" / "a.mlir").read_text() == "func.func @f()\n"


def test_sessions_and_answers() -> None:
    assert list(typed("$ a \\\n>   b\nsaid\n$ c\n")) == [("a b", "said"), ("c", "")]
    assert answers("took 3 ms\n", "took 17 ms", "[0-9]+")
    assert answers("one\n...\nthree", "one\ntwo\nthree\n", "")
    assert not answers("one", "one\ntwo", "")
