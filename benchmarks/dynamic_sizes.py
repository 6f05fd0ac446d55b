"""Programs with dynamic sizes: what a new size costs, and calls beside those of static programs.

``python -m benchmarks.dynamic_sizes`` prints the table of ``benchmarks/results/dynamic_sizes.md``.
Programs are exported with symbolic shapes by ``jax.export``. For each, ``--sizes`` sizes that it
was not called with before are called by us, and then through ``jax.jit``, which compiles each of
them. Then calls with one size take turns with the static program for this size, compiled by us.
Times are medians. ``--rows`` selects programs. ``--processor`` prints the processor time that our
calls take with one thread, which depends less on what else the machine does.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from statistics import median
from time import perf_counter, thread_time
from typing import Any, Final

import numpy as np

import stablemate as sm
from benchmarks.dynamic_size_programs import PROGRAMS, Program
from stablemate.compiler.compile import LateVersions
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable

COLUMNS: Final = (
    "program", "size", "versions", "first call, ms", "new size, ms", "more than a call, ms",
    "new size with XLA, ms", "XLA / ours", "call, us", "static program, us", "static / ours",
)  # fmt: skip
PROCESSOR_COLUMNS: Final = (
    "program", "size", "versions", "new size, ms", "more than a call, ms", "call, us",
    "static program, us", "static / ours",
)  # fmt: skip
TURNS: Final = 40
AGAIN: Final = 9  # calls with a size that is not new


def rows(selected: str, count: int, *, processor: bool) -> Iterator[Sequence[str]]:
    """The rows of the table."""
    for program in PROGRAMS:
        if selected in program.name:
            yield processor_row(program, count) if processor else row(program, count)


def row(program: Program, count: int) -> Sequence[str]:
    """Measures a program."""
    jax = import_module("jax")
    executable = sm.compile(exported(program), backend="cpu")
    assert isinstance(executable, SpecializingExecutable)
    compiled = jax.jit(program.function())
    first, _ = seconds(executable, program.arguments(program.size))
    jax.block_until_ready(compiled(*program.arguments(program.size)))
    executable(*program.arguments(program.size + 1))
    operands = [program.arguments(program.size + i * program.step) for i in range(1, count + 1)]
    first_calls = [seconds(executable, arguments) for arguments in operands]
    calls = [median(seconds(executable, a)[0] for _ in range(AGAIN)) for a in operands]
    compilations = [seconds(lambda *a: jax.block_until_ready(compiled(*a)), a) for a in operands]
    for (_, result), (_, expected) in zip(first_calls, compilations, strict=True):
        jax.tree.map(assert_close, jax.tree.leaves(result), jax.tree.leaves(expected))
    arguments = program.arguments(program.size)
    static = sm.compile(jax.jit(program.function()).lower(*arguments).as_text(), backend="cpu")
    sized, alone = turns(executable, static, arguments)
    new, anew = (median(duration for duration, _ in part) for part in (first_calls, compilations))
    more = median(duration - c for (duration, _), c in zip(first_calls, calls, strict=True))
    return (
        program.name, f"{program.size:,}", count_of_versions(executable),
        f"{first * 1e3:.0f}", f"{new * 1e3:.2f}", f"{more * 1e3:.2f}", f"{anew * 1e3:.0f}",
        f"{anew / new:.0f}", f"{sized * 1e6:.1f}", f"{alone * 1e6:.1f}",
        f"{alone / sized:.2f}",
    )  # fmt: skip


def assert_close(result: Any, expected: Any) -> None:
    """Compares a result with that of XLA."""
    np.testing.assert_allclose(result, np.asarray(expected), 2e-3, 2e-3)


def count_of_versions(executable: SpecializingExecutable) -> str:
    """How many versions there are; "each size" where a program is specialized."""
    versions = executable.versions
    assert isinstance(versions, LateVersions)
    return str(len(versions.versions.versions)) if versions.versions.versions else "each size"


def processor_row(program: Program, count: int) -> Sequence[str]:
    """Measures the processor time of a program, and of the static one for its size."""
    executable = sm.compile(exported(program), backend="cpu", threads=1)
    assert isinstance(executable, SpecializingExecutable)
    for size in (program.size, program.size + 1):
        executable(*program.arguments(size))
    operands = [program.arguments(program.size + i * program.step) for i in range(1, count + 1)]
    new: list[float] = []
    calls: list[float] = []
    for arguments in operands:
        new.append(seconds(executable, arguments, thread_time)[0])
        again = [seconds(executable, arguments, thread_time)[0] for _ in range(AGAIN)]
        calls.append(median(again))
    more = median(one - other for one, other in zip(new, calls, strict=True))
    arguments = program.arguments(program.size)
    lowered = import_module("jax").jit(program.function()).lower(*arguments).as_text()
    static = sm.compile(lowered, backend="cpu", threads=1)
    sized, alone = turns(executable, static, arguments, thread_time)
    return (
        program.name, f"{program.size:,}", count_of_versions(executable),
        f"{median(new) * 1e3:.2f}", f"{more * 1e3:.2f}", f"{sized * 1e6:.1f}",
        f"{alone * 1e6:.1f}", f"{alone / sized:.2f}",
    )  # fmt: skip


def exported(program: Program) -> Any:
    """The program with a symbolic size."""
    jax, export = import_module("jax"), import_module("jax.export")
    scope = export.SymbolicScope([f"n >= {program.least}"])
    types = [
        jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), argument.dtype)
        for shape, argument in zip(program.shapes, program.arguments(program.size), strict=True)
    ]
    return sm.load(export.export(jax.jit(program.function()))(*types).mlir_module())


def seconds(
    call: Callable[..., Any], arguments: Sequence[Any], clock: Callable[[], float] = perf_counter
) -> tuple[float, Any]:
    """The time of a call, and its result."""
    start = clock()
    result = call(*arguments)
    return clock() - start, result


def turns(
    one: Any, other: Any, arguments: Sequence[Any], clock: Callable[[], float] = perf_counter
) -> tuple[float, float]:
    """The times of calls that take turns."""
    for call in (one, other):
        call(*arguments)
    once, _ = seconds(one, arguments)
    calls = max(1, min(1000, int(2e-3 / once)))
    durations: tuple[list[float], list[float]] = ([], [])
    for _ in range(TURNS):
        for call, measured in zip((one, other), durations, strict=True):
            start = clock()
            for _ in range(calls):
                call(*arguments)
            measured.append((clock() - start) / calls)
    return median(durations[0]), median(durations[1])


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="", help="programs whose name contains this")
    parser.add_argument("--sizes", type=int, default=7, help="new sizes of each program")
    parser.add_argument("--processor", action="store_true", help="processor time of our calls")
    options = parser.parse_args()
    columns = PROCESSOR_COLUMNS if options.processor else COLUMNS
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for cells in rows(options.rows, options.sizes, processor=options.processor):
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
