"""Writes what a program does as a time line, which Perfetto and chrome://tracing open."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager

from stablemate import execution
from stablemate.analysis.timeline.document import trace_document
from stablemate.analysis.timeline.events import events_of
from stablemate.cli.output.output_files import write_files
from stablemate.compiler.runtime.run_trace import LaunchRecorder
from stablemate.execution.executable import BACKENDS


@contextmanager
def traced(path: str | None, carrier: str = BACKENDS[0]) -> Generator[None]:
    """Records what compiled programs do in the body, and writes it to a file.

    If the body fails, the file has what came before; but none is written by ranks of MPI, where
    rank 0 writes what all have recorded.

    Args:
        path: The file; None if nothing is recorded.
        carrier: How the processes of a grid run.

    Raises:
        UnsupportedError: The system is Windows.
        WriteError: The file cannot be written.
    """
    if path is None:
        yield
        return
    trace = LaunchRecorder()
    try:
        with trace:
            yield
    except BaseException:
        if carrier != "mpi":
            write_trace(path, trace, carrier)
        raise
    write_trace(path, trace, carrier)


def write_trace(path: str, trace: LaunchRecorder, carrier: str) -> None:
    """Writes what was recorded; of ranks of MPI, the first one what all have recorded."""
    events, dropped = events_of(trace), trace.dropped
    if carrier == "mpi":
        group = execution.ranks()
        parts = group.gather_objects((events, dropped))
        if group.rank != 0:
            return
        events = [event for part, _ in parts for event in part]
        dropped = sum(count for _, count in parts)
    content = json.dumps(trace_document(events, dropped=dropped)).encode()
    write_files({path: lambda stream: stream.write(content)})
