"""Runs on a time line: what a trace has recorded, as events of tracks.

The tracks of a process are its kernels, transfers, collectives and host requests, and each thread
with the parts of kernels that it ran. All times are those of one clock of the machine, which
processes share.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Final, NamedTuple

from stablemate.analysis.profile import bytes_of, source_of, traffic
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.graph.graph import Node
from stablemate.compiler.plan.plan import CopySlot, LaunchStep, Request, Step
from stablemate.compiler.program.image import ProgramImage
from stablemate.compiler.runtime.native.step_table import (
    BODY_FUNCTION,
    FUNCTION,
    LAUNCH,
    PARALLEL_LAUNCH,
    RECORD_WORDS,
    REPEATED_LAUNCH,
)
from stablemate.compiler.runtime.run_trace import (
    LaunchSpan,
    RunTrace,
    TracedInstance,
    whole_launches,
)
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.ir.grid import ProcessId
from stablemate.numerics.symbolic_sizes import typical_of

KERNELS, TRANSFERS, COLLECTIVES, REQUESTS = TRACKS = (
    "kernels", "transfers", "collectives", "host requests"
)  # fmt: skip
NAMED_OPERATIONS: Final = 3  # in the name of an event; the others are counted
LAUNCHES: Final = {LAUNCH: FUNCTION, PARALLEL_LAUNCH: FUNCTION, REPEATED_LAUNCH: BODY_FUNCTION}


class StepEvent(NamedTuple):
    """What a step does.

    Attributes:
        track: The track that shows it.
        name: What it is called.
        details: What is shown when it is selected.
    """

    track: str
    name: str
    details: Mapping[str, object]


class TraceEvent(NamedTuple):
    """Something that happened.

    Attributes:
        process: The number of the process in its grid.
        process_id: Its replica and partition; None of a program that runs alone.
        program: The function.
        track: The track that shows it: one of ``TRACKS``, or a thread.
        category: The one of ``TRACKS`` to which it belongs.
        name: What it is called.
        started: When it began, in nanoseconds.
        stopped: When it ended.
        details: What is shown when it is selected.
    """

    process: int
    process_id: ProcessId | None
    program: str
    track: str
    category: str
    name: str
    started: int
    stopped: int
    details: Mapping[str, object]


def events_of(trace: RunTrace) -> list[TraceEvent]:
    """What a trace has recorded, in the order in which it began."""
    name_of = thread_names(trace)
    events: list[TraceEvent] = []
    plans: dict[int, Mapping[int, StepEvent]] = {}
    for traced, spans in zip(trace.instances, trace.launches(), strict=True):
        if not spans and not traced.requests.spans:
            continue
        executable = traced.executable
        assert isinstance(executable, CompiledExecutable)
        if id(executable) not in plans:
            plans[id(executable)] = step_events(executable)
        program = executable.signature.name
        events += instance_events(traced, spans, program, plans[id(executable)], name_of)
    return sorted(events, key=lambda event: event.started)


def instance_events(
    traced: TracedInstance,
    spans: Sequence[LaunchSpan],
    program: str,
    steps: Mapping[int, StepEvent],
    name_of: Callable[[int], str],
) -> Iterator[TraceEvent]:
    """The events of an instance.

    Args:
        traced: The instance.
        spans: What threads did of its launches and copies.
        program: The function.
        steps: What its steps do.
        name_of: The name of a thread.
    """
    position = traced.instance.grid_position
    grid = position.grid
    is_alone = grid is None or grid.size == 1
    number = 0 if is_alone else position.position
    where = None if grid is None or is_alone else grid.process(number)

    def event(
        step: StepEvent, track: str, started: int, stopped: int, **details: object
    ) -> TraceEvent:
        return TraceEvent(
            number, where, program, track, step.track, step.name, started, stopped,
            {**step.details, **details},
        )  # fmt: skip

    for launch in whole_launches(traced, spans):
        step = steps[launch[0].step]
        started = min(span.started for span in launch)
        stopped = max(span.stopped for span in launch)
        threads = len({span.thread for span in launch})
        yield event(step, step.track, started, stopped, threads=threads)
        if step.track == KERNELS:
            part = StepEvent(step.track, step.name, {})
            for span in launch:
                yield event(
                    part, name_of(span.thread), span.started, span.stopped,
                    iterations=f"{span.first} to {span.end}",
                )  # fmt: skip
    for request in traced.requests.spans:
        step = steps[request.step]
        yield event(step, step.track, request.started, request.stopped)


def thread_names(trace: RunTrace) -> Callable[[int], str]:
    """What threads are called: by their numbers in the pool, or by Python's names."""
    pools = [traced.instance.runtime.pool for traced in trace.instances[:1]]
    names = {handle: f"worker {n}" for pool in pools for n, handle in enumerate(pool.handles, 1)}
    for thread in threading.enumerate():
        names.setdefault(thread.ident or 0, f"thread {thread.name}")
    unknown = count(1)

    def name_of(thread: int) -> str:
        if thread not in names:
            names[thread] = f"native thread {next(unknown)}"
        return names[thread]

    return name_of


def step_events(executable: CompiledExecutable) -> Mapping[int, StepEvent]:
    """What the steps of a program do, by their numbers; jumps and branches are left out.

    Of a program that was compiled for more sizes than these, the kernels have their names only.
    """
    image = executable.program.image
    functions = dict(launched_functions(image))
    events: dict[int, StepEvent] = {}
    launches: dict[str, StepEvent] = {}
    for number, step in enumerate(executable.plan.steps):
        event = event_of(step)
        if event is not None:
            events[number] = event
            if isinstance(step, LaunchStep):
                launches[step.kernel.name] = event
    if launches.keys() == set(functions.values()):
        # A loop of one launch repeats it in the step of its jump.
        return {n: launches[name] for n, name in functions.items()} | events
    operations = executable.handlers.operations
    events = {number: StepEvent(TRANSFERS, "copy", {}) for number in range(image.steps)}
    events |= {number: StepEvent(KERNELS, name, {}) for number, name in functions.items()}
    for number, record in image.requests.items():
        operation = operations[record.operation]
        events[number] = StepEvent(request_track(operation), operation.name, {})
    return events


def launched_functions(image: ProgramImage) -> Iterator[tuple[int, str]]:
    """The steps that launch kernels, and the names of these."""
    records = image.words[: RECORD_WORDS * image.steps].reshape(-1, RECORD_WORDS)
    for number, record in enumerate(records.tolist()):
        word = LAUNCHES.get(record[0])
        if word is not None:
            yield number, image.functions[record[word]]


def event_of(step: Step) -> StepEvent | None:
    """What a step does; None for control flow."""
    match step:
        case LaunchStep(nodes=nodes, kernel=kernel):
            details = {"bytes": traffic(step), "operations": operations_of(nodes)}
            return StepEvent(KERNELS, f"{kernel.name} {short_names(nodes)}".rstrip(), details)
        case Request(node, operands, results, _):
            size = bytes_of([*operands, *results])
            details = {"bytes": size, "operations": operations_of([node])}
            return StepEvent(request_track(node.operation), node.operation.name, details)
        case CopySlot(source=source):
            return StepEvent(TRANSFERS, "copy", {"bytes": typical_of(source.bytes)})
        case _:
            return None


def request_track(operation: object) -> str:
    """The track of a request."""
    return COLLECTIVES if isinstance(operation, Collective) else REQUESTS


def short_names(nodes: Sequence[Node]) -> str:
    """The last operations that a kernel computes: ``subtract, exponential, reduce and 2 more``."""
    operations = [node.operation for node in nodes]
    names = [o.name.rpartition(".")[2] for o in operations if o.name != "stablehlo.constant"]
    distinct = list(dict.fromkeys(names))
    shown = ", ".join(distinct[-NAMED_OPERATIONS:])
    more = len(distinct) - NAMED_OPERATIONS
    return f"{shown} and {more} more" if more > 0 else shown


def operations_of(nodes: Sequence[Node]) -> list[str]:
    """The operations of the program that a step computes, with their lines."""
    operations = [node.operation for node in dict.fromkeys(nodes)]
    return [str(source_of(o)) for o in operations if o.name != "stablehlo.constant"]
