"""What a collective operation takes in a running program, beside the same by hand with mpi4py.

``mpiexec -n 2 python -m benchmarks.collectives``. A compiled program runs a loop of collective
operations; the other side is a Python loop of the same algorithm on NumPy buffers that are there
already. All take turns in one run; times are those of a loop divided by its turns, of the slowest
rank: the median of all rounds, and the least, which tells more where other programs share the
cores. Nothing is subtracted: the start and the end of a run are in it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from math import prod
from statistics import median
from time import perf_counter
from typing import Any, Final

import numpy as np

import stablemate as sm
from benchmarks.by_hand import ENGINE, HAND

SIZES: Final = tuple(4 << shift for shift in range(0, 23, 2))
BYTES: Final = 1 << 28  # of operands in a loop
MOST: Final = 2000  # turns of a loop
ROUNDS: Final = 9

SUM: Final = """({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      })"""


def operation(name: str, ranks: int, count: int) -> tuple[str, int] | None:
    """An operation on ``%x`` of so many elements, and the elements of its result."""
    ids = ", ".join(map(str, range(ranks)))
    groups = f"replica_groups = dense<[[{ids}]]> : tensor<1x{ranks}xi64>"
    pairs = ", ".join(f"[{i}, {(i + 1) % ranks}]" for i in range(ranks))
    divided = count % ranks == 0
    by_key = {
        "all_reduce": (f"<{{{groups}}}> {SUM}", count),
        "all_gather": (f"<{{all_gather_dim = 0 : i64, {groups}}}>", count * ranks),
        "reduce_scatter": (f"<{{scatter_dimension = 0 : i64, {groups}}}> {SUM}", count // ranks),
        "all_to_all": (
            "<{split_dimension = 0 : i64, concat_dimension = 0 : i64, "
            f"split_count = {ranks} : i64, {groups}}}>",
            count,
        ),
        "collective_permute": (
            f"<{{source_target_pairs = dense<[{pairs}]> : tensor<{ranks}x2xi64>}}>",
            count,
        ),
        "collective_broadcast": (f"<{{{groups}}}>", count),
        "collective_reduce": (f"<{{{groups}}}> {SUM}", count),
    }
    text, result = by_key[name]
    if not divided and name in ("reduce_scatter", "all_to_all"):
        return None
    types = f"(tensor<{count}xf32>) -> tensor<{result}xf32>"
    return f'"stablehlo.{name}"(%x) {text} : {types}', result


def program(body: str, count: int, iterations: int) -> str:
    """A loop of an operation."""
    return f"""func.func @main(%x: tensor<{count}xf32>) -> tensor<i32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %end = stablehlo.constant dense<{iterations}> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.while(%i = %zero) : tensor<i32>
    cond {{
      %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    }} do {{
      %r = {body}
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }}
  return %n : tensor<i32>
}}"""


def times(sides: Sequence[Callable[[], Any]], iterations: int, comm: Any) -> list[float]:
    """The time of a turn of each loop, in microseconds: median and least, of the slowest rank."""
    collected: list[list[float]] = [[] for _ in sides]
    for _ in range(ROUNDS):
        for item, side in zip(collected, sides, strict=True):
            comm.Barrier()
            start = perf_counter()
            side()
            item.append(max(comm.allgather(perf_counter() - start)))
    return [of(item) / iterations * 1e6 for of in (median, min) for item in collected]


def loop(step: Callable[[], Any], iterations: int) -> Callable[[], None]:
    """A loop of a step."""

    def run() -> None:
        for _ in range(iterations):
            step()

    return run


def iterations_for(size: int) -> int:
    """How many turns a loop has, for operands of so many bytes."""
    return max(3, min(MOST, BYTES // size))


def measured(name: str, count: int, comm: Any, order: str) -> list[float] | None:
    """Times of the program and of what it is compared with; None if there is no such operation."""
    operation_result = operation(name, comm.size, count)
    if operation_result is None:
        return None
    body, result = operation_result
    x = np.arange(count, dtype=np.float32) + comm.rank
    step = (ENGINE if order == "any" else HAND)[name](comm, x, np.zeros(result, np.float32))
    iterations = iterations_for(4 * count)
    executable = sm.compile(sm.load(program(body, count, iterations)))
    grid = sm.load(program(body, count, iterations)).grid.__class__(comm.size, 1)
    options: dict[str, Any] = {} if order == "group" else {"reduce_order": order}

    def ours() -> Any:
        return executable.run_grid((x,), grid, carrier="mpi", **options)

    ours()
    return [*times([ours, loop(step, iterations)], iterations, comm)]


def main() -> None:
    """Prints a line for each operation and size."""
    from mpi4py import MPI

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=list(HAND))
    parser.add_argument("--orders", nargs="*", default=["group", "any"])
    parser.add_argument("--sizes", nargs="*", type=int, default=list(SIZES))
    options = parser.parse_args()
    comm = MPI.COMM_WORLD.Dup()
    if comm.rank == 0:
        print(f"{comm.size} ranks, {os.cpu_count()} cores, {MPI.Get_library_version().split()[2]}")
        heads = "stablemate us | by hand us | ratio | least: stablemate us | by hand us | ratio"
        print(f"| operation | order | bytes | {heads} |")
        print("| --- " * 9 + "|")
    for order in options.orders:
        for name in options.only:
            for size in options.sizes if order == "group" or name in ENGINE else ():
                measured_value = measured(name, prod((size // 4,)), comm, order)
                if comm.rank == 0 and measured_value is not None:
                    pairs = zip(measured_value[::2], measured_value[1::2], strict=True)
                    cells = (f"{a:.1f} | {b:.1f} | {a / b:.2f}" for a, b in pairs)
                    print(f"| {name} | {order} | {size} | {' | '.join(cells)} |", flush=True)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
