"""One process that is alone on its grid."""

from __future__ import annotations

from typing import Any

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import EvaluationError
from stablemate.execution.backends import lockstep
from stablemate.execution.host import Host
from stablemate.ir.grid import Grid
from stablemate.ir.request import (
    Collective,
    Compute,
    Identity,
    Process,
    Receive,
    Request,
    Send,
)


def run(process: Process, host: Host, stated: Grid) -> tuple[Any, ...]:
    """Runs a process to its end.

    Args:
        process: The process.
        host: What answers; its grid has one place.
        stated: The grid that the program says it is made for.

    Raises:
        EvaluationError: It asks for other processes that the program is made for.
        DeadlockError: It waits for itself.
    """
    alone = process if stated.size == 1 else watched(process, stated)
    return lockstep.run([alone], host)[0]


def watched(process: Process, stated: Grid) -> Process:
    """The process, refused where it asks for others."""
    answer: Any = None
    while True:
        try:
            request: Request | Compute = process.send(answer)
        except StopIteration as end:
            return end.value
        if not isinstance(request, Compute) and concerns_others(request):
            process.throw(refused(request, stated))
        answer = yield request


def concerns_others(request: Request) -> bool:
    """Whether the answer depends on the grid."""
    match request:
        case Collective() | Identity() | Send(to_host=False) | Receive(from_host=False):
            return True
        case _:
            return False


def refused(request: Request, stated: Grid) -> EvaluationError:
    """The error of a program that needs more processes than one."""
    message = f"the program is made for {stated.size} processes"
    replicas, partitions = stated.num_replicas, stated.num_partitions
    advice = f"run it with sm.run_grid, or --grid={replicas}x{partitions} on the command line"
    rule, span = request.operation.name, request.operation.span
    values = {"replicas": replicas, "partitions": partitions}
    return EvaluationError(Diagnostic(message, rule, span, values, (Diagnostic(advice),)))
