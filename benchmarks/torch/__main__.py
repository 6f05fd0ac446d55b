r"""Models and calls under torch.compile: eager, inductor and stablemate in turn, in one process.

python -m benchmarks.torch
python -m benchmarks.torch --parts inference --models resnet50 --batches 8 \
    --page benchmarks/results/torch.md

``--page`` replaces the rows of this page that were measured, and leaves the others. It needs
torchvision, transformers, and a C++ compiler for inductor. ``--processor-time`` measures the time
of one thread on its processor, which other work on the machine changes less.
"""

from __future__ import annotations

import argparse
import copy
import gc
import logging
import math
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, Final

import torch

from benchmarks.pages import table_lines, write_table
from benchmarks.torch.models import MODELS
from stablemate.bridges.torch.backend import stablemate

COMPILERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "eager": lambda model: model,
    "inductor": lambda model: torch.compile(model, backend="inductor"),
    "stablemate": lambda model: torch.compile(model, backend=stablemate),
    "stablemate, freezing": lambda model: torch.compile(
        model, backend=stablemate, options={"freezing": True}
    ),
}
FIRST_CALLS: Final = ("inductor", "stablemate")
LEAST_ROUNDS: Final = 5
Run = Callable[[], object]


def runs(name: str, batch: int, *, trains: bool, compilers: Sequence[str]) -> dict[str, Run]:
    """A forward pass or a training step of a model, by compiler."""
    torch._dynamo.reset()
    torch.manual_seed(0)
    model, inputs = MODELS[name].create().train(trains), MODELS[name].inputs(batch)
    return {
        compiler: step(COMPILERS[compiler](copy.deepcopy(model)), inputs, trains=trains)
        for compiler in compilers
    }


def step(model: Any, inputs: Sequence[Any], *, trains: bool) -> Run:
    """A call of a model; with gradients of all parameters, if it trains."""

    def infer() -> object:
        with torch.no_grad():
            return model(*inputs)

    def train() -> None:
        result = model(*inputs)
        (result if isinstance(result, torch.Tensor) else result[0]).square().mean().backward()
        for parameter in model.parameters():
            parameter.grad = None

    return train if trains else infer


def times(bodies: Mapping[str, Run], seconds: float, clock: Callable[[], float]) -> list[float]:
    """The median time of each body in milliseconds, measured in turn after two calls each.

    That of a body which raises an error is not a number.
    """
    running = {name: body for name, body in bodies.items() if runs_twice(body)}
    found: dict[str, list[float]] = {name: [] for name in running}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(found["eager"]) < LEAST_ROUNDS:
        for name, body in running.items():
            begun = clock()
            body()
            found[name].append(1e3 * (clock() - begun))
    return [median(found[name]) if name in found else math.nan for name in bodies]


def runs_twice(body: Run) -> bool:
    """Whether two calls of a body raise no error."""
    try:
        body()
        body()
    except Exception as error:
        print(f"{type(error).__name__}: {error}".splitlines()[0], file=sys.stderr)
        return False
    return True


def steady_rows(
    options: argparse.Namespace, clock: Callable[[], float], *, trains: bool
) -> Iterator[str]:
    """A row for each model and batch."""
    compilers = list(COMPILERS)[: 3 if trains else 4]
    for name, batch in product(options.models, options.batches):
        bodies = runs(name, batch, trains=trains, compilers=compilers)
        found = times(bodies, options.seconds, clock)
        best = [] if trains else [found[1] / min(found[2:])]
        ratios = [found[1] / found[2], *best]
        yield row([name, batch, *found, *ratios])
        del bodies
        gc.collect()


def row(cells: Sequence[str | float]) -> str:
    """A row of a table; what raised an error has no time."""
    return f"| {' | '.join(map(cell, cells))} |"


def cell(value: str | float) -> str:
    """A cell of a table."""
    if isinstance(value, float):
        return "raises" if math.isnan(value) else f"{value:.2f}"
    return str(value)


def first_call_rows(options: argparse.Namespace) -> Iterator[str]:
    """A row for each model: the first call in a new process with empty caches."""
    for name in options.models:
        found = [first_call(name, compiler) for compiler in FIRST_CALLS]
        (other, _), (own, share) = found
        yield row([name, other, own, share, other / own])


def first_call(name: str, compiler: str) -> tuple[float, float]:
    """Seconds of processors of a first call in a process of its own, and those of stablemate."""
    with tempfile.TemporaryDirectory() as caches:
        environment = os.environ | {
            "TORCHINDUCTOR_CACHE_DIR": f"{caches}/inductor",
            "STABLEMATE_CACHE_DIR": f"{caches}/stablemate",
        }
        command = [sys.executable, "-m", "benchmarks.torch.first_call", name, compiler]
        output = subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True
        ).stdout
    whole, share = output.split()[-2:]
    return float(whole), float(share)


def call_rows(clock: Callable[[], float]) -> Iterator[str]:
    """A row for each small call, in microseconds."""
    torch._dynamo.config.automatic_dynamic_shapes = False
    for name, (function, inputs) in small_calls().items():
        bodies = {
            compiler: repeated(COMPILERS[compiler](function()), inputs)
            for compiler in ("eager", "inductor", "stablemate")
        }
        found = [value * 1e3 / CALLS for value in times(bodies, 4, clock)]
        yield row([name, *found, found[1] / found[2]])


CALLS: Final = 200  # in each measurement of a small call


def repeated(function: Callable[..., object], inputs: Sequence[Any]) -> Run:
    """Many calls of a function."""

    def body() -> None:
        for _ in range(CALLS):
            function(*inputs)

    return body


def small_calls() -> Mapping[str, tuple[Callable[[], Callable[..., object]], Sequence[Any]]]:
    """What creates a function whose calls cost more than its arithmetic, and inputs."""
    x, matrix = torch.ones(8), torch.ones(4, 8)
    return {
        "`x + 1` on 8 floats": (lambda: lambda x: x + 1, [x]),
        "20 tensors in, 20 out": (
            lambda: lambda *xs: [x + 1 for x in xs],
            [torch.ones(8) for _ in range(20)],
        ),
        "a transposed matrix": (lambda: lambda x: x + 1, [matrix.t()]),
        "`x + 1` in bf16": (lambda: lambda x: x + 1, [x.bfloat16()]),
    }


def tables(options: argparse.Namespace) -> Iterator[tuple[str, Iterator[str]]]:
    """The parts that were asked for, with their rows."""
    clock = time.thread_time if options.processor_time else time.perf_counter
    parts = {
        "calls": call_rows(clock),
        "first": first_call_rows(options),
        "inference": steady_rows(options, clock, trains=False),
        "training": steady_rows(options, clock, trains=True),
    }
    return ((part, parts[part]) for part in options.parts)


def write_row(page: Path, part: str, line: str) -> None:
    """Writes a row into a table of a page, in place of an older row of the same model and batch."""
    head, separator, *old = table_lines(page, part)
    lines = {key(text): text for text in [*old, line]}
    write_table(page, part, [head, separator, *sorted(lines.values(), key=place)])


def key(line: str) -> tuple[str, str]:
    """What a row is about: a model and a batch, or a model or call alone."""
    first, second = line.strip("| ").split(" | ")[:2]
    return first, second if second.isdecimal() else ""


def place(line: str) -> tuple[int, int]:
    """Where a row stands."""
    name, batch = key(line)
    names = [*MODELS, *small_calls()]
    return names.index(name), int(batch or 0)


def main() -> None:
    """Prints the rows, and writes them into the page."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)  # inductor says that there is no GPU
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="*", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("--batches", nargs="*", type=int, default=[1, 8])
    parts = ["calls", "first", "inference", "training"]
    parser.add_argument("--parts", nargs="*", default=parts, choices=parts)
    parser.add_argument("--seconds", type=float, default=10, help="for each model")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--processor-time", action="store_true", help="with one thread")
    parser.add_argument("--page", type=Path, help="the page whose rows are written")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    for part, rows in tables(options):
        for line in rows:
            print(part, line, flush=True)
            if options.page:
                write_row(options.page, part, line)


if __name__ == "__main__":
    main()
