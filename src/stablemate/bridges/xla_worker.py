"""The process that XLA runs in: programs come on stdin, results go to stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from stablemate.bridges.frameworks import framework
from stablemate.bridges.xla import NEED, receive, send

KEPT: Final = 64  # programs that stay compiled


def main() -> None:
    """Answers until there is nothing more to read."""
    incoming, outgoing = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax = framework("jax", NEED)
    client = framework("jaxlib.xla_client", NEED)
    (device, *_) = jax.devices("cpu")

    @lru_cache(maxsize=KEPT)
    def compiled(program: bytes) -> object:
        devices, options = client.DeviceList((device,)), client.CompileOptions()
        return device.client.compile_and_load(program, devices, options)

    while True:
        try:
            program, arguments = receive(incoming)
        except EOFError:
            return
        send(outgoing, answer(jax, device, compiled, program, arguments))


def answer(
    jax: Any, device: Any, compiled: Callable[[bytes], Any], program: bytes,
    arguments: Sequence[Any],
) -> list[Any] | str:  # fmt: skip
    """The results of a program, or its error."""
    try:
        executable = compiled(program)
        with jax.enable_x64(True):
            buffers = [jax.device_put(argument, device) for argument in arguments]
        outputs = executable.execute_sharded(buffers).disassemble_into_single_device_arrays()
        return [np.asarray(shards[0]) for shards in outputs]
    except Exception as error:
        return str(error)


if __name__ == "__main__":
    main()
