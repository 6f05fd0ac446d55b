"""Writes ``gpt_step.mlir``: a step of training a GPT, as JAX exports it for 1,024 processes.

The weights of each layer are divided among 16 processes (tensor parallel), the batch among 64
groups of them (data parallel). No device is needed to export it. Run it with jax 0.10.2 installed::

    python examples/export_gpt_step.py
"""

import pathlib
import re
from typing import Any

import jax
import jax.numpy as jnp
from jax import export, lax
from jax.sharding import AbstractMesh
from jax.sharding import PartitionSpec as P

import stablemate as sm

LAYERS, WIDTH, HEADS, HIDDEN, WORDS, LENGTH, BATCH = 24, 2048, 16, 8192, 32768, 1024, 512
DATA, MODEL = 64, 16
RATE = 1e-3
MESH = AbstractMesh((DATA, MODEL), ("data", "model"))
TYPE = jnp.bfloat16

Weights = dict[str, Any]
SHAPES = {
    "embed": (WORDS, WIDTH),
    "qkv": (LAYERS, WIDTH, 3, HEADS, WIDTH // HEADS),
    "out": (LAYERS, HEADS, WIDTH // HEADS, WIDTH),
    "up": (LAYERS, WIDTH, HIDDEN),
    "down": (LAYERS, HIDDEN, WIDTH),
}
DIVIDED = {
    "embed": P("model"),
    "qkv": P(None, None, None, "model"),
    "out": P(None, "model"),
    "up": P(None, None, "model"),
    "down": P(None, "model"),
}


def normal(x: Any) -> Any:
    """Rows of length one."""
    square = jnp.mean(jnp.square(x.astype(jnp.float32)), -1, keepdims=True)
    return (x * lax.rsqrt(square + 1e-6)).astype(x.dtype)


def attention(x: Any, qkv: Any, out: Any) -> Any:
    """Causal attention with the heads of this process."""
    q, k, v = jnp.moveaxis(jnp.einsum("btd,dnhk->nbhtk", x, qkv), 0, 0)
    scores = jnp.einsum("bhtk,bhsk->bhts", q, k).astype(jnp.float32) / (WIDTH // HEADS) ** 0.5
    seen = jnp.tril(jnp.ones((LENGTH, LENGTH), bool))
    weights = jax.nn.softmax(jnp.where(seen, scores, -1e30)).astype(x.dtype)
    return lax.psum(jnp.einsum("bhts,bhsk,hkd->btd", weights, v, out), "model")


def layer(x: Any, weights: Weights) -> tuple[Any, None]:
    """A layer; its residuals are computed again on the way back."""
    x = x + attention(normal(x), weights["qkv"], weights["out"])
    hidden = jax.nn.relu(normal(x) @ weights["up"])
    return x + lax.psum(hidden @ weights["down"], "model"), None


def loss(weights: Weights, words: Any) -> Any:
    """The mean of the logarithms of the next words, with the words of this process."""
    first = lax.axis_index("model") * (WORDS // MODEL)
    local = words - first
    inside = (local >= 0) & (local < WORDS // MODEL)
    rows = weights["embed"][jnp.where(inside, local, 0)]
    x = lax.psum(jnp.where(inside[..., None], rows, 0), "model")
    layers = {name: weights[name] for name in ("qkv", "out", "up", "down")}
    x, _ = lax.scan(jax.checkpoint(layer), x, layers)
    logits = (normal(x) @ weights["embed"].T).astype(jnp.float32)
    total = lax.psum(jnp.exp(logits).sum(-1), "model")
    target, known = jnp.roll(local, -1, 1), jnp.roll(inside, -1, 1)
    own = jnp.take_along_axis(logits, jnp.where(known, target, 0)[..., None], -1)[..., 0]
    right = lax.psum(jnp.where(known, own, 0), "model")
    return lax.pmean((jnp.log(total) - right).mean(), "data")


def step(weights: Weights, words: Any) -> tuple[Weights, Any]:
    """A step of gradient descent."""
    value, gradients = jax.value_and_grad(loss)(weights, words)
    return jax.tree.map(lambda w, g: w - RATE * g.astype(w.dtype), weights, gradients), value


def readable(text: str) -> str:
    """The program with groups by the axes of the mesh, in place of lists of 1,024 numbers."""
    groups = {
        (DATA, MODEL): '#stablehlo.axis_ref<name = "model">',
        (MODEL, DATA): '#stablehlo.axis_ref<name = "data">',
    }
    for (rows, columns), axis in groups.items():
        text = re.sub(
            rf'replica_groups = dense<"?[^>]*"?> : tensor<{rows}x{columns}xi64>',
            f"replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [{axis}]>",
            text,
        )
    return text


def main() -> None:
    """Exports the program."""
    specs = (DIVIDED, P("data"))
    divided = jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=(DIVIDED, P()))
    weights = {name: jax.ShapeDtypeStruct(shape, TYPE) for name, shape in SHAPES.items()}
    words = jax.ShapeDtypeStruct((BATCH, LENGTH), jnp.int32)
    program = export.export(jax.jit(divided), platforms=("cpu",))(weights, words)
    text = sm.load(program.mlir_module()).to_text()  # without locations
    pathlib.Path(__file__).with_name("gpt_step.mlir").write_text(readable(text))


if __name__ == "__main__":
    main()
