"""How compile time grows with the number of operations, beside XLA's.

    python -m benchmarks.compile_scaling [--sizes 1000,10000,100000] [--rounds 3] [--output FILE]

A program is a chain of layers of ten operations: a product with weights, a bias, tanh, a layer
normalization in part, and a residual. ``equal`` layers have the same sizes, so that they share
kernels; ``different`` ones have sizes of their own. Every time is taken in a process of its own,
after a program of one operation, with an empty cache, peers in turn: reading the text, verification
and compilation together; the least of the rounds counts. XLA is not asked for sizes that it does
not finish within ``--patience`` seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
OPERATIONS: Final = 10  # in a layer
ROWS: Final = 4
COLUMNS: Final = (
    "layers", "operations", "stablemate s", "cpu s", "ms an operation", "MB", "xla s", "xla cpu s",
    "xla/stablemate", "cpu xla/stablemate",
)  # fmt: skip


def equal_width(_: int) -> int:
    """The width of a layer where all have the same."""
    return 64


def different_width(layer: int) -> int:
    """The width of a layer where each has one of its own, but for those far apart."""
    return 32 + layer * 37 % 1009


WIDTHS: Final[dict[str, Callable[[int], int]]] = {
    "equal": equal_width,
    "different": different_width,
}


def layer(number: int, width: int, following: int) -> Iterator[str]:
    """The operations of a layer, which takes ``%x`` of its width and yields the next one."""
    x, w = f"%x{number}", f"%w{number}"
    before, after = f"tensor<{ROWS}x{width}xf32>", f"tensor<{ROWS}x{following}xf32>"
    weights, bias, row = (
        f"tensor<{shape}xf32>" for shape in (f"{width}x{following}", following, ROWS)
    )
    p = f"%n{number}_"
    first = f"tensor<1x{following}xf32>"
    yield f"{p}0 = stablehlo.slice {w} [0:1, 0:{following}] : ({weights}) -> {first}"
    yield f"{p}1 = stablehlo.reshape {p}0 : ({first}) -> {bias}"
    yield (
        f"{p}2 = stablehlo.dot_general {x}, {w}, contracting_dims = [1] x [0] : "
        f"({before}, {weights}) -> {after}"
    )
    yield f"{p}3 = stablehlo.broadcast_in_dim {p}1, dims = [1] : ({bias}) -> {after}"
    yield f"{p}4 = stablehlo.add {p}2, {p}3 : {after}"
    yield f"{p}5 = stablehlo.tanh {p}4 : {after}"
    yield (
        f"{p}6 = stablehlo.reduce({p}5 init: %zero) applies stablehlo.add across dimensions = [1] :"
        f" ({after}, tensor<f32>) -> {row}"
    )
    yield f"{p}7 = stablehlo.broadcast_in_dim {p}6, dims = [0] : ({row}) -> {after}"
    yield f"{p}8 = stablehlo.subtract {p}5, {p}7 : {after}"
    yield f"%x{number + 1} = stablehlo.add {p}8, {p}5 : {after}"


def program(kind: str, operations: int) -> str:
    """The text of a program."""
    count = operations // OPERATIONS
    widths = [WIDTHS[kind](number) for number in range(count + 1)]
    pairs = list(pairwise(widths))
    arguments = [f"%x0: tensor<{ROWS}x{widths[0]}xf32>"]
    arguments += [f"%w{i}: tensor<{a}x{b}xf32>" for i, (a, b) in enumerate(pairs)]
    lines = [line for i, pair in enumerate(pairs) for line in layer(i, *pair)]
    result = f"tensor<{ROWS}x{widths[-1]}xf32>"
    return "\n".join(
        [
            f"func.func @main({', '.join(arguments)}) -> {result} {{",
            "%zero = stablehlo.constant dense<0.0> : tensor<f32>",
            *lines,
            f"return %x{count} : {result}",
            "}",
        ]
    )


def child(peer_name: str, path: Path) -> dict[str, float]:
    """Compiles a program in this process."""
    from benchmarks.peers import Stablemate, Xla, peak_mb

    peer = Xla() if peer_name == "xla" else Stablemate()
    begun, worked = time.perf_counter(), time.process_time()
    for _ in peer.stages(path):
        pass
    return {
        "s": time.perf_counter() - begun,
        "cpu": time.process_time() - worked,
        "mb": peak_mb(),
    }


def measured(peer: str, path: Path, patience: float) -> dict[str, float] | None:
    """What a process of its own finds; None if XLA takes longer than that many seconds."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"STABLEMATE_CACHE_DIR": cache, "JAX_PLATFORMS": "cpu"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # the imports of a user find bytecode
        try:
            completed = subprocess.run(
                [sys.executable, "-m", "benchmarks.compile_scaling", "--child", peer, str(path)],
                cwd=ROOT, env=environment, check=True, capture_output=True, text=True,
                timeout=patience if peer == "xla" else None,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return None
    document: dict[str, float] = json.loads(completed.stdout.splitlines()[-1])
    return document


def row(kind: str, operations: int, rounds: int, patience: float) -> str:
    """The line of a program."""
    times: dict[str, list[dict[str, float]]] = {"stablemate": [], "xla": []}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"
        path.write_text(program(kind, operations))
        for _ in range(rounds):
            for peer in list(times):
                found = measured(peer, path, patience)
                if found is None:
                    del times[peer]
                else:
                    times[peer].append(found)
    least = {
        peer: {key: min(found[key] for found in column) for key in ("s", "cpu", "mb")}
        for peer, column in times.items()
    }
    own, other = least["stablemate"], least.get("xla")
    cells = [
        kind, str(operations), f"{own['s']:.2f}", f"{own['cpu']:.2f}",
        f"{1000 * own['s'] / operations:.3f}", f"{own['mb']:.0f}",
    ]  # fmt: skip
    if other is None:
        cells += [f"more than {patience:.0f}", "", "", ""]
    else:
        cells += [f"{other['s']:.2f}", f"{other['cpu']:.2f}"]
        cells += [f"{other[key] / own[key]:.2f}" for key in ("s", "cpu")]
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table, and stores it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--kinds", default=",".join(WIDTHS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--patience", type=float, default=120.0)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--child", nargs=2)
    options: Any = parser.parse_args(arguments)
    if options.child:
        peer, path = options.child
        print(json.dumps(child(peer, Path(path))))
        return
    lines = [
        "# Compile time by number of operations", "",
        f"| {' | '.join(COLUMNS)} |", "| --- " * len(COLUMNS) + "|",
    ]  # fmt: skip
    print(*lines, sep="\n", flush=True)
    for kind in options.kinds.split(","):
        for size in map(int, options.sizes.split(",")):
            lines.append(row(kind, size, options.rounds, options.patience))
            print(lines[-1], flush=True)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
