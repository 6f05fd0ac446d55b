"""Compare what fusion is for with XLA: rows, siblings, long folds, elementwise chains.

    python -m benchmarks.fusion [--rounds 5] [--threads 1] [--only TEXT]

Every case is a program of JAX's, timed in turns: some calls of ours, and of XLA's in a process of
its own, round after round. Each is the least time of a call, in microseconds; above 1, we are
faster. Arguments stay in the peer's own buffers.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from benchmarks.kernels import arguments, best, xla

Case = tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]


def cases() -> dict[str, Case]:
    """Functions, with the shapes of their arguments."""
    import jax
    from jax import numpy as jnp

    def layer_norm(x: Any, scale: Any, bias: Any) -> Any:
        mean = x.mean(-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + bias

    def rms_norm(x: Any, scale: Any) -> Any:
        return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * scale

    def adam(p: Any, m: Any, v: Any, g: Any) -> Any:
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        return p - 1e-3 * m / (jnp.sqrt(v) + 1e-8), m, v

    def moments(x: Any) -> Any:
        return x.mean(0), (x * x).mean(0)

    def gelu(x: Any, y: Any, b: Any) -> Any:
        return jax.nn.gelu(x * y + b)

    rows, million = (4096, 1024), 1 << 20
    return {
        "softmax 4096x1024": (partial(jax.nn.softmax, axis=-1), (rows,)),
        "layer norm 4096x1024": (layer_norm, (rows, (1024,), (1024,))),
        "log-softmax 4096x1024": (partial(jax.nn.log_softmax, axis=-1), (rows,)),
        "rms norm 4096x1024": (rms_norm, (rows, (1024,))),
        "logsumexp 4096x1024": (partial(jax.nn.logsumexp, axis=-1), (rows,)),
        "softmax 96x128x128": (partial(jax.nn.softmax, axis=-1), ((96, 128, 128),)),
        "softmax 64x50257": (partial(jax.nn.softmax, axis=-1), ((64, 50257),)),
        "softmax 1024x1024 axis 0": (partial(jax.nn.softmax, axis=0), ((1024, 1024),)),
        "gelu 8M": (gelu, ((8 * million,), (8 * million,), (8 * million,))),
        "sum 64M": (jnp.sum, ((64 * million,),)),
        "sum 1M": (jnp.sum, ((million,),)),
        "mean of 4096x1024 over axis 0": (partial(jnp.mean, axis=0), (rows,)),
        "sum of 1Mx16 over axis 0": (partial(jnp.sum, axis=0), ((million, 16),)),
        "moments of 65536x64 over axis 0": (moments, ((65536, 64),)),
        "argmax of 1x8M": (partial(jnp.argmax, axis=-1), ((1, 8 * million),)),
        "argmax of 4096x1024": (partial(jnp.argmax, axis=-1), (rows,)),
        "adam 4M": (adam, ((4 * million,),) * 4),
        "variance 64x128x32x32 over 0, 2, 3": (
            lambda x: x.var((0, 2, 3)),
            ((64, 128, 32, 32),),
        ),
    }


def programs(only: str) -> dict[str, str]:
    """The text of each case."""
    import jax

    by_key: dict[str, str] = {}
    for title, (function, shapes) in cases().items():
        if only in title:
            types = [jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes]
            by_key[title] = jax.jit(function).lower(*types).as_text()
    return by_key


def ours(program: str, values: list[Any], threads: int) -> Callable[[], Any]:
    """A call of ours."""
    import stablemate as sm

    executable = sm.compile(sm.load(program), backend="cpu", threads=threads)
    return lambda: executable(*values)


COMMAND: Final = [sys.executable, "-m", "benchmarks.fusion"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--xla", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.xla:
        xla()
        return
    if options.threads == 1 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    peer = subprocess.Popen(
        [*COMMAND, "--xla"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert peer.stdin is not None
    assert peer.stdout is not None
    print("| case | XLA us | ours us | XLA / ours |")
    print("|---|---|---|---|")
    for title, program in programs(options.only).items():
        values = arguments(program)
        call = ours(program, values, options.threads)
        times: list[tuple[float, float]] = []
        for i in range(options.rounds):
            request = {"seconds": options.seconds} | ({"program": program} if i == 0 else {})
            peer.stdin.write(json.dumps(request) + "\n")
            peer.stdin.flush()
            theirs = json.loads(peer.stdout.readline())
            times.append((theirs, best(call, options.seconds)))
        a, b = (1e6 * min(time) for time in zip(*times, strict=True))
        print(f"| {title} | {a:.1f} | {b:.1f} | {a / b:.2f} |", flush=True)
    peer.kill()


if __name__ == "__main__":
    main()
