"""Which values can be used where: a definition must dominate its use.

Source: MLIR language reference, "Control Flow and SSACFG Regions", "Graph Regions"; StableHLO
specification, "Identifiers".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.definition import definition_of
from stablemate.ir.verification.dominator_tree import dominated_blocks


def undominated_operands(top: Operation) -> list[tuple[Operation, int]]:
    """Every operand, as (operation, position), whose value cannot be used there, in text order."""
    found = list(undominated_in_tree_order(top))
    if len(found) > 1:
        order = {operation: number for number, operation in enumerate(top.walk())}
        found.sort(key=lambda use: order[use[0]])
    return found


def undominated_in_tree_order(top: Operation) -> Iterator[tuple[Operation, int]]:
    """The operands whose values cannot be used there, in an order of dominator trees."""
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
            if scope.dominated:
                scopes += scope.dominated
                scope.dominated = []
                continue
            scope.leave()
            scopes.pop()


class DominanceScope:
    """A block, and the values that can be used in it; blocks share the values from outside.

    Attributes:
        operations: The operations that were not visited.
        visible: The values that can be used at the next of them.
        pending: Values that become visible before the next operation: the arguments of the block,
            or the results of an operation whose regions were visited before.
        dominated: The scopes of the blocks that see the values of this one, the last one first.
    """

    def __init__(
        self,
        operations: Iterable[Operation],
        values: Iterable[Value],
        visible: set[Value],
        dominated: list[DominanceScope],
    ) -> None:
        """Creates a scope.

        Args:
            operations: Its operations.
            values: The values that can be used at the first of them.
            visible: The values from outside; the set itself is changed and restored.
            dominated: The scopes of the blocks that see its values.
        """
        self.operations = iter(operations)
        self.pending = values
        self.visible = visible
        self.dominated = dominated
        self.defined: list[Value] = []

    def enter(self) -> None:
        """Makes values visible that become so before the next operation."""
        self.define(self.pending)
        self.pending = ()

    def define(self, values: Iterable[Value]) -> None:
        """Makes values visible from here to the end of the scope."""
        for value in values:
            if value not in self.visible:
                self.visible.add(value)
                self.defined.append(value)

    def leave(self) -> None:
        """Makes the values of the block invisible."""
        self.visible.difference_update(self.defined)


def scopes_inside(operation: Operation, visible: set[Value]) -> list[DominanceScope]:
    """The scopes of the regions of an operation, the last one first."""
    graph, isolated = is_graph(operation), operation.definition.isolated
    scopes: list[DominanceScope] = []
    for region in reversed(operation.regions):
        outside = set[Value]() if isolated else visible
        scopes += scopes_of(region, outside, graph=graph)
    return scopes


def scopes_of(region: Region, visible: set[Value], *, graph: bool) -> list[DominanceScope]:
    """The scopes of a region that no other of its scopes sees, the last one first.

    Blocks that the entry does not reach see all values of the region, in any order.

    Args:
        region: The region.
        visible: The values from outside.
        graph: Whether the operations of a block have no order.
    """
    if len(region.blocks) <= 1:
        return [scope_of(block, visible, graph=graph) for block in region.blocks]
    tree = dominated_blocks(region)
    scopes = {block: scope_of(block, visible, graph=graph) for block in tree}
    for block, children in tree.items():
        scopes[block].dominated = [scopes[child] for child in reversed(children)]
    unreached = [block for block in region.blocks if block not in tree]
    if not unreached:
        return [scopes[region.block]]
    inner = [scope_of(block, visible, graph=True) for block in reversed(unreached)]
    return [DominanceScope((), values_in(region.blocks), visible, inner), scopes[region.block]]


def scope_of(block: Block, visible: set[Value], *, graph: bool) -> DominanceScope:
    """The scope of a block; in a graph it sees its own results from the beginning."""
    values = values_in([block]) if graph else block.arguments
    return DominanceScope(block.operations, values, visible, [])


def values_in(blocks: Iterable[Block]) -> Iterator[Value]:
    """The arguments of blocks and the results of their operations."""
    for block in blocks:
        yield from block.arguments
        for operation in block.operations:
            yield from operation.results


def is_graph(parent: Operation) -> bool:
    """Whether the operations of a block in this operation have no order.

    Those of a module have none; those in an unregistered operation need not have one.
    """
    definition = definition_of(parent)
    return definition.symbols or not definition.registered
