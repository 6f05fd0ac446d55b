"""Time reading and writing portable artifacts, beside jaxlib's reader and writer.

    python -m benchmarks.artifacts [--operations 20000] [--rounds 5] [--md FILE]

The program is one function of so many operations, three in four of which have changed since the
oldest version. Times are milliseconds of the processor, medians; reading ends with StableHLO, and
writing begins with it.
"""

import argparse
import pathlib
from collections.abc import Iterator
from typing import Final

from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir as upstream
from jaxlib.mlir.dialects import stablehlo

import stablemate as sm
from benchmarks.bytecode import median

COLUMNS: Final = (
    "version", "bytes", "read ms", "write ms", "jaxlib read ms", "jaxlib write ms",
)  # fmt: skip
VERSIONS: Final = ("0.9.0", "1.4.0", "1.17.0")
STEPS: Final = (
    "stablehlo.add {last}, %a : tensor<4x4xf32>",
    "stablehlo.tanh {last} : tensor<4x4xf32>",
    "stablehlo.dot_general {last}, %a, contracting_dims = [1] x [0] : "
    "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>",
    "stablehlo.exponential {last} : tensor<4x4xf32>",
)


def program(operations: int) -> str:
    """The text of a function of so many operations."""
    lines = ["func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {"]
    last = "%a"
    for i in range(operations - 1):
        lines.append(f"  %v{i} = {STEPS[i % len(STEPS)].format(last=last)}")
        last = f"%v{i}"
    return "\n".join([*lines, f"  return {last} : tensor<4x4xf32>", "}"])


def upstream_context() -> upstream.Context:
    """A context that knows StableHLO."""
    context = jax_mlir.make_ir_context()
    stablehlo.register_dialect(context)
    return context


def upstream_write_time(text: str, version: str, rounds: int) -> float:
    """The time that jaxlib takes to write; it changes the module, so that each has its own."""

    def parsed() -> upstream.Module:
        with upstream_context():
            return upstream.Module.parse(text)

    modules = [parsed() for _ in range(rounds)]
    return median(lambda: stablehlo.serialize_portable_artifact(modules.pop(), version), rounds)


def rows(operations: int, rounds: int) -> Iterator[list[str]]:
    """One row for each version."""
    text = program(operations)
    module = sm.load(text)
    for version in VERSIONS:
        data = module.to_artifact(version)
        times = (
            median(lambda data=data: sm.load(data), rounds),
            median(lambda version=version: module.to_artifact(version), rounds),
            median(
                lambda data=data: stablehlo.deserialize_portable_artifact(upstream_context(), data),
                rounds,
            ),
            upstream_write_time(text, version, rounds),
        )
        yield [version, str(len(data)), *(f"{time:.0f}" for time in times)]


def main() -> None:
    """Prints the table, and writes it to a file if asked to."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--operations", type=int, default=20_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--md", type=pathlib.Path)
    arguments = options.parse_args()
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + " --- |" * len(COLUMNS)]
    print("\n".join(lines))
    for row in rows(arguments.operations, arguments.rounds):
        lines.append(f"| {' | '.join(row)} |")
        print(lines[-1], flush=True)
    if arguments.md:
        arguments.md.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
