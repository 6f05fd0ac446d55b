"""Digests of results, the same on every run, of any number of threads and on any carrier.

``python -m tests.reliability.same_bits --threads 2`` prints them; ``mpiexec -n 2 python -m
tests.reliability.same_bits --mpi`` those of the grids, each process of which is a rank.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from typing import Any

import numpy as np

import stablemate as sm

SIZE = 384  # large enough for several threads
TYPE = f"tensor<{SIZE}x{SIZE}xf32>"
ROW = f"tensor<{SIZE}xf32>"
SUM = """({{
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      %w = stablehlo.add %u, %v : tensor<f32>
      stablehlo.return %w : tensor<f32>
    }})"""
SOFTMAX = f"""func.func @main(%x: {TYPE}, %y: {TYPE}) -> ({TYPE}, {ROW}) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot %x, %y : ({TYPE}, {TYPE}) -> {TYPE}
  %1 = stablehlo.tanh %0 : {TYPE}
  %2 = stablehlo.exponential %1 : {TYPE}
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1]
    : ({TYPE}, tensor<f32>) -> {ROW}
  %4 = stablehlo.broadcast_in_dim %3, dims = [0] : ({ROW}) -> {TYPE}
  %5 = stablehlo.divide %2, %4 : {TYPE}
  return %5, %3 : {TYPE}, {ROW}
}}"""
SORTED = f"""func.func @main(%x: {TYPE}, %y: {TYPE}) -> ({TYPE}, tensor<f32>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.sort"(%x) <{{dimension = 1 : i64}}> ({{
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      %p = stablehlo.compare LT, %u, %v : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  }}) : ({TYPE}) -> {TYPE}
  %1 = stablehlo.power %y, %0 : {TYPE}
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : ({TYPE}, tensor<f32>) -> tensor<f32>
  return %1, %2 : {TYPE}, tensor<f32>
}}"""
GRID = f"""func.func @main(%x: {TYPE}, %y: {TYPE}) -> {TYPE} {{
  %0 = stablehlo.dot %x, %y : ({TYPE}, {TYPE}) -> {TYPE}
  %1 = "stablehlo.all_reduce"(%0) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}>
    {SUM.format()} : ({TYPE}) -> {TYPE}
  %2 = stablehlo.logistic %1 : {TYPE}
  return %2 : {TYPE}
}}"""


def digest(results: Any) -> str:
    """The digest of results."""
    sha256_result = hashlib.sha256()
    for result in results if isinstance(results, tuple) else (results,):
        sha256_result.update(np.ascontiguousarray(result).tobytes())
    return sha256_result.hexdigest()[:16]


def main() -> None:
    """Prints the digests, of two calls each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--mpi", action="store_true")
    options = parser.parse_args()
    os.environ["STABLEMATE_THREADS"] = str(options.threads)
    generator = np.random.default_rng(0)
    matrices = [generator.random((SIZE, SIZE), np.float32) for _ in range(4)]
    by_key: dict[str, str] = {}
    for name, source in {"softmax": SOFTMAX, "sorted": SORTED}.items() if not options.mpi else ():
        executable = sm.compile(sm.load(source), threads=options.threads)
        first, second = (digest(executable(*matrices[:2])) for _ in range(2))
        assert first == second
        by_key[name] = first
    pairs = [tuple(matrices[:2]), tuple(matrices[2:])]
    options_of_ranks: dict[str, Any] = {"carrier": "mpi", "gather": True} if options.mpi else {}
    for i, replica in enumerate(sm.run_grid(GRID, pairs, replicas=2, **options_of_ranks)):
        by_key[f"grid, process {i}"] = digest(replica)
    if not options.mpi or is_first():
        json.dump(by_key, sys.stdout)


def is_first() -> bool:
    """Whether this is the first rank."""
    from stablemate.execution.backends.mpi import ranks

    return bool(ranks().rank == 0)


if __name__ == "__main__":
    main()
