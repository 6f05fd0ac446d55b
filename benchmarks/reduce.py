"""How long it takes to cut a program of 3,000 operations down to the one that fails.

``python -m benchmarks.reduce`` prints the table of ``benchmarks/results/reduce.md``. The program is
a training step of a transformer, as JAX writes it, in which one operation, drawn at random, is made
wrong. Each check starts a process, as a compiler would be started. Times are those of ``stablemate
reduce`` as a whole, with all processes that it starts.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from benchmarks import view

LAYERS: Final = 12
SCRIPT: Final = "import sys; sys.exit('stablehlo.atan2' in open(sys.argv[1]).read())\n"


@dataclass(frozen=True, slots=True)
class Case:
    """A wrong operation, and the command that fails at it.

    Attributes:
        name: What is wrong.
        old: What a line holds whose operation is made wrong.
        new: What it holds then.
        check: The command, in which ``SCRIPT`` and ``PYTHON`` are filled in.
        options: Other options of ``reduce``.
    """

    name: str
    old: str
    new: str
    check: str
    options: tuple[str, ...] = ()


CASES: Final = (
    Case(
        "another operation, `python script {}`",
        "stablehlo.multiply",
        "stablehlo.atan2",
        "PYTHON SCRIPT {}",
    ),
    Case(
        "the same, with inputs",
        "stablehlo.multiply",
        "stablehlo.atan2",
        "PYTHON SCRIPT {} {inputs}",
        ("--random-seed=0",),
    ),
    Case(
        "a wrong type, `stablemate check {}`",
        "dims = [0, 2, 1, 3]",
        "dims = [0, 1, 2, 3]",
        "PYTHON -m stablemate check {}",
    ),
)


def planted(text: str, case: Case, seed: int) -> str:
    """The program with one operation that is wrong."""
    lines = text.splitlines(keepends=True)
    line_number = random.Random(seed).choice(
        [i for i, line in enumerate(lines) if case.old in line]
    )
    lines[line_number] = lines[line_number].replace(case.old, case.new, 1)
    return "".join(lines)


def measured(text: str, case: Case, seed: int, place: Path) -> dict[str, Any]:
    """What ``reduce`` says, with the seconds that it took, of the clock and of the processor."""
    program, script = place / "program.mlir", place / "script.py"
    program.write_text(planted(text, case, seed))
    script.write_text(SCRIPT)
    check = case.check.replace("PYTHON", sys.executable).replace("SCRIPT", str(script))
    command = [sys.executable, "-m", "stablemate", "reduce", str(program), "--check", check]
    output = ["-o", str(place / "reduced.mlir"), "--format=json"]
    start, used = perf_counter(), view.processor_seconds()
    completed = subprocess.run([*command, *case.options, *output], check=True, capture_output=True)
    seconds = {"clock": perf_counter() - start, "processor": view.processor_seconds() - used}
    return {**json.loads(completed.stdout), **seconds}


def rows(runs: int) -> Iterator[str]:
    """The table."""
    text = view.transformer(LAYERS)
    yield "| wrong, and the command | operations | left | checks | processor, s | clock, s |"
    yield "| --- | --- | --- | --- | --- | --- |"
    with tempfile.TemporaryDirectory() as directory:
        for case in CASES:
            collected = [measured(text, case, seed, Path(directory)) for seed in range(runs)]
            worst = max(collected, key=lambda item: item["processor"])
            yield (
                f"| {case.name} | {worst['operations_before']:,} | {worst['operations']} "
                f"| {worst['checked']} | {worst['processor']:.1f} | {worst['clock']:.1f} |"
            )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    for row in rows(parser.parse_args().runs):
        print(row, flush=True)


if __name__ == "__main__":
    main()
