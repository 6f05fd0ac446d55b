"""Boxes, edges and rows: every operation once, nothing in circles, every edge downwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import stablemate as sm
from stablemate.explorer.boxes import Box, boxes_of
from stablemate.explorer.document import document_of
from stablemate.explorer.edges import edges_of
from stablemate.explorer.graph import ProgramGraph
from stablemate.explorer.layers import layout_of
from tests.explorer.programs import FUSION, SCOPES, long_chain, parameters_of_one_operation

PROGRAMS = sorted(Path("tests/programs").glob("*.mlir"))


def graphs() -> list[ProgramGraph]:
    """Graphs of several kinds of programs."""
    texts = [SCOPES, FUSION, long_chain(300), *(program.read_text() for program in PROGRAMS[::4])]
    return [sm.load(text).graph() for text in texts]


def labels(box: Box) -> list[str]:
    """The names of what is in a box."""
    return [child.label for child in box.children]


def test_scopes_become_boxes_and_a_scope_entered_again_another_one() -> None:
    main, twice = boxes_of(sm.load(SCOPES).graph()).children
    assert labels(main) == [
        *("%x", "a", "b", "a"), "%n", "stablehlo.while", "func.return"
    ]  # fmt: skip
    first = main.children[1]
    # The constant belongs to what alone takes it.
    assert labels(first) == ["stablehlo.constant", "stablehlo.add", "stablehlo.multiply"]
    loop = main.children[5]
    assert labels(loop) == ["cond", "body"]
    assert labels(twice) == ["%y", "stablehlo.add", "func.return"]


def test_many_arguments_share_a_box_from_which_their_edges_begin() -> None:
    text = parameters_of_one_operation()
    (main,) = (root := boxes_of(sm.load(text).graph())).children
    assert labels(main) == [
        *("241 arguments", "stablehlo.constant", "stablehlo.maximum"),
        *("stablehlo.concatenate", "func.return"),
    ]  # fmt: skip
    edges = edges_of(root)
    arguments = main.children[0]
    assert len(arguments.children) == 241
    assert arguments not in edges
    assert [child.kind for child in arguments.children] == ["argument"] * 241
    between = {(a.label, b.label): len(v) for (a, b), v in edges[main].items()}
    assert between["241 arguments", "stablehlo.concatenate"] == 240
    assert between["241 arguments", "stablehlo.maximum"] == 1


def test_long_lists_are_cut_where_few_values_are_alive() -> None:
    """Blocks of 40 operations that hand on one value each, and use many inside."""
    lines, last = list[str](), "%x"
    for block in range(10):
        name = f"%b{block}_"
        lines.append(f"{name}0 = stablehlo.negate {last} : tensor<2xf32>")
        for i in range(1, 40):
            other = last if i == 1 else f"{name}{0 if i % 2 else i // 2}"
            lines.append(f"{name}{i} = stablehlo.add {name}{i - 1}, {other} : tensor<2xf32>")
        last = f"{name}39"
    body = "\n".join(lines)
    module = sm.load(
        f"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{\n{body}\n"
        f"return {last} : tensor<2xf32>\n}}"
    )
    (main,) = boxes_of(module.graph()).children
    pieces = [child for child in main.children if child.kind == "piece"]
    assert len(pieces) == len(main.children) == round(402 / 48)
    assert {labels(piece)[0] for piece in pieces[1:]} == {"stablehlo.negate"}
    assert sum(len(piece.children) for piece in pieces) == 402
    assert pieces[0].label.startswith("lines 2\u2013")


def test_fusions_hold_what_they_compute() -> None:
    (main,) = boxes_of(sm.load(FUSION).graph()).children
    fusion = next(operation for operation in main.walk() if operation.label == "fusion")
    # What takes nothing stands right before what takes it.
    assert labels(fusion) == ["constant", "broadcast", "p", "multiply", "root"]


@pytest.mark.parametrize("graph", graphs(), ids=lambda graph: graph.title)
def test_every_node_has_one_box_and_every_edge_leads_down(graph: ProgramGraph) -> None:
    root = boxes_of(graph)
    edges = edges_of(root)
    nodes = [box.node for box in root.walk() if box.node is not None]
    assert sorted(map(id, nodes)) == sorted(map(id, graph.nodes()))
    for box in root.walk():
        if not box.children:
            continue
        layout = layout_of(box, edges.get(box, {}))
        level = {item: i for i, row in enumerate(layout.rows) for item in row if item >= 0}
        assert sorted(level) == list(range(len(box.children)))
        for source, target, values in layout.edges:
            assert level[source] < level[target], f"{box.label}: a circle"
            assert values


@pytest.mark.parametrize("graph", graphs(), ids=lambda graph: graph.title)
def test_every_operand_is_reached_along_edges(graph: ProgramGraph) -> None:
    root = boxes_of(graph)
    edges = edges_of(root)
    steps: dict[tuple[Box, int], set[Box]] = {}
    for inside in edges.values():
        for (source, target), values in inside.items():
            for value in values:
                steps.setdefault((source, value), set()).add(target)
    makers = {value: box for box in root.walk() if box.node for value in box.node.results}
    for box in root.walk():
        for value in box.node.operands if box.node else ():
            reached, pending = set[Box](), [makers[value]]
            while pending:
                pop_result = pending.pop()
                for other in steps.get((pop_result, value), ()):
                    if other not in reached:
                        reached.add(other)
                        # Through the side of a box: to where the value goes on, inside or outside.
                        inner = [c for c in other.children if c.kind == "in" and c.value == value]
                        outer = [other.parent] if other.kind == "out" and other.parent else []
                        pending += [other, *inner, *outer]
            assert box in reached


def test_documents_are_json_and_say_where_things_are() -> None:
    document = json.loads(json.dumps(document_of(sm.load(SCOPES).graph()), allow_nan=False))
    boxes, texts = document["boxes"], document["texts"]
    assert len({len(column) for column in boxes.values()}) == 1
    at = boxes["number"].index(6)
    assert texts[boxes["label"][at]] == "stablehlo.negate"
    assert document["source"]["lines"][boxes["line"][at] - 1].strip().startswith("%minus")
    assert [texts[attribute] for attribute in boxes["attributes"][boxes["number"].index(2)]] == [
        "value",
        "1",
    ]
