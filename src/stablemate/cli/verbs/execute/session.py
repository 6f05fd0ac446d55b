"""Runs one program from the command line: reads arguments, runs, writes results, measures time."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import field
from functools import partial
from itertools import cycle
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

import stablemate as sm
from stablemate.analysis.quantities import format_count
from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.cli.input.arguments import InputReader
from stablemate.cli.input.array_files import ArrayFile, array_file, file_writers
from stablemate.cli.input.array_literals import check_size, may_be_type, short_type
from stablemate.cli.input.available_memory import check_arrays, check_bytes
from stablemate.cli.input.grid_shares import GridShare, share
from stablemate.cli.input.number_literals import reject
from stablemate.cli.input.programs import STDIN, load_program
from stablemate.cli.input.tensor_slots import (
    TensorSlot,
    assemble_value,
    slot_types,
    slots_of,
    tensors_of,
)
from stablemate.cli.options import color_for
from stablemate.cli.output.output_files import STDOUT, check_writable, write_files
from stablemate.cli.output.progress import progress
from stablemate.cli.output.run_report import (
    Report,
    ReportedResult,
    json_text,
    result_text,
    times_text,
)
from stablemate.cli.verbs.execute.mpi_ranks import aborting_all_ranks
from stablemate.cli.verbs.execute.run_options import RunCommandOptions as RunCommandOptions
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from stablemate.diagnostics.progress import with_progress
from stablemate.diagnostics.source import Source
from stablemate.execution.executable import BACKENDS, Executable
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.grid import ProcessId
from stablemate.numerics.elements import Array
from stablemate.numerics.random_elements import random_elements

T = TypeVar("T")
ALL_WEIGHTS: Final = ".safetensors:*"
if TYPE_CHECKING:
    from stablemate.analysis.tolerance import ToleranceCheck


@dataclass(slots=True)
class Stopwatch:
    """The seconds that each step took."""

    times: dict[str, float] = field(default_factory=dict[str, float])

    @contextmanager
    def __call__(self, what: str, doing: str) -> Generator[None]:
        """Measures the body; shows what it is doing if that takes long."""
        start = perf_counter()
        with progress(doing):
            yield
        self.times[what] = perf_counter() - start


def run(options: RunCommandOptions) -> int:
    """Runs a program as the options specify; returns the exit code."""
    carrier = BACKENDS[0] if options.grid is None else options.carrier
    with aborting_all_ranks(carrier):
        return run_here(options)


def run_here(options: RunCommandOptions) -> int:
    """Runs a program in this process; returns the exit code."""
    stopwatch = Stopwatch()
    with stopwatch("load", f"reading {options.file}"):
        module = program_of_options(options)
    with stopwatch("verify", f"verifying {options.file}"):
        module.verify_executable()
    runs = share(
        module,
        options.entry,
        None if options.grid is None else options.whole_grid,
        once=is_given_once(options, module.entry(options.entry)),
        gather=options.gather,
    )
    shapes = slot_types(module)[1] if runs.is_plain else ()
    slots = slots_of(runs.results, "result", runs.entry, shapes)
    files = output_files(options, slots)
    if options.trace is not None:
        check_writable(options.trace)
    reader = InputReader(options.limits)
    arguments = arguments_of(options, runs, reader)
    expected = expected_arrays(options, slots, reader)
    with stopwatch("prepare", f"preparing {runs.entry}"):
        executable = sm.compile(
            runs.module,
            backend=options.backend or DEFAULT_BACKEND,
            entry=runs.entry,
            limits=options.limits,
            threads=options.threads,
            check=options.check_memory,
            order=options.order,
            attention=options.attention,
        )
    check_memory(executable, options)
    with stopwatch("run", running_text(runs.entry, options)), trace_to_file(options, executable):
        call = partial(call_program, executable, arguments, options, runs)
        returned, times = time_repetitions(call, options.repeat)
    if executable.fallback is not None and (options.backend or options.timed):
        why = executable.fallback.rule or executable.fallback.message
        click.echo(f"not compiled, the interpreter runs it: {why}", err=True)
    stopwatch.times["run"] = median_of(times)
    arrays = list(tensors_of(returned))
    buffers = [slot.buffer for slot in slots] * len(options.writers)
    write_files(file_writers(files, arrays, buffers))
    places = [(process, slot) for process in options.writers for slot in slots]
    results = [
        ReportedResult(
            name=slot.name,
            array=array,
            element=slot.type.element_type,
            process=None if options.grid is None else process,
            file=files[i] if i < len(files) else None,
            comparison=compare_with_expected(array, expected[i], slot, options)
            if i < len(expected)
            else None,
        )
        for i, ((process, slot), array) in enumerate(zip(places, arrays, strict=True))
    ]
    report = Report(options.file, runs.entry, results, stopwatch.times, times)
    show(report, options)
    return 0 if report.matches else 1


def running_text(entry: str, options: RunCommandOptions) -> str:
    """Describes a run while it lasts: ``running main on 8 processes``."""
    if options.grid is None:
        return f"running {entry}"
    return f"running {entry} on {options.whole_grid.size} processes"


def trace_to_file(
    options: RunCommandOptions, executable: Executable | None = None
) -> AbstractContextManager[None]:
    """Records what programs do in the body, if the options name a file for that.

    Raises:
        UnsupportedError: The interpreter runs the executable.
    """
    if options.trace is None:
        return nullcontext()
    if isinstance(executable, InterpretedExecutable):
        why = executable.fallback
        raise UnsupportedError([why] if why else "only a compiled program has a trace")
    from stablemate.cli.output.trace_files import traced  # few runs have it

    return traced(options.trace, BACKENDS[0] if options.grid is None else options.carrier)


def compare_with_expected(
    array: Array, expected: Array, slot: TensorSlot, options: RunCommandOptions
) -> ToleranceCheck:
    """A result against what was expected of it."""
    from stablemate.analysis.tolerance import compare  # few runs compare

    return compare(array, expected, slot.type.element_type, options.tolerance)


def program_of_options(options: RunCommandOptions) -> sm.Module:
    """The program; of HLO with the entry computation that the options name."""
    module = load_program(options.file, options.limits, layout=options.layout)
    if isinstance(module, sm.HloModule) and options.entry is not None:
        return module.with_entry(options.entry)
    return module


def check_memory(executable: Executable, options: RunCommandOptions) -> None:
    """Rejects a compiled program whose values on the way to the results need too much memory.

    Raises:
        LimitError: They do.
    """
    from stablemate.compiler.executable import CompiledExecutable  # loaded if it is one

    if isinstance(executable, CompiledExecutable):
        arena = executable.memory.arena * len(options.processes)
        check_bytes("values on the way to the results", arena, options.limit_memory)


def call_program(
    executable: Executable,
    arguments: Sequence[Sequence[Any]],
    options: RunCommandOptions,
    runs: GridShare,
) -> object:
    """The results of the program for the arguments of its processes."""
    if options.grid is None:
        return executable.call_flat(*arguments[0], probe_dir=options.probe_dir, seed=options.seed)
    grid = options.whole_grid
    entries = runs.entries(arguments[0], grid)
    if entries is None:
        entries = [()] * grid.size
        for process, argument in zip(options.processes, arguments, strict=True):
            entries[grid.flattened_id(process)] = tuple(argument)
    results = executable.run_grid(
        entries,
        grid,
        probe_dir=options.probe_dir,
        seed=options.seed,
        carrier=options.carrier,
        gather=options.gather,
        reduce_order=options.reduce_order,
    )
    if options.gather:
        assert runs.sharing is not None
        assembled = runs.sharing.global_results(results, grid)
        return tuple(assembled[replica] for replica, _ in options.writers)
    return tuple(results[grid.flattened_id(process)] for process in options.writers)


def time_repetitions(call: Callable[[], T], times: int) -> tuple[T, list[float]]:
    """The result of the last call, and the seconds of each; there is at least one."""
    runs: list[float] = []
    results: list[T] = []
    for _ in with_progress(range(times), "repetition") if times > 1 else [0]:
        start = perf_counter()
        results = [call()]
        runs.append(perf_counter() - start)
    return results[0], runs


def median_of(times: Sequence[float]) -> float:
    """The median; ``statistics`` would take longer to import than a small program runs."""
    ordered, middle = sorted(times), len(times) // 2
    return ordered[middle] if len(times) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def show(report: Report, options: RunCommandOptions) -> None:
    """Prints the results on stdout, or on stderr if arrays went there; the times on stderr."""
    if options.output_format == "json":
        click.echo(json_text(report, options.print_limit))
    to_stderr = any(result.file and result.file.path == STDOUT for result in report.results)
    color = color_for(sys.stderr if to_stderr else sys.stdout)
    process: ProcessId | None = None
    places: Counter[ProcessId | None] = Counter()
    for result in report.results:
        position = places[result.process]
        places[result.process] += 1
        is_silent = result.comparison is None and (to_stderr or result.file)
        if options.output_format == "text" and not is_silent:
            if result.process is not None and result.process != process:
                process = result.process
                click.echo(f"process ({process[0]},{process[1]}):", err=to_stderr)
            text = result_text(position, result, options.print_limit, color=color)
            click.echo(text, err=to_stderr, color=color)
    if (options.timed or options.repeat > 1) and options.output_format == "text":
        click.echo(times_text(report), err=True)


# ---- arguments and results


def is_given_once(options: RunCommandOptions, function: sm.Function) -> bool:
    """Whether the inputs are whole arguments, to be split among the processes."""
    slots = slots_of(function.signature.arguments, "argument", function.name)
    inputs = options.inputs
    return options.of_processes(inputs) == inputs and len(inputs) <= len(slots)


def given_arguments(
    options: RunCommandOptions, module: sm.Module, function: sm.Function, reader: InputReader
) -> list[list[object]]:
    """The arguments of each process that the options specify.

    Raises:
        ArgumentError: One is missing, superfluous, of another type, or cannot be read.
    """
    own = function.signature
    return arguments_of(
        options, GridShare(module, function.name, own.arguments, own.results), reader
    )


def arguments_of(
    options: RunCommandOptions, runs: GridShare, reader: InputReader
) -> list[list[object]]:
    """The arguments of each process that the options specify; whole ones as one process's.

    Raises:
        ArgumentError: One is missing, superfluous, of another type, or cannot be read.
    """
    arguments = runs.arguments
    shapes = slot_types(runs.module)[0] if runs.is_plain else ()
    slots = slots_of(arguments, "argument", runs.entry, shapes)
    inputs = options.of_processes(options.inputs)
    is_cut = runs.sharing is not None and runs.once
    takers = options.whole_grid.processes[:1] if is_cut else options.processes
    number, processes = len(slots), len(takers)
    if len(inputs) > number * processes:
        counts = f"{format_count(number, 'argument')}, not {len(inputs)}"
        suffix = "" if processes == 1 else f" in each of {processes} processes"
        raise ArgumentTypeError(f"{runs.entry} takes {counts}{suffix}")
    if options.file == STDIN and any(source.endswith("=-") or source == "-" for source in inputs):
        raise ArgumentValueError("stdin is the program: it cannot be an --input as well")
    if len(inputs) > number:
        texts = [*inputs, *[None] * (number * processes - len(inputs))]
    else:
        texts = texts_of_slots(inputs, slots, runs.entry, reader)
    drawn = [slot for slot, text in zip(slots, texts, strict=False) if text is None]
    results = slots_of(runs.results, "result", runs.entry)
    check_arrays(
        runs.entry,
        slots * processes,
        results * processes,
        drawn=() if options.random_seed is None else drawn,
        limit=options.limit_memory,
    )
    arrays = {
        i: read_option(text, i, slots[i % number], reader, "input")
        for i, text in enumerate(texts)
        if text is not None
    }
    rows: list[list[object]] = []
    for p in range(processes):
        start = p * number if len(texts) > number else 0
        first = options.whole_grid.flattened_id(takers[p]) * number
        own = iter(
            [
                arrays[start + i]
                if start + i in arrays
                else random_argument(slot, first + i, options)
                for i, slot in enumerate(slots)
            ]
        )
        rows.append([assemble_value(argument.type, own) for argument in arguments])
    return rows


def texts_of_slots(
    inputs: Sequence[str], slots: Sequence[TensorSlot], function: str, reader: InputReader
) -> list[str | None]:
    """The input of each slot: that of its name, or else the next one without a name.

    Args:
        inputs: ``NAME=VALUE``; values; ``@FILE.safetensors:*`` for all arguments that have the
            name of an array in the file.
        slots: The arguments.
        function: The name of the function.
        reader: Reads the names in files.

    Raises:
        ArgumentValueError: An argument has two inputs, a name is none of an argument, or a file
            has none of the arguments.
        ArgumentTypeError: There are more inputs than arguments.
    """
    counts = Counter(slot.name for slot in slots)
    places = {slot.name: i for i, slot in enumerate(slots) if counts[slot.name] == 1}
    texts: dict[int, str] = {}
    others: list[str] = []
    files: list[str] = []
    for text in inputs:
        name, sign, value = text.partition("=")
        if text.startswith("@") and text.endswith(ALL_WEIGHTS):
            files.append(text[1:].removesuffix(":*"))
        elif not sign or (name not in places and may_be_type(name)):
            others.append(text)
        elif name not in places:
            known = ", ".join(places) or "none"
            raise ArgumentValueError(f"{function} has no argument called {name!r}: it has {known}")
        elif places[name] in texts:
            raise ArgumentValueError(f"argument {name} of {function} has two inputs")
        else:
            texts[places[name]] = value
    for file in files:
        names = [name for name in reader.shared.weights(file) if name in places]
        if not names:
            raise ArgumentValueError(f"no argument of {function} has a name that is in {file}")
        for name in names:
            texts.setdefault(places[name], f"@{file}:{name}")
    free = [i for i in range(len(slots)) if i not in texts]
    if len(others) > len(free):
        raise ArgumentTypeError(
            f"{function} takes {format_count(len(slots), 'argument')}, "
            f"and {others[len(free)]} is one input too many"
        )
    texts.update(zip(free, others, strict=False))
    return [texts.get(i) for i in range(len(slots))]


def read_arrays(
    texts: Sequence[str], slots: Sequence[TensorSlot], reader: InputReader, kind: str
) -> list[Array]:
    """The arrays that options specify, for the slots of one process after the other."""
    return [
        read_option(text, i, slot, reader, kind)
        for i, (text, slot) in enumerate(zip(texts, cycle(slots), strict=False))
    ]


def read_option(text: str, number: int, slot: TensorSlot, reader: InputReader, kind: str) -> Array:
    """The array that an option specifies, the one of this number."""
    name = f"<{kind} {number}>"
    return reader.read(text, slot.type, name=name, what=slot.what, buffer=slot.buffer)


def random_argument(slot: TensorSlot, position: int, options: RunCommandOptions) -> Array:
    """Random elements for an argument without an input.

    Raises:
        ArgumentTypeError: The options do not ask for that, or the shape is not known.
    """
    if options.random_seed is None or not slot.type.is_static:
        raise missing_argument(slot)
    check_size(Source(short_type(slot.type), "--random-seed"), slot.type, options.limits)
    return random_elements(slot.type.shape, slot.type.element_type, options.random_seed + position)


def missing_argument(slot: TensorSlot) -> ArgumentTypeError:
    """The error that an argument has no input."""
    text = short_type(slot.type)
    name = "" if slot.name.startswith("%") else f"{slot.name}="
    if slot.type.is_static:
        hint = (
            f"give it as --input={name}{text}=VALUE or --input={name}@FILE.npy; --random-seed=0 "
            "makes up all that are missing"
        )
    else:
        text = name + text.replace("?", "4")
        hint = f"its sizes are not known: --input={text}=random:0, --input={text}=VALUE or "
        hint += f"--input={name}@FILE.npy gives them"
    message = f"{slot.what} is missing: {slot.type}"
    return ArgumentTypeError(Diagnostic(message, notes=(Diagnostic(hint),)))


def output_files(options: RunCommandOptions, slots: Sequence[TensorSlot]) -> list[ArrayFile]:
    """The files that results are written to, all of them writable.

    Raises:
        ArgumentValueError: There are more than results, two are the same, or one is unwritable.
    """
    outputs = options.of_processes(options.outputs, options.writers)
    check_count("--output", outputs, slots, options)
    files = [output_file(text, f"<output {i}>") for i, text in enumerate(outputs)]
    for i, file in enumerate(files):
        if file in files[:i] and file.path != STDOUT:
            raise ArgumentValueError(f"two results cannot both be written to {file}")
        check_writable(file.path)
    if options.output_format == "json" and any(file.path == STDOUT for file in files):
        raise ArgumentValueError("stdout is the JSON: it cannot be an --output as well")
    return files


def output_file(text: str, name: str) -> ArrayFile:
    """The file that an ``--output`` names."""
    source = Source(text, name)
    if text == STDOUT:
        return ArrayFile(STDOUT)
    if not text.startswith("@") or len(text) == 1:
        note = f"write @{text} for the file {text}" if len(text) > 1 else ""
        message = "expected @FILE.npy, @FILE.npz:NAME, @FILE for raw elements, or -"
        reject(source, 0, len(text), message, *[note] * bool(note))
    file = array_file(os.path.normpath(text[1:]))
    if file.is_archive and not file.member:
        reject(source, 0, len(text), f"under which name? Write {text.rstrip(':')}:NAME")
    return file


def expected_arrays(
    options: RunCommandOptions, slots: Sequence[TensorSlot], reader: InputReader
) -> list[Array]:
    """The arrays that results are compared with, one process after the other."""
    expected = options.of_processes(options.expected, options.writers)
    check_count("--expected", expected, slots, options)
    arrays = read_arrays(expected, slots, reader, "expected")
    uniform_results = len(arrays) == len(slots)
    return arrays * len(options.writers) if uniform_results else arrays


def check_count(
    name: str, entries: Sequence[str], slots: Sequence[TensorSlot], options: RunCommandOptions
) -> None:
    """Rejects more options than there are results."""
    results = len(slots) * len(options.writers)
    if len(entries) > results:
        raise ArgumentValueError(f"{len(entries)} {name} for {format_count(results, 'result')}")
