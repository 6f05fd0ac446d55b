"""Exports programs of shard_map for 2, 4 and 8 devices; writes them and their results, pickled."""

import pickle
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from tests.sharded import collectives
from tests.sharded import common_programs as usual
from tests.sharded.cases import (
    BACKWARDS,
    CUBE,
    FOUR,
    GRID,
    LINE,
    ROWS,
    TWO,
    Array,
    X,
    divided,
    f32,
    ring,
    row,
)
from tests.sharded.exported_forms import forms_of

UNCHECKED = [export.DisabledSafetyCheck.custom_call("ragged_all_to_all")]

collectives.add()
usual.add()

# ---- one collective each

row("psum", divided(LINE, X, P())(lambda x: lax.psum(x, "x")), f32(8, 2))
row("pmean", divided(TWO, X, P())(lambda x: lax.pmean(x, "x")), f32(8, 2))
row("pmax", divided(FOUR, X, P())(lambda x: lax.pmax(x, "x")), f32(8, 2))
row(
    "pmin_integers", divided(FOUR, X, P())(lambda x: lax.pmin(x, "x")), np.arange(8, dtype=np.int32)
)
row(
    "psum_in_groups",
    divided(LINE, X, X, check_vma=False)(
        lambda x: lax.psum(x, "x", axis_index_groups=[[0, 3, 5, 6], [1, 2, 4, 7]])
    ),
    f32(8, 2),
)
row(
    "all_gather",
    divided(LINE, X, P(), check_vma=False)(lambda x: lax.all_gather(x, "x")),
    f32(8, 2),
)
row(
    "all_gather_tiled",
    divided(FOUR, P(None, "x"), X)(lambda x: lax.all_gather(x, "x", axis=1, tiled=True) * 2),
    f32(3, 8),
)
row("ppermute", divided(LINE, X, X)(lambda x: lax.ppermute(x, "x", ring(8, 3))), f32(8, 2))
row(
    "ppermute_of_some",
    divided(LINE, X, X)(lambda x: lax.ppermute(x, "x", [(0, 1), (5, 2)])),
    f32(8, 2),
)
row(
    "psum_scatter",
    divided(LINE, P(None, "x"), X)(lambda x: lax.psum_scatter(x, "x", tiled=True)),
    f32(16, 8),
)
row(
    "all_to_all",
    divided(LINE, X, X)(lambda x: lax.all_to_all(x, "x", 1, 0, tiled=True)),
    f32(16, 8),
)
row(
    "all_to_all_untiled",
    divided(FOUR, X, P(None, "x"))(lambda x: lax.all_to_all(x, "x", 1, 0)),
    f32(4, 4, 3),
)
row("axis_index", divided(LINE, (), X)(lambda: lax.axis_index("x")[None]))
row("no_collective", divided(LINE, X, X)(lambda x: jnp.cumsum(x * x, axis=0)), f32(16, 2))
row(
    "divergent_results",
    divided(LINE, X, P(), check_vma=False)(lambda x: x * 2 + lax.axis_index("x")),
    f32(8, 2),
)

# ---- several axes


@divided(GRID, P("b", "a"), P("a"), check_vma=False)
def two_axes(x: Array) -> Array:
    return lax.psum_scatter(lax.all_gather(x, "b", tiled=True), "a", tiled=True)


@divided(GRID, P(("b", "a")), P(("b", "a")))
def minor_axis_first(x: Array) -> Array:
    return lax.psum(x, "b") + lax.axis_index(("b", "a")) * x


@divided(CUBE, (P("a", ("c", "b")), P("b")), (P("c", "a"), P(None, "b")), check_vma=False)
def cube(x: Array, y: Array) -> tuple[Array, Array]:
    return lax.all_gather(x, "b", tiled=True), lax.psum(y.T, ("a", "c"))


@divided(GRID, P("a"), P("a"), axis_names={"a"})
def some_axes(x: Array) -> Array:
    return lax.psum(x, "a") + lax.axis_index("a")


@divided(GRID, P("a"), P("a"), axis_names={"a"})
def free_axes_are_constrained(x: Array) -> Array:
    x = lax.with_sharding_constraint(x, P(None, "b"))
    return lax.ppermute(x, "a", ring(2)) @ x.T


def nested(x: Array) -> Array:
    def inner(y: Array) -> Array:
        return lax.psum(y, "b") * lax.axis_index("b")

    @divided(GRID, P("a"), P("a"), axis_names={"a"})
    def outer(y: Array) -> Array:
        specs = P(None, "b")
        within = jax.shard_map(inner, in_specs=specs, out_specs=specs, axis_names={"b"})
        return within(y) + lax.axis_index("a")

    return outer(x)


def nested_with_whole_results(x: Array) -> Array:
    def inner(y: Array) -> Array:
        return lax.psum(y.sum(keepdims=True), "b")

    @divided(GRID, P("a"), P("a"), axis_names={"a"})
    def outer(y: Array) -> Array:
        specs = P(None, "b")
        return jax.shard_map(inner, in_specs=specs, out_specs=P(), axis_names={"b"})(y)

    return outer(x)


row("two_axes", two_axes, f32(8, 2))
row("minor_axis_first", minor_axis_first, f32(8, 2))
row("cube", cube, f32(2, 8), f32(4, 3))
row("some_axes", some_axes, f32(8, 2))
row("free_axes_are_constrained", free_axes_are_constrained, f32(8, 8))
row("nested", nested, f32(8, 4))
row("nested_with_whole_results", nested_with_whole_results, f32(8, 4))

# ---- devices in another order


row(
    "backwards",
    divided(BACKWARDS, X, X)(lambda x: lax.ppermute(x, "x", ring(8)) + lax.axis_index("x")),
    f32(8, 2),
)

# ---- around it and inside


def called(x: Array) -> Array:
    half = jax.jit(lambda y: lax.psum(y, "x") / 2)
    return divided(FOUR, X, X)(lambda y: half(y) + half(y * y))(x) - 1


def twice(x: Array) -> Array:
    total = divided(FOUR, X, P())(lambda y: lax.psum(y, "x"))
    return total(jnp.sin(x) * 0 + x) @ total(x * x).T


def in_a_loop(x: Array) -> Array:
    step = divided(LINE, X, X)(lambda y: lax.ppermute(y, "x", ring(8)) + 1)
    return lax.fori_loop(0, 3, lambda _, y: step(y), x)


@divided(FOUR, X, X)
def loop_inside(x: Array) -> Array:
    def step(carry: Array, _: Any) -> tuple[Array, Array]:
        return lax.ppermute(carry, "x", ring(4)), carry.sum()

    last, sums = lax.scan(step, x, None, length=4)
    return last + sums.sum()


@divided(FOUR, X, X)
def branches(x: Array) -> Array:
    even = lax.axis_index("x") % 2 == 0
    return lax.cond(even, lambda y: y * 2, lambda y: y - 1, lax.ppermute(x, "x", ring(4)))


@divided(FOUR, (X, X), (X, P(), X), check_vma=False)
def several_types(x: Array, i: Array) -> tuple[Array, Array, Array]:
    low = x.astype(jnp.bfloat16)
    return lax.psum(low, "x"), lax.pmax(i, "x"), lax.all_gather(i > 2, "x", tiled=True)


def shardings_around(x: Array, w: Array) -> Array:
    x = lax.with_sharding_constraint(x, NamedSharding(GRID, P("a", "b")))
    y = divided(GRID, (P("a", "b"), P("b")), P("a"))(lambda p, q: lax.psum(p @ q, "b"))(x, w)
    return lax.with_sharding_constraint(y, NamedSharding(GRID, P(None, "a")))


row("called", called, f32(8, 2))
row("twice", twice, f32(4, 4))
row("in_a_loop", in_a_loop, f32(8, 2))
row("loop_inside", loop_inside, f32(8, 2))
row("branches", branches, f32(8, 2))
row("several_types", several_types, f32(8, 2), np.arange(8, dtype=np.int8))
row("shardings_around", shardings_around, f32(4, 8), f32(8, 2))


def main() -> None:
    """Exports each program for its devices, and runs it on them."""
    by_key = {}
    for name, (function, inputs, expected) in ROWS.items():
        compiled = jax.jit(function)
        platforms = None if expected is None else ["cuda"]

        def exported(
            platforms: Any = platforms, function: Any = function, inputs: Any = inputs
        ) -> Any:
            jitted = jax.jit(function)
            checks = {"platforms": platforms, "disabled_checks": UNCHECKED}
            return export.export(jitted, **checks)(*inputs)

        program = exported()
        text = program.mlir_module()
        compiled_value = compiled(*inputs) if expected is None else expected
        results = [np.asarray(leaf) for leaf in jax.tree.leaves(compiled_value)]
        forms = forms_of(text, lambda: exported().mlir_module())
        by_key[name] = (text, program.nr_devices, inputs, results, forms)
    sys.stdout.buffer.write(pickle.dumps(by_key))


if __name__ == "__main__":
    main()
