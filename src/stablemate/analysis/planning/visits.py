"""Visits: how often a call of a function executes each operation.

What only says which regions run, and how often, is walked through; of branches the costliest one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from stablemate.analysis.cost import Counting, functions_called, is_free, total
from stablemate.analysis.loops import iterations
from stablemate.dialects.calls import CALLS
from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.while_ import While
from stablemate.ir.core import Module, Operation, Region
from stablemate.ir.definition import has_trait
from stablemate.ir.traits import Trait


class ExecutionCount(NamedTuple):
    """How often an operation is executed in one call.

    Attributes:
        number: The executions; a loop whose trip count is unknown counts as one iteration.
        open: The number of enclosing loops whose trip count is unknown.
    """

    number: int = 1
    open: int = 0

    def repeat(self, times: ExecutionCount) -> ExecutionCount:
        """The executions in what runs so often itself."""
        return ExecutionCount(self.number * times.number, self.open + times.open)

    def join(self, other: ExecutionCount) -> ExecutionCount:
        """The executions in two places."""
        return ExecutionCount(self.number + other.number, max(self.open, other.open))


class Visit(NamedTuple):
    """An operation that a function executes itself, or by a call.

    Attributes:
        operation: The operation.
        executions: How often a call of the function executes it.
        callee: The function that it calls, whose operations are visited in its place.
    """

    operation: Operation
    executions: ExecutionCount
    callee: str = ""


class Visiting:
    """The operations of the functions of a valid module, with their execution counts.

    Attributes:
        functions: The functions by name.
        counting: The costs of operations.
        visits: What each function executes, callees first; a call of a function that comes later
            is recursive, and counts as an operation.
    """

    def __init__(self, module: Module) -> None:
        functions = (
            operation for operation in module.body.operations if isinstance(operation, FuncOp)
        )
        self.functions: Mapping[str, FuncOp] = {function.symbol: function for function in functions}
        self.counting = Counting({})
        self.visits: dict[str, list[Visit]] = {}
        for name in functions_called(self.functions, self.functions):
            function = self.functions[name]
            costs = [self.counting.block(block) for block in function.body.blocks]
            self.counting.costs[name] = total(costs)
            self.visits[name] = list(self.region(function.body, ExecutionCount()))

    def visited_by(self, entry: str) -> dict[Operation, ExecutionCount]:
        """The operations that a call of a function executes, in the order of their first time."""
        calls = self.calls_from(entry)
        visited: dict[Operation, ExecutionCount] = {}
        entered = {entry}
        pending = [(calls[entry], iter(self.visits[entry]))]
        while pending:
            times, visits = pending[-1]
            visit = next(visits, None)
            if visit is None:
                pending.pop()
            elif not visit.callee:
                visited[visit.operation] = visit.executions.repeat(times)
            elif visit.callee not in entered:
                entered.add(visit.callee)
                pending.append((calls[visit.callee], iter(self.visits[visit.callee])))
        return visited

    def calls_from(self, entry: str) -> dict[str, ExecutionCount]:
        """How often a call of a function calls each function, itself included."""
        calls = {entry: ExecutionCount()}
        for name in reversed(self.visits):  # callers first
            if name not in calls:
                continue
            for visit in self.visits[name]:
                if visit.callee:
                    before = calls.get(visit.callee, ExecutionCount(0, 0))
                    calls[visit.callee] = before.join(visit.executions.repeat(calls[name]))
        return calls

    def region(self, region: Region, times: ExecutionCount) -> Iterator[Visit]:
        """The executions of operations in a region that runs so often."""
        for block in region.blocks:
            for operation in block.operations:
                name = operation.name
                callee = getattr(operation, CALLS[name]) if name in CALLS else None
                if callee in self.visits:
                    yield Visit(operation, times, callee)
                elif has_trait(operation, Trait.STRUCTURED):
                    for inner, executions in self.regions(operation):
                        yield from self.region(inner, executions.repeat(times))
                elif not is_free(operation):
                    yield Visit(operation, times)

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
