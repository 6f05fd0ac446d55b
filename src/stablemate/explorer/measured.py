"""Overlays of what operations cost, by their formulas, and of what they took and gave in a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from stablemate.analysis.planning.visits import Visiting
from stablemate.analysis.profile_rows import OperationTime
from stablemate.analysis.tracing.event import TraceEvent
from stablemate.explorer.graph import ProgramGraph
from stablemate.explorer.overlays import Overlay
from stablemate.ir.core import Module, Operation


def cost_overlays(graph: ProgramGraph, module: Module, entry: str) -> list[Overlay]:
    """Arithmetic and traffic of every operation in a call of a function, loops and calls counted.

    Args:
        graph: What is shown, read from a text.
        module: The valid program that was read from it, or the translation of it.
        entry: The function.
    """
    visiting = Visiting(module)
    flops: dict[int, float] = {}
    traffic: dict[int, float] = {}
    for operation, executions in visiting.visited_by(entry).items():
        number = number_of(graph, operation)
        cost = visiting.counting.operation(operation)
        if number is not None and cost.is_complete:
            arithmetic = (cost.flops + cost.transcendentals) * executions.number
            flops[number] = flops.get(number, 0) + arithmetic
            traffic[number] = traffic.get(number, 0) + cost.bytes * executions.number
    return [
        Overlay("arithmetic", "flop", "flops", {k: v for k, v in flops.items() if v}),
        Overlay("memory traffic", "B", "bytes", traffic),
    ]


def number_of(graph: ProgramGraph, operation: Operation) -> int | None:
    """The number of an operation that was read from the text that is shown."""
    span = operation.span
    if span is None or span.source is not graph.source:
        return None
    return graph.by_offset.get(span.start)


def time_overlay(graph: ProgramGraph, times: Iterable[OperationTime]) -> Overlay:
    """The time of every operation in a run.

    Args:
        graph: What is shown, read from a text.
        times: What took how long; operations in one kernel have their parts of its time.
    """
    at = numbers_by_line(graph)
    values: dict[int, float] = {}
    for time in times:
        number = at.get(time.operation.line)
        if number is not None:
            values[number] = values.get(number, 0.0) + time.seconds
    return Overlay("time", "s", "time", values)


def trace_overlays(graph: ProgramGraph, events: Iterable[TraceEvent]) -> list[Overlay]:
    """Statistics of each operation's results in a run: the share of NaN, and the largest number.

    Args:
        graph: What is shown, read from a text.
        events: What was recorded; of several runs of an operation the worst counts.
    """
    at = numbers_by_line(graph)
    broken: dict[int, float] = {}
    largest: dict[int, float] = {}
    for event in events:
        number = at.get(event.place.line)
        if number is None:
            continue
        parts = [part for result in event.results for part in result.parts]
        count = sum(part.nans + part.infinities for part in parts)
        broken[number] = max(broken.get(number, 0), count)
        ends = [abs(end) for part in parts for end in (part.min, part.max) if end is not None]
        largest[number] = max(float(largest.get(number, 0)), *map(float, ends), 0.0)
    return [
        Overlay("NaN and infinities", "", "nan", broken),
        Overlay("largest number", "", "magnitude", largest),
    ]


def numbers_by_line(graph: ProgramGraph) -> Mapping[int | None, int]:
    """The number of the operation that begins in each line."""
    numbers: dict[int | None, int] = {}
    for node in graph.nodes():
        if node.number is not None and node.line:
            numbers.setdefault(node.line, node.number)
    return numbers
