"""Graphs for Model Explorer: its collection of graphs, and overlays as its node data.

Source: google-ai-edge/model-explorer, ``graph_builder.py`` and ``node_data_builder.py``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from stablemate.diagnostics.visible import visible
from stablemate.explorer.boxes import Box, boxes_of
from stablemate.explorer.graph import GraphNode, ProgramGraph
from stablemate.explorer.overlays import KINDS, Overlay

# Colors between the least and the largest number of an overlay.
GRADIENT: Final = (
    {"stop": 0.0, "bgColor": "#fdeecb"},
    {"stop": 0.5, "bgColor": "#f3924f"},
    {"stop": 1.0, "bgColor": "#9c1c2b"},
)
FLAG_COLORS: Final = (
    {"value": 0, "bgColor": "#ffffff"},
    {"value": 1e300, "bgColor": "#d9502f"},
)


def collection_of(graph: ProgramGraph, overlays: Sequence[Overlay] = ()) -> dict[str, object]:
    """A program for Model Explorer.

    Args:
        graph: The program.
        overlays: Numbers of operations.

    Returns:
        ``label`` and ``graphs``, a collection of one graph for each function, and ``node_data``:
        by the name of each overlay what Model Explorer takes as custom node data.
    """
    root = boxes_of(graph)
    makers: dict[int, tuple[str, str]] = {}
    leaves = [box for box in root.walk() if box.node is not None]
    for i, box in enumerate(leaves):
        box.id = i
        assert box.node is not None
        for output, value in enumerate(box.node.results):
            makers[value] = f"n{i}", str(output)
    functions: dict[Box, list[Box]] = {function: [] for function in root.children}
    for box in leaves:
        functions[function_of(box)].append(box)
    return {
        "label": visible(graph.title),
        "graphs": [
            {
                "id": visible(function.label),
                "nodes": [node_of(box, graph, makers) for box in boxes],
            }
            for function, boxes in functions.items()
        ],
        "node_data": {overlay.name: node_data(overlay, functions) for overlay in overlays},
    }


def function_of(box: Box) -> Box:
    """The function that a box is in."""
    while box.parent is not None and box.parent.kind != "program":
        box = box.parent
    return box


def node_of(
    box: Box, graph: ProgramGraph, makers: Mapping[int, tuple[str, str]]
) -> dict[str, object]:
    """A node of a graph."""
    node = box.node
    assert node is not None
    document: dict[str, object] = {
        "id": f"n{box.id}",
        "label": visible(node.name),
        "namespace": namespace(box),
        "attrs": [entry(*attribute) for attribute in attributes(node)],
        "incomingEdges": [
            {
                "sourceNodeId": makers[value][0],
                "sourceNodeOutputId": makers[value][1],
                "targetNodeInputId": str(i),
            }
            for i, value in enumerate(node.operands)
            if value in makers
        ],
        "outputsMetadata": [
            {
                "id": str(i),
                "attrs": [
                    entry("__tensor_tag", graph.values[value].name),
                    entry("tensor_shape", graph.values[value].type),
                ],
            }
            for i, value in enumerate(node.results)
        ],
    }
    if node.callees:
        document["subgraphIds"] = [visible(callee) for callee in node.callees]
    return document


def namespace(box: Box) -> str:
    """The path of the boxes around a box, in its function; slashes in names part nothing."""
    parts: list[str] = []
    around = box.parent
    while around is not None and around.kind not in ("function", "program"):
        number = "" if around.node is None or around.node.number is None else around.node.number
        label = visible(around.label).replace("/", "\u2215")
        parts.append(f"{label} {number}".strip())
        around = around.parent
    return "/".join(reversed(parts))


def attributes(node: GraphNode) -> Iterable[tuple[str, str]]:
    """The rows of the side panel for a node."""
    if node.number is not None:
        yield "operation", str(node.number)
    if node.line:
        yield "line", str(node.line)
    yield from node.attributes
    if node.origin:
        yield "origin", node.origin
    if node.frames:
        yield "call stack", "\n".join(node.frames)


def entry(key: str, value: str) -> dict[str, str]:
    """A key and a value, as texts."""
    return {"key": visible(key), "value": visible(value)}


def node_data(overlay: Overlay, functions: Mapping[Box, Sequence[Box]]) -> dict[str, object]:
    """The node data of all graphs: numbers that are none are left out."""
    colors: dict[str, object] = (
        {"thresholds": FLAG_COLORS} if KINDS[overlay.kind][0] == "flag" else {"gradient": GRADIENT}
    )
    return {
        visible(function.label): {
            "results": {
                f"n{box.id}": {"value": overlay.values[number]}
                for box in boxes
                if (number := box.node.number if box.node else None) is not None
                and math.isfinite(overlay.values.get(number, math.nan))
            },
            **colors,
        }
        for function, boxes in functions.items()
    }
