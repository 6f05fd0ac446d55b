"""The steps of a run on a time line, in the format that Perfetto and chrome://tracing open.

Source: Trace Event Format (Chrome): complete events, metadata events; times in microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from stablemate.analysis.profile import (
    bytes_of,
    source_of,
    steppable,
    traffic,
)
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.graph.graph import Node
from stablemate.compiler.plan.plan import CopySlot, LaunchStep, Request, Step
from stablemate.compiler.step_timing import StepSpan
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.execution.executable import Executable
from stablemate.numerics.symbolic_sizes import typical_of

PROCESS: Final = 1  # all tracks belong to one process
TRACKS: Final = ("kernels", "transfers", "collectives", "host requests")
MICROSECOND: Final = 1e3  # nanoseconds


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


def trace_events(
    executable: Executable, *arguments: Any, seed: int = 0, **options: Any
) -> dict[str, object]:
    """The document of one run, in the Trace Event Format.

    The program runs step by step, as for ``profile``: kernels one after the other, each with all
    its threads.

    Args:
        executable: What ``compile`` returned.
        *arguments: Its arguments.
        seed: Where the numbers that ``rng`` draws come from.
        **options: ``streams`` and ``probe_dir``, as when it is called.

    Raises:
        UnsupportedError: The program is not compiled.
    """
    if isinstance(executable, SpecializingExecutable):
        executable = executable.executable(executable.signature.take(arguments))
    program, instance, same = steppable(executable)
    same(*arguments, seed=seed, **options)
    instance.spans = []
    same(*arguments, seed=seed, **options)
    name = executable.signature.name
    events = [*metadata_events(name), *span_events(program.plan.steps, instance.spans)]
    return {"displayTimeUnit": "ms", "traceEvents": events}


def metadata_events(name: str) -> Iterator[dict[str, object]]:
    """The names of the process and its tracks."""
    yield {"ph": "M", "pid": PROCESS, "name": "process_name", "args": {"name": name}}
    for number, track in enumerate(TRACKS, 1):
        common = {"ph": "M", "pid": PROCESS, "tid": number}
        yield {**common, "name": "thread_name", "args": {"name": track}}
        yield {**common, "name": "thread_sort_index", "args": {"sort_index": number}}


def span_events(steps: Sequence[Step], spans: Sequence[StepSpan]) -> Iterator[dict[str, object]]:
    """The events of the steps; jumps and exchanges of buffers are left out."""
    known = [event_of(step) for step in steps]
    for span in spans:
        event = known[span.step]
        if event is not None:
            yield {
                "ph": "X",
                "pid": PROCESS,
                "tid": TRACKS.index(event.track) + 1,
                "cat": event.track,
                "name": event.name,
                "ts": span.start / MICROSECOND,
                "dur": span.nanoseconds / MICROSECOND,
                "args": event.details,
            }


def event_of(step: Step) -> StepEvent | None:
    """What a step does; None for control flow."""
    match step:
        case LaunchStep(nodes=nodes, kernel=kernel):
            details = {"bytes": traffic(step), "operations": operations_of(nodes)}
            return StepEvent("kernels", kernel.name, details)
        case Request(node, operands, results, _):
            name = node.operation.name
            is_collective = isinstance(node.operation, Collective)
            track = "collectives" if is_collective else "host requests"
            size = bytes_of([*operands, *results])
            return StepEvent(track, name, {"bytes": size, "operations": operations_of([node])})
        case CopySlot(source=source):
            return StepEvent("transfers", "copy", {"bytes": typical_of(source.bytes)})
        case _:
            return None


def operations_of(nodes: Sequence[Node]) -> list[str]:
    """The operations of the program that a step computes, with their lines."""
    operations = [node.operation for node in dict.fromkeys(nodes)]
    return [str(source_of(o)) for o in operations if o.name != "stablehlo.constant"]
