"""The tools: how a process is started in which they look at native code, and what they report."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from ctypes.util import find_library
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

NAMED: Final = "# "  # how a line begins that names the program which runs from there on
ROOT: Final = Path(__file__).parents[2]
END: Final = "all were run"  # the last line of a process that came to its end
MODULE: Final = "tests.sanitizing.instrumented_process"
ACCESS: Final = re.compile(r"^  (\w[\w ]*) of size \d+ at \S+ by ", re.MULTILINE)


@dataclass(frozen=True)
class Sanitizer:
    """What LLVM puts into native code, and the library that it calls.

    Attributes:
        attribute: The attribute of functions that are changed.
        passes: The options of ``opt`` that change them; the library is there and needs no start.
        library: The library, which has to be there before Python is.
        variable: The variable of the environment with its options.
        options: What they are.
        report: How a report begins.
    """

    attribute: str
    passes: Sequence[str]
    library: str
    variable: str
    options: str
    report: str


SANITIZERS: Final = {
    "thread": Sanitizer(
        "sanitize_thread",
        ("-passes=tsan",),
        "tsan",
        "TSAN_OPTIONS",
        f"exitcode=0:history_size=7:suppressions={Path(__file__).with_name('suppressions')}",
        "WARNING: ThreadSanitizer",
    ),
    "address": Sanitizer(
        "sanitize_address",
        ("-passes=asan", "-asan-globals=0", "-asan-constructor-kind=none"),
        "asan",
        "ASAN_OPTIONS",
        "detect_leaks=0:detect_stack_use_after_return=0",
        "ERROR: AddressSanitizer",
    ),
}


@dataclass(frozen=True)
class Outcome:
    """What came of a process.

    Attributes:
        is_whole: Whether it came to its end.
        output: What it printed.
        errors: What it printed of errors.
        reports: What the tool reported.
    """

    is_whole: bool
    output: str
    errors: str
    reports: Sequence[str]


@lru_cache(maxsize=1)
def opt() -> str | None:
    """LLVM's ``opt`` of the version that compiles; None if the machine has none."""
    from llvmlite.binding import llvm_version_info

    return shutil.which(f"opt-{llvm_version_info[0]}")


def lacking(kind: str) -> str:
    """What the machine lacks for a tool; empty if nothing."""
    if sys.platform != "linux":
        return "the tools are Linux's"
    if opt() is None:
        return "there is no opt of the LLVM that llvmlite has"
    library = SANITIZERS[kind].library
    return "" if find_library(library) else f"there is no lib{library}"


def run(kind: str, arguments: Sequence[str]) -> Outcome:
    """Runs a process with a sanitizer in it.

    Args:
        kind: Which sanitizer.
        arguments: Of ``tests.sanitizing.instrumented_process``; they say which, too.
    """
    # ThreadSanitizer wants certain addresses for itself: none are to be drawn at random.
    command = ["setarch", "-R", sys.executable, "-m", MODULE, *arguments]
    sanitizer = SANITIZERS[kind]
    with tempfile.TemporaryDirectory() as cache:
        environment = {
            **os.environ,
            "LD_PRELOAD": str(find_library(sanitizer.library)),
            sanitizer.variable: sanitizer.options,
            "STABLEMATE_CACHE_DIR": cache,
            "PYTHONMALLOC": "malloc",
        }
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
    is_whole = done.stdout.endswith(f"{END}\n")
    return Outcome(is_whole, done.stdout, done.stderr, reported(kind, done.stderr))


def reported(kind: str, text: str) -> list[str]:
    """The reports among errors, each behind the name of the program that ran."""
    collected: list[str] = []
    name = ""
    for block in re.split(f"^(?={NAMED}|={{18,}}$)", text, flags=re.MULTILINE):
        if block.startswith(NAMED):
            name = block
        elif SANITIZERS[kind].report in block and not repeats(block):
            collected.append(name + block)
    return collected


def repeats(report: str) -> bool:
    """Whether two threads wrote to one place, and neither read it.

    That is meant: the last vector, tile or block of a dimension ends with it, and computes elements
    again that the one before it has. Were they others, results would differ from run to run.
    """
    return ACCESS.findall(report) == ["Write", "Previous write"]
