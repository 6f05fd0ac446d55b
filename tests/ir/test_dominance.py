"""Dominance in functions of several blocks: verdicts, and work linear in the number of blocks."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Mapping, Sequence

import pytest

import stablemate as sm
from stablemate.ir.core import Block, Operation, Region
from stablemate.ir.verification.dominator_tree import dominated_blocks
from tests.oracle.client import Oracle
from tests.work import LINEAR, calls_during, growth

SEEDS = range(300)
GROUPS = 10  # of seeds, a test each
VALUE = "tensor<f32>"
RULE = "every operand is defined before its use"

Graph = Sequence[Sequence[int]]  # the successors of each block


def random_graph(seed: int) -> Graph:
    """A graph of up to twelve blocks, in which none jumps to the entry."""
    rng = random.Random(seed)
    count = rng.randint(2, 12)
    return [
        [rng.randrange(1, count) for _ in range(rng.choice((0, 1, 1, 2)))] for _ in range(count)
    ]


def reached(graph: Graph, without: int | None) -> set[int]:
    """The blocks to which a path leads from the entry that does not pass one block."""
    found = {0} - {without}
    pending = list(found)
    while pending:
        targets = set(graph[pending.pop()]) - found - {without}
        found |= targets
        pending += targets
    return found


def dominators(graph: Graph) -> Mapping[int, set[int]]:
    """The dominators of each reached block, by the definition: every path passes them."""
    everything = reached(graph, None)
    return {
        block: {other for other in everything if block not in reached(graph, other)}
        for block in everything
    }


@pytest.mark.parametrize("group", range(GROUPS))
def test_dominator_trees_follow_the_definition(group: int) -> None:
    """The blocks above a block in the tree are those without which no path leads to it."""
    for seed in SEEDS[group::GROUPS]:
        check_tree(random_graph(seed))


def check_tree(graph: Graph) -> None:
    """Compares a tree with the definition."""
    blocks = [Block() for _ in graph]
    for block, targets in zip(blocks, graph, strict=True):
        block.append(Operation(successors=[blocks[target] for target in targets]))
    tree = dominated_blocks(Region(blocks))
    above = {child: block for block, children in tree.items() for child in children}
    expected = dominators(graph)
    assert {blocks.index(block) for block in tree} == set(expected)
    for number, wanted in expected.items():
        chain = [blocks[number]]
        while chain[-1] in above:
            chain.append(above[chain[-1]])
        assert {blocks.index(block) for block in chain} == wanted


def program(seed: int) -> str:
    """A function of several blocks, each of which uses a value of another one."""
    rng = random.Random(seed)
    graph = random_graph(seed)
    values = [*["%a"] * 3 * len(graph), *(f"%x{i}" for i in range(len(graph)))]
    lines: list[str] = []
    for number, targets in enumerate(graph):
        lines += [f"^b{number}:"] * bool(number)
        lines.append(f"  %x{number} = stablehlo.abs {rng.choice(values)} : {VALUE}")
        lines.append(f"  {jump(targets)}")
    return f"func.func @main(%a: {VALUE}, %c: i1) {{\n" + "\n".join(lines) + "\n}\n"


def jump(targets: Sequence[int]) -> str:
    """The end of a block."""
    match targets:
        case []:
            return "return"
        case [one]:
            return f"cf.br ^b{one}"
        case _:
            return f"cf.cond_br %c, {', '.join(f'^b{target}' for target in targets)}"


def test_verdicts_on_uses_in_other_blocks_are_those_of_jaxlib(oracle: Oracle) -> None:
    """Generated functions; MLIR, "Control Flow and SSACFG Regions"."""
    programs = [program(seed) for seed in SEEDS[::3]]
    places = oracle.places(programs)
    for text, place in zip(programs, places, strict=True):
        assert (place is None) == is_valid(text), text
    assert 10 < sum(place is None for place in places) < len(places) - 10


def is_valid(text: str) -> bool:
    """Whether a text is read and verified."""
    try:
        return not sm.load(text).diagnostics()
    except sm.ParseError:
        return False


def test_errors_of_several_blocks_are_in_text_order() -> None:
    """Block b2 comes after b1 in the text, and before it in the dominator tree's order."""
    text = f"""\
func.func @main(%a: {VALUE}, %c: i1) {{
  cf.cond_br %c, ^b1, ^b2
^b3:
  %0 = stablehlo.abs %2 : {VALUE}
  return
^b1:
  %1 = stablehlo.abs %2 : {VALUE}
  cf.br ^b3
^b2:
  %2 = stablehlo.abs %1 : {VALUE}
  cf.br ^b3
}}
"""
    assert [
        (item.message, item.span.line if item.span else 0) for item in sm.load(text).diagnostics()
    ] == [(RULE, 4), (RULE, 7), (RULE, 10)]


def chain(count: int) -> str:
    """Blocks each of which jumps to the next one."""
    blocks = "\n".join(f"^b{i}:\n  cf.br ^b{i + 1}" for i in range(count))
    return f"func.func @main() {{\n  cf.br ^b0\n{blocks}\n^b{count}:\n  return\n}}\n"


def ladder(count: int) -> str:
    """Blocks each of which jumps to the next one, or to the end."""
    blocks = "\n".join(f"^b{i}:\n  cf.cond_br %c, ^b{i + 1}, ^e" for i in range(count))
    end = f"^b{count}:\n  cf.br ^e\n^e:\n  return"
    return f"func.func @main(%c: i1) {{\n  cf.br ^b0\n{blocks}\n{end}\n}}\n"


def backwards(count: int) -> str:
    """A chain of uses through blocks whose text order is the reverse one."""
    blocks = "\n".join(
        f"^b{i}:\n  %x{i} = stablehlo.abs %x{i - 1} : {VALUE}\n  cf.br ^b{i + 1}"
        for i in range(count, 0, -1)
    )
    first = f"  %x0 = stablehlo.abs %a : {VALUE}\n  cf.br ^b1"
    return f"func.func @main(%a: {VALUE}) {{\n{first}\n{blocks}\n^b{count + 1}:\n  return\n}}\n"


def unreached(count: int) -> str:
    """Blocks to which nothing jumps."""
    blocks = "\n".join(
        f"^b{i}:\n  %x{i} = stablehlo.abs %a : {VALUE}\n  return" for i in range(count)
    )
    return f"func.func @main(%a: {VALUE}) {{\n  return\n{blocks}\n}}\n"


FORMS = {"chain": chain, "ladder": ladder, "backwards": backwards, "unreached": unreached}


@pytest.mark.parametrize("form", FORMS)
def test_reading_and_verifying_blocks_is_linear(form: str) -> None:
    """Twice the blocks take twice the calls."""

    def check(count: int) -> None:
        assert sm.load(FORMS[form](count)).diagnostics() == []

    assert growth(check, 100) < LINEAR


def test_a_dominator_tree_of_a_ladder_takes_linear_work() -> None:
    """The last block has as many predecessors as there are blocks, all on one path."""
    function = sm.load(ladder(400)).ir.body.operations[0]
    short = sm.load(ladder(200)).ir.body.operations[0]
    works = [calls_during(lambda f=f: dominated_blocks(f.regions[0])) for f in (short, function)]
    assert works[1] < LINEAR * works[0]


def test_verifying_8000_blocks_takes_little_memory() -> None:
    """182 kB of text; sets of dominators took 2.1 GB."""
    module = sm.load(chain(8_000))
    tracemalloc.start()
    try:
        assert module.diagnostics() == []
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()
