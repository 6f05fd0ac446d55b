"""Runs cases of models in child processes, so that a crash or a timeout is an outcome.

The parent imports PyTorch's libraries once and forks a child for each model.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import resource
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from typing import Any, Final

import torch

from tools.torch_zoo.cases import ModelCases, Outcome
from tools.torch_zoo.rows import Model, image

GIGABYTE: Final = 2**30
WAIT: Final = 20  # how many times its processor time a case may take by the clock


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may take.

    Attributes:
        seconds: The processor time for a case, which other processes do not take from it.
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
            if receiver.poll(WAIT * limits.seconds):
                try:
                    yield Outcome(**json.loads(receiver.recv()))
                    continue
                except EOFError:
                    child.join()
                    verdict = ending(child.exitcode)
            message = f"{limits.seconds:.0f} s" if verdict == "timeout" else verdict
            if verdict == "timeout" and not is_traced_in_time(row, case, limits):
                verdict, message = "pytorch", f"its own tracing takes more than {message}"
            yield Outcome(row.library, row.name, case, verdict.split(",")[0], message)
            return
    finally:
        child.kill()
        child.join()


def is_traced_in_time(row: Model, case: str, limits: Limits) -> bool:
    """Whether PyTorch's own tracing of a case ends within the limit."""
    context = multiprocessing.get_context("fork")
    child = context.Process(target=trace_child, args=(row, case, limits))
    child.start()
    child.join(WAIT * limits.seconds)
    code = child.exitcode
    child.kill()
    return code not in (None, -signal.SIGXCPU)


def trace_child(row: Model, case: str, limits: Limits) -> None:
    """Traces a case, and computes it, with PyTorch alone."""
    runner = ModelCases(row, limits.backend, limits.verbose)
    limit_time(limits.seconds)
    runner.pytorch_error(case)


def ending(code: int | None) -> str:
    """What ended a child that sent no outcome: the limit of its time, or a crash."""
    return "timeout" if code == -signal.SIGXCPU else f"crashed, exit code {code}"


def limit_time(seconds: float) -> None:
    """Lets this process take some more processor time."""
    end = math.ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (end, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def run_child(row: Model, cases: Sequence[str], limits: Limits, sender: Connection) -> None:
    """Sends the outcome of each case."""
    size = int(limits.gigabytes * GIGABYTE)
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    limit_time(limits.seconds)
    try:
        runner: Any = ModelCases(row, limits.backend, limits.verbose)
    except LookupError as error:  # no inputs of a guessed model are right
        for case in cases:
            outcome = Outcome(row.library, row.name, case, "unknown", str(error))
            sender.send(json.dumps(asdict(outcome)))
        return
    for case in cases:
        limit_time(limits.seconds)
        sender.send(json.dumps(asdict(runner.outcome(case))))
