"""Profiles: how long each kernel of a compiled program takes, beside what the machine can do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from itertools import groupby
from statistics import median
from time import perf_counter
from typing import Final

from stablemate.analysis.contents import line_of
from stablemate.analysis.cost import Cost, Counting, total
from stablemate.analysis.operation_identity import producer_place
from stablemate.analysis.profile_rows import Measurement, ProfileRow, SourceOperation
from stablemate.analysis.profile_tables import tables_of
from stablemate.analysis.roofline import roofline_of
from stablemate.analysis.source_places import PlaceFinder
from stablemate.analysis.tables import html_of
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.graph.graph import Node
from stablemate.compiler.plan.plan import (
    CopySlot,
    LaunchStep,
    Plan,
    Request,
    Step,
    SwapSlots,
)
from stablemate.compiler.runtime.machine_peaks import peaks
from stablemate.compiler.step_labels import bytes_of, traffic
from stablemate.compiler.step_timing import SteppedInstance, stepwise_program
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from stablemate.execution.adapted_executable import AdaptedExecutable
from stablemate.execution.executable import Executable
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.symbolic_sizes import typical_of

CONTROL: Final = "jumps and branches"
MOVED: Final = "copies of whole values"
TRANSCENDENTAL: Final = 16  # elementary operations, about, in a transcendental function


class Profile(Measurement):
    """The time of a program by kernel and operation, as tables and a roofline."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Its tables and the roofline, for notebooks."""
        return f"{html_of(tables_of(self))}\n{roofline_of(self).svg()}"


def profile(
    executable: Executable, *arguments: object, runs: int = 3, seed: int = 0, **options: object
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
    if isinstance(executable, SpecializingExecutable):
        executable = executable.executable(executable.signature.take(arguments))
    return profile_of_calls(
        executable, lambda program: program.call_flat(*arguments, seed=seed, **options), runs
    )


def profile_of_calls(
    executable: Executable, call: Callable[[Executable], object], runs: int
) -> Profile:
    """The profile of calls of a program; of a grid, that of its first process.

    Args:
        executable: What ``compile`` returned.
        call: Calls the executable, or one that runs step by step.
        runs: How many calls are measured, after one that is not.

    Raises:
        UnsupportedError: The program is not compiled.
        ArgumentValueError: There is no run.
    """
    if not hasattr(executable, "call_flat"):
        kind = type(executable).__name__
        raise ArgumentTypeError(f"a profile is that of what sm.compile returns, not of {kind}")
    if runs < 1:
        raise ArgumentValueError(f"a profile needs at least one run, not {runs}")
    program, instance, same = steppable(executable)
    run_seconds: list[float] = []
    call(same)
    instance.forget()
    for _ in range(runs):
        call(same)
        start = perf_counter()
        call(executable)
        run_seconds.append(perf_counter() - start)
    measured_rows = rows(program.plan, instance, runs)
    ordered = sorted(measured_rows, key=lambda row: -row.seconds)
    reached = max((row.flops_per_second for row in ordered), default=0.0)
    return Profile(ordered, runs, median(run_seconds), peaks(program.threads, reached))


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
    same, instance = stepwise_program(executable)
    return executable, instance, same


def rows(plan: Plan, instance: SteppedInstance, runs: int) -> Iterator[ProfileRow]:
    """The parts of a program with what they took in a run, on average."""
    steps = list(enumerate(plan.steps))
    for _, group in groupby(steps, lambda step: part_of(*step)):
        members = list(group)
        numbers = [number for number, _ in members]
        executions = max(instance.runs[number] for number in numbers) / runs
        seconds = sum(map(instance.seconds, numbers)) / runs
        if executions:
            yield row([step for _, step in members], executions, seconds)


def part_of(number: int, step: Step) -> object:
    """The operation whose results the steps of one row compute."""
    match step:
        case LaunchStep(nodes=(*_, last)):
            return id(last)
        case Request():
            return number
        case _:
            return type(step).__name__


def row(steps: Sequence[Step], executions: float, seconds: float) -> ProfileRow:
    """The row of some steps."""
    match steps[0]:
        case LaunchStep(nodes=nodes):
            launches = [step for step in steps if isinstance(step, LaunchStep)]
            names = ", ".join(dict.fromkeys(launch.kernel.name for launch in launches))
            size = sum(map(traffic, launches))
            return operation_rows("kernel", names, nodes, executions, seconds, size)
        case Request(node, operands, results, calls):
            size = bytes_of([*operands, *results])
            name = "answered in Python" if calls is None else "calls of a native library"
            return operation_rows("request", name, [node], executions, seconds, size)
        case CopySlot():
            copied = [step for step in steps if isinstance(step, CopySlot)]
            size = sum(2 * typical_of(copy_step.source.bytes) for copy_step in copied)
            return ProfileRow("copy", MOVED, (), executions, seconds, size * executions)
        case SwapSlots():
            return ProfileRow("control", "exchanges of buffers", (), executions, seconds)
        case _:
            return ProfileRow("control", CONTROL, (), executions, seconds)


def operation_rows(
    kind: str, what: str, nodes: Sequence[Node], executions: float, seconds: float, size: int
) -> ProfileRow:
    """The row of steps that compute operations; constants are left out."""
    operations: list[Operation] = [node.operation for node in dict.fromkeys(nodes)]
    costs = [cost_of(operation) for operation in operations]
    named = [
        (source_of(operation), weight(operation, cost))
        for operation, cost in zip(operations, costs, strict=True)
        if operation.name != "stablehlo.constant"
    ]
    return ProfileRow(
        kind,
        what,
        [source for source, _ in named],
        executions,
        seconds,
        size * executions,
        sum(cost.flops for cost in costs) * executions,
        sum(cost.transcendentals for cost in costs) * executions,
        [work for _, work in named],
    )


def cost_of(operation: Operation) -> Cost:
    """The cost of an operation; of one that the compiler made, that of those it was made of."""
    originals: Sequence[Operation] = getattr(operation, "originals", (operation,))
    cost = total([Counting({}).operation(original) for original in originals])
    return replace(
        cost,
        flops=typical_of(cost.flops),
        transcendentals=typical_of(cost.transcendentals),
    )


def weight(operation: Operation, cost: Cost) -> float:
    """How much work an operation is: arithmetic, functions, and results to be made."""
    types: list[Type] = [result.type for result in operation.results]
    tensors = [
        value_type
        for value_type in types
        if isinstance(value_type, TensorType) and value_type.is_static
    ]
    elements = sum(typical_of(tensor.size) for tensor in tensors)
    return cost.flops + TRANSCENDENTAL * cost.transcendentals + elements


def source_of(operation: Operation) -> SourceOperation:
    """An operation, with its place in the source."""
    line = line_of(operation)
    source = PlaceFinder().place(operation.location)
    place = producer_place(operation)
    if line is None and not place:
        place = source.name  # of a node, where the producer names no file
    file = "" if line is not None else place
    return SourceOperation(operation.name, line, file, place, source.scope)
