"""Commands under a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Mapping
from contextlib import suppress


def in_terminal(
    *arguments: str, typed: str = "", environment: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """What a command says in a terminal, and its exit code.

    Args:
        *arguments: Those of the command.
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
