"""Links objects to a shared library with the system's C compiler."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from stablemate.diagnostics.errors import CompileError, UnsupportedError

COMPILER_VARIABLE: Final = "CC"
DEFAULT_COMPILER: Final = "cc"
SECONDS: Final = 600.0
# No name of a kernel is visible: two libraries in one process could have the same.
OPTIONS: Final = ("-shared", "-fPIC", "-Wl,-z,noexecstack", "-Wl,-z,relro", "-Wl,--build-id=sha1")
LIBRARIES: Final = ("-lpthread", "-ldl")


def c_compiler() -> list[str]:
    """The command of the C compiler: ``$CC``, or ``cc``.

    Raises:
        UnsupportedError: There is none.
    """
    command = shlex.split(os.environ.get(COMPILER_VARIABLE, "")) or [DEFAULT_COMPILER]
    if shutil.which(command[0]) is None:
        raise UnsupportedError(
            f"a library is linked by a C compiler, but there is no {command[0]!r}; install one, or "
            f"set {COMPILER_VARIABLE} to its command"
        )
    return command


def link(objects: Sequence[bytes], exported: Sequence[str], library: Path) -> None:
    """Links objects to a shared library.

    Args:
        objects: Position-independent objects.
        exported: The functions that callers see.
        library: The file that is written; objects are written beside it, and removed.

    Raises:
        UnsupportedError: There is no C compiler.
        CompileError: The linker fails; the message is its own.
    """
    command = c_compiler()
    directory = library.parent
    paths: list[Path] = []
    for number, content in enumerate(objects):
        path = directory / f"{number}.o"
        path.write_bytes(content)
        paths.append(path)
    script = directory / "exported.map"
    script.write_text(f"{{ global: {'; '.join(exported)}; local: *; }};\n")
    command += [*OPTIONS, f"-Wl,-soname,{library.name}", f"-Wl,--version-script={script}"]
    command += ["-o", str(library), *map(str, paths), *LIBRARIES]
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False
    )
    if done.returncode:
        text = done.stderr.strip() or f"exit code {done.returncode}"
        raise CompileError(f"{command[0]} cannot link {library.name}: {text}")
    for path in (*paths, script):
        path.unlink()
