"""Predicted and measured times of collective operations between the ranks of this machine.

::

    mpiexec -n 2 python -m benchmarks.network
    mpiexec -n 4 python -m benchmarks.network [--priority -10]

Alpha and beta are fitted to messages around a ring, which all ranks send and receive at once: a
round of the model; and those of stablemate to its all_to_all. Gamma is fitted to additions that all
ranks make at once. Each collective operation runs in a loop of a compiled program, as ranks of MPI,
in turn with those messages, with a clock beside it that is a custom call; its time stands beside
what the formulas say of the algorithm that the carrier takes. Of the times of all turns the one
counts that a twentieth of them are below, in the slowest rank: what others do on the machine only
slows it down.

Writes ``benchmarks/results/network.md``, the table of as many ranks.
"""

from __future__ import annotations

import argparse
import math
import os
import pathlib
import re
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

import stablemate as sm
from stablemate.analysis.planning.algorithms import ALGORITHMS, BLOCKS, DIRECT, Traffic
from stablemate.execution.backends.mpi import ranks
from stablemate.ir.exchange import BLOCKS_THRESHOLD

RESULTS: Final = pathlib.Path(__file__).parent / "results" / "network.md"
SIZES: Final = tuple(1 << item for item in range(10, 25, 2))  # 1 KiB to 16 MiB
ROUNDS: Final = 3  # in which everything is measured in turn
REFERENCE: Final = "all_to_all"  # what the alpha and beta of stablemate are fitted to
SECONDS: Final = 0.05  # that a loop takes, about
ITERATIONS: Final = (20, 2000)  # of a loop, at least and at most
LEAST: Final = 0.05  # the part of the turns that others on the machine did not slow down, about
SUM: Final = """({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
  })"""


def one(p: int) -> int:
    """All of it."""
    return 1


def share(p: int) -> int:
    """The part of one of so many."""
    return p


# By operation: its text, and which part of the size its operand and its result have.
OPERATIONS: Final[Mapping[str, tuple[str, Callable[[int], int], Callable[[int], int]]]] = {
    "all_reduce": (f'"stablehlo.all_reduce"(%x) {SUM} {{GROUPS}}', one, one),
    "reduce_scatter": (
        f'"stablehlo.reduce_scatter"(%x) {SUM} {{scatter_dimension = 0 : i64, GROUPS}}',
        one,
        share,
    ),
    "all_gather": (
        '"stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, GROUPS}',
        share,
        one,
    ),
    "all_to_all": (
        '"stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, '
        "split_count = RANKS : i64, GROUPS}",
        one,
        one,
    ),
    "collective_broadcast": (
        '"stablehlo.collective_broadcast"(%x) {GROUPS}',
        one,
        one,
    ),
    "collective_permute": (
        '"stablehlo.collective_permute"(%x) {source_target_pairs = dense<RING> : '
        "tensor<RANKSx2xi64>}",
        one,
        one,
    ),
}
LOOP: Final = """
func.func @main(%x: tensor<{elements}xf32>, %n: tensor<i32>) -> tensor<i32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %i = stablehlo.while(%a = %zero) : tensor<i32>
  cond {{
    %c = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %t = stablehlo.custom_call @clock(%a) {{has_side_effect = true}} : (tensor<i32>) -> tensor<i32>
    %next = stablehlo.add %t, %one : tensor<i32>
    {operation}
    stablehlo.return %next : tensor<i32>
  }}
  return %i : tensor<i32>
}}
"""
READINGS: Final[list[float]] = []


@sm.custom_call("clock")
def clock(operands: Any, call: Any) -> Any:
    """Notes the time, and gives back what it is given."""
    READINGS.append(time.perf_counter())
    return operands[0]


class Loop:
    """An operation on a size, repeated by a compiled program; nothing if it has no name."""

    def __init__(self, kind: str, size: int, p: int) -> None:
        text, less_in, less_out = OPERATIONS.get(kind, ("", one, one))
        ring = str([[i, (i + 1) % p] for i in range(p)])
        groups = f"replica_groups = dense<[{list(range(p))}]> : tensor<1x{p}xi64>"
        operation = text.replace("GROUPS", groups).replace("RING", ring).replace("RANKS", str(p))
        elements, results = size // 4 // less_in(p), size // 4 // less_out(p)
        if operation:
            types = f"(tensor<{elements}xf32>) -> tensor<{results}xf32>"
            operation = f"%r = {operation} : {types}"
        self.module = sm.load(LOOP.format(elements=elements, operation=operation))
        self.operand = np.ones(elements, np.float32)
        self.p = p

    def iteration_times(self, number: int) -> list[float]:
        """How long each of so many turns takes."""
        READINGS.clear()
        ranks().world.Barrier()
        arguments = (self.operand, np.int32(number + 1))
        sm.run_grid(self.module, arguments, self.p, 1, carrier="mpi", backend="cpu")
        return np.diff(READINGS).tolist()


def around(size: int, number: int) -> list[float]:
    """How long each of so many messages to the next rank takes, while all send one."""
    world = ranks().world
    right, left = (ranks().rank + 1) % ranks().size, (ranks().rank - 1) % ranks().size
    value, received = np.ones(size, np.uint8), np.empty(size, np.uint8)
    world.Barrier()
    readings = [time.perf_counter()]
    for _ in range(number):
        world.Sendrecv(value, right, 0, received, left, 0)
        readings.append(time.perf_counter())
    return np.diff(readings).tolist()


def combining(size: int, number: int) -> list[float]:
    """How long each of so many additions of so many bytes takes, while all add."""
    a, b, c = (np.ones(size // 4, np.float32) for _ in range(3))
    ranks().world.Barrier()
    readings = [time.perf_counter()]
    for _ in range(number):
        np.add(a, b, out=c)
        readings.append(time.perf_counter())
    return np.diff(readings).tolist()


def agreed(number: float) -> float:
    """The largest of the numbers of all ranks: an operation ends when the last one has."""
    from mpi4py import MPI

    return float(ranks().world.allreduce(number, op=MPI.MAX))


def fitted(
    rounds: Sequence[float], sizes: Sequence[float], seconds: Sequence[float]
) -> tuple[float, float]:
    """Seconds per round and per byte, with the least relative squares."""
    columns = np.stack([rounds, sizes], axis=1) / np.asarray(seconds)[:, None]
    (alpha, beta), *_ = np.linalg.lstsq(columns, np.ones(len(sizes)))
    return max(float(alpha), 0.0), float(beta)


# Seconds of messages and of additions by size, of collective operations by kind and size.
Measured: TypeAlias = tuple[dict[int, float], dict[int, float], dict[tuple[str, int], float]]


class Times:
    """What is measured in turn, with the times of all turns so far."""

    def __init__(self, measure: Callable[[int], list[float]]) -> None:
        self.measure = measure
        measure(2)  # compiled, and messages made
        typical = agreed(float(np.median(measure(5))))
        fewest, most = ITERATIONS
        self.number = max(fewest, min(most, math.ceil(SECONDS / typical)))
        self.times: list[float] = []

    def again(self) -> None:
        """Measures once more."""
        self.times += self.measure(self.number)

    @property
    def seconds(self) -> float:
        """What counts; all ranks ask for it."""
        return agreed(float(np.quantile(self.times, LEAST)))


def measured(priority: int) -> Measured:
    """Seconds of messages, of additions and of collective operations, by size."""
    p = ranks().size
    messages = {n: Times(partial(around, n)) for n in SIZES}
    additions = {n: Times(partial(combining, n)) for n in SIZES}
    names = [(kind, n) for n in SIZES for kind in OPERATIONS]
    loops = {name: Times(Loop(*name, p).iteration_times) for name in names}
    empty = Times(Loop("", SIZES[0], p).iteration_times)
    os.setpriority(os.PRIO_PROCESS, 0, priority)
    for _ in range(ROUNDS):
        for item in (empty, *messages.values(), *additions.values(), *loops.values()):
            item.again()
    around_it = empty.seconds
    return (
        {n: message.seconds for n, message in messages.items()},
        {n: addition.seconds for n, addition in additions.items()},
        {name: max(loop.seconds - around_it, 1e-9) for name, loop in loops.items()},
    )


def algorithm_of(kind: str, n: int) -> str:
    """The algorithm of the carrier."""
    return BLOCKS if kind == "all_reduce" and n >= BLOCKS_THRESHOLD else DIRECT


def traffic_of(kind: str, p: int, n: int) -> Traffic:
    """What that algorithm sends."""
    traffic = ALGORITHMS[kind][algorithm_of(kind, n)](p, n)
    assert traffic is not None, "it is one for any number of processes"
    return traffic


def lines(
    p: int,
    messages: Mapping[int, float],
    additions: Mapping[int, float],
    collectives: Mapping[tuple[str, int], float],
) -> list[str]:
    """The section of so many ranks."""
    once = [1.0] * len(SIZES)
    alpha, beta = fitted(once, SIZES, list(messages.values()))
    _, gamma = fitted(once, SIZES, list(additions.values()))
    collected = [traffic_of(REFERENCE, p, n) for n in SIZES]
    own_alpha, own_beta = fitted(
        [item.rounds for item in collected],
        [entry.bytes for entry in collected],
        [collectives[REFERENCE, n] for n in SIZES],
    )

    def model(traffic: Traffic) -> float:
        return traffic.rounds * own_alpha + traffic.bytes * own_beta + traffic.folded * gamma

    collected = [
        f"## {p} ranks",
        "",
        f"Messages of mpi4py around a ring: alpha {alpha * 1e6:.2f} us, 1 / beta "
        f"{1e-9 / beta:.2f} GB/s. The all_to_all of a compiled program: alpha "
        f"{own_alpha * 1e6:.2f} us, 1 / beta {1e-9 / own_beta:.2f} GB/s; they predict the "
        f"times below. Additions: 1 / gamma {1e-9 / gamma:.2f} GB/s.",
        "",
        "| operation | algorithm | " + " | ".join(size_text(n) for n in SIZES) + " |",
        "| --- | --- |" + " --- |" * len(SIZES),
    ]
    ratios: list[float] = []
    for kind in OPERATIONS:
        names = dict.fromkeys(algorithm_of(kind, n) for n in SIZES)
        cells: list[str] = []
        for n in SIZES:
            predicted, seconds = model(traffic_of(kind, p, n)), collectives[kind, n]
            ratios.append(predicted / seconds)
            cells.append(f"{predicted * 1e6:.3g} / {seconds * 1e6:.3g} = {ratios[-1]:.2f}")
        collected.append(f"| {kind} | {', then '.join(names)} | {' | '.join(cells)} |")
    within = sum(0.5 <= ratio <= 2 for ratio in ratios)
    middle = math.exp(sum(map(math.log, ratios)) / len(ratios))
    collected += [
        "",
        f"Microseconds predicted / measured = ratio. {within} of {len(ratios)} are within a factor "
        f"of 2; the geometric mean is {middle:.2f}.",
        "",
    ]
    return collected


def size_text(size: int) -> str:
    """A power of two."""
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


HEAD: Final = """# Predicted and measured collective operations

Written by `mpiexec -n P python -m benchmarks.network` for P = 2 and 4; the module documents how it
measures. Four ranks share two processors, so their alpha, beta and gamma are those of a shared
processor. The machine was busy. Two effects were not examined: messages above 16 KiB need both
ends in MPICH, and may have waited until the other end was scheduled; and iterations of
collective_broadcast, whose root does not wait, may have overlapped.

"""


def written(p: int, section: Sequence[str]) -> str:
    """The results with the section of so many ranks in the place of the one before."""
    old = RESULTS.read_text() if RESULTS.exists() else HEAD
    sections = dict(re.findall(r"(?ms)^## (\d+) ranks\n(.*?)(?=^## |\Z)", old))
    sections[str(p)] = "\n".join(section[1:])
    body = "".join(
        f"## {section} ranks\n{sections[section].rstrip()}\n\n" for section in sorted(sections)
    )
    return HEAD + body.rstrip() + "\n"


def main() -> None:
    """Measures, predicts, and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--priority", type=int, default=0, help="less is before other processes")
    p = ranks().size
    figures = measured(parser.parse_args().priority)
    if ranks().rank == 0:
        section = lines(p, *figures)
        RESULTS.write_text(written(p, section))
        print("\n".join(section))


if __name__ == "__main__":
    main()
