"""``stablemate run`` of several programs, one for each process of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import stablemate as sm
from stablemate.analysis.quantities import format_count
from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.cli.input.arguments import InputReader
from stablemate.cli.input.array_files import file_writers
from stablemate.cli.input.available_memory import check_arrays
from stablemate.cli.input.programs import load_program
from stablemate.cli.input.tensor_slots import TensorSlot, assemble_value, slots_of, tensors_of
from stablemate.cli.output.output_files import check_writable, write_files
from stablemate.cli.output.run_report import Report, ReportedResult
from stablemate.cli.verbs.execute.run_options import PLACEHOLDERS, RunCommandOptions, with_numbers
from stablemate.cli.verbs.execute.session import (
    Stopwatch,
    median_of,
    output_file,
    random_argument,
    read_arrays,
    running_text,
    show,
    time_repetitions,
    trace_to_file,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.progress import with_progress
from stablemate.ir.grid import Grid, ProcessId


@dataclass(frozen=True, slots=True)
class GridMember:
    """A process with its program.

    Attributes:
        process: Its ids.
        function: What it runs.
        arguments: The tensors that it takes.
        results: The tensors that it gives.
    """

    process: ProcessId
    function: sm.Function
    arguments: Sequence[TensorSlot]
    results: Sequence[TensorSlot]


def run_several(options: RunCommandOptions) -> int:
    """Runs a program for each process, or for each partition; returns the exit code."""
    stopwatch = Stopwatch()
    files = [options.file, *options.others]
    if options.grid is None:
        options = replace(options, grid=(1, len(files)))
    if options.gather or options.expected or options.layout:
        raise ArgumentValueError("several programs have no --gather, --expected and --layout")
    grid = options.whole_grid
    with stopwatch("load", f"reading {len(files)} programs"):
        modules = [load_program(file, options.limits) for file in with_progress(files, "file")]
    with stopwatch("verify", "verifying"):
        for module in modules:
            module.verify_executable()
    members = members_of(modules, options, grid)
    reader = InputReader(options.limits)
    inputs = arguments_by_process(
        options.inputs, members, [len(m.arguments) for m in members], grid
    )
    outputs = arguments_by_process(
        options.outputs, members, [len(m.results) for m in members], grid
    )
    here = [grid.flattened_id(process) for process in options.processes]
    check_arrays(
        "the programs",
        [slot for i in here for slot in members[i].arguments],
        [slot for i in here for slot in members[i].results],
        limit=options.limit_memory,
    )
    if options.trace is not None:
        check_writable(options.trace)
    entries: list[object] = [()] * grid.size
    for i in here:
        entries[i] = arguments_of(members[i], inputs[i], reader, options)
    written = [
        output_file(text, f"<output {k}>") for i in here for k, text in enumerate(outputs[i])
    ]
    with stopwatch("run", running_text("programs", options)), trace_to_file(options):
        results_of_programs, times = time_repetitions(
            lambda: call_processes(modules, entries, options, grid), options.repeat
        )
    stopwatch.times["run"] = median_of(times)
    arrays = [[*tensors_of(results_of_programs[i])] for i in here]
    kept = [a for i, own in zip(here, arrays, strict=True) for a in own[: len(outputs[i])]]
    write_files(file_writers(written, kept, [None] * len(kept)))
    names = iter(written)
    results = [
        ReportedResult(
            name=slot.name,
            array=array,
            element=slot.type.element_type,
            process=members[i].process,
            file=next(names) if k < len(outputs[i]) else None,
        )
        for i, own in zip(here, arrays, strict=True)
        for k, (slot, array) in enumerate(zip(members[i].results, own, strict=True))
    ]
    entry = options.entry or "main"
    show(Report(", ".join(files), entry, results, stopwatch.times, times), options)
    return 0


def members_of(
    modules: Sequence[sm.Module], options: RunCommandOptions, grid: Grid
) -> list[GridMember]:
    """The processes with their programs.

    Raises:
        ArgumentValueError: There are neither as many programs as processes nor as partitions.
    """
    count = len(modules)
    if count not in (grid.size, grid.num_partitions):
        size = f"{grid.num_replicas}x{grid.num_partitions}"
        text = f"{count} programs for a grid {size}: one for each process, or for each partition"
        raise ArgumentValueError(text)
    functions = [module.entry(options.entry) for module in modules]
    members: list[GridMember] = []
    for i, process in enumerate(grid.processes):
        function = functions[i % count]
        own = function.signature
        where = f"in process ({process[0]},{process[1]})"
        arguments = [
            replace(slot, what=f"{slot.what} {where}")
            for slot in slots_of(own.arguments, "argument", function.name)
        ]
        members.append(
            GridMember(process, function, arguments, slots_of(own.results, "result", function.name))
        )
    return members


def arguments_by_process(
    texts: Sequence[str], members: Sequence[GridMember], counts: Sequence[int], grid: Grid
) -> list[Sequence[str]]:
    """The option values of each process: in turn, or one for all with placeholders replaced.

    Raises:
        ArgumentValueError: There are more than the processes take.
    """
    if any(name in text for text in texts for name in PLACEHOLDERS):
        most = [texts[:count] for count in counts]
        pairs = zip(members, most, strict=True)
        return [[with_numbers(text, m.process, grid) for text in own] for m, own in pairs]
    if len(texts) > sum(counts):
        text = f"{format_count(sum(counts), 'value')} in all processes, but {len(texts)} are given"
        raise ArgumentValueError(text)
    starts = [sum(counts[:i]) for i in range(len(counts))]
    return [texts[start : start + n] for start, n in zip(starts, counts, strict=True)]


def arguments_of(
    member: GridMember, texts: Sequence[str], reader: InputReader, options: RunCommandOptions
) -> tuple[object, ...]:
    """The arguments of a process."""
    arrays = read_arrays(texts, member.arguments, reader, "input")
    first = options.whole_grid.flattened_id(member.process) * len(member.arguments)
    for i, slot in enumerate(member.arguments[len(arrays) :], start=len(arrays)):
        arrays.append(random_argument(slot, first + i, options))
    remaining = iter(arrays)
    signature = member.function.signature
    return tuple(assemble_value(argument.type, remaining) for argument in signature.arguments)


def call_processes(
    modules: Sequence[sm.Module], entries: Sequence[object], options: RunCommandOptions, grid: Grid
) -> list[object]:
    """The results of each process."""
    return sm.run_grid(
        list(modules),
        entries,
        grid.num_replicas,
        grid.num_partitions,
        entry=options.entry,
        backend=options.backend or DEFAULT_BACKEND,
        max_iterations=options.max_iterations,
        probe_dir=options.probe_dir,
        seed=options.seed,
        carrier=options.carrier,
        reduce_order=options.reduce_order,
        order=options.order,
    )
