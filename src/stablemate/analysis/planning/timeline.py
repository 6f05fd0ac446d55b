"""Time: a program on two resources, the processor of a process and its network.

Operations follow one another as they stand. A collective operation waits until the network is free,
and the program waits for it; between ``async_start`` and ``async_done`` the program goes on. Each
other operation takes what the roofline of the machine says. All processes do the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from stablemate.analysis.cost import functions_called
from stablemate.analysis.planning.collectives import KINDS, CollectiveCost
from stablemate.analysis.planning.machine import ProcessorPeaks
from stablemate.analysis.planning.visits import Visiting
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.calls import CALLS
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.definition import has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import Type


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds.

    Attributes:
        seconds: From start to end.
        compute: In which the processor works.
        network: In which the network works.
    """

    seconds: float = 0.0
    compute: float = 0.0
    network: float = 0.0

    @property
    def overlapped(self) -> float:
        """Seconds in which computation and network are busy at once."""
        return max(0.0, self.compute + self.network - self.seconds)

    def times(self, number: int) -> Times:
        """So many times one after the other."""
        return Times(self.seconds * number, self.compute * number, self.network * number)


class Clock:
    """The time of a block from its start on.

    Attributes:
        now: How far the program is.
        free: When the network is free.
        ends: When what was started has ended.
    """

    def __init__(self) -> None:
        self.now: float = 0.0
        self.free: float = 0.0
        self.compute: float = 0.0
        self.network: float = 0.0
        self.ends: dict[Value[Type], float] = {}

    def transfer(self, seconds: float) -> float:
        """Something that the network does as soon as it can; when that has ended."""
        self.free = max(self.now, self.free) + seconds
        self.network += seconds
        return self.free

    def work(self, times: Times) -> None:
        """Something that the program waits for."""
        if times.network:
            self.now = max(self.now, self.free)
        self.now += times.seconds
        self.compute += times.compute
        self.network += times.network
        if times.network:
            self.free = self.now

    @property
    def times(self) -> Times:
        """The total times, after all operations have ended."""
        return Times(max(self.now, self.free), self.compute, self.network)


class Timeline:
    """How long the functions of a module take.

    Attributes:
        visiting: The functions.
        machine: What processes compute.
        collectives: What collective operations cost.
        functions: How long calls of those functions take that are known.
    """

    def __init__(
        self,
        visiting: Visiting,
        machine: ProcessorPeaks,
        collectives: Mapping[Operation, CollectiveCost],
    ) -> None:
        self.visiting = visiting
        self.machine = machine
        self.collectives = collectives
        self.functions: dict[str, Times] = {}

    def function(self, name: str) -> Times:
        """How long a call takes; a recursive call in it takes no time."""
        for callee in functions_called(self.visiting.functions, [name]):
            if callee not in self.functions:
                self.functions[callee] = self.region(self.visiting.functions[callee].body)
        return self.functions[name]

    def region(self, region: Region) -> Times:
        """How long a region takes."""
        return self.block(region.block) if region.blocks else Times()

    def block(self, block: Block) -> Times:
        """How long a block takes."""
        clock = Clock()
        for operation in block.operations:
            self.operation(operation, clock)
        return clock.times

    def operation(self, operation: Operation, clock: Clock) -> None:
        """Moves the clock on by an operation."""
        name = operation.name
        if name in CALLS:
            callee: str = getattr(operation, CALLS[name])
            clock.work(self.functions.get(callee, Times()))
        elif name == "stablehlo.async_start":
            inner = self.region(operation.regions[0])
            clock.now += inner.compute
            clock.compute += inner.compute
            clock.ends[operation.results[0]] = clock.transfer(inner.network)
        elif name == "stablehlo.async_done":
            clock.now = max(clock.now, clock.ends.get(operation.operands[0], 0.0))
        elif has_trait(operation, Trait.STRUCTURED):
            for region, executions in self.visiting.regions(operation):
                clock.work(self.region(region).times(executions.number))
        elif name in KINDS:
            collective = self.collectives.get(operation)
            best = collective.best if collective else None
            if best is not None:
                clock.now = clock.transfer(best.seconds)
        else:
            cost = self.visiting.counting.operation(operation)
            seconds = self.machine.seconds(cost.flops, cost.bytes)
            clock.work(Times(seconds, seconds))
