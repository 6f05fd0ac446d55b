"""Exports functions; writes containers, calls and what JAX gives to stdout, pickled.

With a directory as argument it writes the containers there instead: so those of other versions of
JAX beside this file were made.
"""

import pathlib
import pickle
import sys
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import numpy as np

Array = Any
Call = tuple[list[Any], dict[str, Any], Any]  # arguments, keywords, what JAX returned
Row = tuple[bytes, list[Call]]

jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")  # no directories
RANDOM = np.random.RandomState(0)


def f32(*shape: int) -> Array:
    """Normally distributed numbers."""
    return RANDOM.randn(*shape).astype(np.float32)


def symbolic(shape: str, **options: Any) -> Any:
    """An argument of f32 with symbolic sizes."""
    return jax.ShapeDtypeStruct(jax.export.symbolic_shape(shape, **options), np.float32)


def shapes(*texts: str, constraints: tuple[str, ...] = ()) -> list[Any]:
    """Arguments that share their symbols."""
    scope = jax.export.SymbolicScope(constraints)
    return [symbolic(text, scope=scope) for text in texts]


def plain(tree: Any) -> Any:
    """A tree of NumPy arrays; named tuples become tuples."""
    match tree:
        case None:
            return None
        case dict():
            return {key: plain(item) for key, item in tree.items()}
        case list():
            return [plain(item) for item in tree]
        case tuple():
            return tuple([plain(item) for item in tree])
        case _:
            return np.asarray(tree)


ROWS: dict[str, Callable[[], Row]] = {}


def row(
    name: str,
    function: Callable[..., Any],
    calls: list[tuple[list[Any], dict[str, Any]]],
    arguments: list[Any] | None = None,
    vjp_order: int = 0,
    result: Callable[..., Any] | None = None,
    jitted: Any = None,
    **options: Any,
) -> None:
    """A function, calls of it, and the arguments that it is exported for: by default the first."""

    def make() -> Row:
        args, keywords = (arguments, {}) if arguments is not None else calls[0]
        export_result = jax.export.export(jitted or jax.jit(function), **options)(*args, **keywords)
        container = bytes(export_result.serialize(vjp_order=vjp_order))
        called = result or jax.export.deserialize(container).call
        collected = [(plain(a), plain(k), plain(called(*a, **k))) for a, k in calls]
        return container, collected

    ROWS[name] = make


def dense(x: Array, weights: dict[str, Array], *, scale: Array) -> Any:
    y = x @ weights["k"] * scale + weights["b"]
    return {"y": y, "sums": [x.sum(), (y.sum(0),)], "nothing": None}


def poly(x: Array, y: Array) -> Any:
    return jnp.concatenate([x, x]), y * x.shape[1], x.reshape(-1)


def dropped(x: Array, unused: Array) -> Array:
    return x + 1


row(
    "tree",
    dense,
    [([f32(3, 4), {"k": f32(4, 5), "b": f32(5)}], {"scale": np.float32(3)})],
)
row(
    "poly",
    poly,
    [([f32(3, 4), f32(7)], {}), ([f32(1, 2), f32(3)], {})],
    shapes("b, c", "2*b + 1", constraints=("c >= 2",)),
)
row("multi", jnp.sin, [([f32(3, 4)], {})], platforms=["tpu", "cpu"])
row("dropped", dropped, [([f32(3, 4), f32(2)], {})])
row("vjp", jnp.sin, [([f32(3, 4)], {})], vjp_order=2)


def later_rows() -> None:
    """What the oldest versions do not have."""
    row("none", lambda x, y=None: (x, None, y), [([f32(2)], {})])
    row("single", lambda x: (x,), [([f32(2)], {})])
    row("no_results", lambda x: (), [([f32(2)], {})])
    row(
        "floors",
        lambda x: x[: x.shape[0] // 2, : x.shape[1] % 3 + 1],
        [([f32(5, 7)], {}), ([f32(2, 3)], {})],
        shapes("m, 2*n + 1"),
    )
    row(
        "products",
        lambda x, y: x.sum() + y,
        [([f32(6), f32(2, 3)], {})],
        shapes("a*b", "a, b"),
    )
    row(
        "maxima",
        lambda x, y: y * x.shape[0],
        [([f32(6), f32(2)], {})],
        shapes("a", "max(a - 4, 1)"),
    )
    row(
        "multi_poly",
        lambda x: x * x.shape[0],
        [([f32(3)], {})],
        shapes("b"),
        platforms=["cpu", "tpu"],
    )
    row(
        "types",
        lambda *xs: tuple(x + x for x in xs),
        [([np.ones(2, d) for d in ("i1", "u4", "f2", jnp.bfloat16, jnp.float8_e4m3fn, "c8")], {})],
    )
    Pair = namedtuple("Pair", ["first", "second"])
    jax.export.register_namedtuple_serialization(Pair, serialized_name="tests.Pair")
    row("named", lambda p: (p.first, Pair(p.second, p.first)), [([Pair(f32(2), f32(3))], {})])
    row("cholesky", jnp.linalg.cholesky, [([np.eye(3, dtype=np.float32) * 4], {})])
    row("effect", effectful(), [([f32(3)], {})], result=lambda x: x * 2)
    raw = jax.random.key_data(jax.random.key(7))

    def uniform(key: Array) -> Array:
        return jax.random.uniform(key, (3,))

    exported = jax.export.export(jax.jit(uniform))(jax.random.key(7))
    expected = np.asarray(uniform(jax.random.key(7)))
    ROWS["key"] = lambda: (bytes(exported.serialize()), [([np.asarray(raw)], {}, expected)])


def effectful() -> Any:
    """A function with two ordered effects, which doubles its argument."""
    from jax._src import core, effects
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir.dialects import hlo

    class Effect(effects.Effect):
        def __eq__(self, other: object) -> bool:
            return type(other) is type(self)

        def __hash__(self) -> int:
            return hash(type(self))

        def __str__(self) -> str:
            return type(self).__name__

    class FirstEffect(Effect):
        pass

    class SecondEffect(Effect):
        pass

    primitive = core.Primitive("doubled_with_effect")
    for item in (FirstEffect, SecondEffect):
        effects.lowerable_effects.add_type(item)
        effects.ordered_effects.add_type(item)

    def lowered(ctx: Any, x: Any, *, effect: Any) -> Any:
        token = hlo.after_all([ctx.tokens_in.get(effect)])
        ctx.set_tokens_out(mlir.TokenSet({effect: token}))
        return [x]

    primitive.def_effectful_abstract_eval(lambda x, *, effect: (x, {effect}))
    mlir.register_lowering(primitive, lowered)
    first, second = FirstEffect(), SecondEffect()
    return lambda x: primitive.bind(primitive.bind(x * 2, effect=first), effect=second)


def sharded() -> bytes:
    """The container of a product on two devices."""
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:2]), ("a",))

    def along(*axes: str | None) -> Any:
        return jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*axes))

    product = jax.jit(
        lambda x, y: x @ y, in_shardings=(along("a"), along(None, "a")), out_shardings=along("a")
    )
    x = np.zeros((4, 4), np.float32)
    return bytes(jax.export.export(product)(x, x).serialize())


if __name__ == "__main__":
    if len(sys.argv) > 1:
        directory = pathlib.Path(sys.argv[1])
        directory.mkdir(parents=True, exist_ok=True)
        for name, make in ROWS.items():
            (directory / f"{name}.bin").write_bytes(make()[0])
        (directory / "sharded.bin").write_bytes(sharded())
    else:
        later_rows()
        pickled = pickle.dumps({name: make() for name, make in ROWS.items()})
        sys.stdout.buffer.write(pickled)
