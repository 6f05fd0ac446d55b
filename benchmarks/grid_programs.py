"""Programs of several devices, made with JAX's ``shard_map``; started with as many fake devices.

    XLA_FLAGS=--xla_force_host_platform_device_count=N python -m benchmarks.grid_programs NAME OUT

writes ``OUT/program.mlir``, which ``jax.export`` makes of it, and ``OUT/arguments.npz``.
"""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

P = PartitionSpec
WHOLE: Final = P()
AXIS: Final = "x"


@dataclass(frozen=True)
class Program:
    """A program of pieces.

    Attributes:
        function: Of pieces.
        arguments: The whole arguments.
        divided: How each of them is divided.
        results: How the results are divided.
    """

    function: Callable[..., Any]
    arguments: Sequence[Any]
    divided: Sequence[Any]
    results: Any

    @property
    def jitted(self) -> Any:
        """The function of whole arrays."""
        ins = tuple(self.divided)
        parts = jax.shard_map(self.function, mesh=mesh(), in_specs=ins, out_specs=self.results)
        return jax.jit(parts)

    def placed(self) -> list[Any]:
        """The arguments, each piece on its device."""
        pairs = zip(self.arguments, self.divided, strict=True)
        return [jax.device_put(value, NamedSharding(mesh(), spec)) for value, spec in pairs]


def mesh() -> Mesh:
    """All devices, in a line."""
    return Mesh(np.array(jax.devices()), (AXIS,))


def normal(seed: int, *shape: int) -> Any:
    """Values that keep activations near unit size."""
    values = np.random.default_rng(seed).standard_normal(shape, np.float32)
    return values / np.float32(np.sqrt(shape[0]) if len(shape) > 1 else 10)


def data_parallel_mlp(sizes: Sequence[int] = (784, 512, 512, 10), batch: int = 256) -> Program:
    """A training step of a perceptron: each device has a part of the batch."""
    weights = [normal(i, m, n) for i, (m, n) in enumerate(pairwise(sizes))]
    images, labels = normal(7, batch, sizes[0]), np.arange(batch, dtype=np.int32) % sizes[-1]

    def loss(weights: Sequence[Array], x: Array, labels: Array) -> Array:
        for w in weights[:-1]:
            x = jnp.maximum(x @ w, 0)
        logits = jax.nn.log_softmax(x @ weights[-1])
        rows = jnp.take_along_axis(logits, labels[:, None], 1)
        return -lax.pmean(rows.mean(), AXIS)

    def step(*arguments: Array) -> Any:
        *weights, x, labels = arguments
        value, slopes = jax.value_and_grad(loss)(weights, x, labels)
        return [w - 0.01 * g for w, g in zip(weights, slopes, strict=True)], value

    split = [*[WHOLE] * len(weights), P(AXIS), P(AXIS)]
    return Program(step, [*weights, images, labels], split, ([WHOLE] * len(weights), WHOLE))


def tensor_parallel_gpt(
    tokens: int = 128, width: int = 512, heads: int = 8, count: int = 2
) -> Program:
    """A block of a transformer: each device has some heads and a part of the hidden layer."""
    size = width // heads
    arguments = [
        normal(0, count, tokens, width) * 4,
        *(normal(i, width, heads, size) for i in (1, 2, 3)),
        normal(4, heads, size, width) / 8,
        normal(5, width, 4 * width),
        normal(6, 4 * width, width),
    ]

    def normalized(x: Array) -> Array:
        centered = x - x.mean(-1, keepdims=True)
        return centered * lax.rsqrt((centered * centered).mean(-1, keepdims=True) + 1e-5)

    def block(x: Array, q: Array, k: Array, v: Array, o: Array, up: Array, down: Array) -> Array:
        y = normalized(x)
        qs, ks, vs = (jnp.einsum("btd,dhe->bhte", y, w) for w in (q, k, v))
        scores = jnp.einsum("bhte,bhse->bhts", qs, ks) / np.float32(np.sqrt(size))
        seen = jnp.tril(jnp.ones((tokens, tokens), bool))
        chances = jax.nn.softmax(jnp.where(seen, scores, -1e9))
        mixed = jnp.einsum("bhts,bhse->bhte", chances, vs)
        x = x + lax.psum(jnp.einsum("bhte,hed->btd", mixed, o), AXIS)
        return x + lax.psum(jax.nn.gelu(normalized(x) @ up) @ down, AXIS)

    by_heads = P(None, AXIS)
    split = [WHOLE, by_heads, by_heads, by_heads, P(AXIS), by_heads, P(AXIS)]
    return Program(block, arguments, split, WHOLE)


def ring_all_to_all(length: int = 1 << 16) -> Program:
    """Every device gives each of the others a block; all blocks go round, from next to next."""
    count = len(jax.devices())
    ring = [(i, (i + 1) % count) for i in range(count)]

    def rotate(x: Array) -> Array:
        own = lax.axis_index(AXIS)

        def step(carry: tuple[Array, Array], s: Array) -> tuple[tuple[Array, Array], None]:
            passing, got = carry
            passing = lax.ppermute(passing, AXIS, ring)
            got = lax.dynamic_update_index_in_dim(got, passing[own], (own - s) % count, 0)
            return (passing, got), None

        start = x, jnp.zeros_like(x).at[own].set(x[own])
        (_, got), _ = lax.scan(step, start, jnp.arange(1, count))
        return got

    return Program(rotate, [normal(0, count * count, length)], [P(AXIS)], P(AXIS))


PROGRAMS: Final[dict[str, Callable[[], Program]]] = {
    "data_parallel_mlp": data_parallel_mlp,
    "tensor_parallel_gpt": tensor_parallel_gpt,
    "ring_all_to_all": ring_all_to_all,
    "small_mlp": lambda: data_parallel_mlp((16, 16, 4), 32),
    "small_gpt": lambda: tensor_parallel_gpt(8, 32, 8, 1),
    "small_ring": lambda: ring_all_to_all(16),
}


def main() -> None:
    """Export a program for all devices."""
    name, out = sys.argv[1:]
    program = PROGRAMS[name]()
    exported = jax.export.export(program.jitted)(*program.arguments)
    (pathlib.Path(out) / "program.mlir").write_text(exported.mlir_module())
    np.savez(pathlib.Path(out) / "arguments.npz", *program.arguments)


if __name__ == "__main__":
    main()
