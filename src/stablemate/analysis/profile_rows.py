"""The rows of a profile: times of kernels and operations, relative to the peaks of the machine."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.compiler.runtime.machine_peaks import Peaks
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourceOperation:
    """An operation of the program.

    Attributes:
        name: Its full name.
        line: The line of the source that it stands in; None if it has none.
        file: Where the producer has it, ``f.py:3:4``, if the source is no text.
        place: Where the producer has it, also if the source is a text.
        scope: The names of the producer's scopes around it, outermost first.
    """

    name: str
    line: int | None
    file: str = ""
    place: str = ""
    scope: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.line is None:
            return f"{self.name} {self.file}".rstrip()
        return f"{self.name}:{self.line}"


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """Steps that belong together: the kernels of a group of operations, or what is no kernel.

    Attributes:
        kind: ``kernel``, ``request`` (answered outside native code), ``copy`` or ``control``.
        what: The names of the kernels, or what is done.
        operations: The operations that are computed; the last one is that whose results are stored.
        executions: The executions of the kernels in one run of the program.
        seconds: How long they took in a run of the program.
        bytes: What they read and write, at most the size of each buffer per execution.
        flops: The arithmetic of the operations, by their formulas.
        transcendentals: The transcendental functions of one element among them.
        weights: How much work each of the operations is, against the others.
    """

    kind: str
    what: str
    operations: Sequence[SourceOperation]
    executions: float
    seconds: float
    bytes: float = 0.0
    flops: float = 0.0
    transcendentals: float = 0.0
    weights: Sequence[float] = ()

    @property
    def bytes_per_second(self) -> float:
        """How fast memory was read and written."""
        return self.bytes / self.seconds if self.seconds else 0.0

    @property
    def flops_per_second(self) -> float:
        """Floating-point operations per second; zero if no time was measured."""
        return self.flops / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class OperationTime:
    """How long an operation of the source takes in a run of the program.

    Attributes:
        operation: The operation.
        executions: The executions of the kernels that contain it.
        seconds: Its part of their time, by how much work it is against the others in them.
        alone: Whether it has them for itself: then this was measured.
        kernels: Their names.
    """

    operation: SourceOperation
    executions: float
    seconds: float
    alone: bool
    kernels: str


@dataclass(frozen=True, slots=True)
class Measurement:
    """The measured times of a program.

    Attributes:
        rows: The parts of the program, those that take longest first.
        runs: Over how many runs they are averages.
        run_seconds: How long a run takes that is not taken apart: the median of as many.
        peaks: What the machine can do with as many threads.
    """

    rows: Sequence[ProfileRow]
    runs: int
    run_seconds: float
    peaks: Peaks

    @property
    def seconds(self) -> float:
        """How long all parts of a run took together."""
        return sum(row.seconds for row in self.rows)

    @property
    def operations(self) -> Sequence[OperationTime]:
        """The operations of the source, those that take longest first."""
        shares: dict[SourceOperation, list[tuple[ProfileRow, float]]] = {}
        for row in self.rows:
            total_weight = sum(row.weights) or 1.0
            for operation, weight in zip(row.operations, row.weights, strict=True):
                shares.setdefault(operation, []).append((row, weight / total_weight))
        times = [
            OperationTime(
                operation,
                max(row.executions for row, _ in parts),
                sum(row.seconds * part for row, part in parts),
                all(len(row.operations) == 1 for row, _ in parts),
                ", ".join(dict.fromkeys(row.what for row, _ in parts)),
            )
            for operation, parts in shares.items()
        ]
        return sorted(times, key=lambda time: -time.seconds)
