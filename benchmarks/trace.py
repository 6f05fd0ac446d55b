"""What listening costs: a traced run beside a plain one, interpreted.

    python -m benchmarks.trace PROGRAM.mlir ... [--rounds 5] [--output benchmarks/results/trace.md]

Both are timed in turns, in processor time of this thread, each with the preparation of its program,
as a first run has it; the second column is without. Arguments are random. A trace has the
statistics of every result.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any

import stablemate as sm
from stablemate.analysis.tracing.recorder import TraceRecorder
from stablemate.api.inspection.observing import observable_function
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.types import TensorType
from stablemate.numerics.random_elements import random_elements


def seconds(run: Callable[[], Any]) -> float:
    """The processor time of a call."""
    start = thread_time()
    run()
    return thread_time() - start


def row(path: Path, rounds: int) -> str:
    """The row of a program."""
    module = sm.load(path)
    types = [argument.type for argument in module.entry().signature.arguments]
    arguments = [
        random_elements(value_type.shape, value_type.element_type, i)
        for i, value_type in enumerate(types)
        if isinstance(value_type, TensorType)
    ]
    program = observable_function(module, backend="interpreter")
    bare, plain, traced = list[float](), list[float](), list[float]()
    events = 0

    def first_run() -> Any:
        return sm.compile(module, backend="interpreter")(*arguments)

    def trace() -> None:
        nonlocal events
        recorder = TraceRecorder(program.sites)
        with without_garbage_collection():
            program.run(recorder, *arguments)
            recorder.flush()
        events = recorder.events

    prepared = sm.compile(module, backend="interpreter")
    trace()
    for _ in range(rounds):
        bare.append(seconds(lambda: prepared(*arguments)))
        plain.append(seconds(first_run))
        traced.append(seconds(trace))
    times = [median(item) * 1e3 for item in (bare, plain, traced)]
    ratio = median(t / p for t, p in zip(traced, plain, strict=True))
    numbers = " | ".join(f"{time:.4g}" for time in times)
    return f"| {path.stem} | {events} | {numbers} | {ratio:.2f} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table, or writes it to a file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("programs", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args(arguments)
    lines = [
        "# Traces",
        "",
        (__doc__ or "").partition("\n\n")[2].partition("\n\n")[2].strip(),
        "",
        "| program | events | prepared ms | first run ms | traced first run ms | traced / first |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for path in options.programs:
        lines.append(row(path, options.rounds))
        print(lines[-1], flush=True)
    if options.output is not None:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
