"""The debugger as a listener: keeps the values of the blocks being run, and decides when to stop.

It stops after an operation, when its results are there, and where a block of control flow begins
at which there is a breakpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from stablemate.analysis.conditions import CONSTANTS
from stablemate.analysis.debugging.stop import Breakpoint
from stablemate.analysis.operation_identity import OperationPlace, Sites
from stablemate.analysis.tracing.event import ElementStatistics, statistics_of
from stablemate.analysis.tracing.frames import BlockFrame, Scopes
from stablemate.compiler.runtime.array_statistics import StatisticsCollector
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.dialects.calls import CALLS, callee_of
from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.execution.observe.listener import Computed
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.grid import ProcessId
from stablemate.ir.types import TensorType

Mode = Literal["step", "next", "finish", "continue"]


class Quit(Exception):
    """Ends a run: the user has seen enough."""


@dataclass(frozen=True, eq=False, slots=True)
class Stop:
    """Where a run has stopped.

    Attributes:
        line: The process.
        frame: The block.
        operation: The operation after which it is; the one whose block begins, if that is so.
        place: The operation as it was written.
        begins: Whether a block of it begins.
        breakpoints: The breakpoints that it is at.
        occurrence: How often the operation had run before.
    """

    line: DebuggedLine
    frame: BlockFrame
    operation: Operation
    place: OperationPlace
    begins: bool
    breakpoints: Sequence[Breakpoint]
    occurrence: int = 0


class Debugger:
    """Follows a run and stops it.

    Attributes:
        stopped: What is done when it has stopped.
        breakpoints: Where it stops.
        mode: How far it runs.
        depth: The depth of the block from which ``next`` and ``finish`` count.
        latest: Where it was last.
    """

    def __init__(self, sites: Sites, stopped: Callable[[Stop], None]) -> None:
        self.sites = sites
        self.stopped = stopped
        self.scopes = Scopes(sites)
        self.surveyor = StatisticsCollector()
        self.breakpoints: list[Breakpoint] = []
        self.mode: Mode = "step"
        self.depth = 0
        self.latest: Stop | None = None

    def process(self, process: ProcessId) -> DebuggedLine:
        """The listener of a process."""
        return DebuggedLine(self, process, None)

    def run_on(self, mode: Mode, depth: int) -> None:
        """Lets the run go on, so far."""
        self.mode, self.depth = mode, depth

    def wants(self, depth: int) -> bool:
        """Whether the run stops after an operation at this depth."""
        match self.mode:
            case "step":
                return True
            case "next":
                return depth <= self.depth
            case "finish":
                return depth < self.depth
            case _:
                return False

    def statistics(self, value: object, value_type: object) -> list[ElementStatistics]:
        """The statistics of a value's elements, by parts; none unless it is a tensor."""
        if not isinstance(value_type, TensorType) or value is None:
            return []
        kind = self.surveyor.kind(value_type.element_type)
        rows, imaginary = self.surveyor.rows((value,), np.array([kind.code], np.uint8))
        is_unsigned = kind.scan_dtype.kind == "u"
        return [
            statistics_of(row, is_float=kind.is_float, is_unsigned=is_unsigned)
            for row in (rows[0], *imaginary.values())
        ]


class DebuggedFrame(BlockFrame):
    """A block that is being run, with its values."""

    __slots__ = ("depth", "values")

    def __init__(
        self, parent: BlockFrame | None, operation: Operation | None, region: int, iteration: int
    ) -> None:
        super().__init__(parent, operation, region, iteration)
        self.values: dict[Value[TensorType], object] = {}
        self.depth: int = parent.depth + 1 if isinstance(parent, DebuggedFrame) else 0


class DebuggedLine:
    """The debugger's listener of one process."""

    def __init__(
        self, debugger: Debugger, process_id: ProcessId, frame: DebuggedFrame | None
    ) -> None:
        self.debugger = debugger
        self.process_id = process_id
        self.frame = frame or DebuggedFrame(None, None, 0, 0)
        self.executions: dict[Operation, int] = {}

    def watch(self, operation: Operation) -> Computed | None:
        """Keeps the results of an operation.

        Stops after it if a breakpoint or a step requests it.
        """
        site_results = self.debugger.sites.results_of(operation)

        def keep_results(operands: Sequence[object], results: Sequence[object]) -> None:
            self.frame.values.update(zip(operation.results, results, strict=True))

        if site_results is None:
            return keep_results
        debugger = self.debugger
        place = site_results[0].place
        values = {
            result: site_results[0].operation.results[position]
            for result, position in zip(operation.results, site_results[1], strict=True)
            if position is not None
        }

        def record_results(operands: Sequence[object], results: Sequence[object]) -> None:
            frame = self.frame
            for result, value in zip(operation.results, results, strict=True):
                frame.values[values.get(result, result)] = value
            iteration = self.executions.get(operation, 0)
            self.executions[operation] = iteration + 1
            stop = Stop(self, frame, operation, place, False, (), iteration)
            debugger.latest = stop
            met = [e for e in debugger.breakpoints if e.fits(place) and self.holds(e, stop)]
            if met or debugger.wants(frame.depth):
                debugger.stopped(Stop(self, frame, operation, place, False, met, iteration))

        return record_results

    def enter(self, operation: Operation, region: int, arguments: Sequence[object]) -> None:
        """A block begins; its arguments are kept."""
        debugger = self.debugger
        outer = self.frame
        inside = outer.inside(operation, region)
        frame = self.frame = DebuggedFrame(outer, operation, region, inside.iteration)
        block = self.block_of(operation, region)
        if block is not None:
            arguments_of = block.arguments
            frame.values.update(zip(arguments_of, arguments, strict=False))
        place = debugger.sites.of(operation).place
        stop = Stop(self, frame, operation, place, True, (), inside.iteration)
        debugger.latest = stop
        is_start = outer.depth == 0 and debugger.mode == "step"
        met = [
            breakpoint
            for breakpoint in debugger.breakpoints
            if breakpoint.condition is None
            and breakpoint.fits(place)
            and not isinstance(operation, FuncOp)
        ]
        if is_start or met:
            debugger.stopped(Stop(self, frame, operation, place, True, met, inside.iteration))

    def block_of(self, operation: Operation, region: int) -> Block | None:
        """The block that is run, in the program as it was written."""
        debugger = self.debugger
        source = debugger.sites.of(operation).operation
        callee = callee_of(source)
        if callee is not None:
            functions = debugger.sites.module.operation.walk()
            source = next(e for e in functions if isinstance(e, FuncOp) and e.symbol == callee)
        blocks = source.regions[region].blocks if source.regions else []
        return blocks[0] if blocks else None

    def leave(self) -> None:
        """Returns to the frame of the enclosing block."""
        parent = self.frame.parent
        assert isinstance(parent, DebuggedFrame), "what is left was entered"
        self.frame = parent

    def process(self, process: ProcessId) -> DebuggedLine:
        """The listener of a process of a grid inside this one."""
        return DebuggedLine(self.debugger, process, self.frame)

    def holds(self, breakpoint_: Breakpoint, stop: Stop) -> bool:
        """Whether the condition of a breakpoint holds after an operation."""
        if breakpoint_.condition is None:
            return True
        try:
            numbers = self.numbers(breakpoint_, stop)
        except ArgumentValueError:
            return False  # a value that it speaks of is not there
        return any(bool(np.any(breakpoint_.condition(number))) for number in numbers)

    def numbers(self, breakpoint_: Breakpoint, stop: Stop) -> list[dict[str, object]]:
        """The values of the names in a condition, for each part of each result."""
        names_in_scope: dict[str, object] = {
            "iteration": iteration_of(stop.frame),
            "occurrence": stop.occurrence,
        }
        names_in_scope |= {
            name: self.value(text, stop.frame)[1] for name, text in breakpoint_.values.items()
        }
        assert breakpoint_.condition is not None
        if not breakpoint_.condition.names - names_in_scope.keys():
            return [names_in_scope]
        scopes: list[dict[str, object]] = []
        for result in self.debugger.sites.of(stop.operation).operation.results:
            for part in self.debugger.statistics(values_of(stop.frame).get(result), result.type):
                scopes.append(names_in_scope | numbers_by_name(part))
        return scopes

    def value(self, name: str, frame: BlockFrame) -> tuple[Value[TensorType], object]:
        """The value of this name, as seen from a block.

        Raises:
            ArgumentValueError: There is none, or it has not been computed.
        """
        sites, seen = self.debugger.sites, frame
        function: Operation | None = None
        while isinstance(seen, DebuggedFrame):
            for value, numbers_of_value in reversed(seen.values.items()):
                if sites.name_of(value) in (name, f"%{name}"):
                    return value, numbers_of_value
            if function is None and seen.operation is not None:
                function = self.function_of(seen)
            if seen.operation is None or is_function(seen.operation):
                break
            assert isinstance(seen.parent, DebuggedFrame)
            seen = seen.parent
        for operation in function.walk() if function is not None else ():
            if isinstance(operation, Constant) and sites.name_of(operation.results[0]) in (
                name,
                f"%{name}",
            ):
                return operation.results[0], operation.evaluate()
        raise ArgumentValueError(f"nothing that has been computed here is called {name}")

    def function_of(self, frame: BlockFrame) -> Operation | None:
        """The function of the source that contains a block."""
        seen: BlockFrame | None = frame
        while seen is not None and seen.operation is not None:
            block = self.block_of(seen.operation, seen.region)
            region = None if block is None else block.parent
            outer = None if region is None else region.parent
            while outer is not None and not isinstance(outer, FuncOp):
                outer = outer.parent_operation()
            if outer is not None:
                return outer
            seen = seen.parent
        return None


def is_function(operation: Operation) -> bool:
    """Whether a block of an operation is that of a function."""
    return isinstance(operation, FuncOp) or operation.name in CALLS


def iteration_of(frame: BlockFrame) -> int:
    """The iteration of the innermost loop."""
    seen: BlockFrame | None = frame
    while seen is not None:
        if seen.operation is not None and seen.operation.name == "stablehlo.while":
            return seen.iteration
        seen = seen.parent
    return 0


def numbers_by_name(part: ElementStatistics) -> dict[str, object]:
    """Statistics by name; NaN where there is no number."""
    statistics = {name: getattr(part, name) for name in ElementStatistics.__slots__}
    return {
        name: CONSTANTS["nan"] if value is None else value for name, value in statistics.items()
    }


def values_of(frame: BlockFrame) -> dict[Value, object]:
    """The values of a block."""
    return frame.values if isinstance(frame, DebuggedFrame) else {}
