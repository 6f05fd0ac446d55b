"""Cuts a finding down: the fewest bytes with which it is still there."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from typing import Final

from tests.fuzzing.child_process import Bounds, Finding, guarded, prepare

ATTEMPTS: Final = 400
SECONDS: Final = 2.0


def shrunk(finding: Finding, data: bytes) -> bytes:
    """The least part of an input that is found for the same reason."""
    if "ended the process" in finding.kind or "TooSlow" in finding.kind:
        return data
    reading, writing = os.pipe()
    sys.stdout.flush()
    with tempfile.TemporaryDirectory(prefix="fuzzing-", ignore_cleanup_errors=True) as directory:
        child = os.fork()
        if not child:
            os.close(reading)
            prepare(Bounds(0), directory)
            signal.alarm(60)
            with os.fdopen(writing, "wb") as stream:
                stream.write(least(finding, data))
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as stream:
            small = stream.read()
        os.waitpid(child, 0)
    return small or data


def least(finding: Finding, data: bytes) -> bytes:
    """Leaves out what is not needed, in smaller and smaller pieces."""
    attempts, size = ATTEMPTS, max(len(data) // 2, 1)
    while attempts > 0:
        start = 0
        while start < len(data) and attempts > 0:
            attempts -= 1
            without = data[:start] + data[start + size :]
            if is_found(finding, without):
                data = without
            else:
                start += size
        if size == 1:
            break
        size = max(size // 2, 1)
    return data


def is_found(finding: Finding, data: bytes) -> bool:
    """Whether an input has the same fault."""
    from tests.fuzzing.readers import READERS

    examine = READERS[finding.reader].examine
    _, failure = guarded(examine, data, finding.number, SECONDS)
    return failure is not None and failure[0] == finding.kind
