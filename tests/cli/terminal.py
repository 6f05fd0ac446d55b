"""Commands under a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import subprocess
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
        environment: Variables in addition; the terminal has 200 columns otherwise.
    """
    ours, theirs = pty.openpty()
    by_key = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, "-m", "stablemate", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**by_key, "TERM": "xterm", "COLUMNS": "200", **(environment or {})},
        start_new_session=True,
    ) as process:
        os.close(theirs)
        if typed:
            os.write(ours, typed.encode())
        item = b""
        with suppress(OSError):  # the terminal is closed when the process has ended
            while part := os.read(ours, 1 << 16):
                item += part
    os.close(ours)
    return process.returncode, item.decode(errors="replace")
