"""Runs on a time line: what a trace has recorded, as events of tracks.

The tracks of a process are its kernels, transfers, collectives and host requests, and each thread
with the parts of kernels that it ran. All times are those of one clock of the machine, which
processes share.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from stablemate.analysis.profile import source_of
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.graph.graph import Node
from stablemate.compiler.runtime.run_trace import (
    LaunchRecorder,
    LaunchSpan,
    TracedInstance,
    whole_launches,
)
from stablemate.compiler.step_labels import KERNELS, StepLabel, step_labels
from stablemate.ir.grid import ProcessId


class TimelineEvent(NamedTuple):
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


def events_of(trace: LaunchRecorder) -> list[TimelineEvent]:
    """Lists the events of a trace, in the order in which they began."""
    name_of = thread_names(trace)
    events: list[TimelineEvent] = []
    plans: dict[int, Mapping[int, StepLabel]] = {}
    for traced, spans in zip(trace.instances, trace.launches(), strict=True):
        if not spans and not traced.requests.spans:
            continue
        executable = traced.executable
        assert isinstance(executable, CompiledExecutable)
        if id(executable) not in plans:
            plans[id(executable)] = step_labels(executable)
        program = executable.signature.name
        events += instance_events(traced, spans, program, plans[id(executable)], name_of)
    return sorted(events, key=lambda event: event.started)


def instance_events(
    traced: TracedInstance,
    spans: Sequence[LaunchSpan],
    program: str,
    steps: Mapping[int, StepLabel],
    name_of: Callable[[int], str],
) -> Iterator[TimelineEvent]:
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
    process = 0 if is_alone else position.position
    where = None if grid is None or is_alone else grid.process(process)

    details: dict[int, dict[str, object]] = {}

    def event(
        number: int, track: str | None, started: int, stopped: int, **more: object
    ) -> TimelineEvent:
        step = steps[number]
        if number not in details:
            details[number] = details_of(step)
        known = details[number] if track is None else {}
        return TimelineEvent(
            process, where, program, track or step.track, step.track, step.name, started, stopped,
            {**known, **more},
        )  # fmt: skip

    for launch in whole_launches(traced, spans):
        number = launch[0].step
        started = min(span.started for span in launch)
        stopped = max(span.stopped for span in launch)
        yield event(number, None, started, stopped, threads=len({span.thread for span in launch}))
        if steps[number].track == KERNELS:
            for span in launch:
                yield event(
                    number, name_of(span.thread), span.started, span.stopped,
                    iterations=f"{span.first} to {span.end}",
                )  # fmt: skip
    for request in traced.requests.spans:
        yield event(request.step, None, request.started, request.stopped)


def thread_names(trace: LaunchRecorder) -> Callable[[int], str]:
    """Names the threads: by their numbers in the pool, or by Python's names."""
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


def details_of(label: StepLabel) -> dict[str, object]:
    """Collects the details that the viewer shows of a selected step."""
    details: dict[str, object] = {} if label.bytes is None else {"bytes": label.bytes}
    return details | ({"operations": operations_of(label.nodes)} if label.nodes else {})


def operations_of(nodes: Sequence[Node]) -> list[str]:
    """The operations of the program that a step computes, with their lines."""
    operations = [node.operation for node in dict.fromkeys(nodes)]
    return [str(source_of(o)) for o in operations if o.name != "stablehlo.constant"]
