"""Profiles: how long each kernel of a compiled program takes, beside what the machine can do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from time import perf_counter
from typing import Any

from stablemate.analysis.cost import Counting
from stablemate.compiler.chunks import Estimate
from stablemate.compiler.compiled import CompiledExecutable
from stablemate.compiler.graph import Node
from stablemate.compiler.peaks import Peaks, peaks
from stablemate.compiler.plan import Copy, Exchange, Launch, Plan, Request, Slot, Step
from stablemate.compiler.specialising import SpecialisingExecutable
from stablemate.compiler.stepping import SteppedInstance, stepped
from stablemate.diagnostics.errors import ArgumentValueError, UnsupportedError
from stablemate.execution.adapted import AdaptedExecutable
from stablemate.execution.executable import Executable
from stablemate.ir.core import Operation

CONTROL = "jumps and branches"
MOVED = "copies of whole values"


@dataclass(frozen=True, slots=True)
class SourceOperation:
    """An operation of the program.

    Attributes:
        name: Its full name.
        line: The line of the source that it stands in; None if it has none.
    """

    name: str
    line: int | None

    def __str__(self) -> str:
        return self.name if self.line is None else f"{self.name}:{self.line}"


@dataclass(frozen=True, slots=True)
class Row:
    """Steps that belong together: the kernels of a group of operations, or what is no kernel.

    Attributes:
        kind: ``kernel``, ``request`` (answered outside native code), ``copy`` or ``control``.
        what: The names of the kernels, or what is done.
        operations: The operations that are computed; the last one is that whose results are stored.
        turns: How often they were run in a run of the program.
        seconds: How long they took in a run of the program.
        bytes: What they read and write: of each buffer at most what it holds, once a turn.
        flops: The arithmetic of the operations, by their formulas.
        transcendentals: The transcendental functions of one element among them.
    """

    kind: str
    what: str
    operations: Sequence[SourceOperation]
    turns: float
    seconds: float
    bytes: float = 0.0
    flops: float = 0.0
    transcendentals: float = 0.0

    @property
    def bytes_per_second(self) -> float:
        """How fast memory was read and written."""
        return self.bytes / self.seconds if self.seconds else 0.0

    @property
    def flops_per_second(self) -> float:
        """How fast it computed."""
        return self.flops / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Profile:
    """Where the time of a program goes.

    Attributes:
        rows: The parts of the program, those that take longest first.
        runs: Over how many runs they are averages.
        run_seconds: How long a run takes that is not taken apart: the median of as many.
        peaks: What the machine can do with as many threads.
    """

    rows: Sequence[Row]
    runs: int
    run_seconds: float
    peaks: Peaks

    @property
    def seconds(self) -> float:
        """How long all parts of a run took together."""
        return sum(each.seconds for each in self.rows)


def profile(
    executable: Executable, *arguments: Any, runs: int = 3, seed: int = 0, **options: Any
) -> Profile:
    """Runs a compiled program step by step and measures how long each of its kernels takes.

    Args:
        executable: What ``compile`` returned.
        *arguments: Its arguments.
        runs: How many runs are measured, after one that is not.
        seed: Where the numbers that ``rng`` draws come from.
        **options: ``streams`` and ``probe_dir``, as when it is called.

    Raises:
        UnsupportedError: The program is not compiled.
        ArgumentValueError: There is no run.
    """
    if runs < 1:
        raise ArgumentValueError(f"a profile needs at least one run, not {runs}")
    if isinstance(executable, SpecialisingExecutable):
        executable = executable.executable(executable.signature.take(arguments))
    program, instance, same = steppable(executable)
    whole: list[float] = []
    same(*arguments, seed=seed, **options)
    instance.forget()
    for _ in range(runs):
        same(*arguments, seed=seed, **options)
        start = perf_counter()
        executable(*arguments, seed=seed, **options)
        whole.append(perf_counter() - start)
    found = rows(program.plan, instance, runs)
    ordered = sorted(found, key=lambda each: -each.seconds)
    reached = max((each.flops_per_second for each in ordered), default=0.0)
    return Profile(ordered, runs, median(whole), peaks(program.threads, reached))


def steppable(executable: Executable) -> tuple[CompiledExecutable, SteppedInstance, Executable]:
    """The native code of an executable, memory that counts its steps, and what to call for that."""
    if isinstance(executable, AdaptedExecutable):
        program, instance, same = steppable(executable.program)
        outer = copy(executable)
        outer.program = same
        return program, instance, outer
    if not isinstance(executable, CompiledExecutable):
        why = executable.fallback
        raise UnsupportedError([why] if why else "only a compiled program has a profile")
    same, instance = stepped(executable)
    return executable, instance, same


def rows(plan: Plan, instance: SteppedInstance, runs: int) -> Iterator[Row]:
    """The parts of a program with what they took in a run, on average."""
    steps = list(enumerate(plan.steps))
    for _, group in groupby(steps, lambda each: part_of(*each)):
        members = list(group)
        numbers = [number for number, _ in members]
        turns = max(instance.turns[each] for each in numbers) / runs
        seconds = sum(map(instance.seconds, numbers)) / runs
        if turns:
            yield row([step for _, step in members], turns, seconds)


def part_of(number: int, step: Step) -> object:
    """What steps have in common that stand in one row: the operation whose results they make."""
    match step:
        case Launch(nodes=(*_, last)):
            return id(last)
        case Request():
            return number
        case _:
            return type(step).__name__


def row(steps: Sequence[Step], turns: float, seconds: float) -> Row:
    """The row of some steps."""
    match steps[0]:
        case Launch(nodes=nodes):
            launches = [each for each in steps if isinstance(each, Launch)]
            names = ", ".join(dict.fromkeys(each.kernel.name for each in launches))
            size = sum(map(traffic, launches))
            flops, transcendentals = work_of(nodes)
            return Row(
                "kernel", names, sources(nodes), turns, seconds,
                size * turns, flops * turns, transcendentals * turns,
            )  # fmt: skip
        case Request(node, operands, results):
            size = bytes_of([*operands, *results])
            flops, transcendentals = work_of([node])
            return Row(
                "request", "answered in Python", sources([node]), turns, seconds, size * turns,
                flops * turns, transcendentals * turns,
            )  # fmt: skip
        case Copy():
            copied = [each for each in steps if isinstance(each, Copy)]
            size = sum(2 * each.source.bytes for each in copied)
            return Row("copy", MOVED, (), turns, seconds, size * turns)
        case Exchange():
            return Row("control", "exchanges of buffers", (), turns, seconds)
        case _:
            return Row("control", CONTROL, (), turns, seconds)


def traffic(launch: Launch) -> int:
    """What a kernel reads and writes: of each buffer at most what it holds."""
    kernel = launch.kernel
    moved = Estimate(kernel).bytes
    return sum(
        min(slot.bytes, moved.get(buffer, 0) * kernel.steps)
        for slot, buffer in zip(launch.slots, kernel.arguments, strict=True)
    )


def bytes_of(slots: Sequence[Slot]) -> int:
    """What distinct slots hold."""
    return sum(each.bytes for each in dict.fromkeys(slots))


def work_of(nodes: Sequence[Node]) -> tuple[int, int]:
    """Arithmetic operations and transcendental functions of some operations."""
    costs = [Counting({}).operation(each.operation) for each in nodes]
    return sum(each.flops for each in costs), sum(each.transcendentals for each in costs)


def sources(nodes: Sequence[Node]) -> Sequence[SourceOperation]:
    """The operations of nodes, constants aside."""
    operations: list[Operation] = [each.operation for each in nodes]
    return [
        SourceOperation(each.name, None if each.span is None else each.span.line)
        for each in dict.fromkeys(operations)
        if each.name != "stablehlo.constant"
    ]
