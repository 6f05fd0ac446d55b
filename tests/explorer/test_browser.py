"""The page in a browser: what people do with it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

import stablemate as sm
from stablemate.cli.verbs.execute.session import RunCommandOptions
from stablemate.cli.verbs.inspect.overlays import overlays_of
from tests.explorer.programs import FUSION, HOSTILE, SCOPES, SCRIPT, long_chain

FLAGS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
WAIT: Final = 120.0  # seconds
OURS: Final = "willReadFrequently"  # advice about what a test does, not the page
# Two frames: Chromium discards input that arrives before the page is painted.
PAINTED: Final = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
Open = Callable[..., Page]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


def wait_until(page: Page, expression: str) -> None:
    """Waits until an expression holds; asked from outside, since the page itself may not eval."""
    limit = time.monotonic() + WAIT
    while not page.evaluate(f"Boolean({expression})"):
        assert time.monotonic() < limit, expression
        time.sleep(0.02)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser with a fresh profile."""
    with sync_playwright() as playwright:
        launch_result = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield launch_result
        launch_result.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens the page of a program; what the page complains of, or asks for, fails the test."""
    complaints: list[str] = []
    pages: list[Page] = []

    def open_page(
        text: str, *overlays: sm.Overlay, width: int = 1280, height: int = 800, theme: str = "light"
    ) -> Page:
        path = sm.view(sm.load(text), overlays=overlays).save(tmp_path / f"{len(pages)}.html")
        scheme: Any = theme
        page = browser.new_page(
            viewport={"width": width, "height": height}, color_scheme=scheme, offline=True
        )
        page.on("console", lambda message: OURS in message.text or complaints.append(message.text))
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: complaints.append(request.url))
        page.goto(path.as_uri())
        complaints.remove(path.as_uri())
        wait_until(page, "window.stablemate && stablemate.canvas.took !== undefined")
        page.evaluate(PAINTED)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert complaints == []


def box(page: Page, label: str) -> int:
    """The number of the first box of a name."""
    value: int = page.evaluate(
        "label => stablemate.model.boxes.label.findIndex((_, id) => "
        "stablemate.model.label(id) === label)",
        label,
    )
    assert value >= 0
    return value


def click_box(page: Page, number: int) -> None:
    """Clicks the middle of a box in the graph."""
    place = page.evaluate(
        "id => { const { canvas } = stablemate; const { x, y, w, h } = canvas.rect(id);"
        "const at = canvas.element.getBoundingClientRect(); const { camera } = canvas;"
        "return [at.left + (x + w / 2 - camera.x) * camera.scale,"
        " at.top + (y + h / 2 - camera.y) * camera.scale]; }",
        number,
    )
    page.mouse.click(*place)


def selected(page: Page) -> str:
    """The name of what is selected."""
    value: str = page.evaluate("stablemate.model.label(stablemate.state.selected)")
    return value


def is_open(page: Page, number: int) -> bool:
    """Whether a box is unfolded."""
    value: bool = page.evaluate("id => stablemate.layouts.isOpen(id)", number)
    return value


def test_a_page_shows_outline_text_and_details(opened: Open) -> None:
    page = opened(SCOPES)
    assert page.title() == "scopes · stablemate"
    assert page.locator("#summary").inner_text() == "18 operations · 2 functions"
    rows = page.locator("#tree .row .name").all_inner_texts()
    assert rows[:4] == ["@main", "a", "b", "a"]
    assert page.locator("#lines .row").nth(5).inner_text().split()[1:] == ["module", "@scopes", "{"]
    assert page.locator("#details h2").inner_text() == "scopes"


def test_a_click_unfolds_and_folds(opened: Open) -> None:
    page = opened(long_chain(2000))
    number = box(page, "block3")
    assert not is_open(page, number)
    page.evaluate("id => stablemate.center(id)", number)
    click_box(page, number)
    assert is_open(page, number)
    assert page.locator("#details h2").inner_text() == "block3"
    page.locator("#details .actions button", has_text="Fold").click()
    assert not is_open(page, number)


def test_operations_are_found_by_name_value_type_attribute_and_place(opened: Open) -> None:
    page = opened(SCOPES)
    query = page.locator("#query")
    for words, count in {
        "negate": 1,
        "op:compare gt": 1,
        "name:%square": 1,
        "type:xi1": 0,
        "op:subtract loc:/b/sub": 1,
        "loc:f.py:4": 2,
        "line:12": 1,
        "attr:callee=@twice": 1,
        "nothing of this": 0,
    }.items():
        query.fill(words)
        assert page.locator("#found").inner_text() == str(count), words
    query.fill("loc:f.py:4")
    query.press("Enter")
    query.press("Enter")
    assert page.locator("#found").inner_text() == "2/2"
    assert selected(page) == "stablehlo.multiply"
    assert page.locator("#results .row.chosen").inner_text().splitlines()[0] == "multiply"
    query.press("Escape")
    assert page.locator("#tree").is_visible()


def test_the_text_follows_the_graph_and_the_graph_the_text(opened: Open) -> None:
    page = opened(SCOPES)
    line = page.locator("#lines .row", has_text="%minus = stablehlo.negate")
    line.scroll_into_view_if_needed()
    page.evaluate(PAINTED)  # the list shows its rows again after it is scrolled
    line.click()
    assert selected(page) == "stablehlo.negate"
    assert page.locator("#details h2").inner_text() == "stablehlo.negate"
    page.evaluate("id => stablemate.go(id)", box(page, "func.call"))
    chosen = page.locator("#lines .row.chosen").inner_text()
    assert "%twice = func.call @twice(%v)" in chosen
    assert page.locator("#crumbs button").all_inner_texts() == ["@main", "while", "body", "call"]


def test_details_lead_to_operands_users_and_functions(opened: Open) -> None:
    page = opened(SCOPES)
    page.evaluate("id => stablemate.go(id)", box(page, "stablehlo.negate"))
    details = page.locator("#details")
    assert "%minus" in details.inner_text()
    assert "jit(f)/b" in details.inner_text()
    details.locator(".link", has_text="%less").click()
    assert selected(page) == "stablehlo.subtract"
    page.evaluate("id => stablemate.go(id)", box(page, "func.call"))
    details.locator(".link", has_text="@twice").first.click()
    assert selected(page) == "@twice"
    page.keyboard.press("[")
    assert selected(page) == "func.call"


def test_keys_follow_edges(opened: Open) -> None:
    page = opened(SCOPES)
    page.locator("#graph").focus()
    page.evaluate("id => stablemate.go(id)", box(page, "stablehlo.negate"))
    page.keyboard.press("ArrowUp")
    assert selected(page) == "stablehlo.subtract"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert selected(page) == "stablehlo.add"
    page.keyboard.press("Backspace")
    assert selected(page) == "a"
    page.keyboard.press("Enter")
    assert not is_open(page, page.evaluate("stablemate.state.selected"))
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "query"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("#help dl").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()


def test_what_depends_on_what_is_marked(opened: Open) -> None:
    page = opened(SCOPES)
    page.evaluate("id => stablemate.go(id)", box(page, "stablehlo.subtract"))
    page.keyboard.press("i")
    names = page.evaluate(
        "[...stablemate.state.cone].filter(id => stablemate.model.number(id) >= 0)"
        ".map(id => stablemate.model.label(id)).sort()"
    )
    assert names == [
        *("@main", "stablehlo.add", "stablehlo.constant", "stablehlo.multiply"),
        "stablehlo.subtract",
    ]  # fmt: skip
    page.keyboard.press("Escape")
    assert page.evaluate("stablemate.state.cone") is None


def color_at(page: Page, number: int) -> list[int]:
    """The color of the graph inside a box, near its upper right corner."""
    value: list[int] = page.evaluate(
        "id => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {"
        "const { canvas } = stablemate; const { x, y, w } = canvas.rect(id);"
        "const at = [(x + w - 9 - canvas.camera.x) * canvas.camera.scale,"
        " (y + 4 - canvas.camera.y) * canvas.camera.scale];"
        "done([...canvas.context.getImageData(...at, 1, 1).data].slice(0, 3)); })))",
        number,
    )
    return value


def test_overlays_color_and_have_legends(opened: Open) -> None:
    time = sm.Overlay("time", "s", "time", {3: 0.001, 4: 0.003, 6: 0.0005})
    broken = sm.Overlay("broken", "", "nan", {6: 1, 4: 0})
    error = sm.Overlay("error", "ulp", "error", {3: 1, 4: 1000, 6: float("nan")})
    page = opened(SCOPES, time, broken, error)
    legend = page.locator("#legend")
    assert legend.inner_text().split() == ["time", "(s)", "0", "s", "4", "ms"]
    negate, multiply = box(page, "stablehlo.negate"), box(page, "stablehlo.multiply")
    page.evaluate("id => stablemate.go(id)", negate)
    assert (
        "0.5 ms" in page.locator("#details").inner_text()
        or "500 µs" in page.locator("#details").inner_text()
    )
    warm, hot = color_at(page, negate), color_at(page, multiply)
    assert sum(hot) < sum(warm) < 3 * 255  # darker is more
    page.locator("#overlay").select_option(label="broken")
    red, green, _ = color_at(page, negate)
    assert red > 2 * green
    assert legend.inner_text().split() == ["broken", "found", "none"]
    page.locator("#overlay").select_option(label="error")
    assert "not finite" in legend.inner_text()
    page.locator("#overlay").select_option(label="operations")
    assert not legend.is_visible()
    assert color_at(page, negate) == color_at(page, multiply)


def test_findings_are_shown_where_they_were_made(opened: Open, tmp_path: Path) -> None:
    """A square that overflows, and a sum that another program has as a product, in a loop."""
    other = tmp_path / "other.mlir"
    other.write_text(SCOPES.replace("%double = stablehlo.add", "%double = stablehlo.multiply"))
    module = sm.load(SCOPES)
    view = sm.view(module)
    large = RunCommandOptions(file="-", inputs=["4xf32=1e30", "i32=2"])
    small = RunCommandOptions(file="-", inputs=["4xf32=0.3", "i32=2"])
    page = opened(
        SCOPES,
        *overlays_of("nan", view, module, large),
        *overlays_of(f"bisect:{other}", view, module, small),
    )
    square, minus = box(page, "stablehlo.multiply"), box(page, "stablehlo.negate")
    legend = page.locator("#legend")
    assert legend.inner_text().split() == ["first", "infinity", "found", "none"]
    page.evaluate("id => stablemate.go(id)", square)
    red, green, _ = color_at(page, square)
    assert red > 2 * green
    plain = color_at(page, minus)
    assert max(plain) - min(plain) < 60
    page.locator("#overlay").select_option(label="originates here")
    assert "ulp" in legend.inner_text()
    double = page.evaluate(
        "stablemate.model.boxes.label.findLastIndex((_, id) => "
        "stablemate.model.label(id) === 'stablehlo.add')"
    )
    texts = page.evaluate(
        "id => [id, stablemate.model.boxes.parent[id]]"
        ".map(each => stablemate.state.overlay.textOf(each))",
        double,
    )
    assert texts[0] == texts[1] != "", "what holds it says how far it is off"
    page.evaluate("id => stablemate.go(id)", double)
    assert texts[0] in page.locator("#details").inner_text()


def test_numbers_of_a_box_are_those_of_what_is_in_it(opened: Open) -> None:
    time = sm.Overlay("time", "s", "time", {3: 0.001, 4: 0.003, 6: 0.0005})
    error = sm.Overlay("error", "", "error", {3: 2, 4: 7})
    page = opened(SCOPES, time, error)
    first = box(page, "a")
    texts = page.evaluate("id => stablemate.model.overlays.map(each => each.textOf(id))", first)
    assert texts == ["4 ms", "7"]


def test_hostile_texts_stay_texts(opened: Open) -> None:
    page = opened(HOSTILE)
    assert page.locator("#title").inner_text() == SCRIPT
    page.evaluate("id => stablemate.go(id)", box(page, "stablehlo.negate"))
    page.locator("#query").fill("onerror")
    page.mouse.move(640, 200)
    assert SCRIPT in page.locator("#details").inner_text()
    assert "⟨U+202E⟩" in page.locator("#lines").inner_text()
    assert SCRIPT in page.locator("#tree").text_content() + page.locator("#results").inner_text()
    assert SCRIPT in page.locator("#lines").inner_text()
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    assert page.evaluate("window.harmed") is None


def test_scripts_that_get_into_the_page_do_not_run(browser: Browser, tmp_path: Path) -> None:
    """Were the page to let one in, its policy would stop it; so it would stop a request."""
    html = sm.view(sm.load(SCOPES)).html
    path = tmp_path / "changed.html"
    path.write_text(html.replace("</body>", "<script>window.harmed = 1</script></body>"))
    page = browser.new_page()
    page.goto(path.as_uri())
    wait_until(page, "window.stablemate !== undefined")
    assert page.evaluate("window.harmed") is None
    page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'stopped')")
    blocked = page.evaluate(
        "new Promise(done => { addEventListener('securitypolicyviolation', "
        "event => done(event.effectiveDirective)); fetch('http://127.0.0.1:9/').catch(() => 0) })"
    )
    page.close()
    assert blocked == "connect-src"


@pytest.mark.standard
def test_ten_thousand_operations_can_be_walked_through(opened: Open) -> None:
    page = opened(long_chain(10_000))
    assert page.locator("#summary").inner_text() == "9,998 operations · 1 function"
    page.locator("#query").fill("name:%v8000")
    page.locator("#query").press("Enter")
    assert page.locator("#crumbs button").all_inner_texts() == [
        "@main",
        "block124",
        "part7",
        "maximum",
    ]
    page.locator("#graph").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator("#details .sub").first.inner_text().startswith("%v8001 ")
    assert page.locator("#lines .row").count() < 100  # only what is in view
    assert page.locator("#tree .row").count() < 200


def test_flat_programs_can_be_walked_through(opened: Open) -> None:
    lines = "\n".join(
        f"%v{i + 1} = stablehlo.add %v{i}, %v{max(0, i - 40)} : tensor<8xf32>" for i in range(3000)
    )
    page = opened(
        f"func.func @main(%v0: tensor<8xf32>) -> tensor<8xf32> {{\n{lines}\n"
        "return %v3000 : tensor<8xf32> }"
    )
    page.locator("#fit").click()
    page.locator("#query").fill("name:%v1500")
    page.locator("#query").press("Enter")
    assert selected(page) == "stablehlo.add"
    click_box(page, page.evaluate("stablemate.state.selected"))
    assert page.locator("#details .sub").first.inner_text().startswith("%v1500 ")


@pytest.mark.parametrize("text", [SCOPES, FUSION, long_chain(700)], ids=["loop", "hlo", "chain"])
def test_boxes_do_not_overlap_and_lie_in_those_around_them(text: str, opened: Open) -> None:
    page = opened(text)
    page.evaluate("stablemate.model.inside(0).forEach(id => stablemate.layouts.setOpen(id, true))")
    assert (
        page.evaluate(
            """() => {
          const { layouts, model } = stablemate;
          const wrong = [];
          for (const id of model.inside(0).filter(each => model.isOpenable(each))) {
            const { w, h, at } = layouts.of(id);
            const all = [...at.entries()];
            all.forEach(([a, p], i) => {
              if (p.x < 0 || p.y < 0 || p.x + p.w > w + 0.01 || p.y + p.h > h + 0.01) wrong.push(a);
              for (const [b, q] of all.slice(i + 1)) {
                if (p.x + p.w > q.x + 0.01 && q.x + q.w > p.x + 0.01
                  && p.y + p.h > q.y + 0.01 && q.y + q.h > p.y + 0.01) wrong.push([a, b]);
              }
            });
          }
          return wrong;
        }"""
        )
        == []
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (900, 700), (390, 760)])
def test_pages_fit_their_windows(width: int, height: int, theme: str, opened: Open) -> None:
    page = opened(SCOPES, width=width, height=height, theme=theme)
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    stage = page.locator("#stage").bounding_box()
    assert stage is not None
    assert stage["width"] > 300
    assert stage["height"] > 200
    page.evaluate("id => stablemate.go(id)", box(page, "stablehlo.negate"))
    assert page.locator("#details h2").is_visible()
    page.locator("#toggle-theme").click()
    assert page.evaluate("document.documentElement.dataset.theme") != theme


def test_fusions_of_hlo_unfold(opened: Open) -> None:
    page = opened(FUSION)
    page.evaluate("id => stablemate.go(id)", box(page, "multiply"))
    assert page.locator("#crumbs button").all_inner_texts()[-2:] == ["fusion", "multiply"]
    assert "ROOT %m" in page.locator("#lines .row.chosen").inner_text()
    assert "f.py:7" in page.locator("#details").inner_text()


def test_overlays_of_files_stay_in_the_page(opened: Open, tmp_path: Path) -> None:
    page = opened(SCOPES)
    path = tmp_path / "mine.json"
    path.write_text('{"name": "mine", "unit": "B", "kind": "bytes", "values": {"6": 2048}}')
    page.locator("#overlay-file").set_input_files(path)
    wait_until(page, "stablemate.state.overlay?.name === 'mine'")
    assert "2.05 kB" in page.locator("#legend").inner_text()


def test_pages_work_in_the_frame_of_a_notebook(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "notebook.html"
    path.write_text(f"<!DOCTYPE html><body>{sm.load(SCOPES)._repr_html_()}</body>")
    page = browser.new_page()
    page.goto(path.as_uri())
    frame = page.frame_locator("iframe")
    expect(frame.locator("#tree .row .name").first).to_have_text("@main", timeout=60_000)
    frame.locator("#toggle-theme").click()
    page.close()
