"""Commands in a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress


def in_terminal(command: list[str], *, no_colour: str, columns: int = 60) -> str:
    """What a command writes to a terminal of so many columns, with this value of NO_COLOR."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        command,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "NO_COLOR": no_colour},
    )
    os.close(theirs)
    chunks: list[bytes] = []
    while True:
        try:
            chunk = os.read(ours, 4096)
        except OSError:  # the terminal was closed
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(ours)
    assert child.wait() == 0
    return b"".join(chunks).decode()


def talked(
    *arguments: str, typed: str = "", environment: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """The exit code of a verb in a terminal of its own, and what it says there.

    Args:
        *arguments: The verb and its arguments.
        typed: What is typed.
        environment: Variables in addition.
    """
    process, terminal = pty.fork()
    if process == 0:
        os.environ.pop("NO_COLOR", None)
        os.environ.update({"TERM": "xterm", "COLUMNS": "200", **(environment or {})})
        os.execv(sys.executable, [sys.executable, "-m", "stablemate", *arguments])
    if typed:
        os.write(terminal, typed.encode())
    said = b""
    with suppress(OSError):  # the terminal is closed when the process has ended
        while part := os.read(terminal, 1 << 16):
            said += part
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), said.decode(errors="replace")
