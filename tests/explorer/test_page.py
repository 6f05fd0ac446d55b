"""The page as text: nothing of a program is markup, nothing is fetched."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import stablemate as sm
from stablemate.diagnostics.visible import visible
from stablemate.explorer import page as pages
from stablemate.explorer.overlays import KINDS
from stablemate.explorer.page import digest, script
from tests.explorer.programs import BIDI, HOSTILE, SCOPES, SCRIPT


class Elements(HTMLParser):
    """The elements of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found:
            tag, attributes = self.found[-1]
            name = attributes.get("id") or attributes.get("type") or tag
            self.texts[name] = self.texts.get(name, "") + data


def test_hostile_texts_are_data() -> None:
    elements = Elements(sm.view(sm.load(HOSTILE)).html)
    harmless = Elements(sm.view(sm.load(SCOPES)).html)
    assert [tag for tag, _ in elements.found] == [tag for tag, _ in harmless.found]
    document = json.loads(elements.texts["program"])
    assert document["title"] == SCRIPT
    assert SCRIPT in document["texts"]


def test_the_policy_names_the_script_and_the_style_and_nothing_else() -> None:
    html = sm.view(sm.load(SCOPES)).html
    elements = Elements(html)
    (policy,) = [a["content"] for _, a in elements.found if "http-equiv" in a]
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src '{digest(script())}';" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    # Nothing in the page names another place.
    assert not [a for _, a in elements.found if "src" in a or "href" in a]
    assert not re.search(r"https?://|@import|url\(", html)


def test_modules_are_joined_without_imports() -> None:
    code = script()
    assert not re.search(r"^\s*(import|export)\b", code, re.MULTILINE)
    defined = re.findall(r"^(?:class|function|const) (\w+)", code, re.MULTILINE)
    assert len(set(defined)) == len(defined), "two modules define one name"
    names = {path.stem for path in (Path(pages.__file__).parent / "assets").glob("*.js")}
    assert names == set(pages.MODULES)


def test_the_page_knows_the_kinds_of_overlays() -> None:
    (table,) = re.findall(r"^const KINDS = \{(.*)\};$", script(), re.MULTILINE)
    matches = re.findall(r'(\w+): \["(\w+)", "(\w+)"\]', table)
    assert {kind: (scale, total) for kind, scale, total in matches} == KINDS


def test_modules_touch_the_page_with_texts_only() -> None:
    for banned in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert banned not in script()


def test_controls_are_spelled_out() -> None:
    assert visible(f"\x1b[2J{BIDI}\t\n") == "⟨U+001B⟩[2Ja⟨U+202E⟩b⟨U+2066⟩c\t\n"
    assert visible("\ud800") == "⟨U+D800⟩"
    text = json.dumps(sm.view(sm.load(HOSTILE)).document, ensure_ascii=False)
    assert "\u202e" not in text
    assert "\x1b" not in text


def test_views_are_saved_and_shown_in_notebooks(tmp_path: Path) -> None:
    view = sm.view(sm.load(SCOPES))
    assert view.save(tmp_path / "page.html").read_text("utf-8") == view.html
    elements = Elements(view._repr_html_())
    ((tag, attributes),) = elements.found
    assert tag == "iframe"
    assert attributes["sandbox"] == "allow-scripts"
    assert attributes["srcdoc"] == view.html
    assert repr(view) == "<stablemate.View scopes: 18 operations>"
    assert str(view).splitlines()[:2] == ["scopes  18", "├─ @main  16"]


def test_modules_show_themselves_in_notebooks() -> None:
    module = sm.load(SCOPES)
    assert module._repr_html_() == sm.view(module)._repr_html_()
