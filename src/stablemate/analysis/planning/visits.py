"""Visits: how often a call of a function executes each operation.

What only says which regions run, and how often, is walked through; of branches the costliest one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from stablemate.analysis.cost import Cost, Counting, callees_first, is_free
from stablemate.analysis.formulas import STRUCTURE
from stablemate.analysis.loops import iterations
from stablemate.dialects.calls import CALLS
from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.while_ import While
from stablemate.ir.core import Block, Module, Operation, Region


class Turns(NamedTuple):
    """How often something runs.

    Attributes:
        number: How often; a loop whose number of iterations is open counts as one.
        open: In how many such loops it is.
    """

    number: int = 1
    open: int = 0


class Visiting:
    """The operations of the functions of a valid module, with how often they run.

    Attributes:
        functions: The functions by name.
        counting: What operations cost.
        costs: What a call of each function costs.
    """

    def __init__(self, module: Module) -> None:
        functions = (
            operation for operation in module.body.operations if isinstance(operation, FuncOp)
        )
        self.functions: Mapping[str, FuncOp] = {function.symbol: function for function in functions}
        self.counting = Counting({})
        self.visited: dict[str, dict[Operation, Turns]] = {}
        for name in callees_first(self.functions):
            function = self.functions[name]
            costs = [self.counting.block(block) for block in function.body.blocks]
            self.counting.costs[name] = sum(costs, Cost())
            self.visited[name] = self.collected(function.body)

    def collected(self, region: Region) -> dict[Operation, Turns]:
        """The operations of a region that runs once."""
        turns_of: dict[Operation, Turns] = {}
        for block in region.blocks:
            for operation, turns in self.block(block):
                before = turns_of.get(operation, Turns(0, 0))
                open = max(before.open, turns.open)
                turns_of[operation] = Turns(before.number + turns.number, open)
        return turns_of

    def block(self, block: Block) -> Iterator[tuple[Operation, Turns]]:
        """The operations of a block that runs once."""
        for operation in block.operations:
            name = operation.name
            callee = getattr(operation, CALLS[name]) if name in CALLS else None
            if callee in self.visited:
                yield from self.visited[callee].items()
            elif name in STRUCTURE:
                for region, times in self.regions(operation):
                    for inner, turns in self.collected(region).items():
                        number = turns.number * times.number
                        yield inner, Turns(number, turns.open + times.open)
            elif not is_free(operation):
                yield operation, Turns()

    def regions(self, operation: Operation) -> Iterator[tuple[Region, Turns]]:
        """The regions that run, and how often each."""
        if isinstance(operation, While):
            number = iterations(operation)
            if number is None:
                yield from ((region, Turns(1, 1)) for region in operation.regions)
            else:
                yield operation.cond, Turns(number + 1)
                yield operation.body, Turns(number)
        elif operation.regions:
            costs = self.counting.regions(operation)
            dearest = max(range(len(costs)), key=lambda i: (costs[i].flops, costs[i].bytes, -i))
            yield operation.regions[dearest], Turns()
