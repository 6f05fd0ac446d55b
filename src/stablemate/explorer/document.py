"""The data of the page: tables of numbers and texts, as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.diagnostics.visible import visible
from stablemate.explorer.boxes import Box, boxes_of
from stablemate.explorer.edges import Edges, edges_of
from stablemate.explorer.families import families_of
from stablemate.explorer.graph import ProgramGraph
from stablemate.explorer.layers import layout_of
from stablemate.explorer.overlays import Overlay
from stablemate.ir.garbage_collection import without_garbage_collection

VERSION: Final = 1
LINE: Final = 2000  # characters of a line of text that are shown


class Texts:
    """Texts by number, each once, with nothing in them that would steer a reader's screen."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {"": 0}

    def __call__(self, text: str) -> int:
        """The number of a text."""
        return self.numbers.setdefault(text, len(self.numbers))

    def all(self) -> list[str]:
        """The texts in the order of their numbers."""
        return [visible(number) for number in self.numbers]


def document_of(graph: ProgramGraph, overlays: Sequence[Overlay] = ()) -> dict[str, object]:
    """A program as the page takes it; ``docs/explorer.md`` describes its tables.

    Args:
        graph: The program.
        overlays: Numbers of operations to color them by.
    """
    with without_garbage_collection():
        root = boxes_of(graph)
        edges = edges_of(root)
        boxes = list(root.walk())
        for number, box in enumerate(boxes):
            box.id = number
        texts = Texts()
        values = {
            "name": [texts(value.name) for value in graph.values],
            "type": [texts(value.type) for value in graph.values],
        }
        return {
            "version": VERSION,
            "title": visible(graph.title),
            "format": graph.format,
            "source": {"name": visible(graph.source.name), "lines": source_lines(graph)},
            "boxes": columns(boxes, texts),
            "operations": sum(node.number is not None for node in graph.nodes()),
            "values": values,
            "layouts": {
                box.id: flatten_layout(box, edges.get(box, {})) for box in boxes if box.children
            },
            "overlays": [overlay.to_json() for overlay in overlays],
            "families": families_of(graph.nodes()),
            "texts": texts.all(),
        }


def source_lines(graph: ProgramGraph) -> list[str]:
    """The lines of the text, long ones cut."""
    return [
        visible(part) if len(part) <= LINE else f"{visible(part[:LINE])} … {len(part):,} characters"
        for part in graph.source.text.split("\n")
    ]


def columns(boxes: Sequence[Box], texts: Texts) -> dict[str, list[object]]:
    """The table of boxes, column by column; ``ABSENT`` marks empty cells."""
    table = {name: [absent] * len(boxes) for name, absent in ABSENT.items()}
    kind, label, parent, number = (table[name] for name in ("kind", "label", "parent", "number"))
    line, value = table["line"], table["value"]
    for i, box in enumerate(boxes):
        kind[i] = box.kind
        label[i] = texts(box.label)
        if box.parent is not None:
            parent[i] = box.parent.id
        if box.value is not None:
            value[i] = box.value
        if box.body is not None:
            line[i] = box.body.line
            number[i] = -1 if box.body.number is None else box.body.number
        node = box.node
        if node is None:
            continue
        line[i] = node.line
        number[i] = -1 if node.number is None else node.number
        table["detail"][i] = texts(node.detail)
        table["operands"][i] = list(node.operands)
        table["results"][i] = list(node.results)
        table["origin"][i] = texts(node.origin)
        if node.attributes:
            table["attributes"][i] = [texts(text) for pair in node.attributes for text in pair]
        if node.frames:
            table["frames"][i] = [texts(frame) for frame in node.frames]
        if node.callees:
            table["callees"][i] = [texts(callee) for callee in node.callees]
    return table


ABSENT: Final[Mapping[str, object]] = {
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


def flatten_layout(box: Box, edges: Edges) -> dict[str, object]:
    """The layout of a box, children by their numbers in the table."""
    layout = layout_of(box, edges)
    ids = [child.id for child in box.children]
    return {
        "rows": [[ids[box] if box >= 0 else box for box in row] for row in layout.rows],
        "edges": [[ids[a], ids[b], *values] for a, b, values in layout.edges],
    }
