"""Collective operations of several processes: bytes and time on stablemate and on XLA's client.

    python -m benchmarks.jax.hosts                      # all numbers of processes
    python -m benchmarks.jax.hosts 2x4                  # two processes of four devices
    python -m benchmarks.jax.hosts --page docs/jax.md   # writes the rows into this page's table

Both clients run the same `shard_map` on eight devices of several processes of this machine:
stablemate over MPI, XLA over gloo. Bytes are what the loopback device of the system carried in a
call (for them MPI is told to use the network), times are the least of several calls, in which
MPI uses shared memory, as it does by itself on one machine. They need a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.pages import table_lines, write_table

LAYOUTS: Final = ("1x8", "2x4", "4x2", "8x1")
ROWS: Final = 64  # of each device
COLUMNS: Final = 1024
CALLS: Final = 8
OPERATIONS: Final = ("psum", "all_gather", "psum_scatter", "all_to_all", "ppermute")
# Settings of MPICH and its libraries, by which processes of one machine use its network.
OVER_NETWORK: Final = {"MPIR_CVAR_NOLOCAL": "1", "FI_PROVIDER": "tcp", "UCX_TLS": "tcp,self"}
LAUNCHER: Final = Path(sys.executable).parent / "mpiexec"


def body(operation: str, x: Any) -> Any:
    """What each device does with its rows."""
    import jax

    match operation:
        case "psum":
            return jax.lax.psum(x, "i")
        case "all_gather":
            return jax.lax.all_gather(x, "i", tiled=True)
        case "psum_scatter":
            return jax.lax.psum_scatter(x, "i", tiled=True)
        case "all_to_all":
            return jax.lax.all_to_all(x, "i", 0, 0, tiled=True)
        case _:
            return jax.lax.ppermute(x, "i", [(k, (k + 1) % 8) for k in range(8)])


def carried() -> int:
    """The bytes that the loopback device has carried so far."""
    lines = Path("/proc/net/dev").read_text().splitlines()
    (line,) = (line for line in lines if line.strip().startswith("lo:"))
    return int(line.partition(":")[2].split()[0])


def measurements() -> Iterator[tuple[str, int, float]]:
    """The bytes and the seconds of a call of each operation."""
    import jax
    import numpy as np
    from jax.experimental import multihost_utils

    mesh = jax.make_mesh((8,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    rows = jax.NamedSharding(mesh, jax.P("i"))
    x = jax.make_array_from_callback(
        (8 * ROWS, COLUMNS), rows, lambda index: np.ones((ROWS, COLUMNS), np.float32)
    )
    for name in OPERATIONS:
        mapped = jax.shard_map(
            partial(body, name), mesh=mesh, in_specs=jax.P("i"), out_specs=jax.P("i"),
            check_vma=False,
        )  # fmt: skip
        function = jax.jit(mapped)
        times: list[float] = []
        before = 0
        for call in range(CALLS + 2):
            if call == 2:
                multihost_utils.sync_global_devices(name)
                before = carried()
            start = time.perf_counter()
            jax.block_until_ready(function(x))
            times.append(time.perf_counter() - start)
        yield name, (carried() - before) // CALLS, min(times[2:])


def work(arguments: Sequence[str]) -> None:
    """Runs as one process of a job, the first of which prints the measurements."""
    import jax

    if arguments:
        port, rank, size = arguments
        jax.distributed.initialize(f"127.0.0.1:{port}", int(size), int(rank))
    else:
        jax.distributed.initialize(cluster_detection_method="mpi4py")
    found = list(measurements())
    if jax.process_index() == 0:
        print("RESULT", json.dumps(found), flush=True)


def figures(client: str, processes: int, devices: int) -> list[tuple[str, int, float]]:
    """The measurements of a client."""
    command = [sys.executable, "-m", "benchmarks.jax.hosts", "--work"]
    if client == "stablemate":
        settings = {"JAX_PLATFORMS": client, "STABLEMATE_DEVICES": str(devices)}
        launch = [str(LAUNCHER), "-n", str(processes), *command]
        timed = output(launch, settings)
        sent = output(launch, settings | OVER_NETWORK)
        pairs = zip(timed, sent, strict=True)
        return [(name, size, seconds) for (name, _, seconds), (_, size, _) in pairs]
    flags = f"--xla_force_host_platform_device_count={devices}"
    settings = {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    numbers = [[str(port), str(rank), str(processes)] for rank in range(processes)]
    others = [
        subprocess.Popen(
            [*command, *row], env=os.environ | settings, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for row in numbers[1:]
    ]  # fmt: skip
    found = output([*command, *numbers[0]], settings)
    for other in others:
        other.wait(60)
    return found


def output(command: Sequence[str], settings: Mapping[str, str]) -> list[tuple[str, int, float]]:
    """The measurements that the first process of a job prints."""
    run = subprocess.run(
        command, env=os.environ | settings, capture_output=True, text=True, timeout=300
    )
    lines = [line for line in run.stdout.splitlines() if line.startswith("RESULT")]
    assert lines, run.stderr[-2000:]
    return [tuple(row) for row in json.loads(lines[0].removeprefix("RESULT"))]


def rows(layout: str) -> Iterator[str]:
    """The rows of the table for a number of processes and devices of each: ``2x4``."""
    processes, devices = map(int, layout.split("x"))
    ours, theirs = (figures(client, processes, devices) for client in ("stablemate", "cpu"))
    for (name, size, seconds), (_, other_size, other_seconds) in zip(ours, theirs, strict=True):
        cells = [
            f"{processes} x {devices}", f"`{name}`", f"{size / 1e6:.1f}",
            f"{other_size / 1e6:.1f}", f"{1e3 * seconds:.1f}", f"{1e3 * other_seconds:.1f}",
        ]  # fmt: skip
        yield f"| {' | '.join(cells)} |"


HEAD: Final = (
    "| processes x devices | operation | MB sent: stablemate | XLA | ms: stablemate | XLA |",
    "| --- | --- | --- | --- | --- | --- |",
)


def main() -> None:
    """Measures both clients, and prints the table or writes it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("layouts", nargs="*", default=LAYOUTS, help="processes x devices")
    parser.add_argument("--page", type=Path, help="the page whose table is written")
    parser.add_argument("--work", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work is not None:
        work(options.work)
        return
    lines = [row for layout in options.layouts for row in rows(layout)]
    print(*HEAD, *lines, sep="\n")
    if options.page is not None:
        measured = {line.split("|")[1] for line in lines}
        kept = table_lines(options.page, "hosts")[len(HEAD) :]
        lines += [line for line in kept if line.split("|")[1] not in measured]
        lines.sort(key=lambda line: line.split("|")[1])
        write_table(options.page, "hosts", [*HEAD, *lines])


if __name__ == "__main__":
    main()
