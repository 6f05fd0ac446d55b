"""Products of one row, and tokens a second, by the type of weights, beside other runtimes.

    python -m benchmarks.decoding products            # needs onnxruntime, onnx and openvino
    JAX_PLATFORMS=stablemate python -m benchmarks.decoding jax [--size half-billion]
    python -m benchmarks.decoding torch [--size half-billion]

Products read weights as fast as a sum reads a large array, which has its turn with them; the share
of its bytes a second is in parentheses. Weights of several products are read in turn, so that no
cache holds them. A figure is the median of the rounds. ``--processor-time`` measures the time of
one thread on its processor, which other work on the machine changes less; set
``STABLEMATE_THREADS=1`` and ``OMP_NUM_THREADS=1`` with it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any, Final

import numpy as np

import stablemate as sm
from benchmarks.decoding.sizes import KINDS, SIZES, random_matrix

SHAPES: Final = ((1024, 1024), (4864, 1024), (1024, 4864), (4096, 4096), (32000, 1024))
FAR: Final = 1 << 27  # bytes of weights of ``f32`` that no cache holds
TOKENS: Final = 32
REST_SECONDS: Final = 0.1
SUMMED: Final = 1 << 24  # elements of the large array
SUM: Final = f"""func.func public @main(%x: tensor<{SUMMED}xf32>) -> tensor<f32> {{
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%x init: %0) applies stablehlo.add across dimensions = [0]
    : (tensor<{SUMMED}xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}}"""
Run = Callable[[], object]


def seconds(runs: Mapping[str, Run], rounds: int, clock: Callable[[], float]) -> dict[str, float]:
    """The median seconds of each function; they take turns.

    Threads of other runtimes wait for their next call in a loop, which takes a core from whoever
    runs then: each turn begins with a rest in which they fall asleep, and an untimed run.
    """
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            time.sleep(REST_SECONDS)
            run()
            begin = clock()
            run()
            times[name].append(clock() - begin)
    return {name: median(values) for name, values in times.items()}


def in_turn(products: Sequence[Callable[[Any], Any]], x: Any) -> Run:
    """Calls several products, one after the other."""
    return lambda: [product(x) for product in products]


def weight_bytes(arrays: Sequence[Any]) -> int:
    """Bytes of arrays."""
    return sum(array.nbytes for array in arrays)


def product_rows(kinds: Sequence[str], rounds: int, clock: Callable[[], float]) -> Iterator[str]:
    """The lines of the table of products."""
    from benchmarks.decoding import products

    makers = {
        "stablemate": products.ours,
        "ONNX Runtime": products.onnx_runtime,
        "OpenVINO": products.openvino,
    }
    yield f"| outputs x inputs | weights | {' | '.join(f'{name}, us' for name in makers)} |"
    yield "|" + "---|" * (len(makers) + 2)
    random, array = np.random.default_rng(0), np.ones(SUMMED, np.float32)
    summed = sm.compile(sm.parse(SUM))
    for shape in SHAPES:
        count = -(-FAR // (4 * shape[0] * shape[1]))
        matrices = [random_matrix(random, *shape) for _ in range(count)]
        x = random.standard_normal((1, shape[1]), dtype=np.float32)
        for kind in kinds:
            runs: dict[str, Run] = {"sum": lambda: summed(array)}
            for name, make in makers.items():
                made = [make(matrix, kind) for matrix in matrices]
                calls = [product for product in made if product is not None]
                if calls:
                    runs[name] = in_turn(calls, x)
            times = seconds(runs, rounds, clock)
            speed = array.nbytes / times["sum"]
            size = weight_bytes(products.stored_weights(matrices[0], kind))
            cells = [
                f"{times[name] / count * 1e6:.0f} ({size * count / times[name] / speed:.2f})"
                if name in times
                else ""
                for name in makers
            ]
            yield f"| {shape[0]} x {shape[1]} | {kind} | {' | '.join(cells)} |"


def jax_runs(size: str, kind: str) -> dict[str, Run]:
    """Decoding through JAX, on the platform that ``JAX_PLATFORMS`` names."""
    from benchmarks.decoding.jax_model import decoding

    return {
        "a call for each token": decoding(SIZES[size], kind, TOKENS, scans=False),
        "a scan": decoding(SIZES[size], kind, TOKENS, scans=True),
    }


def torch_runs(size: str, kind: str) -> dict[str, Run]:
    """Decoding through PyTorch: eager, inductor and stablemate, the last two with freezing."""
    import torch

    from benchmarks.decoding.torch_model import Decoder
    from stablemate.bridges.torch.backend import stablemate

    model = Decoder(SIZES[size], kind).eval()
    frozen = torch.compile(model, backend=stablemate, options={"freezing": True})

    def run(step: Callable[..., Any]) -> Run:
        def decode() -> object:
            token = torch.tensor([3])
            with torch.no_grad():
                for position in range(TOKENS):
                    token = step(token, torch.tensor(position))
            return token

        return decode

    return {"eager": run(model), "stablemate, freezing": run(frozen)}


def token_rows(
    make: Callable[[str], dict[str, Run]],
    kinds: Sequence[str],
    rounds: int,
    clock: Callable[[], float],
) -> Iterator[str]:
    """The lines of the table of tokens a second."""
    for number, kind in enumerate(kinds):
        runs = make(kind)
        if not number:
            yield f"| weights | {' | '.join(f'{name}, tokens/s' for name in runs)} |"
            yield "|" + "---|" * (len(runs) + 1)
        times = seconds(runs, rounds, clock)
        yield f"| {kind} | {' | '.join(f'{TOKENS / times[name]:.1f}' for name in runs)} |"


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=["products", "jax", "torch"])
    parser.add_argument("--size", choices=list(SIZES), default="small")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="of weights")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--processor-time", action="store_true")
    options = parser.parse_args()
    clock = time.process_time if options.processor_time else time.perf_counter
    if options.table == "products":
        rows = product_rows(options.kinds, options.rounds, clock)
    else:
        make = {"jax": jax_runs, "torch": torch_runs}[options.table]
        rows = token_rows(partial(make, options.size), options.kinds, options.rounds, clock)
    for row in rows:
        print(row, flush=True)


if __name__ == "__main__":
    main()
