"""More kinds of programs whose arguments are divided over eight devices.

Numerical routines, and parts of models and of their training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from benchmarks.jax.sharded_programs import (
    GRID,
    LINE,
    XY,
    Argument,
    Array,
    ShardedProgram,
    X,
    Y,
    convolution,
    floats,
    indices,
    loss,
    lower_triangular,
    mapped,
    plain,
    positive_definite,
)


def complex_numbers(*shape: int, spec: P) -> Argument:
    """Random complex numbers."""
    real, imaginary = floats(*shape, spec=spec).value, floats(*shape, spec=spec).value
    return Argument(real + 1j * imaginary, spec)


def sorted_floats(size: int, spec: P) -> Argument:
    """Random numbers in ascending order."""
    return Argument(np.sort(floats(size, spec=spec).value), spec)


def rotary(x: Array) -> Array:
    """Rotary embeddings of (batch, positions, heads, width)."""
    half = x.shape[-1] // 2
    rates = 10000.0 ** (-jnp.arange(half) / half)
    angles = jnp.arange(x.shape[1])[:, None] * rates
    cosines, sines = jnp.cos(angles)[None, :, None], jnp.sin(angles)[None, :, None]
    first, second = x[..., :half], x[..., half:]
    return jnp.concatenate([first * cosines - second * sines, second * cosines + first * sines], -1)


def absolute_eigenvalues(x: Array) -> Array:
    """The sizes of eigenvalues in ascending order, since their order is free."""
    return jnp.sort(jnp.abs(jnp.linalg.eigvals(x)), axis=-1)


def upper_factor(x: Array) -> Array:
    """The factor R of a QR decomposition, up to the signs of its rows."""
    return jnp.abs(jnp.linalg.qr(x)[1])


def experts_with_capacity(tokens: Array, gates: Array, weights: Array) -> Array:
    """Experts with room for four tokens of each device, exchanged by all_to_all."""
    scores = jax.nn.softmax(tokens @ gates)
    expert, score = jnp.argmax(scores, 1), jnp.max(scores, 1)
    chosen = jax.nn.one_hot(expert, 8)
    place = (jnp.cumsum(chosen, 0) * chosen).sum(1).astype(int) - 1
    fits = place < 4
    slots = jnp.zeros((8, 4, tokens.shape[1])).at[expert, place].set(
        jnp.where(fits[:, None], tokens, 0), mode="drop")  # fmt: skip
    received = lax.all_to_all(slots, "x", 0, 0, tiled=True)
    computed = jnp.tanh(received @ weights[0])
    returned = lax.all_to_all(computed, "x", 0, 0, tiled=True)
    return jnp.where(fits, score, 0)[:, None] * returned[expert, jnp.minimum(place, 3)]


def norm_of_sequence(mesh: Mesh) -> Callable[..., Any]:
    """A layer norm of divided positions between products of divided features."""

    def function(x: Array, first: Array, second: Array) -> Array:
        h = jax.nn.gelu(x @ first) @ second
        h = lax.with_sharding_constraint(h, NamedSharding(mesh, P("x", "y")))
        h = (h - h.mean(-1, keepdims=True)) * lax.rsqrt(h.var(-1, keepdims=True) + 1e-5)
        return h

    return function


def sampled(logits: Array, noise: Array) -> Array:
    """The choices among the four largest logits of each row, by given noise."""
    values, places = lax.top_k(logits, 4)
    return jnp.take_along_axis(places, jnp.argmax(values + noise, -1)[:, None], 1)[:, 0]


def beams(states: Array, parents: Array) -> Array:
    """The states (batch, beams, features) of the parents of beams."""
    return jnp.take_along_axis(states, parents[..., None], 1)


def scanned_pipeline(weights: Array, batches: Array) -> Array:
    """Stages on eight devices; a scan moves states to the next one by ppermute."""
    place = lax.axis_index("x")
    ring = [(i, (i + 1) % 8) for i in range(8)]

    def step(state: Array, batch: Array) -> Any:
        state = jnp.tanh(jnp.where(place == 0, batch, state) @ weights[0])
        return lax.ppermute(state, "x", ring), jnp.where(place == 7, state, 0)

    return lax.psum(lax.scan(step, jnp.zeros(batches.shape[1:]), batches)[1], "x")


def zero_three(weights: Array, x: Array) -> Any:
    """A step of descent for layers in a scan whose weights are divided."""

    def total(weights: Array) -> Array:
        return jnp.mean(lax.scan(lambda x, w: (jnp.tanh(x @ w), None), x, weights)[0] ** 2)

    return weights - 0.1 * jax.grad(total)(weights)


def gradient_of_lookup(table: Array, words: Array) -> Array:
    """The gradient of a table of which rows are looked up."""
    return jax.grad(lambda table: jnp.sum(jnp.tanh(table[words]) ** 2))(table)


def patches(x: Array, kernel: Array) -> Array:
    """Products with patches of 4 x 4 pixels."""
    n, h, w, c = x.shape
    cut = x.reshape(n, h // 4, 4, w // 4, 4, c).transpose(0, 1, 3, 2, 4, 5)
    return cut.reshape(n, h // 4, w // 4, -1) @ kernel


def batch_norm(x: Array, scale: Array) -> Any:
    """Normalization over a divided batch, with the statistics."""
    mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale, mean, variance


def mean_variance_gradient(x: Array, scale: Array) -> Any:
    """The gradients of a batch norm."""
    return jax.grad(lambda x, s: jnp.sum(batch_norm(x, s)[0] ** 3), argnums=(0, 1))(x, scale)


def chain(a: Array, b: Array, c: Array) -> Array:
    """A chain of products whose shardings conflict."""
    return jnp.einsum("ij,jk,kl->il", a, b, c)


def clipped_adam(weights: Sequence[Array], m: Array, v: Array, x: Array, y: Array) -> Any:
    """A step of Adam for divided weights with gradients clipped by their global norm."""
    gradients = jax.grad(loss)(weights, x, y)
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in gradients))
    first = gradients[0] / jnp.maximum(1.0, norm)
    m, v = 0.9 * m + 0.1 * first, 0.99 * v + 0.01 * first**2
    return weights[0] - 0.1 * m / (jnp.sqrt(jnp.abs(v)) + 1e-6), m, v


def label_smoothing(logits: Array, labels: Array) -> Array:
    """The cross entropy of divided classes with smoothed labels."""
    logs = jax.nn.log_softmax(logits)
    smooth = 0.9 * jax.nn.one_hot(labels, logits.shape[1]) + 0.1 / logits.shape[1]
    return -jnp.mean(jnp.sum(smooth * logs, 1))


def windowed_attention(q: Array, k: Array, v: Array) -> Array:
    """Attention of each position to the seven before it (positions, width)."""
    places = jnp.arange(q.shape[0])
    distance = places[:, None] - places[None]
    scores = jnp.where((distance >= 0) & (distance < 8), q @ k.T, -1e9)
    return jax.nn.softmax(scores) @ v


def linear_attention(q: Array, k: Array, v: Array) -> Array:
    """Attention without a softmax, over divided positions."""
    q, k = jax.nn.elu(q) + 1, jax.nn.elu(k) + 1
    return (q @ (k.T @ v)) / (q @ k.sum(0))[:, None]


def state_space(decay: Array, x: Array) -> Array:
    """A diagonal recurrence over whole sequences of a divided batch."""
    return lax.scan(lambda s, r: (s * decay + r, s * decay + r), jnp.zeros(x.shape[1:]), x)[1]


def contrastive(a: Array, b: Array) -> Array:
    """The contrastive loss of two divided batches of vectors."""
    a, b = (x / jnp.linalg.norm(x, axis=1, keepdims=True) for x in (a, b))
    scores = a @ b.T
    return -jnp.mean(jnp.diagonal(jax.nn.log_softmax(scores)))


def message_passing(nodes: Array, sources: Array, targets: Array) -> Array:
    """Sums over the edges of a graph, whose edges are divided."""
    return jnp.zeros_like(nodes).at[targets].add(jnp.tanh(nodes[sources]))


def newton(matrix: Array) -> Array:
    """Three steps of Newton and Schulz towards the nearest orthogonal matrix."""
    matrix = matrix / jnp.linalg.norm(matrix)
    return lax.fori_loop(0, 3, lambda _, m: 1.5 * m - 0.5 * m @ (m.T @ m), matrix)


def histogram(x: Array) -> Array:
    """Counts of divided numbers in sixteen bins."""
    return jnp.histogram(x, bins=16, range=(-3.0, 3.0))[0]


KINDS: Final[dict[str, ShardedProgram]] = {
    "convolution of a divided batch of images": ShardedProgram(
        LINE, plain(convolution), [floats(16, 16, 16, 4, spec=X), floats(3, 3, 4, 4, spec=P())], X,
    ),
    "transposed convolution": ShardedProgram(
        LINE, plain(lambda x, k: lax.conv_transpose(
            x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))),
        [floats(16, 8, 8, 4, spec=X), floats(3, 3, 4, 4, spec=P())], X,
    ),
    "transposed convolution over divided rows": ShardedProgram(
        LINE, plain(lambda x, k: lax.conv_transpose(
            x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))),
        [floats(2, 32, 16, 4, spec=P(None, "x")), floats(3, 3, 4, 4, spec=P())], P(None, "x"),
    ),
    "sort of a divided vector": ShardedProgram(LINE, plain(jnp.sort), [floats(1024, spec=X)], X),
    "order of a divided vector": ShardedProgram(
        LINE, plain(jnp.argsort), [floats(1024, spec=X)], X,
    ),
    "rotary embeddings": ShardedProgram(
        GRID, plain(rotary), [floats(4, 32, 8, 16, spec=P("x", None, "y"))], P("x", None, "y"),
    ),
    "searchsorted": ShardedProgram(
        LINE, plain(jnp.searchsorted), [sorted_floats(512, P()), floats(512, spec=X)], X,
    ),
    "searchsorted of a divided table": ShardedProgram(
        LINE, plain(jnp.searchsorted), [sorted_floats(512, X), floats(512, spec=X)], X,
    ),
    "eigenvalues of a batch": ShardedProgram(
        LINE, plain(absolute_eigenvalues), [floats(16, 8, 8, spec=X)], X,
    ),
    "symmetric eigenvalues of a batch": ShardedProgram(
        LINE, plain(jnp.linalg.eigvalsh), [positive_definite(16, 8, X)], X,
    ),
    "singular values of a batch": ShardedProgram(
        LINE, plain(lambda x: jnp.linalg.svd(x, compute_uv=False)), [floats(16, 8, 8, spec=X)], X,
    ),
    "system of divided equations": ShardedProgram(
        LINE, plain(lambda a, b: jnp.linalg.solve(a[0], b)),
        [positive_definite(1, 64, P(None, "x")), floats(64, 4, spec=X)], X,
    ),
    "QR factors of a batch": ShardedProgram(
        LINE, plain(upper_factor), [floats(16, 8, 8, spec=X)], X,
    ),
    "QR factor of divided rows": ShardedProgram(
        LINE, plain(upper_factor), [floats(64, 8, spec=X)], P(),
    ),
    "inverses of a batch": ShardedProgram(
        LINE, plain(jnp.linalg.inv), [positive_definite(16, 8, X)], X,
    ),
    "inverse of divided rows": ShardedProgram(
        LINE, plain(lambda a: jnp.linalg.inv(a[0])), [positive_definite(1, 64, P(None, "x"))], X,
    ),
    "systems with Cholesky factors": ShardedProgram(
        LINE, plain(lambda a, b: jax.scipy.linalg.cho_solve((a, True), b)),
        [lower_triangular(16, 8, X), floats(16, 8, 4, spec=X)], X,
    ),
    "quantiles": ShardedProgram(
        LINE, plain(lambda x: jnp.quantile(x, jnp.array([0.25, 0.9]))), [floats(512, spec=X)], P(),
    ),
    "quantiles of divided rows": ShardedProgram(
        LINE, plain(lambda x: jnp.quantile(x, 0.9, axis=1)), [floats(64, 32, spec=X)], X,
    ),
    "interpolation": ShardedProgram(
        LINE, plain(jnp.interp),
        [floats(512, spec=X), sorted_floats(64, P()), floats(64, spec=P())], X,
    ),
    "products of complex matrices": ShardedProgram(
        GRID, plain(jnp.matmul),
        [complex_numbers(32, 32, spec=XY), complex_numbers(32, 32, spec=P("y"))], X,
    ),
    "experts with capacity": ShardedProgram(
        LINE, mapped((X, P(), X), X, experts_with_capacity),
        [floats(128, 16, spec=X), floats(16, 8, spec=P()), floats(8, 16, 16, spec=X)], X,
    ),
    "norm of divided positions": ShardedProgram(
        GRID, norm_of_sequence,
        [floats(8, 16, 32, spec=X), floats(32, 64, spec=P(None, "y")), floats(64, 32, spec=Y)], XY,
    ),
    "FFT there and back": ShardedProgram(
        LINE, plain(lambda x: jnp.fft.ifft2(jnp.fft.fft2(x) * 0.5).real),
        [floats(32, 32, spec=X)], X,
    ),
    "cumulative products of divided columns": ShardedProgram(
        LINE, plain(lambda x: jnp.cumprod(1 + 0.1 * x, axis=1)),
        [floats(16, 64, spec=P(None, "x"))], P(None, "x"),
    ),
    "sampling among the largest": ShardedProgram(
        GRID, plain(sampled), [floats(16, 64, spec=XY), floats(16, 4, spec=X)], X,
    ),
    "states of beams": ShardedProgram(
        GRID, plain(beams), [floats(8, 4, 16, spec=P("x", None, "y")), indices(4, 8, 4, spec=X)],
        P("x", None, "y"),
    ),
    "pipeline in a scan": ShardedProgram(
        LINE, mapped((X, P()), P(), scanned_pipeline),
        [floats(8, 16, 16, spec=X), floats(12, 4, 16, spec=P())], P(),
    ),
    "layers in a scan, FSDP": ShardedProgram(
        LINE, plain(zero_three), [floats(4, 32, 32, spec=P(None, "x")), floats(64, 32, spec=X)],
        P(None, "x"),
    ),
    "gradient of a divided table": ShardedProgram(
        GRID, plain(gradient_of_lookup), [floats(64, 32, spec=Y), indices(64, 16, 8, spec=X)], Y,
    ),
    "patches of divided rows": ShardedProgram(
        LINE, plain(patches), [floats(2, 64, 32, 4, spec=P(None, "x")), floats(64, 8, spec=P())],
        P(None, "x"),
    ),
    "batch norm": ShardedProgram(
        LINE, plain(batch_norm), [floats(16, 8, 8, 4, spec=X), floats(4, spec=P())],
        (X, P(), P()),
    ),
    "gradients of a batch norm": ShardedProgram(
        LINE, plain(mean_variance_gradient), [floats(16, 8, 8, 4, spec=X), floats(4, spec=P())],
        (X, P()),
    ),
    "chain of products": ShardedProgram(
        GRID, plain(chain),
        [floats(32, 32, spec=XY), floats(32, 32, spec=XY), floats(32, 32, spec=P("y", "x"))], XY,
    ),
    "step of Adam, clipped": ShardedProgram(
        LINE, plain(lambda up, down, *rest: clipped_adam((up, down), *rest)),
        [floats(32, 64, spec=X), floats(64, 16, spec=X), *(floats(32, 64, spec=X),) * 2,
         floats(64, 32, spec=X), floats(64, 16, spec=X)], (X, X, X),
    ),
    "smoothed labels of divided classes": ShardedProgram(
        GRID, plain(label_smoothing), [floats(16, 64, spec=XY), indices(64, 16, spec=X)], P(),
    ),
    "attention to a window": ShardedProgram(
        LINE, plain(windowed_attention), [floats(64, 16, spec=X)] * 3, X,
    ),
    "linear attention": ShardedProgram(
        LINE, plain(linear_attention), [floats(64, 16, spec=X)] * 3, X,
    ),
    "diagonal recurrence": ShardedProgram(
        GRID, plain(state_space), [floats(16, spec=Y), floats(32, 8, 16, spec=P(None, "x", "y"))],
        P(None, "x", "y"),
    ),
    "contrastive loss": ShardedProgram(
        LINE, plain(jax.value_and_grad(contrastive)),
        [floats(64, 16, spec=X), floats(64, 16, spec=X)], (P(), X),
    ),
    "sums over edges": ShardedProgram(
        LINE, plain(message_passing),
        [floats(32, 16, spec=P()), indices(32, 128, spec=X), indices(32, 128, spec=X)], P(),
    ),
    "orthogonal matrix by Newton's steps": ShardedProgram(
        GRID, plain(newton), [floats(32, 32, spec=XY)], XY,
    ),
    "histogram": ShardedProgram(LINE, plain(histogram), [floats(512, spec=X)], P()),
}  # fmt: skip
