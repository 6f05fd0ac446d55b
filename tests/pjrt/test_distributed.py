"""``jax.distributed`` under ``mpiexec``: ranks with one device or several."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

LAUNCHER: Final = Path(sys.executable).parent / "mpiexec"
TRAINING: Final = Path(__file__).with_name("training_job.py")
pytestmark = pytest.mark.skipif(not LAUNCHER.exists(), reason="MPI is not installed")

INITIALIZE: Final = 'jax.distributed.initialize(cluster_detection_method="mpi4py")'
HEAD: Final = f"""
import faulthandler; faulthandler.enable()
import stablemate.pjrt; stablemate.pjrt.initialize()
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import multihost_utils
from jax.sharding import AxisType, NamedSharding, PartitionSpec
{INITIALIZE}
"""
JOB: Final = """
rank = jax.process_index()
assert jax.process_count() == len(jax.devices()) == 2
assert [device.process_index for device in jax.devices()] == [0, 1]
assert [device.id for device in jax.local_devices()] == [rank]
np.testing.assert_array_equal(jax.jit(lambda v: v + rank)(jnp.ones(3)), [1 + rank] * 3)

mesh = jax.make_mesh((2,), ("i",), axis_types=(AxisType.Auto,))
rows, whole = NamedSharding(mesh, PartitionSpec("i")), NamedSharding(mesh, PartitionSpec())
x = np.arange(8.0, dtype=np.float32).reshape(4, 2)
split = jax.make_array_from_callback(x.shape, rows, lambda index: x[index])
assert float(jax.jit(jnp.sum, out_shardings=whole)(split)) == 28
squares = jax.jit(lambda v: v @ v.T, out_shardings=whole)(split)
np.testing.assert_array_equal(np.asarray(squares), x @ x.T)
total = jax.shard_map(
    lambda v: jax.lax.psum(v, "i"), mesh=mesh, in_specs=rows.spec, out_specs=whole.spec
)
np.testing.assert_array_equal(np.asarray(jax.jit(total)(split)), x[:2] + x[2:])
np.testing.assert_array_equal(
    multihost_utils.process_allgather(np.array([10 * rank])).ravel(), [0, 10]
)
multihost_utils.sync_global_devices("end")
"""
SEVERAL_DEVICES: Final = """
rank, count = jax.process_index(), len(jax.devices())
assert [device.process_index for device in jax.devices()] == [0, 0, 1, 1]
assert [device.id for device in jax.local_devices()] == [2 * rank, 2 * rank + 1]

x = np.arange(16.0, dtype=np.float32).reshape(4, 4)
def placed(mesh, *axes):
    sharding = NamedSharding(mesh, PartitionSpec(*axes))
    return jax.make_array_from_callback(x.shape, sharding, lambda index: x[index])
def whole(mesh):
    return NamedSharding(mesh, PartitionSpec())

mesh = jax.make_mesh((count,), ("i",), axis_types=(AxisType.Auto,))
backwards = jax.sharding.Mesh(np.array(jax.devices())[::-1].reshape(2, 2), ("a", "b"))
for value in (placed(mesh, "i"), placed(backwards, "a", "b"), placed(backwards, None, ("b", "a"))):
    product = jax.jit(lambda v: v @ v.T, out_shardings=whole(value.sharding.mesh))(value)
    np.testing.assert_array_equal(np.asarray(product), x @ x.T)
split, summed = PartitionSpec("i"), PartitionSpec()
total = jax.jit(
    jax.shard_map(lambda v: jax.lax.psum(v, "i"), mesh=mesh, in_specs=split, out_specs=summed)
)
np.testing.assert_array_equal(np.asarray(total(placed(mesh, "i"))), x.sum(0, keepdims=True))

own = jax.sharding.Mesh(np.array(jax.local_devices()), ("i",))
local = jax.device_put(x, NamedSharding(own, PartitionSpec("i")))
np.testing.assert_array_equal(np.asarray(jax.jit(jnp.cumsum)(local)), x.cumsum())
if rank == 1:  # a program in which the other process takes no part
    np.testing.assert_array_equal(np.asarray(jax.jit(lambda v: v * 2)(local)), 2 * x)
one_each = jax.sharding.Mesh(np.array(jax.devices()[::2]), ("i",))
assert float(jax.jit(jnp.sum, out_shardings=whole(one_each))(placed(one_each, "i"))) == x.sum()
np.testing.assert_array_equal(
    multihost_utils.process_allgather(placed(mesh, "i"), tiled=True), x
)
multihost_utils.sync_global_devices("end")
"""
PART_OF_THE_JOB: Final = """
assert len(jax.devices()) == 3
rank = jax.process_index()
if rank > 0:
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:0:-1]), ("i",))
    sharding = NamedSharding(mesh, PartitionSpec("i"))
    x = jax.make_array_from_callback((4,), sharding, lambda index: np.arange(4.0)[index])
    ends = jax.jit(lambda v: jnp.roll(v, 1)[:2], out_shardings=NamedSharding(mesh, PartitionSpec()))
    np.testing.assert_array_equal(np.asarray(ends(x)), [3, 0])
"""


@pytest.mark.parametrize(
    ("program", "processes", "devices"),
    [(JOB, 2, 1), (SEVERAL_DEVICES, 2, 2), (PART_OF_THE_JOB, 3, 1)],
)
def test_jobs_of_ranks(program: str, processes: int, devices: int) -> None:
    environment = os.environ | {"JAX_PLATFORMS": "stablemate", "STABLEMATE_DEVICES": str(devices)}
    run = subprocess.run(
        [str(LAUNCHER), "-n", str(processes), sys.executable, "-c", HEAD + program],
        env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]


FAULTY: Final = """
import os, signal, sys, time
rank, mesh = jax.process_index(), jax.make_mesh((4,), ("i",), axis_types=(AxisType.Auto,))
rows = NamedSharding(mesh, PartitionSpec("i"))
x = jax.make_array_from_callback((8,), rows, lambda index: np.arange(8.0)[index])
centered = jax.jit(lambda v: v - v.sum())
match sys.argv[1]:
    case "programs":
        (centered if rank == 1 else jax.jit(lambda v: jnp.roll(v, 1)))(x)
    case "killed":
        centered(x).block_until_ready()
        if rank == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        centered(x)
    case "raises" if rank == 1:
        raise ValueError("bad luck")
    case "hangs" if rank == 1:
        time.sleep(1000)
    case _:
        centered(x)
"""
FAULTS: Final = {
    "programs": [
        "error: no process can go on",
        "note: rank 0: (0,0) waits at collective_permute (program:+",
        "note: rank 1: (0,2) waits at all_reduce (program:+",
    ],
    "killed": ["rank 1 was killed; its last operation: all_reduce (program:+"],
    "raises": ["rank 1: Traceback", "ValueError: bad luck"],
    "hangs": [
        "rank 0 waits for others for more than 3 s, the limit that STABLEMATE_PEER_TIMEOUT sets",
        "note: rank 0: (0,0) waits at all_reduce (program:+",
    ],
}


@pytest.mark.nightly
@pytest.mark.parametrize("fault", FAULTS)
def test_a_process_that_fails_is_named_and_ends_the_job(fault: str) -> None:
    settings = {"JAX_PLATFORMS": "stablemate", "STABLEMATE_DEVICES": "2"}
    limit = {"STABLEMATE_PEER_TIMEOUT": "3"} if fault == "hangs" else {}
    run = subprocess.run(
        [str(LAUNCHER), "-n", "2", sys.executable, "-c", HEAD + FAULTY, fault],
        env=os.environ | settings | limit, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode != 0
    assert [text for text in FAULTS[fault] if text not in run.stderr] == [], run.stderr
    assert ("was killed" in run.stderr) == (fault == "killed"), run.stderr


@pytest.mark.nightly
def test_a_process_that_never_joins_is_named() -> None:
    program = (
        "import jax, os, time\n"
        + INITIALIZE
        + """
time.sleep(1000 if os.environ["PMI_RANK"] == "1" else 0)
jax.devices()
"""
    )
    run = subprocess.run(
        [str(LAUNCHER), "-n", "2", sys.executable, "-c", program],
        env=os.environ | {"JAX_PLATFORMS": "stablemate", "STABLEMATE_PEER_TIMEOUT": "3"},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode != 0
    assert "rank 0 waits for rank 1 to join for more than 3 s, the limit that" in run.stderr


UNEVEN: Final = """
rank, mesh = jax.process_index(), jax.sharding.Mesh(np.array(jax.devices()), ("i",))
assert [device.process_index for device in jax.devices()] == [0, 1, 1, 1]
assert [device.id for device in jax.local_devices()] == [[0], [1, 2, 3]][rank]
rows, whole = NamedSharding(mesh, PartitionSpec("i")), NamedSharding(mesh, PartitionSpec())
x = jax.make_array_from_callback((8,), rows, lambda index: np.arange(8.0)[index])
assert float(jax.jit(jnp.sum, out_shardings=whole)(x)) == 28
np.testing.assert_array_equal(multihost_utils.process_allgather(x, tiled=True), np.arange(8.0))
"""


@pytest.mark.nightly
def test_processes_may_have_different_numbers_of_devices() -> None:
    commands = [
        [*["-n", "1", "-env", "STABLEMATE_DEVICES"], count, sys.executable, "-c", HEAD + UNEVEN]
        for count in "13"
    ]
    run = subprocess.run(
        [str(LAUNCHER), *commands[0], ":", *commands[1]],
        env=os.environ | {"JAX_PLATFORMS": "stablemate"},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]


@pytest.mark.nightly
def test_training_has_the_same_bits_on_any_number_of_processes() -> None:
    digests: list[str] = []
    for processes in (1, 2, 4, 8):
        settings = {"JAX_PLATFORMS": "stablemate", "STABLEMATE_DEVICES": str(8 // processes)}
        run = subprocess.run(
            [str(LAUNCHER), "-n", str(processes), sys.executable, str(TRAINING)],
            env=os.environ | settings, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr[-3000:]
        *numbers, digest = run.stdout.split()
        assert numbers == [str(processes), str(8 // processes)]
        digests.append(digest)
    assert digests == [digests[0]] * 4


COPIES: Final = """
rank, (first, last) = jax.process_index(), jax.devices()
x = np.arange(8.0, dtype=np.float32)
def placed(device):
    return jax.sharding.SingleDeviceSharding(device)
own = [jax.device_put(x + 1, first)] if rank == 0 else []
there = jax.make_array_from_single_device_arrays(x.shape, placed(first), own, dtype=x.dtype)
here = jax.device_put(there, placed(last))
if rank == 1:
    np.testing.assert_array_equal(np.asarray(here), x + 1)
    np.testing.assert_array_equal(np.asarray(jax.jit(lambda v: v * 2)(here)), 2 * (x + 1))
from jax._src import distributed
distributed.global_state.client.wait_at_barrier("end", 60_000)
"""


@pytest.mark.standard
def test_arrays_are_copied_to_devices_of_another_process() -> None:
    settings = [
        f'jax.config.update("jax_cross_host_transfer_socket_address", "127.0.0.1:{port}")\n'
        'jax.config.update("jax_cross_host_transport_addresses", "127.0.0.1:0")\n'
        for port in free_ports(2)
    ]
    run_without_mpi([setting + COPIES for setting in settings])


@pytest.mark.standard
def test_a_job_without_mpi_runs_programs_of_one_process() -> None:
    program = """
mesh = jax.make_mesh((2,), ("i",), axis_types=(AxisType.Auto,))
sharding = NamedSharding(mesh, PartitionSpec("i"))
np.testing.assert_array_equal(jax.jit(lambda v: v + 1)(jnp.ones(3)), [2] * 3)
x = jax.make_array_from_callback((4,), sharding, lambda index: np.arange(4.0)[index])
try:
    jax.jit(jnp.sum, out_shardings=NamedSharding(mesh, PartitionSpec()))(x)
except jax.errors.JaxRuntimeError as error:
    assert "the MPI job has 1, started by mpiexec -n" in str(error), error
else:
    raise AssertionError
"""
    run_without_mpi([program, program])


def run_without_mpi(programs: Sequence[str]) -> None:
    """Runs a program for each process of a job that no launcher started."""
    port = free_ports(1)[0]
    environment = os.environ | {"JAX_PLATFORMS": "stablemate", "STABLEMATE_DEVICES": "1"}
    with ExitStack() as stack:
        runs: list[subprocess.Popen[bytes]] = []
        for rank, program in enumerate(programs):
            start = f'jax.distributed.initialize("127.0.0.1:{port}", {len(programs)}, {rank})'
            head = HEAD.replace(INITIALIZE, start)
            command = [sys.executable, "-c", head + program]
            process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
            runs.append(stack.enter_context(process))
        outcomes = [(run.communicate(timeout=300)[1], run.returncode) for run in runs]
    assert [code for _, code in outcomes] == [0] * len(programs), outcomes


def free_ports(count: int) -> list[int]:
    """Different ports that nobody listens at."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for free in sockets:
            free.bind(("127.0.0.1", 0))
        return [free.getsockname()[1] for free in sockets]
