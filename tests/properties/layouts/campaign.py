"""Programs of convolutions in the layouts that the compiler chooses, compared with others.

``python -m tests.properties.layouts.campaign --programs 200 --seed 1`` generates programs, runs
each in the layouts that the compiler chooses, in those of the program, and in XLA, and prints
those whose errors, relative to XLA in double precision, are several times those of both others.
So it does with the batch computed for a few images at a time, as where caches are small.
``--check`` also compares with native code that checks every access to memory, in all bits.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from typing import Any, Final
from unittest.mock import patch

import numpy as np

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.rewrites.batches import segments
from tests.properties.generation.tolerances import differs
from tests.properties.layouts.programs import LARGEST, Program, jax, jnp

TIMES: Final = 8  # as large as the error of others
NEAR_BYTES: Final = 1 << 12  # of caches as small for programs as real ones for models
FLOOR: Final = 2.0**-17  # of the largest result, which is always admitted


def executable(text: str, **options: Any) -> CompiledExecutable:
    """The native code of a program, under options."""
    interpreted: Any = sm.compile(sm.load(text), backend="interpreter")
    return CompiledExecutable(interpreted, options=CompileOptions(**options))


def by_images(text: str, arguments: list[Any]) -> list[Any]:
    """The results of a program whose batch is computed for a few images at a time if it can be."""
    with patch.object(segments, "LEAST_SAVED", -LARGEST):
        return arrays(executable(text, near_bytes=NEAR_BYTES)(*arguments))


def arrays(results: Any) -> list[Any]:
    """The arrays that a call returns."""
    several: list[Any] = [*results] if isinstance(results, tuple) else [results]
    return [np.asarray(item) for item in several]


def exact(program: Program, arguments: list[Any]) -> list[Any]:
    """What XLA computes in double precision."""
    with jax.enable_x64(True):
        wide = [jnp.asarray(argument.astype(np.float64)) for argument in arguments]
        return arrays(jax.jit(program.function())(*wide))


def error_of(results: list[Any], wanted: list[Any]) -> float:
    """The largest error, relative to the largest number of a result; NaN where one is missing."""
    errors: list[float] = [0.0]
    for one, other in zip(results, wanted, strict=True):
        is_number = ~(np.isnan(one) & np.isnan(other))
        magnitude = np.abs(other[is_number]).max(initial=1e-30)
        errors.append(float(np.abs(one - other)[is_number].max(initial=0) / magnitude))
    return float(np.max(errors))


def difference(program: Program, *, check: bool = False) -> str:
    """What differs; empty if nothing does."""
    text, arguments = program.text(), program.arguments()
    ours = arrays(executable(text)(*arguments))
    if check:
        checked = arrays(executable(text, check=True)(*arguments))
        if any(differs(a, b).any() for a, b in zip(ours, checked, strict=True)):
            return "not the bits of checked code"
    wanted = exact(program, arguments)
    peers = {
        "xla": arrays(jax.jit(program.function())(*arguments)),
        "plain": arrays(executable(text, layouts=False)(*arguments)),
    }
    errors = {name: error_of(results, wanted) for name, results in peers.items()}
    error = max(error_of(results, wanted) for results in (ours, by_images(text, arguments)))
    if not error <= max(TIMES * max(errors.values()), FLOOR):
        return f"error {error:.2e}, of others {errors}"
    return ""


def main() -> int:
    """Compares, and prints what differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.layouts.campaign")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--seconds", type=float, default=1e9, help="after which none begins")
    parser.add_argument("--check", action="store_true", help="compare with checked code as well")
    given = parser.parse_args()
    end = time.monotonic() + given.seconds
    count = found = 0
    operations: Counter[str] = Counter()
    for number in range(given.first, given.first + given.programs):
        if time.monotonic() > end:
            break
        program = Program(given.seed, number)
        operations.update(program.operations())
        count += 1
        if detail := difference(program, check=given.check):
            found += 1
            print(number, detail, program.operations(), flush=True)
    print(f"{count} programs, {found} differ; {dict(sorted(operations.items()))}")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
