"""Many calls and many compilations in one process: nothing grows.

``python -m tests.reliability.long_runs --calls 10000000 --compiles 10000 --seed 0`` prints memory,
threads, files and Python's objects after a tenth of the work and at the end, and a digest of the
results of all programs, each called twice: another run of the same seed has the same, with any
``--threads``. What grows is named, and ends it with 1.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import stablemate as sm

SMALL = """func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<8xf32>
  %1 = stablehlo.add %0, %b : tensor<8xf32>
  return %1 : tensor<8xf32>
}"""
OPERATIONS = ("add", "multiply", "subtract", "maximum", "minimum", "divide")
UNARY = ("exponential", "tanh", "negate", "abs", "sqrt", "log", "sine")
# How much more may be held at the end: nothing that is counted, and what allocators keep.
ALLOWED = {"threads": 0, "files": 0, "objects": 1000, "bytes": 16 << 20}


def resources_in_use() -> dict[str, int]:
    """What this process holds."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "bytes": pages * resource.getpagesize(),
        "threads": len(os.listdir("/proc/self/task")),
        "files": len(os.listdir("/proc/self/fd")),
        "objects": len(gc.get_objects()),
        "maps": len(Path("/proc/self/maps").read_text().splitlines()),
    }


def program(generator: np.random.Generator) -> str:
    """A program that no other is equal to."""
    size = int(generator.integers(1, 2000))
    tensor = f"tensor<{size}xf32>"
    lines = [f"  %c = stablehlo.constant dense<{generator.random():.9e}> : {tensor}"]
    names = ["%a", "%c"]
    for i in range(int(generator.integers(1, 6))):
        x, y = (names[int(generator.integers(len(names)))] for _ in range(2))
        name = OPERATIONS[int(generator.integers(len(OPERATIONS)))]
        lines.append(f"  %{i} = stablehlo.{name} {x}, {y} : {tensor}")
        names.append(f"%{i}")
    last = UNARY[int(generator.integers(len(UNARY)))]
    lines.append(f"  %r = stablehlo.{last} {names[-1]} : {tensor}")
    body = "\n".join(lines)
    return f"func.func @main(%a: {tensor}) -> {tensor} {{\n{body}\n  return %r : {tensor}\n}}"


def calls(count: int, threads: int) -> Iterator[dict[str, Any]]:
    """Calls a small executable; what is held after a tenth of the calls, and after all."""
    executable = sm.compile(sm.load(SMALL), threads=threads)
    a, b = np.arange(8, dtype=np.float32), np.ones(8, np.float32)
    for part in (count // 10, count - count // 10):
        start = time.process_time()
        for _ in range(part):
            result = executable(a, b)
        seconds = time.process_time() - start
        assert result.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
        yield {
            **resources_in_use(),
            "done": part,
            "microseconds": round(seconds / max(part, 1) * 1e6, 2),
        }


def compiles(count: int, threads: int, seed: int) -> Iterator[dict[str, Any]]:
    """Compiles programs and calls each twice; what is held after a tenth of them, and after all."""
    generator = np.random.default_rng(seed)
    digest = hashlib.sha256()
    for part in (count // 10, count - count // 10):
        start = time.process_time()
        for _ in range(part):
            module = sm.load(program(generator))
            executable = sm.compile(module, threads=threads)
            a = np.ones(module.entry().signature.arguments[0].type.shape, np.float32)
            first, second = (np.asarray(executable(a)).tobytes() for _ in range(2))
            assert first == second
            digest.update(first)
        seconds = time.process_time() - start
        by_key = {"done": part, "microseconds": round(seconds / max(part, 1) * 1e6)}
        yield {**resources_in_use(), **by_key, "digest": digest.hexdigest()[:16]}


def growth(measurements: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """What is more at the end than after a tenth of the work, beyond what is allowed."""
    for what, (before, after) in measurements.items():
        for name, most in ALLOWED.items():
            if after[name] - before[name] > most:
                yield f"{what}: {name} {before[name]} -> {after[name]}"


def main() -> None:
    """Prints what is held."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=10_000_000)
    parser.add_argument("--compiles", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        os.environ["STABLEMATE_CACHE_DIR"] = directory
        by_key = {
            "calls": list(calls(options.calls, options.threads)),
            "compiles": list(compiles(options.compiles, options.threads, options.seed)),
        }
    grown = list(growth(by_key))
    json.dump({**by_key, "grown": grown}, sys.stdout, indent=1)
    sys.exit(1 if grown else 0)


if __name__ == "__main__":
    main()
