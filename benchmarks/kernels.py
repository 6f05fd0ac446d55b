"""Compare single dots and convolutions with XLA, NumPy and what the machine can do.

    python -m benchmarks.kernels [--rounds 5] [--only TEXT] > benchmarks/results/kernels.md

Every case is timed in turns: some calls of ours, of XLA's (in a process of its own) and of NumPy's
(dots only), round after round, so that noise of the machine hits them alike. Each is the least
time of a call, in microseconds; above 1, we are faster. Arguments stay in the peer's own buffers.
All use one thread. The limit is the larger one of two times, what a case takes is given in percent
of it (100: as fast as can be): that of its additions and multiplications at the rate of a loop of
fused ones in registers, and that of its bytes at the rate of a sum of two large arrays (which is
exceeded where arrays stay in a cache).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final

import numpy as np

from stablemate.compiler.runtime.machine_peaks import Peaks, measure_peaks

DOTS: Final = [  # batch, rows, depth, columns; which operand is transposed
    (1, 128, 784, 1024, ""),
    (1, 1024, 768, 3072, ""),
    (1, 1024, 3072, 768, ""),
    (96, 128, 64, 128, ""),
    (96, 128, 64, 128, "b"),
    (96, 128, 128, 64, ""),
    (1, 2048, 2048, 2048, ""),
    (1, 16, 128, 512, ""),
    (1, 64, 64, 64, ""),
    (1, 256, 256, 256, ""),
    (1, 1024, 1024, 1024, "a"),
    (1, 1024, 1024, 1024, "b"),
    (1, 1, 4096, 4096, ""),
    (1, 1, 4096, 4096, "b"),
    (1, 4096, 4096, 1, ""),
    (1, 2, 1024, 3072, ""),
    (1, 4, 1024, 3072, ""),
    (1, 6, 1024, 3072, ""),
    (1, 8, 1024, 3072, ""),
    (1, 128, 1024, 10, ""),
]
CONVOLUTIONS: Final = [  # batch, size, inputs, outputs, kernel, stride, groups
    (1, 224, 3, 64, 7, 2, 1),
    (1, 56, 64, 256, 1, 1, 1),
    (1, 56, 64, 64, 3, 1, 1),
    (1, 28, 128, 128, 3, 1, 1),
    (1, 14, 256, 256, 3, 1, 1),
    (1, 14, 1024, 256, 1, 1, 1),
    (1, 7, 512, 512, 3, 1, 1),
    (8, 56, 64, 64, 3, 1, 1),
    (1, 112, 32, 32, 3, 1, 32),
    (1, 14, 512, 512, 3, 1, 512),
]
FORMS: Final = {
    "NHWC": "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
    "NCHW": "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
}


def tensor(*shape: int) -> str:
    """The text of a type."""
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def dot(batch: int, rows: int, depth: int, columns: int, transposed: str) -> str:
    """A program that is one dot."""
    leading = (batch,) if batch > 1 else ()
    lhs = (*leading, *((depth, rows) if "a" in transposed else (rows, depth)))
    rhs = (*leading, *((columns, depth) if "b" in transposed else (depth, columns)))
    first = len(leading)
    left, right = first + ("a" not in transposed), first + ("b" in transposed)
    batching = "batching_dims = [0] x [0], " if leading else ""
    result = tensor(*leading, rows, columns)
    return f"""func.func public @main(%a: {tensor(*lhs)}, %b: {tensor(*rhs)}) -> {result} {{
  %0 = stablehlo.dot_general %a, %b, {batching}contracting_dims = [{left}] x [{right}]
    : ({tensor(*lhs)}, {tensor(*rhs)}) -> {result}
  return %0 : {result}
}}"""


def convolution(
    form: str,
    batch: int,
    size: int,
    inputs: int,
    outputs: int,
    kernel: int,
    stride: int,
    groups: int,
) -> str:
    """A program that is one convolution, padded so that strides cover the image."""
    count = -(-size // stride)
    total = max((count - 1) * stride + kernel - size, 0)
    pad = f"[{total // 2}, {total - total // 2}]"
    if form == "NHWC":
        lhs, rhs = (batch, size, size, inputs), (kernel, kernel, inputs // groups, outputs)
        shape = (batch, count, count, outputs)
    else:
        lhs, rhs = (batch, inputs, size, size), (outputs, inputs // groups, kernel, kernel)
        shape = (batch, outputs, count, count)
    a, b, result = tensor(*lhs), tensor(*rhs), tensor(*shape)
    return f"""func.func public @main(%a: {a}, %b: {b}) -> {result} {{
  %0 = stablehlo.convolution(%a, %b) dim_numbers = {FORMS[form]},
    window = {{stride = [{stride}, {stride}], pad = [{pad}, {pad}]}}
    {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}
    : ({a}, {b}) -> {result}
  return %0 : {result}
}}"""


def cases() -> Iterator[tuple[str, str]]:
    """Titles and programs."""
    for item in DOTS:
        batch, rows, depth, columns, transposed = item
        title = f"dot {batch} x {rows}x{depth}x{columns} {transposed}".rstrip()
        yield title, dot(*item)
    for form in FORMS:
        for case in CONVOLUTIONS:
            batch, size, inputs, outputs, kernel, stride, groups = case
            title = f"conv {form} {batch}x{size}x{size} {inputs}->{outputs} {kernel}x{kernel}"
            title += f" s{stride}" * (stride > 1) + f" g{groups}" * (groups > 1)
            yield title, convolution(form, *case)


def limit(program: str, peaks: Peaks) -> float:
    """The least seconds that a machine needs for a program."""
    import stablemate as sm
    from stablemate.analysis.cost import costs_of

    cost = costs_of(sm.load(program).ir)["main"]
    return max(cost.flops / peaks.flops_per_second, cost.bytes / peaks.bytes_per_second)


def arguments(program: str) -> list[Any]:
    """Arguments of a program."""
    import stablemate as sm

    random = np.random.default_rng(0)
    types: list[Any] = [
        argument.type for argument in sm.load(program).entry(None).signature.arguments
    ]
    result: list[Any] = []
    for value_type in types:
        dtype: np.dtype[Any] = value_type.element_type.dtype
        shape: tuple[int, ...] = value_type.shape
        values = (
            random.integers(0, 1000, shape) if dtype.kind in "iu" else random.standard_normal(shape)
        )
        result.append(np.asarray(values).astype(dtype))
    return result


def best(function: Callable[[], Any], seconds: float) -> float:
    """The least time of a call, of as many as fit into some seconds."""
    least, end = float("inf"), time.perf_counter() + seconds
    while True:
        start = time.perf_counter()
        function()
        stop = time.perf_counter()
        least = min(least, stop - start)
        if stop > end:
            return least


def ours(program: str, values: list[Any]) -> Callable[[], Any]:
    """A call of ours."""
    import stablemate as sm

    executable = sm.compile(sm.load(program), backend="cpu", threads=1)
    return lambda: executable(*values)


def numpy_dot(program: str, values: list[Any]) -> Callable[[], Any] | None:
    """NumPy's call for a dot that is a product of matrices, or of their transposes."""
    if "dot_general" not in program:
        return None
    lhs, rhs = values
    (left, right) = (
        int(contracting_dim.strip("[]"))
        for contracting_dim in program.split("contracting_dims = ")[1].split()[:3:2]
    )
    lhs = lhs if left == lhs.ndim - 1 else lhs.swapaxes(-1, -2)
    rhs = rhs if right == rhs.ndim - 2 else rhs.swapaxes(-1, -2)
    out = np.empty((*lhs.shape[:-1], rhs.shape[-1]), np.float32)
    return lambda: np.matmul(lhs, rhs, out=out)


def xla() -> None:
    """The other process: reads cases and seconds, answers times."""
    from jax import device_put, devices
    from jaxlib._jax import CompileOptions, DeviceList

    device = devices("cpu")[0]

    def call(executable: Any, values: list[Any]) -> None:
        for buffer in executable.execute(values):
            buffer.block_until_ready()

    timed: Callable[[], Any] = lambda: None  # noqa: E731 (until the first case is read)
    for line in sys.stdin:
        request = json.loads(line)
        program = request.get("program")
        if program is not None:
            executable = device.client.compile_and_load(
                program, DeviceList((device,)), CompileOptions()
            )
            timed = partial(
                call, executable, [device_put(argument) for argument in arguments(program)]
            )
        print(json.dumps(best(timed, request["seconds"])), flush=True)


def main() -> None:
    """Print the table."""
    compare("benchmarks.kernels", __doc__, cases())


def compare(module: str, description: str | None, programs: Iterable[tuple[str, str]]) -> None:
    """Print a table of programs with titles; the module is what runs in the other process too."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--only", default="")
    parser.add_argument("--xla", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if options.xla:
        xla()
        return
    if "OPENBLAS_NUM_THREADS" not in os.environ:  # which NumPy reads when it is imported
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        os.execv(sys.executable, [sys.executable, "-m", module, *sys.argv[1:]])
    command = [sys.executable, "-m", module, "--xla"]
    peer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert peer.stdin is not None
    assert peer.stdout is not None
    if hasattr(os, "getloadavg"):
        print(f"load before the run: {os.getloadavg()[0]:.1f}\n")
    peaks = measure_peaks(threads=1)
    rates = peaks.flops_per_second / 1e9, peaks.bytes_per_second / 1e9
    print(f"1 thread: {rates[0]:.0f} GFLOP/s, {rates[1]:.1f} GB/s\n")
    print("| case | XLA us | ours us | XLA / ours | NumPy / ours | limit |")
    print("|---|---|---|---|---|---|")
    for title, program in programs:
        if options.only not in title:
            continue
        values = arguments(program)
        call = ours(program, values)
        blas = numpy_dot(program, values)
        times: list[list[float]] = []
        for i in range(options.rounds):
            request = {"seconds": options.seconds} | ({"program": program} if i == 0 else {})
            peer.stdin.write(json.dumps(request) + "\n")
            peer.stdin.flush()
            theirs = json.loads(peer.stdout.readline())
            other = best(blas, options.seconds) if blas else float("nan")
            times.append([theirs, best(call, options.seconds), other])
        a, b, c = (1e6 * min(time) for time in zip(*times, strict=True))
        blas_text = f"{c / b:.2f}" if blas else "-"
        best_of_all = f"{limit(program, peaks) * 1e8 / b:.0f} %"
        row = f"| {title} | {a:.1f} | {b:.1f} | {a / b:.2f} | {blas_text} | {best_of_all} |"
        print(row, flush=True)
    peer.kill()


if __name__ == "__main__":
    main()
