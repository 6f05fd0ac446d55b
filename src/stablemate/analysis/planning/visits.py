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


class ExecutionCount(NamedTuple):
    """How often an operation is executed in one call.

    Attributes:
        number: The executions; a loop whose trip count is unknown counts as one iteration.
        open: The number of enclosing loops whose trip count is unknown.
    """

    number: int = 1
    open: int = 0


class Visiting:
    """The operations of the functions of a valid module, with their execution counts.

    Attributes:
        functions: The functions by name.
        counting: The costs of operations.
        costs: The cost of a call of each function.
    """

    def __init__(self, module: Module) -> None:
        functions = (
            operation for operation in module.body.operations if isinstance(operation, FuncOp)
        )
        self.functions: Mapping[str, FuncOp] = {function.symbol: function for function in functions}
        self.counting = Counting({})
        self.visited: dict[str, dict[Operation, ExecutionCount]] = {}
        for name in callees_first(self.functions):
            function = self.functions[name]
            costs = [self.counting.block(block) for block in function.body.blocks]
            self.counting.costs[name] = sum(costs, Cost())
            self.visited[name] = self.collected(function.body)

    def collected(self, region: Region) -> dict[Operation, ExecutionCount]:
        """The operations of a region that runs once."""
        executions_of: dict[Operation, ExecutionCount] = {}
        for block in region.blocks:
            for operation, executions in self.block(block):
                before = executions_of.get(operation, ExecutionCount(0, 0))
                open = max(before.open, executions.open)
                executions_of[operation] = ExecutionCount(before.number + executions.number, open)
        return executions_of

    def block(self, block: Block) -> Iterator[tuple[Operation, ExecutionCount]]:
        """The operations of a block that runs once."""
        for operation in block.operations:
            name = operation.name
            callee = getattr(operation, CALLS[name]) if name in CALLS else None
            if callee in self.visited:
                yield from self.visited[callee].items()
            elif name in STRUCTURE:
                for region, times in self.regions(operation):
                    for inner, executions in self.collected(region).items():
                        number = executions.number * times.number
                        yield inner, ExecutionCount(number, executions.open + times.open)
            elif not is_free(operation):
                yield operation, ExecutionCount()

    def regions(self, operation: Operation) -> Iterator[tuple[Region, ExecutionCount]]:
        """The regions that run, and how often each."""
        if isinstance(operation, While):
            number = iterations(operation)
            if number is None:
                yield from ((region, ExecutionCount(1, 1)) for region in operation.regions)
            else:
                yield operation.cond, ExecutionCount(number + 1)
                yield operation.body, ExecutionCount(number)
        elif operation.regions:
            costs = self.counting.regions(operation)
            dearest = max(range(len(costs)), key=lambda i: (costs[i].flops, costs[i].bytes, -i))
            yield operation.regions[dearest], ExecutionCount()
