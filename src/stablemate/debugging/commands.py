"""Commands as checks: a program is enough if a command ends with it as it did with the whole."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final

import numpy as np

from stablemate.api.module import Module
from stablemate.debugging.reduction import Candidate
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.ir.locations import UNKNOWN

PROGRAM: Final = "{}"
INPUTS: Final = "{inputs}"
TIMED_OUT: Final = "no end"
UNRUNNABLE: Final = (126, 127)  # what a shell says of a command that it cannot run


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended.

    Attributes:
        status: Its exit code, the negative number of the signal that ended it, or ``no end``.
        output: What it wrote to stdout and stderr.
    """

    status: int | str
    output: str

    def __str__(self) -> str:
        if isinstance(self.status, int) and self.status < 0:
            return f"is ended by {signal.Signals(-self.status).name}"
        return f"exits with {self.status}" if isinstance(self.status, int) else "does not end"


@dataclass(slots=True)
class CommandCheck:
    """Whether a command ends as it did with the whole program, which is checked first.

    Attributes:
        command: For the shell. ``{}`` stands for the file with the program, ``{inputs}`` for
            options ``--input=@FILE.npz:arg0`` with what to call it with.
        match: What its output has to hold as well: a regular expression; None if nothing.
        timeout: The seconds after which it is ended; that it does not end may be what is kept.
        expected: How it ended the first time.
    """

    command: str
    match: str | None = None
    timeout: float | None = None
    expected: Outcome | None = None
    directory: tempfile.TemporaryDirectory[str] = field(
        default_factory=lambda: tempfile.TemporaryDirectory(prefix="stablemate-reduce-")
    )

    def __enter__(self) -> CommandCheck:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:  # fmt: skip
        self.directory.cleanup()

    def __call__(self, candidate: Candidate) -> bool:
        """Whether the command ends with a program as it did with the first."""
        outcome = self.outcome(candidate)
        matches = self.match is None or re.search(self.match, outcome.output) is not None
        if self.expected is None:
            self.check(outcome, matches)
            self.expected = outcome
        return matches and outcome.status == self.expected.status

    def check(self, outcome: Outcome, matches: bool) -> None:
        """Refuses how the command ends with the whole program, if that cannot be meant.

        Raises:
            ArgumentValueError: There is no such command, or its output does not match.
        """
        message = outcome.output.strip()[-500:] or "it says nothing"
        if outcome.status in UNRUNNABLE:
            raise ArgumentValueError(f"the shell cannot run the command: {message}")
        if not matches:
            raise ArgumentValueError(
                f"the output of the command does not match {self.match!r}: {message}"
            )

    def outcome(self, candidate: Candidate) -> Outcome:
        """How the command ends with a program."""
        place = Path(self.directory.name)
        program, inputs = place / "program.mlir", place / "inputs.npz"
        program.write_text(text_of(candidate.module))
        with inputs.open("wb") as file:
            names = write_inputs(candidate.arguments or (), file)
        options = [f"--input=@{inputs}:{name}" for name in names]
        text = self.command if PROGRAM in self.command else f"{self.command} {PROGRAM}"
        text = text.replace(INPUTS, " ".join(map(shlex.quote, options)))
        text = text.replace(PROGRAM, shlex.quote(str(program)))
        with subprocess.Popen(
            text, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
        ) as process:  # fmt: skip
            try:
                output, _ = process.communicate(timeout=self.timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
                return Outcome(TIMED_OUT, output.decode(errors="replace"))
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        return Outcome(process.returncode, output.decode(errors="replace"))


def text_of(module: Module) -> str:
    """A program as text, with its locations if it has any."""
    has_locations = any(operation.location != UNKNOWN for operation in module.ir.operation.walk())
    return module.to_text(debug_info=has_locations)


def write_inputs(arguments: Sequence[object], file: BinaryIO) -> list[str]:
    """Writes the arguments of a program as an archive of NumPy; returns their names."""
    arrays = {f"arg{i}": np.asarray(argument) for i, argument in enumerate(arguments)}
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return list(arrays)
