"""Graphs of programs: what is a node, where it came from, what values are called."""

from __future__ import annotations

import pytest

import stablemate as sm
from stablemate.analysis.source_places import scopes_of
from stablemate.explorer.details import detail_of, plain
from stablemate.explorer.graph import GraphNode, ProgramGraph
from tests.explorer.programs import FUSION, SCOPES


def node_called(graph: ProgramGraph, name: str) -> GraphNode:
    """The node that makes the value of a name."""
    return next(n for n in graph.nodes() if any(graph.values[v].name == name for v in n.results))


def test_values_have_the_names_of_the_text() -> None:
    graph = sm.load(SCOPES).graph()
    node = node_called(graph, "%square")
    assert [graph.values[operand].name for operand in node.operands] == ["%sum", "%sum"]
    assert graph.values[node.results[0]].type == "tensor<4xf32>"
    assert {"%x", "%n", "%loop#0", "%loop#1", "%v", "%y"} <= {value.name for value in graph.values}


def test_nodes_know_scope_stack_line_and_number() -> None:
    module = sm.load(SCOPES)
    graph = module.graph()
    node = node_called(graph, "%square")
    assert node.scope == ("jit(f)", "a")
    assert list(node.frames) == ["g  f.py:4:1", "f  f.py:9:2"]
    assert SCOPES.splitlines()[node.line - 1].strip().startswith("%square")
    walked = list(module.operation.walk())
    assert node.number is not None
    assert walked[node.number].name == node.name
    assert walked[node.number].span is not None
    assert graph.by_offset[walked[node.number].span.start] == node.number


def test_functions_regions_and_calls() -> None:
    graph = sm.load(SCOPES).graph()
    assert [function.label for function in graph.functions] == ["@main", "@twice"]
    loop = node_called(graph, "%loop#0")
    assert [body.label for body in loop.bodies] == ["cond", "body"]
    assert list(node_called(graph, "%twice").callees) == ["@twice"]
    assert node_called(graph, "%x").detail == "x"


def test_what_was_no_text_is_printed() -> None:
    module = sm.load(SCOPES)
    module = sm.load(module.to_bytecode())
    graph = module.graph()
    assert graph.source.text == module.to_text()
    lines = graph.source.text.splitlines()
    for node in graph.nodes():
        if node.number is not None:
            assert node.name.split(".")[1] in lines[node.line - 1]
            assert node.scope in ((), ("jit(f)", "a"), ("jit(f)", "b"))


def test_large_literals_are_previewed() -> None:
    values = ", ".join(map(str, range(100)))
    module = sm.load(
        f"func.func @main() -> tensor<100xi32> {{ %c = stablehlo.constant dense<[{values}]> : "
        "tensor<100xi32> return %c : tensor<100xi32> }"
    )
    for item in (module, sm.load(module.to_bytecode())):
        graph = item.graph()
        (node,) = [n for n in graph.nodes() if n.kind == "constant"]
        assert node.detail == "[0, 1, 2, 3, 4, 5, 6, 7, … 100 elements]"
        assert dict(node.attributes) == {"value": node.detail}
    assert "dense_resource<__elided__>" in graph.source.text


def test_fusions_of_hlo_are_regions() -> None:
    module = sm.load(FUSION)
    assert isinstance(module, sm.HloModule)
    graph = module.graph()
    (main,) = graph.functions
    assert main.label == "main"
    fusion = node_called(graph, "%f")
    assert [body.label for body in fusion.bodies] == ["inner"]
    assert fusion.scope == ("jit(f)", "scale")  # XLA states none: that of its root
    inner = node_called(graph, "%m")
    assert list(inner.frames) == ["f.py:7"]
    assert inner.number == 3
    assert FUSION.splitlines()[inner.line - 1].strip().startswith("ROOT %m")
    assert node_called(graph, "%c").detail == "2"


def test_protos_of_hlo_have_the_same_graph() -> None:
    module = sm.load(FUSION)
    assert isinstance(module, sm.HloModule)
    from_text, from_proto = module.graph(), sm.load(module.to_proto()).graph()
    assert from_proto.values == from_text.values
    assert [(n.name, n.number, n.scope, n.detail) for n in from_proto.nodes()] == [
        (n.name, n.number, n.scope, n.detail) for n in from_text.nodes()
    ]


def test_programs_need_not_be_valid() -> None:
    module = sm.load(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {"
        '%y = "stablehlo.add"(%x) : (tensor<2xf32>) -> tensor<3xf32> return %x : tensor<2xf32> }'
    )
    assert [node.name for node in module.graph().nodes()][1] == "stablehlo.add"


def test_scopes_part_at_slashes_outside_of_brackets() -> None:
    assert scopes_of("jit(f)/transpose(jvp(a/b))/c/add") == ("jit(f)", "transpose(jvp(a/b))", "c")
    assert scopes_of("add") == ()
    assert scopes_of("a//b/add") == ("a", "b")


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("1.000000e+00", "1"),
        ("-5.000000e-01", "-0.5"),
        ("1.500000e+30", "1.5e+30"),
        ("true", "true"),
        ("0x7FC00000", "0x7FC00000"),
        ("12", "12"),
    ],
)
def test_numbers_are_plain(number: str, shown: str) -> None:
    assert plain(number) == shown


def test_dots_are_told_apart_by_their_dimensions() -> None:
    text = (
        "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], "
        "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>"
    )
    attributes = {"dot_dimension_numbers": text}
    assert detail_of("stablehlo.dot_general", attributes) == "contract [2]·[3], batch [0]·[1]"


@pytest.mark.parametrize(
    ("literal", "type", "shown"),
    [
        ("0xFF800000", "f32", "-inf"),
        ("[0x7F800000, 1.5]", "2xf32", "[inf, 1.5]"),
        ("0x7FC00000", "f32", "nan"),
        ("0xFF80", "bf16", "-inf"),
        ("(0x7F800000, 0.0)", "complex<f32>", "(inf+0j)"),
        ("0.25", "f32", "0.25"),
    ],
)
def test_constants_show_values_and_not_bits(literal: str, type: str, shown: str) -> None:
    graph = sm.parse(
        f"func.func @main() -> tensor<{type}> {{\n"
        f"  %c = stablehlo.constant dense<{literal}> : tensor<{type}>\n"
        f"  return %c : tensor<{type}>\n}}"
    ).graph()
    assert node_called(graph, "%c").detail == shown
