"""Generates programs of shard_map and shardings for eight devices; writes them, pickled.

Arguments: the seed, the number of the first program, and how many programs. A program is made of
its seed and number alone.
"""

import pickle
import sys
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from tests.sharded.exported_forms import forms_of

Array = Any
Axes = tuple[str, ...]
DEVICES = np.array(jax.devices())
SHAPES = ((8,), (2, 4), (4, 2), (2, 2, 2))
ORDERS = (
    [*range(8)],
    [*range(8)][::-1],
    [0, 2, 4, 6, 1, 3, 5, 7],
    [0, 1, 3, 2, 6, 7, 5, 4],
)
NAMES = ("a", "b", "c")
MODULUS = 16  # numbers stay small, so that sums are exact in every order


class Generator:
    """Makes one program.

    Attributes:
        random: Where choices come from.
        meshes: A mesh, and one of the same devices in another shape.
    """

    def __init__(self, seed: int, number: int) -> None:
        self.random = np.random.RandomState((seed * 100_003 + number) % 2**32)
        order = ORDERS[self.choice(len(ORDERS))]
        shapes = [SHAPES[self.choice(len(SHAPES))] for _ in range(2)]
        self.meshes = [Mesh(DEVICES[order].reshape(shape), NAMES[: len(shape)]) for shape in shapes]

    def choice(self, count: int) -> int:
        """A number below another."""
        return int(self.random.randint(count))

    def spec(self, axes: Sequence[str], rank: int, *, every: bool = False) -> P:
        """A sharding that divides dimensions by some axes, or by every one."""
        dimensions: list[list[str]] = [[] for _ in range(rank)]
        for axis in self.random.permutation(list(axes)):
            if every or self.choice(3):
                dimensions[self.choice(rank)].append(str(axis))
        return P(*(tuple(dimension) or None for dimension in dimensions))

    def some(self, axes: Sequence[str]) -> Axes:
        """Some of the axes, in their order; at least one."""
        kept = [axis for axis in axes if self.choice(2)]
        return tuple(kept or [axes[self.choice(len(axes))]])

    def program(self) -> Callable[..., Any]:
        """A function of two matrices of global numbers."""
        steps = [self.step() for _ in range(1 + self.choice(3))]
        several = bool(self.choice(2))

        def run(x: Array, y: Array) -> Any:
            for step in steps:
                x, y = y, step(x, y)
            return (x, y.sum(0)) if several else y

        return run

    def step(self) -> Callable[[Array, Array], Array]:
        """A function of whole matrices."""
        mesh = self.meshes[0]
        kind = self.choice(6)
        if kind == 0:
            other = self.meshes[self.choice(2)]
            sharding = NamedSharding(other, self.spec(other.axis_names, 2))
            return lambda x, y: lax.with_sharding_constraint(x, sharding) + y
        if kind == 1:
            open_spec = P(P.UNCONSTRAINED, self.spec(mesh.axis_names, 1)[0])
            sharding = NamedSharding(mesh, open_spec)
            return lambda x, y: lax.with_sharding_constraint(jnp.mod(x + y, MODULUS), sharding)
        manual = mesh.axis_names if self.choice(2) else self.some(mesh.axis_names)
        body, out = self.body(manual, mesh.axis_names)
        ins = (self.spec(manual, 2), self.spec(manual, 2))
        mapped = jax.shard_map(
            body, mesh=mesh, in_specs=ins, out_specs=out, axis_names=set(manual), check_vma=False
        )
        if kind == 2:
            return lambda x, y: lax.fori_loop(0, 2, lambda _, v: cut(mapped(v, y)), x)
        return lambda x, y: cut(mapped(x, y))

    def body(self, manual: Axes, names: Axes, depth: int = 0) -> tuple[Callable[..., Any], P]:
        """A function of shards, and how its result is shared."""
        moves = [self.move(manual) for _ in range(1 + self.choice(3))]
        free = [axis for axis in names if axis not in manual]
        inner = None
        if free and depth == 0 and self.choice(2):
            axes = self.some(free)
            function, out = self.body(axes, names, depth + 1)
            inner = (axes, function, self.spec(axes, 2), out)
        result = self.spec(manual, 2)
        used = {axis for part in result if part for axis in part}
        summed = [axis for axis in manual if axis not in used]

        def run(x: Array, y: Array | None = None) -> Array:
            for move in moves:
                x = jnp.mod(move(x), MODULUS)
            if y is not None:
                x = x + y.sum()
            if inner is not None:
                x = nested(inner, x)
            return lax.psum(x, tuple(summed)) if summed else x

        return run, result

    def move(self, manual: Axes) -> Callable[[Array], Array]:
        """A function of one shard that communicates, or asks which one it is."""
        axis = manual[self.choice(len(manual))]
        moves: list[Callable[[Array], Array]] = [
            lambda x: lax.psum(x, axis),
            lambda x: x + lax.axis_index(axis),
            lambda x: lax.ppermute(x, axis, ring(lax.axis_size(axis))),
            lambda x: lax.all_gather(x, axis, axis=1, tiled=True).sum(1, keepdims=True) + x,
            lambda x: lax.psum_scatter(jnp.tile(x, (lax.axis_size(axis), 1)), axis, tiled=True),
            lambda x: -x + jnp.arange(x.shape[1], dtype=x.dtype),
            lambda x: lax.pmax(x, manual),
            lambda x: lax.cond(lax.axis_index(axis) % 2 == 0, lambda v: v * 2, lambda v: v + 1, x),
            lambda x: lax.scan(lambda c, _: (lax.psum(c, axis) % 5, None), x, None, length=2)[0],
        ]
        return moves[self.choice(len(moves))]


def ring(size: int) -> list[tuple[int, int]]:
    """Each device gives to the next one."""
    return [(i, (i + 1) % size) for i in range(size)]


def nested(inner: Any, x: Array) -> Array:
    """A computation that is manual along further axes."""
    axes, function, spec, out = inner
    mapped = jax.shard_map(
        function,
        mesh=jax.sharding.get_abstract_mesh(),
        in_specs=spec,
        out_specs=out,
        axis_names=set(axes),
        check_vma=False,
    )
    return mapped(x)


def cut(x: Array) -> Array:
    """A matrix of the usual size; of one of another size the sum."""
    return jnp.mod(x if x.shape == (16, 16) else x.sum() + jnp.zeros((16, 16)), MODULUS)


def exported_program(seed: int, number: int) -> Any:
    """A program, its inputs, its results, and its other forms."""
    generator = Generator(seed, number)
    function = generator.program()
    mesh = generator.meshes[0]
    ins = tuple(NamedSharding(mesh, generator.spec(mesh.axis_names, 2)) for _ in range(2))
    options = {"in_shardings": ins, "keep_unused": True} if generator.choice(2) else {}
    inputs = [generator.random.randint(0, MODULUS, (16, 16)).astype(np.float32) for _ in range(2)]
    shapes = [jax.ShapeDtypeStruct(array.shape, array.dtype) for array in inputs]
    jitted = jax.jit(function, **options)
    text = export.export(jitted)(*shapes).mlir_module()
    results = [np.asarray(leaf) for leaf in jax.tree.leaves(jitted(*inputs))]

    def lowered() -> str:
        again = jax.jit(lambda *arrays: function(*arrays), **options)
        return export.export(again)(*shapes).mlir_module()

    return text, inputs, results, forms_of(text, lowered)


def main() -> None:
    """Writes the programs, and why others are none."""
    seed, first, count = map(int, sys.argv[1:])
    found: dict[int, Any] = {}
    for number in range(first, first + count):
        try:
            found[number] = exported_program(seed, number)
        except Exception as error:  # of JAX, which does not lower or run everything
            found[number] = f"{type(error).__name__}: {error}"
    sys.stdout.buffer.write(pickle.dumps(found))


if __name__ == "__main__":
    main()
