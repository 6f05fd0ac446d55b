"""Prints digests of compiled programs: those of ``tests/programs``, or functions of ``tests/ops``.

A refactoring of the compiler must leave these digests as they are: for each program the LLVM IR of
its kernels and the words of its program image. ``--kernels`` adds the loops and the plan, whose
text contains names of the compiler.

    python -m tools.program_digests > before.txt
    python -m tools.program_digests | diff before.txt -
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

import stablemate as sm

ROOT: Final = Path(__file__).parents[1]
PLACES: Final = ("tests/programs", "tests/programs/linalg", "examples")


def main() -> None:
    """Prints one line per program and stage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kernels", action="store_true", help="loops and plans, too")
    parser.add_argument("--ops", action="store_true", help="the functions of tests/ops instead")
    options = parser.parse_args()
    stages = ("llvm", "nest", "plan") if options.kernels else ("llvm",)
    for place in ("tests/ops",) if options.ops else PLACES:
        for path in sorted((ROOT / place).glob("*.mlir")):
            if ".invalid" in path.suffixes:
                continue
            name = path.relative_to(ROOT)
            try:
                module = sm.load(path)
                module.verify()
            except sm.StablemateError:
                print(name, "is not valid")
                continue
            for entry in (
                re.findall(r"func\.func @([\w.]+)", path.read_text()) if options.ops else ()
            ):
                print_stages(f"{name} @{entry}", module, entry, stages)
            if not options.ops:
                print_stages(str(name), module, None, stages)


def print_stages(name: str, module: sm.Module, entry: str | None, stages: Sequence[str]) -> None:
    """Prints the digest of each stage of one function."""
    try:
        executable: Any = sm.compile(module, entry=entry)
        if executable.fallback is not None:
            print(name, "is interpreted")
            return
        for stage in stages:
            print(name, stage, digest([executable.emit(stage).encode()]))
        if hasattr(executable, "program"):
            print(name, "image", digest(image_parts(executable.program.image)))
    except sm.StablemateError as error:
        print(name, type(error).__name__)


def image_parts(image: Any) -> Iterator[bytes]:
    """The fields of a program image as bytes, whatever they are called."""
    for field in fields(image):
        yield from as_bytes(getattr(image, field.name))


def as_bytes(value: Any) -> Iterator[bytes]:
    """A value of a program image as bytes: arrays by their elements, records by their fields."""
    if isinstance(value, np.ndarray):
        yield value.tobytes()
    elif hasattr(value, "__dataclass_fields__"):
        yield from image_parts(value)
    elif isinstance(value, dict):
        yield from as_bytes(list(value.items()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from as_bytes(item)
    else:
        yield repr(value).encode()


def digest(parts: Iterator[bytes] | list[bytes]) -> str:
    """The first 16 digits of the SHA-256 of bytes."""
    total = sha256()
    for part in parts:
        total.update(part)
        total.update(b"\0")
    return total.hexdigest()[:16]


if __name__ == "__main__":
    main()
