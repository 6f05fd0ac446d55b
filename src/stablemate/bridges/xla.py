"""XLA's CPU compiler through jaxlib, in a process of its own: some programs end it.

Source: jaxlib, the client of a device.
"""

from __future__ import annotations

import atexit
import pickle
import struct
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from signal import Signals
from threading import main_thread
from typing import Any, BinaryIO, Final

import numpy as np

from stablemate.api.module import Module
from stablemate.diagnostics.errors import ArgumentValueError, EvaluationError
from stablemate.immortal import immortalize

NEED: Final = "XLA needs jaxlib: pip install jaxlib"
SIZE: Final = struct.Struct("<Q")


def run_in_xla(module: Module, arguments: Sequence[object]) -> list[object]:
    """The results of ``main``, as XLA:CPU computes them.

    Args:
        module: The program; it stays one process.
        arguments: An array for each argument.

    Raises:
        ArgumentValueError: jaxlib is not installed.
        EvaluationError: XLA refuses the program, or ends on it.
    """
    arrays = [np.asarray(argument) for argument in arguments]
    return worker().ask(module.to_bytecode(), arrays)


def require_xla() -> None:
    """Checks that XLA is installed.

    Raises:
        ArgumentValueError: It is not.
    """
    if find_spec("jax") is None or find_spec("jaxlib") is None:
        raise ArgumentValueError(NEED)


@cache
def worker() -> Worker:
    """The process that XLA runs in."""
    require_xla()
    worker = Worker()
    atexit.register(worker.end)
    return worker


class Worker:
    """A process that runs one program after the other."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    def running_process(self) -> subprocess.Popen[bytes]:
        """The process; a new one if there is none, or none any more."""
        if self.process is None or self.process.poll() is not None:
            self.end()
            self.process = subprocess.Popen(
                [sys.executable, "-m", "stablemate.bridges.xla_worker"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            if not main_thread().is_alive():  # nobody calls `end`: it ends when its input does
                immortalize(self.process)
        return self.process

    def ask(self, program: bytes, arguments: Sequence[object]) -> list[object]:
        """The results of a program.

        Raises:
            EvaluationError: XLA refuses it, or ends on it.
        """
        process = self.running_process()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            send(process.stdin, (program, arguments))
            answer: list[Any] | str = receive(process.stdout)
        except (BrokenPipeError, EOFError):
            code = process.wait()
            how = f"by {Signals(-code).name}" if code < 0 else f"with exit code {code}"
            raise EvaluationError(f"XLA ended {how} on this program") from None
        if isinstance(answer, str):
            raise EvaluationError(f"XLA: {answer}")
        return answer

    def end(self) -> None:
        """Kills the process if there is one, and waits until it has ended."""
        if self.process is not None:
            with suppress(BrokenPipeError), self.process:  # which closes the pipes and waits
                self.process.kill()


def send(stream: BinaryIO | Any, value: object) -> None:
    """Writes a value, with its length before it."""
    data = pickle.dumps(value, protocol=5)
    stream.write(SIZE.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: BinaryIO | Any) -> Any:
    """Reads a value that the other process of this pair has written.

    Raises:
        EOFError: It has ended.
    """
    head = stream.read(SIZE.size)
    if len(head) < SIZE.size:
        raise EOFError
    return pickle.loads(stream.read(SIZE.unpack(head)[0]))
