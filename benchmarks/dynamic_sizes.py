"""Programs with dynamic sizes: what a new size costs, and calls beside those of static programs.

``python -m benchmarks.dynamic_sizes`` prints the table of ``benchmarks/results/dynamic_sizes.md``.
Programs are exported with symbolic shapes by ``jax.export``. For each, ``--sizes`` sizes that it
was not called with before are called by us, and then through ``jax.jit``, which compiles each of
them. Then calls with one size take turns with the static program for this size, compiled by us.
Times are medians. ``--rows`` selects programs. ``--processor`` prints the processor time that our
calls take with one thread, which depends less on what else the machine does.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from statistics import median
from time import perf_counter, thread_time
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.compiler.compile import LateVersions
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable

COLUMNS: Final = (
    "program", "size", "versions", "first call, ms", "new size, ms", "more than a call, ms",
    "new size with XLA, ms", "XLA / ours", "call, us", "static program, us", "static / ours",
)  # fmt: skip
PROCESSOR_COLUMNS: Final = ("program", "new size, ms", "call, ms", "more than a call, ms")
TURNS: Final = 40
AGAIN: Final = 9  # calls with a size that is not new


@dataclass(frozen=True, slots=True)
class Program:
    """A program.

    Attributes:
        name: What the table calls it.
        shapes: The shapes of its arguments, with ``n`` for the size that changes.
        size: The size of repeated calls.
        step: The distance of new sizes.
    """

    name: str
    shapes: Sequence[str]
    size: int
    step: int = 3

    def function(self) -> Callable[..., Any]:
        """The function."""
        return FUNCTIONS[self.name.split(",")[0]]

    def arguments(self, size: int) -> list[Any]:
        """Arguments of a size."""
        random_numbers = np.random.default_rng(size)
        shapes = [eval_shape(shape, size) for shape in self.shapes]
        return [random_numbers.random(shape, np.float32) / 8 for shape in shapes]


def eval_shape(text: str, size: int) -> tuple[int, ...]:
    """A shape for a size."""
    return tuple([size if part == "n" else int(part) for part in text.split(",")])


def softmax(x: Any) -> Any:
    """Softmax of rows."""
    return import_module("jax.nn").softmax(x, axis=-1)


def layer_norm(x: Any, scale: Any, bias: Any) -> Any:
    """Normalized rows."""
    jnp = import_module("jax.numpy")
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * scale + bias


def mlp(x: Any, first: Any, second: Any) -> Any:
    """Two dense layers."""
    jnp = import_module("jax.numpy")
    return jnp.maximum(x @ first, 0) @ second


def block(x: Any, qkv: Any, out: Any, up: Any, down: Any) -> Any:
    """A block of a transformer with 4 heads."""
    jnp, nn = import_module("jax.numpy"), import_module("jax.nn")
    batch, length, width = x.shape
    heads = (layer_norm(x, 1, 0) @ qkv).reshape(batch, length, 3, 4, width // 4)
    q, k, v = (heads[:, :, i].transpose(0, 2, 1, 3) for i in range(3))
    weights = nn.softmax(q @ k.transpose(0, 1, 3, 2) / 8, axis=-1)
    values = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, length, width)
    x = x + values @ out
    return x + jnp.maximum(layer_norm(x, 1, 0) @ up, 0) @ down


def elementwise(x: Any, y: Any) -> Any:
    """A product, a sum and a function."""
    return import_module("jax.numpy").tanh(x * y + x)


def row_sums(x: Any) -> Any:
    """Sums of rows."""
    return x.sum(-1)


def column_sums(x: Any) -> Any:
    """Sums of columns."""
    return x.sum(0)


def dot(x: Any, w: Any) -> Any:
    """A product of matrices."""
    return x @ w


FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "elementwise": elementwise,
    "sum of rows": row_sums,
    "sum of columns": column_sums,
    "softmax": softmax,
    "layer norm": layer_norm,
    "dot": dot,
    "MLP": mlp,
    "transformer block": block,
}
LAYER: Final = ("128,384", "128,128", "128,512", "512,128")
PROGRAMS: Final = (
    Program("elementwise", ("n,256", "n,256"), 1000),
    Program("sum of rows", ("64,n",), 5000),
    Program("sum of columns", ("n,512",), 1000),
    Program("softmax, dynamic rows", ("n,512",), 500),
    Program("softmax, dynamic columns", ("128,n",), 1000),
    Program("layer norm", ("n,256", "256", "256"), 1000),
    Program("dot, dynamic rows", ("n,512", "512,512"), 500),
    Program("dot, dynamic columns", ("256,512", "512,n"), 500),
    Program("dot, dynamic depth", ("256,n", "n,256"), 500),
    Program("MLP, dynamic batch", ("n,256", "256,1024", "1024,64"), 100),
    Program("transformer block, dynamic batch", ("n,64,128", *LAYER), 4, 1),
    Program("transformer block, dynamic length", ("2,n,128", *LAYER), 100),
)


def rows(selected: str, count: int, *, processor: bool) -> Iterator[Sequence[str]]:
    """The rows of the table."""
    for program in PROGRAMS:
        if selected in program.name:
            yield processor_row(program, count) if processor else row(program, count)


def row(program: Program, count: int) -> Sequence[str]:
    """Measures a program."""
    jax = import_module("jax")
    executable = sm.compile(exported(program), backend="cpu")
    assert isinstance(executable, SpecializingExecutable)
    compiled = jax.jit(program.function())
    first, _ = seconds(executable, program.arguments(program.size))
    compiled(*program.arguments(program.size)).block_until_ready()
    executable(*program.arguments(program.size + 1))
    operands = [program.arguments(program.size + i * program.step) for i in range(1, count + 1)]
    first_calls = [seconds(executable, arguments) for arguments in operands]
    calls = [median(seconds(executable, a)[0] for _ in range(AGAIN)) for a in operands]
    compilations = [seconds(lambda *a: compiled(*a).block_until_ready(), a) for a in operands]
    for (_, result), (_, expected) in zip(first_calls, compilations, strict=True):
        np.testing.assert_allclose(result, np.asarray(expected), 1e-3, 1e-4)
    arguments = program.arguments(program.size)
    static = sm.compile(jax.jit(program.function()).lower(*arguments).as_text(), backend="cpu")
    sized, alone = turns(executable, static, arguments)
    versions = executable.versions
    assert isinstance(versions, LateVersions)
    new, anew = (median(duration for duration, _ in part) for part in (first_calls, compilations))
    more = median(duration - c for (duration, _), c in zip(first_calls, calls, strict=True))
    return (
        program.name, f"{program.size:,}", str(len(versions.versions.versions)),
        f"{first * 1e3:.0f}", f"{new * 1e3:.2f}", f"{more * 1e3:.2f}", f"{anew * 1e3:.0f}",
        f"{anew / new:.0f}", f"{sized * 1e6:.1f}", f"{alone * 1e6:.1f}",
        f"{alone / sized:.2f}",
    )  # fmt: skip


def processor_row(program: Program, count: int) -> Sequence[str]:
    """Measures the processor time of a program."""
    executable = sm.compile(exported(program), backend="cpu", threads=1)
    for size in (program.size, program.size + 1):
        executable(*program.arguments(size))
    operands = [program.arguments(program.size + i * program.step) for i in range(1, count + 1)]
    new: list[float] = []
    calls: list[float] = []
    for arguments in operands:
        new.append(seconds(executable, arguments, thread_time)[0])
        again = [seconds(executable, arguments, thread_time)[0] for _ in range(AGAIN)]
        calls.append(median(again))
    more = median(one - other for one, other in zip(new, calls, strict=True))
    times = (median(new), median(calls), more)
    return (program.name, *[f"{duration * 1e3:.2f}" for duration in times])


def exported(program: Program) -> Any:
    """The program with a symbolic size."""
    jax, export = import_module("jax"), import_module("jax.export")
    scope = export.SymbolicScope()
    types = [
        jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), np.float32)
        for shape in program.shapes
    ]
    return sm.load(export.export(jax.jit(program.function()))(*types).mlir_module())


def seconds(
    call: Callable[..., Any], arguments: Sequence[Any], clock: Callable[[], float] = perf_counter
) -> tuple[float, Any]:
    """The time of a call, and its result."""
    start = clock()
    result = call(*arguments)
    return clock() - start, result


def turns(one: Any, other: Any, arguments: Sequence[Any]) -> tuple[float, float]:
    """The times of calls that take turns."""
    for call in (one, other):
        call(*arguments)
    once, _ = seconds(one, arguments)
    calls = max(1, min(1000, int(2e-3 / once)))
    durations: tuple[list[float], list[float]] = ([], [])
    for _ in range(TURNS):
        for call, measured in zip((one, other), durations, strict=True):
            start = perf_counter()
            for _ in range(calls):
                call(*arguments)
            measured.append((perf_counter() - start) / calls)
    return median(durations[0]), median(durations[1])


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="", help="programs whose name contains this")
    parser.add_argument("--sizes", type=int, default=7, help="new sizes of each program")
    parser.add_argument("--processor", action="store_true", help="processor time of our calls")
    options = parser.parse_args()
    columns = PROCESSOR_COLUMNS if options.processor else COLUMNS
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for cells in rows(options.rows, options.sizes, processor=options.processor):
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
