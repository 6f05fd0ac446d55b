"""What the page is told of a program: tables of numbers and texts, as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from stablemate.explorer.boxes import Box, boxes_of
from stablemate.explorer.edges import Edges, edges_of
from stablemate.explorer.graph import Graph
from stablemate.explorer.layers import layout_of
from stablemate.explorer.overlays import Overlay
from stablemate.explorer.visible import visible
from stablemate.ir.collection import uncollected

VERSION: Final = 1
LINE: Final = 2000  # characters of a line of text that are shown


class Texts:
    """Texts by number, each once, with nothing in them that would steer a reader's screen."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        """The number of a text."""
        return self.numbers.setdefault(text, len(self.numbers))

    def all(self) -> list[str]:
        """The texts in the order of their numbers."""
        return [visible(each) for each in self.numbers]


def document_of(graph: Graph, overlays: Sequence[Overlay] = ()) -> dict[str, Any]:
    """A program as the page takes it; ``docs/explorer.md`` describes it.

    Args:
        graph: The program.
        overlays: Numbers of operations to colour them by.
    """
    with uncollected():
        root = boxes_of(graph)
        edges = edges_of(root)
        boxes = list(root.walk())
        for number, box in enumerate(boxes):
            box.id = number
        texts = Texts()
        values = {
            "name": [texts(each.name) for each in graph.values],
            "type": [texts(each.type) for each in graph.values],
        }
        return {
            "version": VERSION,
            "title": visible(graph.title),
            "format": graph.format,
            "source": {"name": visible(graph.source.name), "lines": source_lines(graph)},
            "boxes": columns(boxes, texts),
            "operations": sum(each.number is not None for each in graph.nodes()),
            "values": values,
            "layouts": {
                box.id: flattened(box, edges.get(box, {})) for box in boxes if box.children
            },
            "overlays": [each.to_json() for each in overlays],
            "texts": texts.all(),
        }


def source_lines(graph: Graph) -> list[str]:
    """The lines of the text, long ones cut."""
    return [
        visible(each) if len(each) <= LINE else f"{visible(each[:LINE])} … {len(each):,} characters"
        for each in graph.source.text.split("\n")
    ]


def columns(boxes: Sequence[Box], texts: Texts) -> dict[str, list[Any]]:
    """The table of boxes, column by column; what a box does not have is left out at its end."""
    rows = [row_of(box, texts) for box in boxes]
    return {name: [row.get(name, absent) for row in rows] for name, absent in COLUMNS.items()}


COLUMNS: Final[Mapping[str, Any]] = {
    "kind": "",
    "label": 0,
    "parent": -1,
    "number": -1,
    "line": 0,
    "detail": 0,
    "operands": 0,
    "results": 0,
    "attributes": 0,
    "origin": 0,
    "frames": 0,
    "callees": 0,
    "value": -1,
}


def row_of(box: Box, texts: Texts) -> dict[str, Any]:
    """The entries of a box."""
    row: dict[str, Any] = {
        "kind": box.kind,
        "label": texts(box.label),
        "parent": -1 if box.parent is None else box.parent.id,
    }
    if box.value is not None:
        row["value"] = box.value
    if box.body is not None:
        row |= {"line": box.body.line, "number": -1 if box.body.number is None else box.body.number}
    node = box.node
    if node is None:
        return row
    if node.number is not None:
        row["number"] = node.number
    row |= {
        "line": node.line,
        "detail": texts(node.detail),
        "operands": list(node.operands),
        "results": list(node.results),
        "attributes": [texts(each) for pair in node.attributes for each in pair],
        "origin": texts(node.origin),
        "frames": [texts(each) for each in node.frames],
        "callees": [texts(each) for each in node.callees],
    }
    return row


def flattened(box: Box, edges: Edges) -> dict[str, Any]:
    """The layout of a box, children by their numbers in the table."""
    layout = layout_of(box, edges)
    ids = [each.id for each in box.children]
    return {
        "rows": [[ids[each] if each >= 0 else each for each in row] for row in layout.rows],
        "edges": [[ids[a], ids[b], *values] for a, b, values in layout.edges],
    }
