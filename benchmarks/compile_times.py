"""Compile time, first and again, and peak memory beside XLA's.

    python -m benchmarks.compile_times DIR [--models a,b] [--rounds 3] [--md FILE]

Every time is taken in a process of its own, program by program and round after round, so that
noise of the machine hits all alike; the least of the rounds counts. The module is loaded before:

* ``first``: the process has compiled nothing yet and the cache is empty, so that this imports the
  compiler, starts LLVM and makes the runtime as well; ``process`` is the time from the start of the
  process to the program compiled, with all imports, here and for XLA;
* ``cold``: the cache is empty, but a program of one operation was compiled before; XLA's client,
  too, exists before its time begins;
* ``warm``: a new process takes the program from the cache.

Processor time of all threads is what a busy machine disturbs least; that of XLA and of ``cold`` are
compared.

Peak memory is that of a process that compiles and runs the program twice.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any, Final

ROOT: Final = pathlib.Path(__file__).resolve().parents[1]
BYTECODE: Final = os.path.join(tempfile.gettempdir(), "stablemate-benchmarks-bytecode")
MODES: Final = ("xla", "first", "cold", "warm")
COLUMNS: Final = (
    "program", "xla ms", "first ms", "xla process", "process", "cold ms", "warm ms", "xla/cold",
    "xla cpu", "cold cpu", "cpu xla/cold", "xla MB", "MB",
)  # fmt: skip


def child(mode: str, path: pathlib.Path, runs: bool, begun: float) -> dict[str, float]:
    """Compiles a program in this process, which has begun then, and maybe runs it."""
    from benchmarks.peers import Peer, Stablemate, Xla, peak_mb
    from tests.programs.program import load_program

    peer: Peer = Xla() if mode == "xla" else Stablemate(prepared=mode == "cold")
    times: dict[str, tuple[float, float]] = {}
    start = time.perf_counter(), time.process_time()
    for stage in peer.stages(path):
        times[stage] = time.perf_counter() - start[0], time.process_time() - start[1]
        start = time.perf_counter(), time.process_time()
    whole = time.monotonic() - begun
    if runs:
        _, arrays = load_program(path.stem, path.parent)
        peer.bind(arrays)
        for _ in range(2):
            peer.run()
    passed, worked = times["compile"]
    return {"ms": passed * 1e3, "cpu": worked * 1e3, "process": whole * 1e3, "mb": peak_mb()}


def measured(mode: str, path: pathlib.Path, cache: str, *, runs: bool = False) -> dict[str, float]:
    """What a process of its own finds."""
    command = [sys.executable, "-m", "benchmarks.compile_times", "--child", mode, str(path)]
    command += ["--runs"] * runs
    command += [f"--begun={time.monotonic()}"]
    environment = {**os.environ, "STABLEMATE_CACHE_DIR": cache, "PYTHONPYCACHEPREFIX": BYTECODE}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # the imports of a user find bytecode
    completed = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    ).stdout
    document: dict[str, float] = json.loads(completed.splitlines()[-1])
    return document


def row(path: pathlib.Path, rounds: int) -> dict[str, float]:
    """The cells of a program."""
    times: dict[str, list[dict[str, float]]] = {mode: [] for mode in MODES}
    with tempfile.TemporaryDirectory() as kept:
        measured("first", path, kept)
        for _ in range(rounds):
            for mode in MODES:
                with tempfile.TemporaryDirectory() as empty:
                    cache = kept if mode == "warm" else empty
                    times[mode].append(measured(mode, path, cache))
    memory: dict[str, float] = {}
    for mode in ("xla", "cold"):
        with tempfile.TemporaryDirectory() as empty:
            memory[mode] = measured(mode, path, empty, runs=True)["mb"]
    cells = {
        f"{mode} {unit}": min(item[unit] for item in time)
        for mode, time in times.items()
        for unit in ("ms", "cpu")
    }
    return {
        **cells,
        "xla process": min(time["process"] for time in times["xla"]),
        "process": min(time["process"] for time in times["first"]),
        "xla/cold": cells["xla ms"] / cells["cold ms"],
        "cpu xla/cold": cells["xla cpu"] / cells["cold cpu"],
        "xla MB": memory["xla"],
        "MB": memory["cold"],
    }


def line(name: str, cells: dict[str, float]) -> str:
    """A line of the table."""
    digits = {"xla/cold": 2, "cpu xla/cold": 2, "warm ms": 1}
    texts = [f"{cells[column]:.{digits.get(column, 0)}f}" for column in COLUMNS[1:]]
    return f"| {' | '.join((name, *texts))} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures all programs of a folder, or one of them for that."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--models", default="")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--md", type=pathlib.Path)
    parser.add_argument("--child", nargs=2)
    parser.add_argument("--runs", action="store_true")
    parser.add_argument("--begun", type=float, default=0.0)
    options: Any = parser.parse_args(arguments)
    if options.child:
        mode, path = options.child
        print(json.dumps(child(mode, pathlib.Path(path), options.runs, options.begun)))
        return
    chosen = options.models.split(",") if options.models else None
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + " --- |" * len(COLUMNS)]
    print("\n".join(lines), flush=True)
    for path in sorted(options.folder.glob("*.mlir")):
        if chosen is None or path.stem in chosen:
            lines.append(line(path.stem, row(path, options.rounds)))
            print(lines[-1], flush=True)
    if options.md:
        options.md.parent.mkdir(parents=True, exist_ok=True)
        options.md.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
