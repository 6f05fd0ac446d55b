"""Transcendental functions: nanoseconds per element beside NumPy and XLA, on one thread.

    PYTHONPATH=src python -m benchmarks.functions --out benchmarks/results/functions.md

Vectors of 32,768 elements stay in the cache. What a call costs is taken off: for each executor the
time of a vector of one element. XLA runs in a process of its own.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

SIZE: Final = 32768
REPEATS: Final = 21
DTYPES: Final = {"f32": "float32", "f64": "float64"}
BINARY: Final = ("atan2", "power", "remainder")
# Of each operation NumPy's and XLA's function.
FUNCTIONS: Final = {
    "exponential": (np.exp, "exp"),
    "exponential_minus_one": (np.expm1, "expm1"),
    "log": (np.log, "log"),
    "log_plus_one": (np.log1p, "log1p"),
    "logistic": (lambda x: 1 / (1 + np.exp(-x)), "logistic"),
    "tanh": (np.tanh, "tanh"),
    "sine": (np.sin, "sin"),
    "cosine": (np.cos, "cos"),
    "tan": (np.tan, "tan"),
    "cbrt": (np.cbrt, "cbrt"),
    "rsqrt": (lambda x: 1 / np.sqrt(x), "rsqrt"),
    "sqrt": (np.sqrt, "sqrt"),
    "power": (np.power, "pow"),
    "atan2": (np.arctan2, "atan2"),
    "remainder": (np.fmod, "rem"),
}


def operands(name: str, element: str, size: int) -> list[Any]:
    """Numbers for which no function is special."""
    random = np.random.default_rng(0)
    count = 2 if name in BINARY else 1
    return [random.uniform(0.1, 10, size).astype(DTYPES[element]) for _ in range(count)]


def seconds(call: Callable[[], Any]) -> float:
    """The median time of a call."""
    call()
    times: list[float] = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        for _ in range(10):
            call()
        times.append((time.perf_counter() - start) / 10)
    return statistics.median(times)


def per_element(prepare: Callable[[int], Callable[[], Any]]) -> float:
    """Nanoseconds per element, without those of the call."""
    return (seconds(prepare(SIZE)) - seconds(prepare(1))) / SIZE * 1e9


def ours(name: str, element: str, size: int) -> Callable[[], Any]:
    """A call of our native code."""
    import stablemate as sm

    tensor, values = f"tensor<{size}x{element}>", operands(name, element, size)
    names = ["%a", "%b"][: len(values)]
    text = (
        f"func.func @main({', '.join(f'{name}: {tensor}' for name in names)}) -> {tensor} {{\n"
        f'  %0 = "stablehlo.{name}"({", ".join(names)}) : '
        f"({', '.join([tensor] * len(names))}) -> {tensor}\n  return %0 : {tensor}\n}}"
    )
    executable = sm.compile(sm.load(text), backend="cpu")
    return lambda: executable.run(values)


def numpys(name: str, element: str, size: int) -> Callable[[], Any]:
    """A call of NumPy's function."""
    values, function = operands(name, element, size), FUNCTIONS[name][0]
    return lambda: function(*values)


def xlas(name: str, element: str, size: int) -> Callable[[], Any]:
    """A call of XLA's function."""
    import jax

    jax.config.update("jax_enable_x64", True)
    values = [jax.numpy.asarray(operand) for operand in operands(name, element, size)]
    function = jax.jit(getattr(jax.lax, FUNCTIONS[name][1]))
    return lambda: function(*values).block_until_ready()


PEERS: Final = {"stablemate": ours, "numpy": numpys, "xla": xlas}


def measured(peer: str) -> dict[str, float]:
    """The times of an executor, by function and element type."""
    return {
        f"{name} {element}": per_element(lambda size: PEERS[peer](name, element, size))  # noqa: B023
        for element in DTYPES
        for name in FUNCTIONS
    }


def child(peer: str) -> dict[str, float]:
    """The same, in a process that uses one thread."""
    flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    command = [sys.executable, "-m", "benchmarks.functions", "--peer", peer]
    completed = subprocess.run(
        command, env={**os.environ, "XLA_FLAGS": flags}, check=True, capture_output=True
    )
    return dict(json.loads(completed.stdout))


def table() -> str:
    """The page."""
    by_key = {peer: child(peer) for peer in PEERS}
    lines = ["| ns per element | " + " | ".join(PEERS) + " | xla / stablemate |"]
    lines.append("|" + " --- |" * (len(PEERS) + 2))
    for key, time_of_ours in by_key["stablemate"].items():
        cells = [f"{by_key[peer][key]:.2f}" for peer in PEERS]
        lines.append(f"| {key} | {' | '.join(cells)} | {by_key['xla'][key] / time_of_ours:.1f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", choices=PEERS)
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.peer:
        print(json.dumps(measured(arguments.peer)))
    elif arguments.out:
        arguments.out.write_text(table())
    else:
        print(table(), end="")


if __name__ == "__main__":
    main()
