"""Processes and fibers: what a process backend schedules."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Final, Protocol, TypeAlias

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import StablemateError
from stablemate.ir.core import Operation
from stablemate.ir.grid import ProcessId
from stablemate.ir.request import Compute, GroupOperation, OperationFuture, Process, Request


class Waiting:
    """A placeholder for an answer that is not there yet.

    Attributes:
        whom: Says for whom or what the process waits.
    """

    __slots__ = ("whom",)

    def __init__(self, whom: Callable[[], str]) -> None:
        self.whom = whom


class OperandLoan(Protocol):
    """Operands that a process has lent to others."""

    @property
    def is_complete(self) -> bool:
        """Whether no process needs them any more."""
        ...

    def keep(self, process: ProcessId) -> None:
        """Copies the operands, because the process continues."""
        ...


class Fiber:
    """A process, or an asynchronous operation that it has started.

    Attributes:
        process: Its id.
        future: Whom its results are for; None for a process itself.
        results: What it gave in the end.
        request: What it asked for last.
        waiting: What it waits for; None while it can go on.
        lent: Meetings to which it has lent operands; they are its own again when it goes on.
        ahead: How it has gone on, if that was before its turn.
    """

    __slots__ = (
        "ahead", "future", "generator", "lent", "process", "request", "results", "waiting",
    )  # fmt: skip

    def __init__(
        self, process: ProcessId, generator: Process, future: OperationFuture | None = None
    ) -> None:
        self.process = process
        self.generator = generator
        self.future = future
        self.results: tuple[Any, ...] = ()
        self.request: Request | None = None
        self.waiting: Waiting | None = None
        self.lent: list[OperandLoan] = []
        self.ahead: Running | None = None

    def resume(self, answer: object) -> Running:
        """Resumes with an answer, or with an error in its place.

        What it has lent to those who have not come for it is copied.
        """
        if self.lent:
            for meeting in self.lent:
                if not meeting.is_complete:
                    meeting.keep(self.process)
            self.lent.clear()
        try:
            if isinstance(answer, StablemateError):
                request = self.generator.throw(answer)
            else:
                request = self.generator.send(answer)
        except StopIteration as end:
            self.request = None
            self.results = end.value
            return ENDED
        except StablemateError as error:
            return error
        if not isinstance(request, Compute):
            self.request = request
        return request

    @property
    def is_lending(self) -> bool:
        """Whether some process still needs operands that it has lent."""
        return not all(loan.is_complete for loan in self.lent)


class FiberFinished(Enum):
    """A fiber has ended."""

    ENDED = 0


ENDED: Final = FiberFinished.ENDED
Running: TypeAlias = Request | Compute | FiberFinished | StablemateError  # how a process goes on


def text_of(process: ProcessId) -> str:
    """``(0,1)``."""
    return f"({process[0]},{process[1]})"


def place_of(operation: Operation | GroupOperation) -> str:
    """``all_reduce (model.mlir:12:8)``."""
    mnemonic = operation.name.partition(".")[2]
    return f"{mnemonic} ({operation.span})" if operation.span else mnemonic


def in_process(error: StablemateError, process: ProcessId) -> StablemateError:
    """The error, with the process it occurred in."""
    first, rest = error.diagnostics[0], error.diagnostics[1:]
    notes = (*first.notes, Diagnostic(f"in process {text_of(process)}"))
    diagnostic = Diagnostic(first.message, first.rule, first.span, first.values, notes)
    return type(error)([diagnostic, *rest])
