"""Runs a process that is alone on its grid."""

from __future__ import annotations

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import EvaluationError
from stablemate.execution.backends import lockstep
from stablemate.execution.host import Host
from stablemate.ir.grid import Grid
from stablemate.ir.request import (
    CollectiveRequest,
    Compute,
    IdentityRequest,
    Process,
    Receive,
    Request,
    SendRequest,
)


def run(process: Process, host: Host, declared: Grid) -> tuple[object, ...]:
    """Runs a process until it ends.

    Args:
        process: The process.
        host: What answers; its grid has one place.
        declared: The grid that the program is written for.

    Raises:
        EvaluationError: It needs other processes of the grid that the program is written for.
        DeadlockError: It waits for itself.
    """
    alone = process if declared.size == 1 else checked_process(process, declared)
    return lockstep.run([alone], host)[0]


def checked_process(process: Process, declared: Grid) -> Process:
    """The process, which fails where it needs other processes."""
    answer: object = None
    while True:
        try:
            request: Request | Compute = process.send(answer)
        except StopIteration as end:
            return end.value
        if not isinstance(request, Compute) and depends_on_grid(request):
            process.throw(rejection(request, declared))
        answer = yield request


def depends_on_grid(request: Request) -> bool:
    """Whether the answer to a request depends on the grid."""
    match request:
        case (
            CollectiveRequest()
            | IdentityRequest()
            | SendRequest(to_host=False)
            | Receive(from_host=False)
        ):
            return True
        case _:
            return False


def rejection(request: Request, declared: Grid) -> EvaluationError:
    """The error of a program that needs more than one process."""
    message = f"the program is made for {declared.size} processes"
    replicas, partitions = declared.num_replicas, declared.num_partitions
    advice = f"run it with sm.run_grid, or --grid={replicas}x{partitions} on the command line"
    rule, span = request.operation.name, request.operation.span
    values = {"replicas": replicas, "partitions": partitions}
    return EvaluationError(Diagnostic(message, rule, span, values, (Diagnostic(advice),)))
