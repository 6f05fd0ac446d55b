"""Exports programs with symbolic sizes; writes them with inputs and results to stdout, pickled."""

import pickle
import sys
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax

Array = Any
Row = tuple[Callable[..., Any], list[str], list[list[Any]], tuple[str, ...]]

ROWS: dict[str, Row] = {}
RANDOM = np.random.RandomState(0)


def f32(*shape: int) -> Array:
    """Normally distributed numbers."""
    return RANDOM.randn(*shape).astype(np.float32)


def i32(*values: int) -> Array:
    """Integers in one dimension."""
    return np.array(values, np.int32)


def row(
    name: str,
    function: Callable[..., Any],
    shapes: list[str],
    *inputs: list[Any],
    where: tuple[str, ...] = (),
) -> None:
    """A program: a shape for each argument, inputs to call it with, constraints of the sizes."""
    ROWS[name] = (function, shapes, list(inputs), where)


def mlp(x: Array, w: Array, b: Array, v: Array) -> Array:
    return jax.nn.relu(x @ w + b) @ v


def attention(q: Array, k: Array, v: Array) -> Array:
    scores = jnp.einsum("bhtd,bhsd->bhts", q, k) / jnp.sqrt(np.float32(q.shape[-1]))
    mask = jnp.tril(jnp.ones((q.shape[2], k.shape[2]), bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9))
    return jnp.einsum("bhts,bhsd->bhtd", weights, v)


def layer_norm(x: Array, scale: Array) -> Array:
    centered = x - x.mean(-1, keepdims=True)
    return centered / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * scale


def max_pool(x: Array, padding: str) -> Array:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), padding)


def conv(x: Array, k: Array) -> Array:
    numbers = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, k, (1, 2), "SAME", dimension_numbers=numbers)


def same_conv(x: Array, k: Array) -> Array:
    return lax.conv_general_dilated(x, k, (1, 1), "SAME")


def nested(x: Array) -> Array:
    inner = jax.jit(jnp.sin)
    return jax.jit(lambda y: inner(y) + y.shape[0])(x) + inner(x)


def while_loop(x: Array) -> Array:
    return lax.while_loop(
        lambda s: s[0] < x.shape[0], lambda s: (s[0] + 1, s[1] * 2 + s[0]), (0, x)
    )[1]


def for_loop(x: Array) -> Array:
    zeros = jnp.zeros((x.shape[0],), np.float32)
    return lax.fori_loop(0, x.shape[1], lambda i, total: total + x[:, i], zeros)


def scan(x: Array) -> Array:
    zeros = jnp.zeros((x.shape[1],), np.float32)
    return lax.scan(lambda carry, line: (carry + line, carry * line), zeros, x)


def switch(x: Array, i: Array) -> Array:
    branches = [lambda a: a, lambda a: jnp.flip(a, 0), lambda a: a * a.shape[0]]
    return lax.switch(i, branches, x)


def uniform(key: Array, x: Array) -> Array:
    return jax.random.uniform(jax.random.wrap_key_data(key), x.shape) + x


def cholesky(x: Array) -> Array:
    return jnp.linalg.cholesky(jnp.einsum("bij,bkj->bik", x, x) + 3 * jnp.eye(3))


MATRIX = ["b, n"]
row(
    "mlp",
    mlp,
    ["b, 8", "8, 16", "16", "16, 4"],
    [f32(5, 8), f32(8, 16), f32(16), f32(16, 4)],
    [f32(1, 8), f32(8, 16), f32(16), f32(16, 4)],
)
row("softmax", jax.nn.softmax, MATRIX, [f32(3, 7)], [f32(1, 1)])
row(
    "concatenate",
    lambda x, y: jnp.concatenate([x, y, x], axis=0),
    ["a, 3", "b, 3"],
    [f32(2, 3), f32(4, 3)],
)
row("slice", lambda x: x[1 : x.shape[0] - 1, ::2], MATRIX, [f32(6, 9)], [f32(3, 4)])
row(
    "dynamic_slice",
    lambda x, i: lax.dynamic_slice(x, (i, 0), (x.shape[0] // 2, 2)),
    ["2*b, 4", ""],
    [f32(6, 4), np.int32(2)],
    [f32(8, 4), np.int32(7)],
)
row(
    "dynamic_update_slice",
    lambda x, y, i: lax.dynamic_update_slice(x, y, (i, i)),
    ["b, n", "2, 2", ""],
    [f32(6, 4), f32(2, 2), np.int32(1)],
    where=("b >= 2", "n >= 2"),
)
row("reshape", lambda x: x.reshape((x.shape[0] * x.shape[1], -1)), ["a, b, 4"], [f32(3, 5, 4)])
row("reshape_halves", lambda x: x.reshape((2, -1)), ["2*a, b"], [f32(4, 5)])
row("reshape_quarters", lambda x: x.reshape((-1, 4)), ["4*b"], [f32(12)])
row(
    "dot",
    lambda x, y: jnp.einsum("bij,bjk->bik", x, y),
    ["b, i, j", "b, j, k"],
    [f32(2, 3, 4), f32(2, 4, 5)],
)
row(
    "conv",
    conv,
    ["b, h, w, 3", "3,3,3,4"],
    [f32(2, 8, 10, 3), f32(3, 3, 3, 4)],
    [f32(1, 5, 7, 3), f32(3, 3, 3, 4)],
)
row(
    "conv_valid",
    lambda x, k: lax.conv_general_dilated(x, k, (2,), "VALID"),
    ["b, 3, w", "4, 3, k"],
    [f32(2, 3, 11), f32(4, 3, 3)],
)
row(
    "conv_gradient",
    jax.grad(lambda k, x: jnp.sum(same_conv(x, k) ** 2)),
    ["4, 3, 3, 3", "b, 3, h, w"],
    [f32(4, 3, 3, 3), f32(2, 3, 6, 5)],
)
row("reduce_window", lambda x: max_pool(x, "SAME"), ["b, h, w, 2"], [f32(2, 7, 6, 2)])
row(
    "max_pool_gradient",
    jax.grad(lambda x: jnp.sum(max_pool(x, "VALID") ** 2)),
    ["b, 4, 6, 2"],
    [f32(2, 4, 6, 2)],
)
row(
    "average_pool",
    lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 3), (1, 1), "VALID") / 3,
    MATRIX,
    [f32(2, 7)],
)
row("cumsum", lambda x: jnp.cumsum(x, axis=1), MATRIX, [f32(2, 7)])
row("sort", lambda x: jnp.sort(x, axis=-1), MATRIX, [f32(3, 7)])
row("argsort", lambda x: jnp.argsort(x, axis=0), MATRIX, [f32(5, 3)])
row("while", while_loop, ["b, 3"], [f32(5, 3)], [f32(2, 3)])
row("for_loop", for_loop, MATRIX, [f32(3, 4)])
row("scan", scan, ["t, n"], [f32(4, 3)])
row(
    "cond",
    lambda x, p: lax.cond(p, lambda a: a * 2, lambda a: a - jnp.mean(a), x),
    ["b, 3", ""],
    [f32(4, 3), np.bool_(True)],
    [f32(4, 3), np.bool_(False)],
)
row("switch", switch, ["b", ""], [f32(4), np.int32(1)], [f32(4), np.int32(2)])
row("iota", lambda x: jnp.arange(x.shape[0])[:, None] + x.astype(np.int32), MATRIX, [f32(3, 2)])
row("gather", lambda x, i: jnp.take(x, i, axis=0), ["b, n", "k"], [f32(5, 3), i32(0, 4, 2)])
row("index", lambda x, i: x[i, :, None], ["b, n", "k"], [f32(5, 3), i32(0, 4, 2, 7)])
row(
    "scatter",
    lambda x, i, v: x.at[i].add(v),
    ["b, n", "k", "k, n"],
    [f32(5, 3), i32(0, 4, 0), f32(3, 3)],
)
row("pad", lambda x: jnp.pad(x, ((1, x.shape[0]), (0, 2))), MATRIX, [f32(3, 2)])
row(
    "pad_interior",
    lambda x: lax.pad(x, np.float32(1), ((1, 2, 1), (-1, 0, 0))),
    MATRIX,
    [f32(3, 4)],
)
row("broadcast", lambda x, y: x[:, None] + y[None, :], ["a", "b"], [f32(3), f32(4)])
row("tile", lambda x: jnp.tile(x, (2, x.shape[0])), MATRIX, [f32(3, 2)])
row("repeat", lambda x: jnp.broadcast_to(x, (x.shape[0] + 1, *x.shape)), MATRIX, [f32(3, 2)])
row("layer_norm", layer_norm, ["b, t, d", "d"], [f32(2, 3, 8), f32(8)])
row("attention", attention, ["b, 2, t, 4"] * 3, [f32(2, 2, 5, 4) for _ in range(3)])
row(
    "causal_mask",
    lambda x: jnp.where(jnp.tri(x.shape[0], x.shape[1], dtype=bool), x, 0.0),
    MATRIX,
    [f32(3, 5)],
)
row("constraint", lambda x, y: x[: y.shape[0]] + y, ["a", "b"], [f32(5), f32(3)], where=("a >= b",))
row("argmax", lambda x: jnp.argmax(x, axis=-1), MATRIX, [f32(3, 5)])
row("top_k", lambda x: lax.top_k(x, 2), MATRIX, [f32(3, 5)], where=("n >= 2",))
row(
    "erf",
    lambda x: jax.scipy.special.erf(x) + jax.nn.gelu(x, approximate=False),
    MATRIX,
    [f32(3, 5)],
)
row("one_hot", lambda x: jax.nn.one_hot(x, x.shape[0]), ["b"], [i32(0, 2, 1, 5)])
row(
    "gradient",
    lambda w, x: jax.grad(lambda w: jnp.sum(jnp.tanh(x @ w) ** 2))(w),
    ["n, 2", "b, n"],
    [f32(3, 2), f32(4, 3)],
)
row(
    "size_as_value",
    lambda x: jnp.sum(x) / x.shape[0] * x.shape[1] + jnp.float32(x.size),
    MATRIX,
    [f32(3, 4)],
)
row("floor_divide", lambda x: x[: x.shape[0] // 3 + x.shape[1] % 2], MATRIX, [f32(7, 3)])
row("split", lambda x: jnp.split(x, 2, axis=1), ["a, 2*b"], [f32(3, 6)])
row("stack", lambda x, y: jnp.stack([x, y], axis=1), ["a, b", "a, b"], [f32(3, 6), f32(3, 6)])
row("nested_jit", nested, MATRIX, [f32(3, 6)])
row(
    "two_sizes",
    lambda x, y: (jax.jit(jnp.cumsum)(x), jax.jit(jnp.cumsum)(y)),
    ["a", "b"],
    [f32(3), f32(6)],
)
row("map", lambda x: lax.map(lambda line: jnp.sort(line)[:2], x), ["t, 5"], [f32(4, 5)])
row("uniform", uniform, ["2", "a, 3"], [np.array([1, 2], np.uint32), f32(4, 3)])
row("cholesky", cholesky, ["b, 3, 3"], [f32(2, 3, 3)])
row("transpose", lambda x: x.transpose(2, 0, 1), ["a, b, c"], [f32(2, 3, 4)])
row("associative_scan", lambda x: lax.associative_scan(jnp.add, x, axis=1), ["b, 8"], [f32(2, 8)])
row(
    "linspace", lambda x: jnp.linspace(0.0, 1.0, x.shape[0]) * x, ["n"], [f32(6)], where=("n >= 2",)
)
row("integers", lambda x: (x.astype(np.int8) // np.int8(2)).sum(0), MATRIX, [f32(3, 4) * 20])


def exported(function: Callable[..., Any], shapes: list[str], inputs: list[Any], where: Any) -> Any:
    """A function exported for symbolic shapes and the element types of some inputs."""
    scope = export.SymbolicScope(where)
    arguments = [
        jax.ShapeDtypeStruct(export.symbolic_shape(text, scope=scope) if text else (), x.dtype)
        for text, x in zip(shapes, inputs, strict=True)
    ]
    return export.export(jax.jit(function))(*arguments)


def main() -> None:
    programs = {}
    for name, (function, shapes, inputs, where) in ROWS.items():
        program = exported(function, shapes, inputs[0], where)
        results = [[np.asarray(x) for x in jax.tree.leaves(program.call(*xs))] for xs in inputs]
        cases = [(list(xs), ys) for xs, ys in zip(inputs, results, strict=True)]
        programs[name] = (program.mlir_module(), cases)
    sys.stdout.buffer.write(pickle.dumps(programs))


if __name__ == "__main__":
    main()
