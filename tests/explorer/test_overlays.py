"""Overlays: read from JSON, made from costs and profiles."""

from __future__ import annotations

import json
import math
import re

import pytest

import stablemate as sm
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.explorer.measured import cost_overlays, time_overlay
from stablemate.explorer.overlays import Overlay, overlays_of_text
from tests.explorer.programs import SCOPES

DOT = """
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>) -> tensor<2x5xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  return %c : tensor<2x5xf32>
}
"""  # noqa: E501 a program


def test_any_tool_can_write_one() -> None:
    text = '{"name": "t", "unit": "s", "kind": "time", "values": {"3": 0.5, "4": "nan"}}'
    (overlay,) = overlays_of_text(text, "t.json")
    assert (overlay.name, overlay.unit, overlay.kind) == ("t", "s", "time")
    assert overlay.values[3] == 0.5
    assert math.isnan(overlay.values[4])
    assert overlay.to_json() == {
        "name": "t", "unit": "s", "kind": "time", "scale": "linear", "total": "sum",
        "values": {"3": 0.5, "4": "nan"},
    }  # fmt: skip
    assert len(overlays_of_text(f"[{text}, {text}]", "t.json")) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "o.json is no JSON: Expecting property name"),
        ("3", "o.json is no overlay: an object with 'values' is expected"),
        ('{"values": {"x": 1}}', "o.json: 'x' is no number of an operation"),
        ('{"values": {"1": []}}', "o.json: the value of operation 1 is no number"),
        ('{"kind": "heat", "values": {}}', "no kind of overlay is called 'heat'"),
    ],
)
def test_what_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(ArgumentValueError, match=re.escape(message)):
        overlays_of_text(text, "o.json")


def test_costs_follow_the_formulas() -> None:
    module = sm.load(DOT)
    graph = module.graph()
    flops, traffic = cost_overlays(graph, module.ir, "main")
    (dot,) = [n.number for n in graph.nodes() if n.name == "stablehlo.dot_general"]
    assert flops.values == {dot: 2 * 2 * 3 * 5}
    assert traffic.values == {dot: 4 * (2 * 3 + 3 * 5 + 2 * 5)}


def test_time_of_a_profile_is_all_handed_out() -> None:
    module = sm.load(DOT)
    profile = sm.profile(sm.compile(module), *[[[1.0] * 3] * 2, [[1.0] * 5] * 3], runs=1)
    overlay = time_overlay(module.graph(), profile.operations)
    timed = [row.seconds for row in profile.rows if row.operations]
    assert sum(overlay.values.values()) == pytest.approx(sum(timed))


def test_model_explorer_gets_graphs_and_node_data() -> None:
    view = sm.view(sm.load(SCOPES), overlays=[sm.Overlay("t", "s", "time", {4: 2.0, 5: math.inf})])
    document = json.loads(json.dumps(view.to_model_explorer()))
    main, twice = document["graphs"]
    assert (main["id"], twice["id"]) == ("@main", "@twice")
    nodes = {node["id"]: node for node in main["nodes"]}
    add = next(n for n in main["nodes"] if {"key": "operation", "value": "3"} in n["attrs"])
    assert add["label"] == "stablehlo.add"
    assert add["namespace"] == "a"
    sources = [
        nodes[incomingEdge["sourceNodeId"]]["label"] for incomingEdge in add["incomingEdges"]
    ]
    assert sources == ["%x", "stablehlo.constant"]
    assert {"key": "tensor_shape", "value": "tensor<4xf32>"} in add["outputsMetadata"][0]["attrs"]
    call = next(n for n in main["nodes"] if n["label"] == "func.call")
    assert call["subgraphIds"] == ["@twice"]
    assert call["namespace"].endswith("/body")
    multiply = next(n for n in main["nodes"] if {"key": "operation", "value": "4"} in n["attrs"])
    data = document["node_data"]["t"]["@main"]
    assert data["results"] == {multiply["id"]: {"value": 2.0}}
    assert data["gradient"][0]["stop"] == 0.0


def test_kinds_are_checked_where_they_are_made() -> None:
    with pytest.raises(ArgumentValueError, match="no kind of overlay is called 'heat'"):
        Overlay("t", "", "heat", {})
