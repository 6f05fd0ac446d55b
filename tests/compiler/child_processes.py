"""Child processes: what faults or hangs in native code ends them, and not the tests."""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Final, Self

from tests.machines import restrict_as_parent

PATIENCE: Final = 120.0  # seconds for one answer


class Fault(Exception):
    """A child ended, or gave no answer."""


class Failure(Exception):
    """What a child was asked raised an error, whose traceback this is."""


class Child:
    """A process that answers questions; after a fault the next question starts another one.

    Args:
        patience: Seconds for one answer.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience = patience
        self.process: Any = None
        self.pipe: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        where: TracebackType | None,
    ) -> None:  # fmt: skip
        self.stop()

    def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function of a module gives in the child.

        Raises:
            Fault: The child ended, or did not answer in time.
            Failure: The function raised an error.
        """
        pipe = self.pipe or self.start()
        pipe.send((function, arguments))
        try:
            poll_result = pipe.poll(self.patience) and pipe.recv()
        except (EOFError, ConnectionError):
            self.process.join()
            code = self.process.exitcode
            self.stop()
            raise Fault(epilogue(code)) from None
        if not poll_result:
            self.stop()
            raise Fault(f"no answer in {self.patience:.0f} seconds")
        answer, error = poll_result
        if error:
            raise Failure(error)
        return answer

    def start(self) -> Connection:
        """Starts a process."""
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve, args=(other,), daemon=True)
        self.process.start()
        other.close()
        return self.pipe

    def stop(self) -> None:
        """Ends the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
        if self.pipe is not None:
            self.pipe.close()
        self.process = self.pipe = None


def serve(pipe: Connection) -> None:
    """Answers questions, one after the other."""
    restrict_as_parent()
    while True:
        try:
            function, arguments = pipe.recv()
        except EOFError:
            return
        try:
            answer = function(*arguments), ""
        except Exception:
            answer = None, traceback.format_exc()
        pipe.send(answer)


def epilogue(code: int | None) -> str:
    """How a process ended."""
    if code is not None and code < 0:
        return f"ended by {signal.Signals(-code).name}"
    return f"ended with code {code}"
