"""``jax.distributed`` under ``mpiexec``: each rank has one device of the job."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

LAUNCHER: Final = Path(sys.executable).parent / "mpiexec"
pytestmark = pytest.mark.skipif(not LAUNCHER.exists(), reason="MPI is not installed")

HEAD: Final = """
import faulthandler; faulthandler.enable()
import stablemate.pjrt; stablemate.pjrt.initialize()
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import multihost_utils
from jax.sharding import AxisType, NamedSharding, PartitionSpec
jax.distributed.initialize(cluster_detection_method="mpi4py")
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
try:
    jax.devices()
except RuntimeError as error:
    assert "a process of a job has one device, not 2" in str(error)
else:
    raise AssertionError
"""


@pytest.mark.parametrize(("program", "devices"), [(JOB, "1"), (SEVERAL_DEVICES, "2")])
def test_two_ranks(program: str, devices: str) -> None:
    environment = os.environ | {"JAX_PLATFORMS": "stablemate", "STABLEMATE_DEVICES": devices}
    run = subprocess.run(
        [str(LAUNCHER), "-n", "2", sys.executable, "-c", HEAD + program],
        env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]
