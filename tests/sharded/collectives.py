"""Every collective of JAX, along one axis and two, in every number of devices."""

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

from tests.sharded.cases import (
    FOUR,
    GRID,
    LINE,
    RANDOM,
    SQUARE,
    TWO,
    Array,
    X,
    divided,
    f32,
    foreign,
    row,
)
from tests.sharded.cases import ring as next_ones

LINES = (TWO, FOUR, LINE)
SQUARES = (SQUARE, GRID)
TYPES = ("int8", "uint8", "int16", "uint32", "int32", "float16", "bfloat16", "complex64")


def stacked(*results: Array) -> tuple[Array, ...]:
    """Results with one more dimension, along which those of all devices stand side by side."""
    return tuple(result[None] for result in results)


def along_a_line(mesh: Mesh) -> None:
    """All collectives along the one axis of a mesh."""
    n = mesh.size

    @divided(mesh, (X, X), X, check_vma=False)
    def collectives(x: Array, i: Array) -> tuple[Array, ...]:
        return stacked(
            lax.psum(x, "x"),
            lax.pmean(x, "x"),
            lax.pmax(x, "x"),
            lax.pmin(i, "x"),
            lax.psum(i, "x"),
            lax.all_gather(x, "x"),
            lax.all_gather(i, "x", axis=1),
            lax.all_gather(x, "x", axis=1, tiled=True),
            lax.psum_scatter(x, "x"),
            lax.psum_scatter(i, "x", scatter_dimension=0, tiled=True),
            lax.all_to_all(x, "x", 0, 1),
            lax.all_to_all(x, "x", 0, 1, tiled=True),
            lax.ppermute(x, "x", next_ones(n)),
            lax.ppermute(i, "x", [(n - 1, 0)]),
            lax.pshuffle(x, "x", list(reversed(range(n)))),
            lax.pswapaxes(x, "x", 0),
            lax.axis_index("x"),
        )

    row(f"collectives_{n}", collectives, f32(n * n, 3), RANDOM.randint(0, 9, (n * n, 2), np.int32))


def broadcast(mesh: Mesh) -> None:
    """What one device holds, in all of them."""
    last = mesh.size - 1
    x = f32(2 * mesh.size, 3)
    function = divided(mesh, X, X, check_vma=False)(lambda x: lax.pbroadcast(x, "x", last))
    foreign(f"pbroadcast_{last + 1}", function, np.tile(x[-2:], (last + 1, 1)), x)


def of_all_types(mesh: Mesh) -> None:
    """Sums, moves and gathers of elements of many types."""
    n = mesh.size

    @divided(mesh, X, X, check_vma=False)
    def of_types(x: Array) -> tuple[Array, ...]:
        casts = [x.astype(value_type) for value_type in TYPES]
        sums = [lax.psum(item, "x") for item in casts]
        moved = [lax.ppermute(item, "x", next_ones(n)) for item in [*casts, x > 1]]
        narrow = [x.astype(item) for item in (jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.int4)]
        gathered = [lax.all_gather(item, "x").astype(jnp.float32) for item in narrow]
        return stacked(*sums, *moved, *gathered)

    row(f"types_{n}", of_types, RANDOM.randint(0, 4, (2 * n, 3)).astype(np.float32))


def in_groups() -> None:
    """Collectives of two halves of a line."""
    groups = [[0, 3], [2, 1]]

    @divided(FOUR, X, X, check_vma=False)
    def halves(x: Array) -> tuple[Array, ...]:
        return stacked(
            lax.all_gather(x, "x", axis_index_groups=groups),
            lax.psum_scatter(x, "x", axis_index_groups=groups),
            lax.all_to_all(x, "x", 0, 1, axis_index_groups=groups, tiled=True),
            lax.pmax(x, "x", axis_index_groups=groups),
        )

    row("collectives_in_groups", halves, f32(8, 3))


def along_two_axes(mesh: Mesh) -> None:
    """Collectives along one axis of a mesh, the other, and both."""
    n, b = mesh.size, mesh.shape["b"]
    whole = P(("a", "b"))

    @divided(mesh, whole, whole, check_vma=False)
    def collectives(x: Array) -> tuple[Array, ...]:
        both = ("a", "b")
        return stacked(
            lax.psum(x, both),
            lax.psum(x, "a"),
            lax.pmax(x, "b"),
            lax.all_gather(x, both),
            lax.all_gather(x, ("b", "a"), axis=1, tiled=True),
            lax.psum_scatter(x, "b", tiled=True),
            lax.psum_scatter(x, both),
            lax.all_to_all(x, both, 0, 1, tiled=True),
            lax.all_to_all(x, "a", 0, 0, tiled=True),
            lax.ppermute(x, "b", next_ones(b)),
            lax.ppermute(x, both, next_ones(n, 3)),
            lax.axis_index(both),
            lax.axis_index("b"),
        )

    row(f"collectives_of_two_axes_{n}", collectives, f32(n * n, 3))


def ragged(mesh: Mesh) -> None:
    """Every device sends rows of its own number to each: as many as are asked for."""
    n = mesh.size
    counts = np.array([[(i + 2 * j) % 3 for j in range(n)] for i in range(n)], np.int32)
    starts = np.cumsum(counts, 1, dtype=np.int32) - counts  # in the operand of the sender
    places = np.cumsum(counts, 0, dtype=np.int32) - counts  # in the result of the receiver

    @divided(mesh, (X, X, X, X, X, X), X, check_vma=False)
    def exchange(x: Array, out: Array, *numbers: Array) -> Array:
        start, sent, place, received = (number[0] for number in numbers)
        return lax.ragged_all_to_all(x, out, start, sent, place, received, axis_name="x")

    x, out = f32(n, 2 * n, 2), f32(n, 2 * n, 2)
    expected = out.copy()
    for i, j in np.ndindex(n, n):
        start, count, place = starts[i, j], counts[i, j], places[i, j]
        expected[j, place : place + count] = x[i, start : start + count]
    whole = [item.reshape(2 * n * n, 2) for item in (expected, x, out)]
    foreign(f"ragged_all_to_all_{n}", exchange, *whole, starts, counts, places, counts.T.copy())


def add() -> None:
    """Adds the programs."""
    for mesh in LINES:
        along_a_line(mesh)
        broadcast(mesh)
        of_all_types(mesh)
        ragged(mesh)
    for mesh in SQUARES:
        along_two_axes(mesh)
    in_groups()
