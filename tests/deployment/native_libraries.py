"""Compiles and runs C programs that call a native library."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm

SECONDS: Final = 120
EXAMPLES: Final = Path(__file__).parents[2] / "examples"
COMPILER: Final = shutil.which("cc")
needs_cc = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler called cc")
OPTIONS: Final = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror")


def compiled(source: Path, *libraries: sm.NativeLibrary, compiler: str = "cc") -> Path:
    """The program of a C or C++ source that calls libraries."""
    program = source.with_suffix(".out")
    options = OPTIONS if compiler == "cc" else OPTIONS[1:]
    for library in libraries:
        place = library.library.parent
        options += (f"-I{place}", f"-L{place}", f"-l{library.name}", f"-Wl,-rpath,{place}")
    done = subprocess.run(
        [compiler, str(source), "-o", str(program), *options, "-lpthread"],
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return program


def output(command: Sequence[str | Path], directory: Path) -> str:
    """What a program prints, in an environment without any Python."""
    done = subprocess.run(
        [str(word) for word in command], cwd=directory, env={"PATH": os.defpath},
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout


def results_of(command: Sequence[str | Path], directory: Path, arguments: Sequence[Any]) -> None:
    """Runs an example on arguments; it leaves its results in the directory."""
    files: list[str] = []
    for number, argument in enumerate(arguments):
        path = directory / f"argument{number}.bin"
        path.write_bytes(np.ascontiguousarray(argument).tobytes())
        files.append(path.name)
    output([*command, *files], directory)


def expected_results(module: sm.Module, arguments: Sequence[Any]) -> list[bytes]:
    """The bytes of the results of ``sm.compile``."""
    results = sm.compile(module).run([np.asarray(argument) for argument in arguments])
    return [np.ascontiguousarray(result).tobytes() for result in results]


def written_results(directory: Path, count: int) -> list[bytes]:
    """The bytes that an example has written."""
    return [(directory / f"result{number}.bin").read_bytes() for number in range(count)]


def digit_classifier() -> tuple[sm.Module, list[Any]]:
    """A program whose weights are large enough for a file, and its arguments: a digit."""
    return sm.load(EXAMPLES / "mlp.mlir"), [np.load(EXAMPLES / "digit.npy")]


def check_examples(
    commands: Mapping[str, Sequence[str | Path]], directory: Path, module: sm.Module,
    arguments: Sequence[Any],
) -> None:  # fmt: skip
    """Runs the same example in several languages; each gives the bits of ``sm.compile``."""
    expected = expected_results(module, arguments)
    for name, command in commands.items():
        for stale in directory.glob("result*.bin"):
            stale.unlink()
        results_of(command, directory, arguments)
        assert written_results(directory, len(expected)) == expected, name


BOTH: Final = r"""
#include "add.h"
#include "subtract.h"
#include <stdio.h>
int main(void) {
  float a[9] = {5}, b[9] = {3}, sum[9], difference[9];
  const void *arguments[] = {a, b};
  void *first[] = {sum}, *second[] = {difference};
  if (add_call(add_create(NULL, 1), arguments, first)) return 1;
  if (subtract_call(subtract_create(NULL, 1), arguments, second)) return 2;
  printf("%g %g\n", sum[0], difference[0]);
  return 0;
}"""


def write_both(directory: Path) -> Path:
    """A program that adds and subtracts by two libraries, and prints both results."""
    source = directory / "both.c"
    source.write_text(BOTH)
    return source
