"""What a call costs besides its work: programs of a few elements, with 2 and with 64 arguments.

    python -m benchmarks.call_overhead [--md FILE]

Beside it the same for XLA, through the fastest way that jaxlib has to call an executable with
buffers of its own, and through ``jax.jit``. Microseconds, the least of many rounds in turn.
"""

import argparse
import pathlib
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

CALLS: Final = 200
ROUNDS: Final = 50
COUNTS: Final = (2, 64)
COLUMNS: Final = ("arguments", "stablemate us", "jax.jit us", "xla us")


def program(count: int) -> str:
    """A program that adds all of its arguments, of four elements each."""
    t = "tensor<4xf32>"
    lines = [f"  %s1 = stablehlo.add %a0, %a1 : {t}"]
    lines += [f"  %s{i} = stablehlo.add %s{i - 1}, %a{i} : {t}" for i in range(2, count)]
    arguments = ", ".join(f"%a{i}: {t}" for i in range(count))
    body = "\n".join(lines)
    return f"func.func @main({arguments}) -> {t} {{\n{body}\n  return %s{count - 1} : {t}\n}}"


def callers(count: int) -> list[Callable[[], Any]]:
    """What calls the program: ours, JAX's, and XLA's."""
    import jax
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jaxlib.mlir import ir

    import stablemate

    arrays = [np.full(4, i, np.float32) for i in range(count)]
    ours = stablemate.compile(stablemate.load(program(count)), backend="cpu")
    device = jax.devices("cpu")[0]
    buffers = [jax.device_put(array, device) for array in arrays]
    with mlir.make_ir_context():
        module = ir.Module.parse(program(count))
        devices, options = xla_client.DeviceList((device,)), xla_client.CompileOptions()
        executable: Any = device.client.compile_and_load(module, devices, options)
    jitted = jax.jit(lambda *values: sum(values[1:], start=values[0]))

    def shards() -> Any:
        results = executable.execute_sharded(buffers)
        return results.disassemble_into_single_device_arrays()[0][0].block_until_ready()

    def through_jit() -> Any:
        return jitted(*buffers).block_until_ready()

    expected = np.full(4, sum(range(count)), np.float32)
    for item in (lambda: ours(*arrays), through_jit, shards):
        np.testing.assert_array_equal(np.asarray(item()), expected)
    return [lambda: ours(*arrays), through_jit, shards]


def microseconds(call: Callable[[], Any]) -> float:
    """The time of a call, from many."""
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return (time.perf_counter() - start) / CALLS * 1e6


def row(count: int) -> str:
    """The line of programs with so many arguments."""
    calls = callers(count)
    least = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        least = [min(item, microseconds(call)) for item, call in zip(least, calls, strict=True)]
    return f"| {count} | {' | '.join(f'{item:.1f}' for item in least)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--md", type=pathlib.Path)
    options: Any = parser.parse_args(arguments)
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + " --- |" * len(COLUMNS), *map(row, COUNTS)]
    print("\n".join(lines))
    if options.md:
        options.md.parent.mkdir(parents=True, exist_ok=True)
        options.md.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
