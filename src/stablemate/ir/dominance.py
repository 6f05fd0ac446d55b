"""Which values can be used where: a definition must dominate its use.

Source: MLIR language reference, "Control Flow and SSACFG Regions", "Graph Regions"; StableHLO
specification, "Identifiers".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.definition import definition_of


def undominated_operands(top: Operation) -> Iterator[tuple[Operation, int]]:
    """Every operand, as (operation, position), whose value cannot be used there."""
    yield from undominated_in_regions(top, set())


def undominated_in_regions(
    operation: Operation, visible: set[Value[Any]]
) -> Iterator[tuple[Operation, int]]:
    """The same inside the regions of one operation; ``visible`` holds the values from outside."""
    pending = [(operation, visible)]
    while pending:
        parent, outside = pending.pop()
        for region in parent.regions:
            inherited = set[Value[Any]]() if parent.definition.isolated else outside
            for block, before in zip(region.blocks, visible_before(region), strict=True):
                here = inherited | before
                here.update(block.arguments)
                if is_graph(parent):
                    here.update(value for inner in block.operations for value in inner.results)
                for inner in block.operations:
                    for i, value in enumerate(inner.operands):
                        if value not in here:
                            yield inner, i
                    if inner.regions:
                        pending.append((inner, set(here)))
                    here.update(inner.results)


def is_graph(parent: Operation) -> bool:
    """Whether the operations of a block in this operation have no order.

    Those of a module have none; those in an unregistered operation need not have one.
    """
    definition = definition_of(parent)
    return definition.symbols or not definition.registered


def visible_before(region: Region) -> list[set[Value[Any]]]:
    """For each block, the values of the blocks that dominate it."""
    if len(region.blocks) <= 1:
        return [set() for _ in region.blocks]
    own = [set[Value[Any]](block.arguments) for block in region.blocks]
    for values, block in zip(own, region.blocks, strict=True):
        for operation in block.operations:
            values.update(operation.results)
    return [
        set[Value[Any]]().union(*(own[j] for j in dominators if j != i))
        for i, dominators in enumerate(dominator_sets(region.blocks))
    ]


def dominator_sets(blocks: Sequence[Block]) -> list[set[int]]:
    """For each block, the numbers of the blocks that every path to it passes (itself included)."""
    numbers = {block: i for i, block in enumerate(blocks)}
    everything = set(range(len(blocks)))
    before: list[list[int]] = [[] for _ in blocks]
    for i, block in enumerate(blocks):
        for target in block.operations[-1].successors if block.operations else ():
            before[numbers[target]].append(i)
    sets = [{0}, *(set(everything) for _ in blocks[1:])]
    changed = True
    while changed:
        changed = False
        for i in range(1, len(blocks)):
            meet = set(everything)
            for j in before[i]:
                meet &= sets[j]
            if meet | {i} != sets[i]:
                sets[i], changed = meet | {i}, True
    return sets
