"""Dominator trees: which blocks every path to a block passes.

Immediate dominators take memory and, but for a logarithm, time linear in the number of blocks and
jumps, whatever the graph. The iterative algorithm of Cooper, Harvey and Kennedy takes the square of
it where many blocks of a chain jump to one block.

Source: Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", 1979.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.ir.core import Block, Region

ROOT: Final = 0  # the number of the entry
UNLINKED: Final = -1


def successors_of(block: Block) -> Sequence[Block]:
    """The blocks to which a block jumps."""
    return block.operations[-1].successors if block.operations else ()


def dominated_blocks(region: Region) -> dict[Block, list[Block]]:
    """The dominator tree of a region: the children of each block that the entry reaches.

    The children of a block are the blocks whose immediate dominator it is, in text order.
    """
    search = DepthFirstSearch(region)
    dominators = immediate_dominators(search)
    children: dict[Block, list[Block]] = {block: [] for block in search.blocks}
    for block in region.blocks:
        number = search.numbers.get(block, ROOT)
        if number != ROOT:
            children[search.blocks[dominators[number]]].append(block)
    return children


class DepthFirstSearch:
    """The blocks that the entry of a region reaches, numbered in the order of the search.

    Attributes:
        blocks: The block of each number.
        numbers: The number of each block.
        parents: The number of the block from which the search first came to each one.
        predecessors: The numbers of the blocks that jump to each one.
    """

    def __init__(self, region: Region) -> None:
        """Searches a region that has a block."""
        self.blocks: list[Block] = []
        self.numbers: dict[Block, int] = {}
        self.parents: list[int] = []
        self.predecessors: list[list[int]] = []
        active = [self.enter(region.block, ROOT)]
        while active:
            number, targets = active[-1]
            target = next(targets, None)
            if target is None:
                active.pop()
                continue
            if target not in self.numbers:
                active.append(self.enter(target, number))
            self.predecessors[self.numbers[target]].append(number)

    def enter(self, block: Block, parent: int) -> tuple[int, Iterator[Block]]:
        """Numbers a block; returns its number and the blocks that follow it."""
        number = self.numbers[block] = len(self.blocks)
        self.blocks.append(block)
        self.parents.append(parent)
        self.predecessors.append([])
        return number, iter(successors_of(block))


def immediate_dominators(search: DepthFirstSearch) -> list[int]:
    """The number of the immediate dominator of each block; the entry's is itself."""
    forest = LinkForest(len(search.blocks))
    semidominators = forest.semidominators
    dominators = list(search.parents)
    waiting: list[list[int]] = [[] for _ in search.blocks]
    for block in range(len(search.blocks) - 1, ROOT, -1):
        parent = search.parents[block]
        semidominators[block] = min(
            semidominators[forest.least_above(before)] for before in search.predecessors[block]
        )
        waiting[semidominators[block]].append(block)
        forest.ancestors[block] = parent
        for other in waiting[parent]:
            least = forest.least_above(other)
            if semidominators[least] < semidominators[other]:
                dominators[other] = least  # which has the same immediate dominator
            else:
                dominators[other] = parent
        waiting[parent].clear()
    for block in range(1, len(search.blocks)):
        if dominators[block] != semidominators[block]:
            dominators[block] = dominators[dominators[block]]
    return dominators


class LinkForest:
    """The part of the search's tree whose semidominators are known; its paths get shorter.

    Attributes:
        semidominators: For each block the least number of a block from which a path leads to it
            over blocks of larger numbers only.
        ancestors: For each block one above it in its tree; UNLINKED of a root.
        least: The block of the least semidominator on the path to the ancestor, without this one.
    """

    def __init__(self, count: int) -> None:
        """Creates a forest of so many trees of one block."""
        self.semidominators = list(range(count))
        self.ancestors = [UNLINKED] * count
        self.least = list(range(count))

    def least_above(self, block: int) -> int:
        """The block of the least semidominator from a block up to the root, the root aside."""
        if self.ancestors[block] == UNLINKED:
            return block
        path: list[int] = []
        while self.ancestors[self.ancestors[block]] != UNLINKED:
            path.append(block)
            block = self.ancestors[block]
        for below in reversed(path):
            above = self.ancestors[below]
            if self.semidominators[self.least[above]] < self.semidominators[self.least[below]]:
                self.least[below] = self.least[above]
            self.ancestors[below] = self.ancestors[above]
        return self.least[path[0] if path else block]
