"""Measure constants of heuristics: programs that are compiled with half and with double of each.

    python -m benchmarks.heuristics [--seconds 60] [--only TEXT]

Each row is a constant and a program that it decides about. The program is compiled three times, and
its calls take turns, so that other load on the machine slows all three down. The numbers are the
speed with half and with double of the constant, relative to the speed with it; a dash says that the
compiled program is the same.
"""

from __future__ import annotations

import argparse
import importlib
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

import stablemate as sm

KERNELS: Final = "stablemate.compiler.kernels."
SCHEDULE: Final = "stablemate.compiler.schedule."
VARIANTS: Final = (1.0, 0.5, 2.0)  # times the constant
MOST_CALLS: Final = 400  # of a program in a turn
TURN_SECONDS: Final = 0.005
TURNS: Final = 4  # of each program in a round
FEWEST_ROUNDS: Final = 9


def dot(rows: int, depth: int, columns: int) -> str:
    """A product of matrices of ``f32``."""
    x, y, z = f"{rows}x{depth}xf32", f"{depth}x{columns}xf32", f"{rows}x{columns}xf32"
    return f"""func.func @main(%x: tensor<{x}>, %y: tensor<{y}>) -> tensor<{z}> {{
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<{x}>, tensor<{y}>) -> tensor<{z}>
  return %z : tensor<{z}>
}}"""


def convolution(batch: int, side: int, inputs: int, outputs: int, window: int = 3) -> str:
    """A convolution of images ``(batch, side, side, inputs)`` that keeps their extents."""
    x, k = f"{batch}x{side}x{side}x{inputs}xf32", f"{window}x{window}x{inputs}x{outputs}xf32"
    y, pad = f"{batch}x{side}x{side}x{outputs}xf32", [window // 2, window // 2]
    return f"""func.func @main(%x: tensor<{x}>, %k: tensor<{k}>) -> tensor<{y}> {{
  %y = stablehlo.convolution(%x, %k)
    dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{stride = [1, 1], pad = [{pad}, {pad}]}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : (tensor<{x}>, tensor<{k}>) -> tensor<{y}>
  return %y : tensor<{y}>
}}"""


def reduction(operation: str, rows: int, columns: int, dimension: int) -> str:
    """A fold of a matrix along a dimension."""
    x, y = f"{rows}x{columns}xf32", f"{columns if dimension == 0 else rows}xf32"
    return f"""func.func @main(%x: tensor<{x}>) -> tensor<{y}> {{
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.reduce(%x init: %c) applies stablehlo.{operation} across dimensions = [{dimension}]
    : (tensor<{x}>, tensor<f32>) -> tensor<{y}>
  return %y : tensor<{y}>
}}"""


def prefix_sums(rows: int, columns: int) -> str:
    """Sums of the elements of a row up to each, as a window."""
    x = f"{rows}x{columns}xf32"
    return f"""func.func @main(%x: tensor<{x}>) -> tensor<{x}> {{
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %y = "stablehlo.reduce_window"(%x, %c) ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) {{window_dimensions = array<i64: 1, {columns}>,
      padding = dense<[[0, 0], [{columns - 1}, 0]]> : tensor<2x2xi64>}}
    : (tensor<{x}>, tensor<f32>) -> tensor<{x}>
  return %y : tensor<{x}>
}}"""


def padding(rows: int, columns: int) -> str:
    """A matrix with a border of zeros."""
    x, y = f"{rows}x{columns}xf32", f"{rows + 4}x{columns + 4}xf32"
    return f"""func.func @main(%x: tensor<{x}>) -> tensor<{y}> {{
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.pad %x, %c, low = [2, 2], high = [2, 2], interior = [0, 0]
    : (tensor<{x}>, tensor<f32>) -> tensor<{y}>
  return %y : tensor<{y}>
}}"""


def attention(heads: int, queries: int, features: int) -> str:
    """``softmax(Q K^T) V``."""
    x, s = f"tensor<{heads}x{queries}x{features}xf32>", f"tensor<{heads}x{queries}x{queries}xf32>"
    r = f"tensor<{heads}x{queries}xf32>"
    spread = f"dims = [0, 1] : ({r}) -> {s}"
    return f"""func.func @main(%q: {x}, %k: {x}, %v: {x}) -> {x} {{
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
    : ({x}, {x}) -> {s}
  %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [2]
    : ({s}, tensor<f32>) -> {r}
  %mm = stablehlo.broadcast_in_dim %m, {spread}
  %d = stablehlo.subtract %s, %mm : {s}
  %e = stablehlo.exponential %d : {s}
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
    : ({s}, tensor<f32>) -> {r}
  %tt = stablehlo.broadcast_in_dim %t, {spread}
  %w = stablehlo.divide %e, %tt : {s}
  %y = stablehlo.dot_general %w, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : ({s}, {x}) -> {x}
  return %y : {x}
}}"""


PROGRAMS: Final = {
    "dot 384": dot(384, 384, 384),
    "dot 1024": dot(1024, 1024, 1024),
    "dot 48x512x512": dot(48, 512, 512),
    "dot 12x512x512": dot(12, 512, 512),
    "dot 40x40x40": dot(40, 40, 40),
    "dot 72x64x72": dot(72, 64, 72),
    "dot 4x1024x1024": dot(4, 1024, 1024),
    "dot 16x1024x1024": dot(16, 1024, 1024),
    "dot 64x256x120": dot(64, 256, 120),
    "dot 1x1024x1024": dot(1, 1024, 1024),
    "dot 1x1024x8192": dot(1, 1024, 8192),
    "dot 3x1024x1024": dot(3, 1024, 1024),
    "dot 1x160x160": dot(1, 160, 160),
    "dot 1x4096x64": dot(1, 4096, 64),
    "dot 2x1024x32": dot(2, 1024, 32),
    "convolution 56x56x64": convolution(1, 56, 64, 64),
    "convolution 7x7x256": convolution(1, 7, 256, 256),
    "sum of 1M": reduction("add", 1, 1 << 20, 1),
    "prefix sums of 64x1024": prefix_sums(64, 1024),
    "pad 512x512": padding(512, 512),
    "pad 22x22": padding(22, 22),
    "attention 8x1024x64": attention(8, 1024, 64),
}
# Where a constant is read, and a program that it decides about.
ROWS: Final = (
    (KERNELS + "contraction.dot", "FEW", "dot 48x512x512"),
    (KERNELS + "contraction.register_tiles", "BLOCK", "convolution 56x56x64"),
    (KERNELS + "contraction.register_tiles", "GROUP", "dot 1024"),
    (KERNELS + "contraction.register_tiles", "FEWEST_UNITS", "dot 384"),
    (KERNELS + "contraction.register_tiles", "FEW", "dot 72x64x72"),
    (KERNELS + "contraction.register_tiles", "LATENCY", "dot 40x40x40"),
    (KERNELS + "contraction.register_tiles", "LOAD", "dot 384"),
    (KERNELS + "contraction.streamed_products", "MOST_ROWS", "dot 12x512x512"),
    (KERNELS + "contraction.streamed_products", "MOST_ROWS", "dot 16x1024x1024"),
    (KERNELS + "contraction.streamed_products", "LEAST_ELEMENTS", "dot 1x160x160"),
    (KERNELS + "contraction.streamed_products", "LEAST_COLUMNS", "dot 2x1024x32"),
    (KERNELS + "contraction.streamed_products", "SHARES", "dot 1x4096x64"),
    (KERNELS + "contraction.streamed_products", "LEAST_SHARE", "dot 4x1024x1024"),
    (KERNELS + "contraction.convolution.filters", "FEW", "convolution 7x7x256"),
    (KERNELS + "contraction.convolution.filters", "NEAR", "convolution 56x56x64"),
    (KERNELS + "contraction.dot", "NEAR", "dot 64x256x120"),
    (KERNELS + "contraction.column_streams", "FACTORS", "dot 4x1024x1024"),
    (KERNELS + "contraction.column_streams", "STEPS", "dot 1x1024x1024"),
    (KERNELS + "contraction.column_streams", "BLOCK", "dot 1x1024x8192"),
    (KERNELS + "contraction.streamed_products", "FEW", "dot 3x1024x1024"),
    (KERNELS + "attention.tiling", "QUERIES", "attention 8x1024x64"),
    (KERNELS + "attention.tiling", "KEYS", "attention 8x1024x64"),
    (KERNELS + "attention.running_softmax", "LANES", "attention 8x1024x64"),
    (KERNELS + "reduction.prefix_reductions", "ROWS", "prefix sums of 64x1024"),
    (SCHEDULE + "boundary_splitting", "MAX_SEGMENTS", "pad 512x512"),
    (SCHEDULE + "boundary_splitting", "MIN_ELEMENTS", "pad 22x22"),
    (SCHEDULE + "reduction_order", "BLOCK", "sum of 1M"),
)  # fmt: skip


def variants(module: str, name: str, text: str) -> Iterator[tuple[Any, str]]:
    """The program and its LLVM IR and plan, with the constant, with half and with double of it."""
    home = importlib.import_module(module)
    value = getattr(home, name)
    for factor in VARIANTS:
        setattr(home, name, type(value)(max(value * factor, 1 if isinstance(value, int) else 0)))
        try:
            executable = sm.compile(sm.load(text))
            yield executable, "".join(str(executable.emit(stage)) for stage in ("plan", "llvm"))
        finally:
            setattr(home, name, value)


def arguments(executable: Any) -> list[Any]:
    """Random arguments of a program."""
    generator = np.random.default_rng(0)
    types = executable.signature.arguments
    return [generator.standard_normal(value.type.shape).astype(np.float32) for value in types]


def relative_speeds(executables: Sequence[Any], seconds: float) -> list[float]:
    """The speed of each program relative to the first one: the median of rounds.

    In a round the programs take turns; the least time of their calls counts.
    """
    values = arguments(executables[0])
    calls = [number_of_calls(executable, values) for executable in executables]
    rounds: list[list[float]] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(rounds) < FEWEST_ROUNDS:
        best = [float("inf")] * len(executables)
        for _ in range(TURNS):
            for number, executable in enumerate(executables):
                for _ in range(calls[number]):
                    start = time.perf_counter()
                    executable.run(values)
                    best[number] = min(best[number], time.perf_counter() - start)
        rounds.append([best[0] / least for least in best])
    return [statistics.median(ratios) for ratios in zip(*rounds, strict=True)]


def number_of_calls(executable: Any, values: Sequence[Any]) -> int:
    """How many calls of a program take some milliseconds."""
    executable.run(values)
    start = time.perf_counter()
    executable.run(values)
    return min(MOST_CALLS, max(1, int(TURN_SECONDS / (time.perf_counter() - start))))


def main() -> None:
    """Prints a row of a table for each constant."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60, help="of all calls together")
    parser.add_argument("--only", default="", help="constants whose row contains this text")
    options = parser.parse_args()
    os.environ["STABLEMATE_CACHE_BYTES"] = "0"
    rows = [row for row in ROWS if options.only in " ".join(row)]
    print("| constant | value | program | half | double |\n|---|---|---|---|---|")
    for module, name, program in rows:
        executables, codes = zip(*variants(module, name, PROGRAMS[program]), strict=True)
        speeds = relative_speeds(executables, options.seconds / len(rows))
        ratios = [
            "-" if code == codes[0] else f"{speed:.2f}"
            for code, speed in zip(codes[1:], speeds[1:], strict=True)
        ]
        home = module.removeprefix("stablemate.compiler.")
        value = getattr(sys.modules[module], name)
        print(f"| `{home}.{name}` | {value:g} | {program} | {' | '.join(ratios)} |", flush=True)


if __name__ == "__main__":
    main()
