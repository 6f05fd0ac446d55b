"""Models and calls under torch.compile: eager, inductor and stablemate in turn, in one process.

python -m benchmarks.torch --output=benchmarks/results/torch.md

It needs torchvision, transformers, and a C++ compiler for inductor. ``--processor-time`` measures
the time of one thread on its processor, which other work on the machine changes less.
"""

from __future__ import annotations

import argparse
import copy
import gc
import logging
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
    """The median time of each body in milliseconds, measured in turn after two calls each."""
    for body in bodies.values():
        body()
        body()
    found: dict[str, list[float]] = {name: [] for name in bodies}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(found["eager"]) < LEAST_ROUNDS:
        for name, body in bodies.items():
            begun = clock()
            body()
            found[name].append(1e3 * (clock() - begun))
    return [median(values) for values in found.values()]


def steady_rows(
    options: argparse.Namespace, clock: Callable[[], float], *, trains: bool
) -> Iterator[str]:
    """A row for each model and batch."""
    compilers = list(COMPILERS)[: 3 if trains else 4]
    for name, batch in product(options.models, options.batches):
        bodies = runs(name, batch, trains=trains, compilers=compilers)
        found = times(bodies, options.seconds, clock)
        best = min(found[2:])
        cells = " | ".join(f"{value:.2f}" for value in found)
        yield f"| {name} | {batch} | {cells} | {found[1] / found[2]:.2f} | {found[1] / best:.2f} |"
        del bodies
        gc.collect()


def first_call_rows(options: argparse.Namespace) -> Iterator[str]:
    """A row for each model: the first call in a new process with empty caches."""
    for name in options.models:
        found = [first_call(name, compiler) for compiler in FIRST_CALLS]
        (other, _), (own, share) = found
        yield f"| {name} | {other:.1f} | {own:.1f} | {share:.1f} | {other / own:.2f} |"


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
        cells = " | ".join(f"{value:.2f}" for value in found)
        yield f"| {name} | {cells} | {found[1] / found[2]:.2f} |"


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


def document(options: argparse.Namespace) -> Iterator[str]:
    """The lines of the page."""
    clock = time.thread_time if options.processor_time else time.perf_counter
    unit = "ms of a thread's processor time" if options.processor_time else "ms"
    yield f"# Models of PyTorch: eager, inductor and stablemate\n\n{options.note}\n"
    if "calls" in options.parts:
        yield "## Calls, us\n\n| call | eager | inductor | stablemate | inductor / stablemate |"
        yield "| --- " * 5 + "|"
        yield from call_rows(clock)
    if "first" in options.parts:
        yield "\n## First calls, seconds of processors, caches empty\n"
        yield "| model | inductor | stablemate | of which not PyTorch's | inductor / stablemate |"
        yield "| --- " * 5 + "|"
        yield from first_call_rows(options)
    for part, trains in (("inference", False), ("training", True)):
        if part in options.parts:
            names = list(COMPILERS)[: 3 if trains else 4]
            yield f"\n## {part.capitalize()}, {unit}\n"
            yield f"| model | batch | {' | '.join(names)} | inductor / stablemate | at best |"
            yield "| --- " * (4 + len(names)) + "|"
            yield from steady_rows(options, clock, trains=trains)


def main() -> None:
    """Prints the page, and stores it."""
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
    parser.add_argument("--note", default="", help="the processor, and what else it did")
    parser.add_argument("--output", type=Path, help="where the page is stored")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    lines: list[str] = []
    for line in document(options):
        lines.append(line)
        print(line, flush=True)
        if options.output:
            options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
