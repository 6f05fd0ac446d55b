"""Exports programs with shardings for eight devices; writes them and their results, pickled."""

import pickle
import sys
from collections.abc import Callable
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from tests.sharded.exported_forms import forms_of

Array = Any

PROGRAMS: dict[str, tuple[str, list[Any], list[Any], dict[str, str]]] = {}
RANDOM = np.random.RandomState(0)
MESH = Mesh(np.array(jax.devices()).reshape(2, 4), ("x", "y"))
OLD = (
    "matmul_0",
    "matmul_7",
    "matmul_14",
    "mlp_zero_gradient",
    "transformer",
    "scan",
    "branches_2",
)
BACKWARDS = Mesh(np.array(jax.devices())[::-1].reshape(2, 4), ("x", "y"))


def f32(*shape: int) -> Array:
    """Numbers between -1 and 1."""
    return (RANDOM.rand(*shape) * 2 - 1).astype(np.float32)


def row(
    name: str, function: Any, specs: Any, *inputs: Any, outs: Any = None, mesh: Mesh = MESH
) -> None:
    """A program with its results; some also as older versions of JAX write them."""
    flat, tree = jax.tree.flatten(list(inputs))
    ins = tuple(NamedSharding(mesh, P(*spec)) for spec in specs)
    results = None
    if outs is not None:
        is_spec: Any = lambda item: isinstance(item, tuple)  # noqa: E731
        results = jax.tree.map(lambda item: NamedSharding(mesh, P(*item)), outs, is_leaf=is_spec)

    def leaves(*arrays: Any) -> Any:
        return function(*jax.tree.unflatten(tree, arrays))

    jitted = jax.jit(leaves, in_shardings=ins, out_shardings=results, keep_unused=True)
    shapes = [jax.ShapeDtypeStruct(array.shape, array.dtype) for array in flat]
    expected = [np.asarray(leaf) for leaf in jax.tree.leaves(jitted(*flat))]
    text = str(export.export(jitted)(*shapes).mlir_module())
    again = jax.jit(leaves, in_shardings=ins, out_shardings=results, keep_unused=True)
    forms = forms_of(text, lambda: str(again.lower(*shapes).as_text()))
    PROGRAMS[name] = (text, flat, expected, forms)
    if name in OLD:
        PROGRAMS[f"{name}_old"] = (forms["gspmd"], flat, expected, {})


# ---- matrix products: every way to divide the operands

SPECIFICATIONS = [(None, None), ("x", None), ("y", "x"), (None, ("x", "y"))]
for i, (left, right) in enumerate(product(SPECIFICATIONS, SPECIFICATIONS)):
    row(
        f"matmul_{i}", jnp.matmul, (left, right), f32(8, 16), f32(16, 8), outs=SPECIFICATIONS[i % 3]
    )


# ---- layers


def mlp(params: Any, x: Array) -> Array:
    """Two layers."""
    return jnp.tanh(x @ params["a"] + params["b"]) @ params["c"]


MLP = {"a": f32(16, 32), "b": f32(32), "c": f32(32, 8)}
DATA = [(), (), (), (("x", "y"), None)]
MODEL = [(None, "y"), ("y",), ("y", None), ("x", None)]
ZERO = [(("x", "y"), None), (("x", "y"),), (("x", "y"), None), (("x", "y"), None)]


def loss(params: Any, x: Array) -> Array:
    """A number to differentiate."""
    return (mlp(params, x) ** 2).sum()


for name, specs in (("data", DATA), ("model", MODEL), ("zero", ZERO)):
    row(f"mlp_{name}", mlp, specs, MLP, f32(8, 16))
    divided = dict(zip("abc", ZERO, strict=False)) if name == "zero" else None
    row(f"mlp_{name}_gradient", jax.grad(loss), specs, MLP, f32(8, 16), outs=divided)


def normalized(x: Array) -> Array:
    """Layer norm."""
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)


def block(params: Any, x: Array) -> Array:
    """A block of a transformer with four heads."""
    batch, length, width = x.shape

    def heads(matrix: Array) -> Array:
        return (normalized(x) @ matrix).reshape(batch, length, 4, width // 4).swapaxes(1, 2)

    query, key, value = heads(params["q"]), heads(params["k"]), heads(params["v"])
    scores = jnp.einsum("bhsd,bhtd->bhst", query, key) / 2
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    mixed = jnp.einsum("bhst,bhtd->bhsd", jax.nn.softmax(scores, -1), value)
    x = x + mixed.swapaxes(1, 2).reshape(batch, length, width) @ params["o"]
    hidden = jax.nn.gelu(normalized(x) @ params["w1"])
    hidden = lax.with_sharding_constraint(hidden, NamedSharding(MESH, P("x", None, "y")))
    return x + hidden @ params["w2"]


BLOCK = {name: f32(16, 16) * 0.5 for name in "kqov"} | {"w1": f32(16, 64), "w2": f32(64, 16)}
COLUMNS, ROWS = (None, "y"), ("y", None)
BLOCK_SPECS = [COLUMNS, ROWS, COLUMNS, COLUMNS, COLUMNS, ROWS, ("x", None, None)]
row("transformer", block, BLOCK_SPECS, BLOCK, f32(4, 6, 16))
row(
    "transformer_gradient",
    jax.grad(lambda params, x: (block(params, x) ** 2).mean()),
    BLOCK_SPECS,
    BLOCK,
    f32(4, 6, 16),
)

for i, spec in enumerate([("x", "y"), (None, "y"), ("y", None)]):
    row(f"layer_norm_{i}", normalized, [spec], f32(8, 16))
    row(f"softmax_{i}", lambda x: jax.nn.softmax(x, -1), [spec], f32(8, 16))
    row(
        f"folds_{i}",
        lambda x: (jnp.argmax(x, 1), x.max(0), x.prod(1), (x > 0.9).any(0), x.sum() + 3),
        [spec],
        f32(8, 16),
    )

IDS = RANDOM.randint(-3, 40, (8, 5)).astype(np.int32)
TABLES = [("x", None), ("y", "x"), (("x", "y"), None)]
for i, (table, ids) in enumerate(product(TABLES, [(None, None), ("x", None)])):
    row(f"embedding_{i}", lambda e, n: e.at[n].get(mode="clip"), [table, ids], f32(32, 16), IDS)
    row(
        f"embedding_gradient_{i}",
        jax.grad(lambda e, n: (e.at[n].get(mode="clip") ** 2).sum()),
        [table, ids],
        f32(32, 16),
        IDS,
    )


def convolved(x: Array, kernel: Array) -> Array:
    """A convolution in two dimensions."""
    numbers = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=numbers)


for i, specs in enumerate(
    [(("x",), ()), (("x", None, None, "y"), ()), ((), (None, None, None, "y"))]
):
    row(f"convolution_{i}", convolved, specs, f32(4, 5, 5, 8), f32(3, 3, 8, 8))
    row(
        f"convolution_gradient_{i}",
        jax.grad(lambda x, k: (convolved(x, k) ** 2).sum(), argnums=(0, 1)),
        specs,
        f32(4, 5, 5, 8),
        f32(3, 3, 8, 8),
    )

# ---- control flow, movement of data, orders of devices


def layers(weights: Array, x: Array) -> Any:
    """A scan over layers; its state is whole at first and divided from the second step on."""
    start = jnp.zeros((4, 16), np.float32)
    return lax.scan(lambda h, w: (jnp.tanh((h + x) @ w), h.sum()), start, weights)


LAYERS = [(None, None, "y"), ("x", None)]
row("scan", layers, LAYERS, f32(3, 16, 16), f32(4, 16))
row(
    "scan_gradient",
    jax.grad(lambda w, x: layers(w, x)[0].sum()),
    LAYERS,
    f32(3, 16, 16),
    f32(4, 16),
)
BRANCHES: list[Callable[[Array], Array]] = [
    lambda x: x * 2,
    lambda x: jnp.ones_like(x),
    lambda x: x @ x.T @ x,
]
for i in range(3):
    row(
        f"branches_{i}",
        lambda n, x: lax.switch(n, BRANCHES, x),
        [(), ("x", "y")],
        np.int32(i),
        f32(4, 16),
    )
row("iota", lambda x: x + jnp.arange(16.0) + jnp.arange(8.0)[:, None], [("x", "y")], f32(8, 16))
row("split", lambda x: x.reshape(8, 4, 4), [("x", "y")], f32(8, 16))
row("split_in_two", lambda x: x.reshape(8, 2, 8), [("x", "y")], f32(8, 16))
row("merge", lambda x: x.reshape(128), [(("x", "y"), None)], f32(8, 16))
row("sort", lambda x: (jnp.sort(x, 1), lax.top_k(x, 3)), [("x", None)], f32(8, 16))
row("cumsum", lambda x: jnp.cumsum(x, 1), [("x", None)], f32(8, 16))
row("pad", lambda x: jnp.pad(x, ((0, 0), (1, 2))), [("x", None)], f32(8, 16))
row("random", lambda x: x + jax.random.normal(jax.random.key(1), (8, 16)), [("x", "y")], f32(8, 16))
row("backwards", lambda x: x @ x.T, [("x", "y")], f32(8, 16), outs=("y", None), mesh=BACKWARDS)


def partly_manual(x: Array) -> Array:
    """A computation that is manual along one axis, in a program of global tensors."""
    inner = jax.shard_map(
        lambda v: v + lax.psum(v, "y"), mesh=MESH, in_specs=P(None, "y"), out_specs=P(None, "y")
    )
    return inner(x * 2) - x


row("partly_manual", partly_manual, [("x", "y")], f32(8, 16))
PLACES = [("x", "y"), (("y", "x"), None), (None, "x"), (None, None)]
for i, (before, after) in enumerate(product(PLACES, PLACES)):
    row(f"moved_{i}", lambda x: x + 1, [before], f32(8, 16), outs=after)

sys.stdout.buffer.write(pickle.dumps(PROGRAMS))
