"""What the machine can do at most: fused multiplications, and bytes from and to memory."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np

SUMS: Final = 12  # enough to hide how long one takes, and few enough for 16 registers
TURNS: Final = 100_000  # short: a call is to be undisturbed now and then
ELEMENTS: Final = 1 << 24  # of an array that no cache holds
ROUNDS: Final = 100


def fused_loop(lanes: int) -> str:
    """A function that multiplies and adds in registers: ``void fused(ptr memory, i64 turns)``."""
    vector, name = f"<{lanes} x float>", f"@llvm.fmuladd.v{lanes}f32"
    old = "\n".join(f"  %a{i} = phi {vector} [ %x, %entry ], [ %b{i}, %loop ]" for i in range(SUMS))
    new = "\n".join(
        f"  %b{i} = call {vector} {name}({vector} %x, {vector} %x, {vector} %a{i})"
        for i in range(SUMS)
    )
    kept = "\n".join(f"  store volatile {vector} %b{i}, ptr %memory" for i in range(SUMS))
    return f"""declare {vector} {name}({vector}, {vector}, {vector})
define void @fused(ptr %memory, i64 %turns) #0 {{
entry:
  %x = load {vector}, ptr %memory
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
{old}
{new}
  %j = add i64 %i, 1
  %again = icmp ult i64 %j, %turns
  br i1 %again, label %loop, label %end
end:
{kept}
  ret void
}}
"""


def least(function: Callable[[], Any], threads: int, rounds: int = ROUNDS) -> float:
    """The least time in which as many threads have each called a function once."""
    with ThreadPoolExecutor(threads) as pool:
        times: list[float] = []
        for _ in range(rounds):
            start = time.perf_counter()
            for each in [pool.submit(function) for _ in range(threads)]:
                each.result()
            times.append(time.perf_counter() - start)
    return min(times)


def flops(threads: int = 1) -> float:
    """Additions and multiplications of ``f32`` in a second."""
    from stablemate.compiler.llvm.loading import load
    from stablemate.compiler.llvm.objects import assembled
    from stablemate.compiler.llvm.target import host

    target = host()
    lanes = target.lanes(4)
    loaded = load([assembled(fused_loop(lanes), target)], ["fused"])
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(loaded.addresses["fused"])

    def call() -> None:
        memory = np.zeros(2 * target.vector_bytes, np.uint8)
        function(memory.ctypes.data + -memory.ctypes.data % target.vector_bytes, TURNS)

    return threads * TURNS * SUMS * lanes * 2 / least(call, threads)


def bandwidth(threads: int = 1) -> float:
    """Bytes in a second of a triad: an array is made of two, none of them in a cache."""
    text = """func.func public @main(%a: tensor<Nxf32>, %b: tensor<Nxf32>) -> tensor<Nxf32> {
  %c = stablehlo.constant dense<3.0> : tensor<Nxf32>
  %0 = stablehlo.multiply %b, %c : tensor<Nxf32>
  %1 = stablehlo.add %a, %0 : tensor<Nxf32>
  return %1 : tensor<Nxf32>
}""".replace("N", str(ELEMENTS))
    import stablemate as sm
    from stablemate.compiler.compiled import CompiledExecutable

    interpreted: Any = sm.load(text).executable("main", backend="interpreter")
    executable = CompiledExecutable(interpreted, threads=threads)
    arrays = [np.ones(ELEMENTS, np.float32) for _ in range(2)]
    executable(*arrays)
    return 3 * 4 * ELEMENTS / least(lambda: executable(*arrays), 1, ROUNDS // 5)


def main() -> None:
    """Print what the machine can do."""
    for threads in (1, 2):
        rates = flops(threads) / 1e9, bandwidth(threads) / 1e9
        print(f"{threads} threads: {rates[0]:.1f} GFLOP/s, triad {rates[1]:.1f} GB/s", flush=True)


if __name__ == "__main__":
    main()
