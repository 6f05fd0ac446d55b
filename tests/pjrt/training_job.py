"""A job that trains a network on eight devices and prints a digest of what it has learned.

The devices are those of one process, or of several that ``mpiexec`` starts. Batches come from the
rows of each process; the last step is a ring of messages in a ``shard_map``.
"""

from __future__ import annotations

import hashlib
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

if int(os.environ.get("PMI_SIZE", "1")) > 1:
    jax.distributed.initialize(cluster_detection_method="mpi4py")
MESH = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
SPECS = {"embedding": P("model"), "hidden": P(None, "model"), "out": P("model")}
SHAPES = {"embedding": (32, 16), "hidden": (16, 1024), "out": (1024, 16)}
ROWS = NamedSharding(MESH, P("data"))


def initial(key):
    keys = jax.random.split(key, len(SHAPES))
    pairs = zip(SHAPES.items(), keys, strict=True)
    return {name: jax.random.normal(key, shape) * 0.1 for (name, shape), key in pairs}


def loss(weights, tokens, targets):
    hidden = jax.nn.gelu(weights["embedding"][tokens] @ weights["hidden"])
    return jnp.mean((hidden @ weights["out"] - targets) ** 2)


@jax.jit
def step(weights, momenta, tokens, targets):
    value, gradients = jax.value_and_grad(loss)(weights, tokens, targets)
    momenta = jax.tree.map(lambda m, g: 0.9 * m + g, momenta, gradients)
    return jax.tree.map(lambda w, m: w - 0.1 * m, weights, momenta), momenta, value


@jax.jit
@jax.shard_map(mesh=MESH, in_specs=P("data", "model"), out_specs=P(None, "model"))
def ring(x):
    next_one = jax.lax.ppermute(x, "data", [(i, (i + 1) % 4) for i in range(4)])
    return jax.lax.psum(x * next_one, "data")


# Each process has every other device of this mesh, or so many.
MIXED = Mesh(np.array(jax.devices())[[0, 4, 1, 5, 2, 6, 3, 7]], ("all",))


@jax.jit
@jax.shard_map(mesh=MIXED, in_specs=P("all"), out_specs=P())
def total(x):
    return jax.lax.psum(x, "all")


def from_own_rows(array):
    """A divided array of which each process brings the rows of its devices."""
    indices = ROWS.addressable_devices_indices_map(array.shape).values()
    places = sorted({(rows.start or 0, rows.stop or len(array)) for rows, *_ in indices})
    own = np.concatenate([array[start:stop] for start, stop in places])
    return jax.make_array_from_process_local_data(ROWS, own, array.shape)


def main():
    placements = {name: NamedSharding(MESH, spec) for name, spec in SPECS.items()}
    weights = jax.jit(initial, out_shardings=placements)(jax.random.key(0))
    momenta, losses = jax.tree.map(jnp.zeros_like, weights), []
    random = np.random.default_rng(0)
    for _ in range(4):
        tokens = random.integers(0, 32, 64)
        targets = random.standard_normal((64, 16)).astype(np.float32)
        weights, momenta, value = step(
            weights, momenta, from_own_rows(tokens), from_own_rows(targets)
        )
        losses.append(float(value))
    divided = NamedSharding(MESH, P("data", "model"))
    rows = jax.make_array_from_callback((64, 16), divided, lambda index: targets[index])
    parts = np.random.default_rng(1).standard_normal((8, 8192)).astype(np.float32)
    mixed = jax.make_array_from_callback(
        parts.shape, NamedSharding(MIXED, P("all")), lambda index: parts[index]
    )
    learned = [weights, ring(rows), total(mixed)]
    values = multihost_utils.process_allgather(learned, tiled=True)
    digest = hashlib.sha256(np.array(losses).tobytes())
    for leaf in jax.tree.leaves(values):
        digest.update(np.asarray(leaf).tobytes())
    if jax.process_index() == 0:
        print(jax.process_count(), jax.local_device_count(), digest.hexdigest(), flush=True)


if __name__ == "__main__":
    main()
