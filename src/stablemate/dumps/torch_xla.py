"""Files of PyTorch/XLA: the graphs that it saved, and what it reports about compilations.

``XLA_SAVE_TENSORS_FILE`` names the file to which graphs are appended, as IR or (with
``XLA_SAVE_TENSORS_FMT=hlo``) as HLO; ``PT_XLA_DEBUG`` reports what caused a compilation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ParseError

BEGIN: Final = "## BEGIN_GRAPH"
END: Final = "## END_GRAPH"
FRAME: Final = re.compile(r"\s{1,16}(\S.{0,200}?) \(([^()]{1,400}:\d{1,9})\)\s*")
PACKAGE: Final = "torch_xla/"  # frames of PyTorch/XLA itself are not the user's
HASHES: Final = re.compile(r"(?:Graph Hash|Hashes): \(?([^,()\s]{1,100})")
ANALYSIS: Final = re.compile(r"(Post Compilation|Compilation|Execution) Analysis:\s*(.{0,400})")
SIZE: Final = re.compile(r"(.{1,60} size): ([\d.]{1,30} \w?B)")
COMPILE_TIME: Final = re.compile(
    r"Metric: CompileTime\s+TotalSamples: (\d{1,9})\s+Accumulator: (\S{1,40})"
)
DURATION: Final = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(d|h|m(?!s)|s|ms|us|ns)")
UNITS: Final = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


@dataclass(frozen=True, slots=True)
class SavedGraph:
    """A graph that PyTorch/XLA saved.

    Attributes:
        title: What it did then, such as ``ScheduleSyncTensorsGraph``.
        place: The innermost frame of the user's program, ``train.py:48``; empty without one.
        hash: The graph's hash; empty without one.
        text: The graph: HLO or PyTorch/XLA's IR.
        line: The line of the file on which its text begins.
    """

    title: str
    place: str
    hash: str
    text: str
    line: int

    @property
    def operations(self) -> int:
        """How many operations it has."""
        return sum(" = " in line for line in self.text.splitlines())


@dataclass(frozen=True, slots=True)
class CompilationReport:
    """A report of PyTorch/XLA about compilations.

    Attributes:
        causes: What caused each compilation, with how often.
        executions: How many executions are reported.
        sizes: The last sizes that are reported, such as ``Graph input size``, as written.
        compilations: How many compilations the metrics count; None if they are not there.
        compile_seconds: How long they took together; None if that is not there.
    """

    causes: dict[str, int]
    executions: int
    sizes: dict[str, str]
    compilations: int | None
    compile_seconds: float | None


def saved_graphs(text: str, name: str) -> Iterator[SavedGraph]:
    """The graphs in a file.

    Raises:
        ParseError: A graph has no end.
    """
    title, frames, found_hash = "", list[str](), ""
    begun: int | None = None
    body: list[str] = []
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        stripped = line.strip()
        if begun is not None and stripped == END:
            yield SavedGraph(title, user_place(frames), found_hash, "".join(body), begun + 1)
            title, frames, found_hash, begun, body = "", [], "", None, []
        elif begun is not None:
            body.append(line)
        elif stripped == BEGIN:
            begun = number
        elif stripped.startswith("[") and stripped.endswith("]"):
            title = stripped[1:-1]
        elif frame := FRAME.fullmatch(line):
            frames.append(frame[2])
        elif hashes := HASHES.match(stripped):
            found_hash = hashes[1]
    if begun is not None:
        raise ParseError(f"{name}:{begun}: the graph that begins here has no line {END!r}")


def user_place(frames: Sequence[str]) -> str:
    """The first frame that is not PyTorch/XLA's."""
    return next((frame for frame in frames if PACKAGE not in frame), frames[0] if frames else "")


def report_of(text: str) -> CompilationReport:
    """Reads causes, sizes and counts of compilations from a report of PyTorch/XLA."""
    causes: dict[str, int] = {}
    sizes: dict[str, str] = {}
    executions, is_cause = 0, False
    for line in text.splitlines():
        found = ANALYSIS.match(line.strip())
        part, rest = (found[1], found[2].strip()) if found else ("", "")
        if part == "Compilation" and is_cause:
            causes[rest] = causes.get(rest, 0) + 1
        elif part == "Post Compilation" and (size := SIZE.fullmatch(rest)):
            sizes[size[1]] = size[2]
        executions += rest == "Execution Cause"
        is_cause = rest == "Compilation Cause"
    metric = COMPILE_TIME.search(text)
    number, seconds = (None, None) if metric is None else (int(metric[1]), duration(metric[2]))
    return CompilationReport(causes, executions, sizes, number, seconds)


def duration(text: str) -> float | None:
    """The seconds of ``01m05s123ms``; None if it is no such text."""
    parts = DURATION.findall(text)
    return sum(float(number) * UNITS[unit] for number, unit in parts) if parts else None
