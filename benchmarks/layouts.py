"""How fast arrays go into the buffers of layouts and come back, beside a copy by NumPy.

    python -m benchmarks.layouts [--rounds 7]

Megabytes are those of the NumPy array, whose narrow elements take a byte each.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median
from typing import Final

import numpy as np

from stablemate.xla.shape import Shape

SHAPES: Final = (
    *("f32[2048,2048]{0,1}", "f32[2048,2048]{1,0:T(8,128)}", "f32[2047,2047]{1,0:T(8,128)}"),
    *("bf16[2048,2048]{1,0:T(8,128)(2,1)}", "bf16[8,1,1280,1024]{3,2,0,1:T(8,128)(2,1)S(1)}"),
    *("bf16[8,1,1280,1024]{2,3,0,1:T(8,128)(2,1)}", "s8[2048,2048]{1,0:T(8,128)(4,1)}"),
    *("pred[2048,2048]{0,1}", "s8[4096,4096]{0,1:T(4,4)}", "f32[2049,2047]{1,0:T(2,2)}"),
    *("s4[4096,4096]{1,0:E(4)}", "s4[2048,2048]{1,0:T(8,128)(8,1)E(4)}", "c128[512,512]{0,1}"),
    *("f32[20,30,40,50]{3,2,1,0:T(*,2,*,3)}", "f32[64,256,256]{1,0,2}"),
)


def seconds(function: Callable[[], object]) -> float:
    """How long a call takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def row(text: str, rounds: int) -> str:
    """A line of the table."""
    shape = Shape(text)
    array = np.ones(shape.dimensions, shape.element_type.dtype)
    buffer = shape.to_buffer(array)
    calls = (array.copy, lambda: shape.to_buffer(array), lambda: shape.from_buffer(buffer))
    times = [[seconds(call) for call in calls] for _ in range(rounds)]
    rates = [array.nbytes / 1e6 / median(column) for column in zip(*times, strict=True)]
    return f"| `{text}` | {' | '.join(f'{rate:.0f}' for rate in rates)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    print("| shape | copy MB/s | to_buffer MB/s | from_buffer MB/s |\n| --- | --- | --- | --- |")
    for text in SHAPES:
        print(row(text, rounds), flush=True)


if __name__ == "__main__":
    main()
