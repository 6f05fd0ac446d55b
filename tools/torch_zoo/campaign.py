"""Runs cases of models in child processes, so that a crash or a timeout is an outcome.

The parent imports PyTorch's libraries once and forks a child for each model.
"""

from __future__ import annotations

import json
import multiprocessing
import resource
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from typing import Any, Final

import torch

from tools.torch_zoo.cases import ModelCases, Outcome
from tools.torch_zoo.rows import Model, image

GIGABYTE: Final = 2**30


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may take.

    Attributes:
        seconds: The time for a case.
        gigabytes: The memory of a child.
        backend: Which executor runs programs.
        verbose: Whether tracebacks are printed.
    """

    seconds: float
    gigabytes: float
    backend: str
    verbose: bool = False


def outcomes(row: Model, cases: Sequence[str], limits: Limits) -> Iterator[Outcome]:
    """Runs cases of a model; after a crash the rest runs in another child."""
    rest = list(cases)
    while rest:
        for outcome in child_outcomes(row, rest, limits):
            rest.remove(outcome.case)
            yield outcome


def warm_up(limits: Limits) -> None:
    """Trains a small model, so that children inherit all modules that PyTorch imports late."""
    row = Model("", "", lambda: torch.nn.Sequential(torch.nn.Linear(4, 4)), image(4))
    cases = ModelCases(row, limits.backend, limits.verbose)
    for case in ("compile static train", "export dynamic"):
        cases.outcome(case)


def child_outcomes(row: Model, cases: Sequence[str], limits: Limits) -> Iterator[Outcome]:
    """The outcomes of a child until it ends, or is ended."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=run_child, args=(row, cases, limits, sender))
    child.start()
    sender.close()
    try:
        for case in cases:
            verdict = "timeout"
            message = f"{limits.seconds:.0f} s"
            if receiver.poll(limits.seconds):
                try:
                    yield Outcome(**json.loads(receiver.recv()))
                    continue
                except EOFError:
                    child.join()
                    verdict, message = "crashed", f"exit code {child.exitcode}"
            yield Outcome(row.library, row.name, case, verdict, message)
            return
    finally:
        child.kill()
        child.join()


def run_child(row: Model, cases: Sequence[str], limits: Limits, sender: Connection) -> None:
    """Sends the outcome of each case."""
    size = int(limits.gigabytes * GIGABYTE)
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    runner: Any = ModelCases(row, limits.backend, limits.verbose)
    for case in cases:
        sender.send(json.dumps(asdict(runner.outcome(case))))
