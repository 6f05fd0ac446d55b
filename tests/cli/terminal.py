"""A command in a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import subprocess


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
