"""Which values can be used where: a definition must dominate its use.

Source: MLIR language reference, "Control Flow and SSACFG Regions", "Graph Regions"; StableHLO
specification, "Identifiers".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.definition import definition_of


def undominated_operands(top: Operation) -> Iterator[tuple[Operation, int]]:
    """Every operand, as (operation, position), whose value cannot be used there, in text order."""
    scopes = scopes_inside(top, set())
    while scopes:
        scope = scopes[-1]
        scope.enter()
        for inner in scope.operations:
            for position, value in enumerate(inner.operands):
                if value not in scope.visible:
                    yield inner, position
            if inner.regions:
                scope.pending = inner.results
                scopes += scopes_inside(inner, scope.visible)
                break
            scope.define(inner.results)
        else:
            scope.leave()
            scopes.pop()


class Scope:
    """A block, and the values that can be used in it; blocks share the values from outside.

    Attributes:
        operations: The operations that were not visited.
        visible: The values that can be used at the next of them.
        pending: The results of the last operation, if its regions were visited before.
    """

    def __init__(
        self, block: Block, before: set[Value[Any]], outside: set[Value[Any]], *, graph: bool
    ) -> None:
        """Creates the scope of a block.

        Args:
            block: The block.
            before: The values of blocks that dominate it.
            outside: The values from outside of its region; the set itself is changed and restored.
            graph: Whether the operations of the block have no order.
        """
        self.operations = iter(block.operations)
        self.visible = outside
        self.pending: Iterable[Value[Any]] = chain(block.arguments, before)
        if graph:
            results = (value for inner in block.operations for value in inner.results)
            self.pending = chain(self.pending, results)
        self.defined: list[Value[Any]] = []

    def enter(self) -> None:
        """Makes values visible that become so before the next operation."""
        self.define(self.pending)
        self.pending = ()

    def define(self, values: Iterable[Value[Any]]) -> None:
        """Makes values visible."""
        for value in values:
            if value not in self.visible:
                self.visible.add(value)
                self.defined.append(value)

    def leave(self) -> None:
        """Makes the values of the block invisible."""
        self.visible.difference_update(self.defined)


def scopes_inside(operation: Operation, visible: set[Value[Any]]) -> list[Scope]:
    """The scopes of the blocks in an operation, the last one first."""
    graph, isolated = is_graph(operation), operation.definition.isolated
    scopes: list[Scope] = []
    for region in operation.regions:
        reached = reachable(region)
        for block, before in zip(region.blocks, visible_before(region), strict=True):
            outside = set[Value[Any]]() if isolated else visible
            scopes.append(Scope(block, before, outside, graph=graph or block not in reached))
    return scopes[::-1]


def reachable(region: Region) -> set[Block]:
    """The blocks to which a path leads from the first one; in others no order of values is kept."""
    reached = set(region.blocks[:1])
    rest = list(reached)
    while rest:
        operations = rest.pop().operations
        targets = operations[-1].successors if operations else ()
        rest += [target for target in targets if target not in reached]
        reached.update(targets)
    return reached


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
