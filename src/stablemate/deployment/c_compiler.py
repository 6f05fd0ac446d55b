"""Links objects to a shared library with a C compiler: the system's, or that of ``ziglang``."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from stablemate.compiler.config.target import Target, host
from stablemate.diagnostics.errors import CompileError, UnsupportedError

COMPILER_VARIABLE: Final = "CC"
SYSTEM_COMPILER: Final = "cc"
PACKAGE: Final = "ziglang"  # of the package index; it contains a C compiler for all systems
SECONDS: Final = 600.0  # after which a compiler that does not end is stopped
# No name of a kernel is visible: two libraries in one process could have the same.
OPTIONS: Final = ("-shared", "-fPIC", "-Wl,-z,noexecstack", "-Wl,-z,relro", "-Wl,--build-id=sha1")
LIBRARIES: Final = ("-lpthread", "-ldl", "-lm")


def gnu_triple(target: Target) -> str:
    """The architecture and system of a target as GCC writes them: ``aarch64-linux-gnu``."""
    architecture, *_, system, library = target.triple.split("-")
    return f"{architecture}-{system}-{library}"


def is_own_system(target: Target) -> bool:
    """Whether programs of a target run on this system."""
    return target.triple == host().triple


def usual_compiler(target: Target) -> str:
    """The name of the C compiler for a target: ``cc``, or that of a cross compiler."""
    return SYSTEM_COMPILER if is_own_system(target) else f"{gnu_triple(target)}-gcc"


def c_compiler(target: Target) -> list[str]:
    """The command of the C compiler for a target.

    It is ``$CC``; else ``cc``, or for another system ``aarch64-linux-gnu-gcc`` and the like; else
    the compiler in the Python package ``ziglang``.

    Raises:
        UnsupportedError: There is none.
    """
    command = shlex.split(os.environ.get(COMPILER_VARIABLE, "")) or [usual_compiler(target)]
    if shutil.which(command[0]) is not None:
        return command
    if not os.environ.get(COMPILER_VARIABLE) and find_spec(PACKAGE) is not None:
        return [sys.executable, "-m", PACKAGE, "cc", "-target", gnu_triple(target)]
    raise UnsupportedError(
        f"a library is linked by a C compiler, but there is no {command[0]!r}; install one, set "
        f"{COMPILER_VARIABLE} to its command, `pip install {PACKAGE}`, or build a static library, "
        "which needs none"
    )


def link(
    command: Sequence[str], objects: Sequence[bytes], exported: Sequence[str], library: Path
) -> None:
    """Links objects to a shared library.

    Args:
        command: The C compiler.
        objects: Position-independent objects.
        exported: The functions that callers see.
        library: The file that is written; objects are written beside it, and removed.

    Raises:
        CompileError: The linker fails; the message is its own.
    """
    directory = library.parent
    paths: list[Path] = []
    for number, content in enumerate(objects):
        path = directory / f"{number}.o"
        path.write_bytes(content)
        paths.append(path)
    script = directory / "exported.map"
    script.write_text(f"{{ global: {'; '.join(exported)}; local: *; }};\n")
    options = [*OPTIONS, f"-Wl,-soname,{library.name}", f"-Wl,--version-script={script}"]
    options += ["-o", str(library), *map(str, paths), *LIBRARIES]
    done = subprocess.run(
        [*command, *options],
        capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False,
    )  # fmt: skip
    if done.returncode:
        text = done.stderr.strip() or f"exit code {done.returncode}"
        raise CompileError(f"{command[0]} cannot link {library.name}: {text}")
    for path in (*paths, script):
        path.unlink()
