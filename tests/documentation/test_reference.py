"""The generated pages: an operation, a verb, a public name each has its own, and says all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import stablemate as sm
from stablemate.cli import VERBS
from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.definition import definition_of
from tools.site import (
    commands,
    library,
    links,
    markdown,
    measurements,
    models,
    operations,
    reference,
)

# Directories of one machine.
PLACES = re.compile(r"(?<![\w.])/(tmp|home|root|work|Users)/\w+")


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return dict(operations.files())


@pytest.mark.standard
def test_every_operation_has_a_page_with_its_rules_and_an_example(pages: dict[str, str]) -> None:
    names = [operation for operation in OPERATIONS if not operation.startswith("vhlo.")]
    assert len(names) > 280
    for name in names:
        page = pages[f"operations/{name.replace('.', '/', 1)}.md"]
        assert f"# {markdown.prose(name)}\n" in page
        assert "```mlir\n" in page, name
        for rule in definition_of(OPERATIONS[name]).constraints:
            assert markdown.code(rule.formula) in page, (name, rule.label)


def test_every_operation_stands_in_the_table_of_its_dialect(pages: dict[str, str]) -> None:
    for name in OPERATIONS:
        dialect, _, own = name.partition(".")
        if dialect != "vhlo":
            assert f"]({dialect}/{own}.md)" in pages[f"operations/{dialect}.md"]
            assert f"](operations/{dialect}.md)" in pages["operations.md"]


def test_counterparts_and_results_are_there(pages: dict[str, str]) -> None:
    page = pages["operations/stablehlo/dot_general.md"]
    assert "| `HLO` | `dot` |" in page
    assert "| `XlaBuilder` | `dot_general` |" in page
    assert "[C12]" not in page  # a rule that fixes the result: it stands at the result
    assert "shape by C12" in page
    assert "## Result\n\n```text\n2x1x3x2xfloat32" in page
    assert "[`precision_config`](../../attributes.md#attributes-precision-config)" in page


@pytest.mark.parametrize("file", list(operations.OTHERS))
def test_attributes_types_and_codes_are_all_there(file: str, pages: dict[str, str]) -> None:
    for name in operations.OTHERS[file].names:
        assert f"({operations.place_of(file, name)})=\n" in pages[f"{file}.md"]
    places = re.findall(r"^\((.+)\)=$", pages[f"{file}.md"], re.MULTILINE)
    assert len(places) == len(set(places))


def test_every_verb_has_a_page_with_its_options() -> None:
    by_name = dict(commands.files())
    for verb in VERBS:
        assert f"# {verb}\n\n```text\nstablemate {verb} " in by_name[f"commands/{verb}.md"]
    assert "| `--find [nan\\|inf\\|denormal\\|overflow]` |" in by_name["commands/nan.md"]
    assert "**Exit codes**" in by_name["commands.md"]


def test_every_public_name_is_documented_once() -> None:
    names = [name for group in library.GROUPS.values() for name in group.names]
    assert sorted(names) == sorted(sm.__all__)


def test_every_model_has_a_frame_and_a_page(tmp_path: Path) -> None:
    (text,) = dict(models.files()).values()
    assert models.write(tmp_path) == 5
    pages = sorted((tmp_path / models.PAGES).glob("*.html"))
    assert [page.stem for page in pages] == sorted(models.MODELS)
    for page in pages:
        assert f'src="../{models.PAGES}/{page.name}"' in text
        assert '"flops"' in page.read_text()
        assert not list(links.problems_of(page.parent))


def test_every_measurement_has_a_page() -> None:
    by_name = dict(measurements.files())
    for path in measurements.RESULTS.glob("*.md"):
        assert f"{path.name}\n" in by_name[f"benchmarks/{path.name}"]


def test_text_means_nothing_to_markdown() -> None:
    assert markdown.prose("a*b_c `d*e` <f>|[g]") == r"a\*b\_c `d*e` \<f\>\|\[g\]"
    assert markdown.code("a|b") == r"`a\|b`"
    assert markdown.code("a`b") == "`` a`b ``"


def test_pages_that_are_none_any_more_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference, "PARTS", (measurements,))
    (tmp_path / "old.md").write_text("old")
    assert reference.write(tmp_path) == len(list(tmp_path.rglob("*.md")))
    assert not (tmp_path / "old.md").exists()


def test_broken_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">1</a> <a href="b.html#gone">2</a> <a href="c.html">3</a>'
        '<a href="https://example.org">4</a> <script src="https://example.org/x.js"></script>'
    )
    (tmp_path / "b.html").write_text('<p id="here">')
    assert sorted(links.problems_of(tmp_path)) == [
        "a.html: b.html#gone: no such place",
        "a.html: c.html: no such file",
        "a.html: https://example.org/x.js: loaded from a network",
    ]


def test_pictures_are_small_and_shown() -> None:
    docs = reference.REFERENCE.parent
    pages = "".join(path.read_text() for path in docs.rglob("*.md"))
    pictures = list((docs / "pictures").iterdir())
    assert {picture.suffix for picture in pictures} == {".svg", ".png"}
    assert sum(picture.stat().st_size for picture in pictures) < 300_000
    for picture in pictures:
        assert f"pictures/{picture.name}" in pages
        assert picture.suffix == ".png" or not PLACES.search(picture.read_text()), picture


def test_pages_name_no_place_of_a_machine() -> None:
    docs = reference.REFERENCE.parent
    for path in docs.rglob("*.md"):
        match_ = PLACES.search(path.read_text())
        assert match_ is None, (path, match_)
