"""Pages of large programs: what is seen first is readable, and nothing covers anything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.explorer.large_programs import LARGE_PROGRAMS
from tests.explorer.programs import independent_updates, parameters_of_one_operation
from tests.explorer.test_browser import CHROMIUM, Open, box, browser, is_open, opened

__all__ = ["browser", "opened"]  # fixtures

pytestmark = [pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"), pytest.mark.standard]

# What is drawn: pairs of boxes that overlap, boxes that edges cross, the part of the view that the
# first function takes, the sizes of its titles in pixels.
MEASURE: Final = """() => {
  const { canvas, layouts, model } = stablemate;
  const overlaps = [], crossed = [];
  const inside = (x, y, b) => x > b.x + 1 && x < b.x + b.w - 1 && y > b.y + 1 && y < b.y + b.h - 1;
  const visit = (id) => {
    const { at, edges } = layouts.of(id);
    const boxes = [...at].sort((a, b) => a[1].x - b[1].x);
    boxes.forEach(([one, a], i) => {
      for (let j = i + 1; j < boxes.length && boxes[j][1].x < a.x + a.w; j++) {
        const b = boxes[j][1];
        if (a.y < b.y + b.h && b.y < a.y + a.h) overlaps.push([one, boxes[j][0]]);
      }
    });
    for (const edge of edges) {
      if (edge.cut) continue;
      const p = edge.points;
      const others = boxes.filter(([each]) => each !== edge.source && each !== edge.target);
      for (let i = 2; i < p.length; i += 2) for (let t = 0; t <= 1; t += 0.125) {
        const [ax, ay, bx, by] = [p[i - 2], p[i - 1], p[i], p[i + 1]];
        const s = ax === bx || ay === by ? t : t * t * (3 - 2 * t);
        const [x, y] = [ax + (bx - ax) * s, ay + (by - ay) * t];
        for (const [each, b] of others) if (inside(x, y, b)) crossed.push([edge.source, edge.target, each]);
      }
    }
    for (const [each] of at) if (layouts.isOpen(each)) visit(each);
  };
  visit(0);
  const { camera } = canvas;
  const r = canvas.rect(model.children[0][0]);
  const span = (low, size, from, room) => Math.max(0, Math.min(low + size, from + room) - Math.max(low, from));
  const [w, h] = [canvas.width / camera.scale, canvas.height / camera.scale];
  const used = span(r.x, r.w, camera.x, w) * span(r.y, r.h, camera.y, h) / (w * h);
  return { overlaps: overlaps.length, crossed: crossed.length, used, title: 12.5 * camera.scale };
}"""  # noqa: E501


def measured(page: Page) -> dict[str, Any]:
    """What is drawn, in numbers."""
    value: dict[str, Any] = page.evaluate(MEASURE)
    return value


@pytest.mark.parametrize("program", LARGE_PROGRAMS, ids=lambda program: program.__name__)
def test_a_large_program_is_readable_at_first_sight(
    opened: Open, program: Callable[[], str]
) -> None:
    page = opened(program(), width=1600, height=1000)
    drawn = measured(page)
    assert (drawn["overlaps"], drawn["crossed"]) == (0, 0)
    assert drawn["used"] > 0.4, "most of the view is empty"
    assert drawn["title"] > 8, "titles are too small to be read"


@pytest.mark.parametrize("program", LARGE_PROGRAMS[:4], ids=lambda program: program.__name__)
def test_nothing_covers_anything_when_boxes_are_unfolded(
    opened: Open, program: Callable[[], str]
) -> None:
    page = opened(program(), width=1600, height=1000)
    page.evaluate("stablemate.setInside(stablemate.model.children[0][0], true)")
    drawn = measured(page)
    assert (drawn["overlaps"], drawn["crossed"]) == (0, 0)


def test_many_parameters_are_one_box_until_it_is_unfolded(opened: Open) -> None:
    page = opened(parameters_of_one_operation(), width=1600, height=1000)
    parameters = box(page, "241 arguments")
    assert not is_open(page, parameters)
    assert measured(page)["title"] > 10
    page.evaluate("id => stablemate.toggle(id)", parameters)
    shape = page.evaluate("id => stablemate.layouts.of(id)", parameters)
    assert shape["h"] > 500
    assert shape["w"] < 2000, "a block, not a line"
    drawn = measured(page)
    assert (drawn["overlaps"], drawn["crossed"]) == (0, 0)
    constant = page.evaluate(
        "stablemate.model.detail(stablemate.model.boxes.kind.indexOf('constant'))"
    )
    assert constant == "-inf"


def test_details_show_all_on_demand(opened: Open) -> None:
    page = opened(parameters_of_one_operation())
    page.evaluate("id => stablemate.go(id)", box(page, "stablehlo.concatenate"))
    links = page.locator("#details .link", has_text="%w")
    assert links.count() == 11
    page.locator("#details .more", has_text="Show all 241").click()
    assert links.count() == 240


def test_independent_siblings_stand_in_a_block(opened: Open) -> None:
    page = opened(independent_updates(), width=1600, height=1000)
    shape = page.evaluate("stablemate.layouts.of(stablemate.model.children[0][0])")
    assert shape["w"] < 2.5 * shape["h"]
    drawn = measured(page)
    assert (drawn["overlaps"], drawn["crossed"]) == (0, 0)


def test_all_is_shown_on_demand(opened: Open) -> None:
    page = opened(LARGE_PROGRAMS[2](), width=1600, height=1000)
    page.evaluate("stablemate.setInside(stablemate.model.children[0][0], true)")
    page.locator("#graph").focus()
    page.keyboard.press("f")
    view = page.evaluate(
        "(({ camera, width, height }) => [camera.x, camera.y, width / camera.scale, "
        "height / camera.scale])(stablemate.canvas)"
    )
    whole = page.evaluate("stablemate.canvas.whole()")
    assert view[0] <= 0 <= whole["w"] <= view[0] + view[2]
    assert view[1] <= 0 <= whole["h"] <= view[1] + view[3]
