"""Programs whose arguments are divided over eight devices: ``benchmarks.jax.partitioning``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

Array = Any
LINE: Final = {"x": 8}
GRID: Final = {"x": 2, "y": 4}
CUBE: Final = {"x": 2, "y": 2, "z": 2}
RANDOM: Final = np.random.default_rng(0)


class Argument(NamedTuple):
    """An argument of a program.

    Attributes:
        value: Its elements.
        spec: How devices divide them.
    """

    value: Any
    spec: P


class ShardedProgram(NamedTuple):
    """A program of several devices.

    Attributes:
        axes: The axes of the mesh, with their sizes.
        function: Takes the mesh, and returns what is compiled.
        arguments: Its arguments.
        results: How devices divide its results; None: as the partitioner likes.
    """

    axes: dict[str, int]
    function: Callable[[Mesh], Callable[..., Any]]
    arguments: Sequence[Argument]
    results: Any = None


def floats(*shape: int, spec: P) -> Argument:
    """Random numbers."""
    return Argument(RANDOM.standard_normal(shape).astype(np.float32), spec)


def indices(limit: int, *shape: int, spec: P) -> Argument:
    """Random indices below a limit."""
    return Argument(RANDOM.integers(0, limit, shape).astype(np.int32), spec)


def positive_definite(batch: int, size: int, spec: P) -> Argument:
    """Symmetric matrices with positive eigenvalues."""
    factor = RANDOM.standard_normal((batch, size, size)).astype(np.float32)
    return Argument(
        factor @ factor.transpose(0, 2, 1) + size * np.eye(size, dtype=np.float32), spec
    )


def lower_triangular(batch: int, size: int, spec: P) -> Argument:
    """Lower triangular matrices whose inverses are small."""
    return Argument(np.tril(positive_definite(batch, size, spec).value), spec)


def plain(function: Callable[..., Any]) -> Callable[[Mesh], Callable[..., Any]]:
    """A function that does not ask the mesh."""
    return lambda mesh: function


def mapped(
    ins: Any, outs: Any, function: Callable[..., Any]
) -> Callable[[Mesh], Callable[..., Any]]:
    """A function of shards."""
    return lambda mesh: jax.shard_map(
        function, mesh=mesh, in_specs=ins, out_specs=outs, check_vma=False
    )


def mlp(x: Array, up: Array, down: Array) -> Array:
    """A perceptron of two layers."""
    return jax.nn.relu(x @ up) @ down


def attention(x: Array, q: Array, k: Array, v: Array, o: Array) -> Array:
    """Attention of several heads; weights are (features, heads, width)."""
    queries, keys, values = (jnp.einsum("btd,dhk->bthk", x, w) for w in (q, k, v))
    scores = jax.nn.softmax(jnp.einsum("bthk,bshk->bhts", queries, keys))
    return jnp.einsum("bthk,hkd->btd", jnp.einsum("bhts,bshk->bthk", scores, values), o)


def loss(weights: Sequence[Array], x: Array, y: Array) -> Array:
    """The mean squared error of a perceptron."""
    return jnp.mean((mlp(x, *weights) - y) ** 2)


def descent(up: Array, down: Array, x: Array, y: Array) -> Any:
    """A step of gradient descent."""
    value, gradients = jax.value_and_grad(loss)((up, down), x, y)
    return value, *(w - 0.1 * g for w, g in zip((up, down), gradients, strict=True))


def adam(up: Array, down: Array, m: Array, v: Array, x: Array, y: Array) -> Any:
    """A step of Adam for the first layer."""
    gradient = jax.grad(lambda up: loss((up, down), x, y))(up)
    m, v = 0.9 * m + 0.1 * gradient, 0.99 * v + 0.01 * gradient**2
    return up - 0.1 * m / (jnp.sqrt(jnp.abs(v)) + 1e-6), m, v


def micro_batches(mesh: Mesh) -> Callable[..., Any]:
    """Gradients of four batches, summed in a loop."""

    def function(up: Array, down: Array, x: Array, y: Array) -> Array:
        def step(total: Array, batch: Any) -> Any:
            return total + jax.grad(lambda up: loss((up, down), *batch))(up), None

        return lax.scan(step, jnp.zeros_like(up), (x, y))[0]

    return function


def dispatch(tokens: Array, weights: Array) -> Array:
    """Experts of eight devices exchange tokens (experts, capacity, features)."""
    received = lax.all_to_all(tokens, "x", split_axis=0, concat_axis=1, tiled=True)
    computed = jnp.einsum("ecd,edf->ecf", received, weights)
    return lax.all_to_all(computed, "x", split_axis=1, concat_axis=0, tiled=True)


def ragged_dispatch(tokens: Array) -> Array:
    """One row from each device to each other one, by ragged_all_to_all."""
    one = jnp.ones(8, jnp.int32)
    here = jnp.full(8, lax.axis_index("x"), jnp.int32)
    counts = jnp.arange(8, dtype=jnp.int32)
    return lax.ragged_all_to_all(
        tokens, jnp.zeros_like(tokens), counts, one, here, one, axis_name="x"
    )


def pipeline(x: Array, weights: Array) -> Array:
    """Eight stages; activations move to the next device after each step."""
    ring = [(i, (i + 1) % 8) for i in range(8)]

    def step(_: Any, state: Array) -> Array:
        return lax.ppermute(jnp.tanh(state @ weights[0]), "x", ring)

    return lax.fori_loop(0, 8, step, x)


def heat(u: Array) -> Array:
    """A step of the heat equation between fixed borders."""
    inner = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return jnp.concatenate([u[:1], inner, u[-1:]])


def heat_in_shards(u: Array) -> Array:
    """A periodic step of the heat equation, with exchanged borders."""
    up, down = ([(i, (i + step) % 8) for i in range(8)] for step in (1, -1))
    below, above = lax.ppermute(u[-1:], "x", up), lax.ppermute(u[:1], "x", down)
    wide = jnp.concatenate([below, u, above])
    return u + 0.1 * (wide[2:] - 2 * u + wide[:-2])


def periodic_heat(u: Array) -> Array:
    """A periodic step of the heat equation in two dimensions, by rolls."""
    neighbors = sum(jnp.roll(u, step, axis) for step in (1, -1) for axis in (0, 1))
    return u + 0.1 * (neighbors - 4 * u)


def heat_in_space(u: Array) -> Array:
    """A periodic step of the heat equation in three dimensions."""
    neighbors = sum(jnp.roll(u, step, axis) for step in (1, -1) for axis in (0, 1, 2))
    return u + 0.1 * (neighbors - 6 * u)


def convolution(x: Array, kernel: Array, strides: Sequence[int] = (1, 1)) -> Array:
    """A convolution of images."""
    return lax.conv_general_dilated(
        x, kernel, strides, "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def layer_norm(x: Array, scale: Array, shift: Array) -> Array:
    """Normalization over the last dimension."""
    mean, variance = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + shift


def cross_entropy(logits: Array, labels: Array) -> Array:
    """The mean cross entropy of logits whose classes are divided."""
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1)
    return -jnp.mean(picked)


def random_bits(shape: Sequence[int]) -> Callable[[Mesh], Callable[..., Any]]:
    """Bits of RngBitGenerator."""
    return plain(lambda key: lax.rng_bit_generator(key, shape, np.uint32)[1])


def pooled(x: Array) -> Array:
    """Maxima of windows of three rows."""
    return lax.reduce_window(x, -jnp.inf, lax.max, (3, 1), (1, 1), "SAME")


def gradient_of_maxima(x: Array) -> Array:
    """The gradient of maxima of windows of 3 x 3 elements, two elements apart."""
    return jax.grad(lambda x: jnp.sum(lax.reduce_window(
        x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME") ** 2))(x)  # fmt: skip


def rematerialized(up: Array, down: Array, x: Array) -> Any:
    """The gradients of layers in a scan, whose activations are computed again."""

    @jax.checkpoint
    def layer(x: Array, weights: Any) -> Any:
        return jnp.tanh(x @ weights[0]) @ weights[1], None

    def total(weights: Any) -> Array:
        return jnp.sum(lax.scan(layer, x, weights)[0] ** 2)

    return jax.grad(total)((up / 10, down / 10))


def recurrence(factors: Array, x: Array) -> Array:
    """A linear recurrence along the rows, by an associative scan."""
    return lax.associative_scan(
        lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]), (factors, x), axis=0
    )[1]


def power_iteration(matrix: Array, vector: Array) -> Array:
    """Five steps towards the first eigenvector."""

    def step(_: Any, vector: Array) -> Array:
        product = matrix @ vector
        return product / jnp.linalg.norm(product)

    return lax.fori_loop(0, 5, step, vector)


def depthwise(x: Array, kernel: Array) -> Array:
    """A convolution of sequences, each of 16 features on its own."""
    return lax.conv_general_dilated(
        x, kernel, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=16
    )


def normalized(x: Array) -> Array:
    """Rows of mean 0 and variance 1."""
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)


def sequence_parallel(mesh: Mesh) -> Callable[..., Any]:
    """A perceptron with a norm of divided positions and products of divided features."""

    def function(x: Array, up: Array, down: Array) -> Array:
        h = lax.with_sharding_constraint(normalized(x), NamedSharding(mesh, P("x")))
        h = jax.nn.gelu(h @ up) @ down
        return lax.with_sharding_constraint(x + h, NamedSharding(mesh, P("x", "y")))

    return function


def grouped_attention(q: Array, k: Array, v: Array, o: Array, x: Array) -> Array:
    """Attention of which several heads of queries share one of keys and values."""
    queries, keys, values = (jnp.einsum("btd,dhk->bthk", x, w) for w in (q, k, v))
    queries = queries.reshape(*queries.shape[:2], keys.shape[2], -1, queries.shape[3])
    scores = jax.nn.softmax(jnp.einsum("btgrk,bsgk->bgrts", queries, keys))
    heads = jnp.einsum("bgrts,bsgk->btgrk", scores, values)
    return jnp.einsum("bthk,hkd->btd", heads.reshape(*heads.shape[:2], -1, heads.shape[4]), o)


def ring_attention(q: Array, k: Array, v: Array) -> Array:
    """Attention of divided positions: keys and values move to the next device after each step."""
    ring = [(i, (i + 1) % 8) for i in range(8)]

    def step(carry: Any, _: None) -> Any:
        k, v, highest, total, result = carry
        scores = q @ k.T
        higher = jnp.maximum(highest, scores.max(1))
        weights, scale = jnp.exp(scores - higher[:, None]), jnp.exp(highest - higher)
        total, result = total * scale + weights.sum(1), result * scale[:, None] + weights @ v
        return (*lax.ppermute((k, v), "x", ring), higher, total, result), None

    rows = q.shape[0]
    start = k, v, jnp.full(rows, -jnp.inf), jnp.zeros(rows), jnp.zeros_like(q)
    (_, _, _, total, result), _ = lax.scan(step, start, None, length=8)
    return result / total[:, None]


def experts(tokens: Array, gates: Array, up: Array, down: Array) -> Array:
    """A mixture of experts: each token goes to one of them, by products with zeros and ones."""
    probabilities = jax.nn.softmax(tokens @ gates)
    chosen = jax.nn.one_hot(jnp.argmax(probabilities, -1), gates.shape[1])
    place = ((jnp.cumsum(chosen, 0) * chosen).sum(-1) - 1).astype(int)
    sent = chosen[..., None] * jax.nn.one_hot(place, 8)[:, None, :]
    hidden = jax.nn.relu(jnp.einsum("ecd,edf->ecf", jnp.einsum("tec,td->ecd", sent, tokens), up))
    weighted = sent * probabilities.max(-1)[:, None, None]
    return jnp.einsum("tec,ecd->td", weighted, jnp.einsum("ecf,efd->ecd", hidden, down))


def pipelined(weights: Array, batches: Array) -> Array:
    """Eight stages as one product with a batch dimension; their states move by a roll."""

    def step(state: Array, batch: Array) -> Any:
        state = jnp.roll(state, 1, 0).at[0].set(batch)
        state = jax.vmap(lambda s, w: jnp.tanh(s @ w))(state, weights)
        return state, state[-1]

    return lax.scan(step, jnp.zeros((8, *batches.shape[1:])), batches)[1]


def adapted(weights: Array, a: Array, b: Array, x: Array, y: Array) -> Any:
    """Gradients of a low-rank adaptation."""
    return jax.grad(lambda ab: jnp.mean((x @ weights + x @ ab[0] @ ab[1] - y) ** 2))((a, b))


def divided_adam(weights: Array, m: Array, v: Array, x: Array, y: Array) -> Any:
    """A step of Adam whose moments are divided, but not the weights."""
    gradient = jax.grad(lambda weights: jnp.mean((x @ weights - y) ** 2))(weights)
    m, v = 0.9 * m + 0.1 * gradient, 0.99 * v + 0.01 * gradient**2
    return weights - 0.1 * m / (jnp.sqrt(jnp.abs(v)) + 1e-6), m, v


def scanned(weights: Array, x: Array) -> Array:
    """Gradients of layers in a loop, whose values are computed again."""

    @jax.checkpoint
    def layer(x: Array, w: Array) -> Any:
        return jnp.tanh(x @ w), None

    return jax.grad(lambda weights: jnp.sum(lax.scan(layer, x, weights)[0] ** 2))(weights)


def next_words(logits: Array, words: Array) -> Array:
    """The mean cross entropy of logits and the word that follows each position."""
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits[:, :-1]), words[:, 1:, None], 2)
    return -jnp.mean(chosen)


def variation(x: Array) -> Array:
    """The mean square of the differences of neighbors along both dimensions."""
    return jnp.mean((x[1:] - x[:-1]) ** 2) + jnp.mean((x[:, 1:] - x[:, :-1]) ** 2)


def decoded(cache: Array, key: Array, query: Array, position: Array) -> Any:
    """A step of attention with a cache of keys (batch, positions, heads, width)."""
    cache = lax.dynamic_update_slice_in_dim(cache, key, position, 1)
    scores = jnp.einsum("bhd,bthd->bht", query, cache)
    scores = jnp.where(jnp.arange(cache.shape[1]) <= position, scores, -1e9)
    return cache, jnp.einsum("bht,bthd->bhd", jax.nn.softmax(scores), cache)


def rms_norm(x: Array) -> Array:
    """Vectors of length 1, up to their number of elements."""
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)


def transformer_layer(weights: Sequence[Array], x: Array) -> Array:
    """Causal attention and a perceptron, with norms before them."""
    q, k, v, o, up, down = weights
    queries, keys, values = (jnp.einsum("btd,dhk->bthk", rms_norm(x), w) for w in (q, k, v))
    scores = jnp.einsum("bthk,bshk->bhts", queries, keys)
    scores = jax.nn.softmax(jnp.where(jnp.tril(jnp.ones(scores.shape[2:], bool)), scores, -1e9))
    x += jnp.einsum("bthk,hkd->btd", jnp.einsum("bhts,bshk->bthk", scores, values), o)
    return x + jax.nn.gelu(rms_norm(x) @ up) @ down


def transformer(*arguments: Array) -> Any:
    """Gradients of layers in a loop, whose weights are small."""
    *weights, x = (0.1 * argument for argument in arguments)

    def total(weights: Any) -> Array:
        return jnp.mean(lax.scan(lambda x, w: (transformer_layer(w, x), None), x, weights)[0] ** 2)

    return jax.grad(total)(weights)


def lstm(inner: Array, outer: Array, x: Array) -> Array:
    """The states of a long short-term memory."""

    def step(state: Any, row: Array) -> Any:
        h, c = state
        i, f, g, o = jnp.split(row @ inner + h @ outer, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zeros = jnp.zeros((x.shape[1], len(outer)))
    return lax.scan(step, (zeros, zeros), x)[1]


def laplacian(mode: str) -> Callable[[Array], Array]:
    """The sum of the differences with four neighbors; beyond the border are padded elements."""

    def function(x: Array) -> Array:
        p = jnp.pad(x, 1, mode=mode)
        return p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * x

    return function


def deep(*arguments: Array) -> Any:
    """Gradients of a perceptron of several layers."""
    *weights, x = arguments

    def total(weights: Any) -> Array:
        return jnp.sum(reduce(lambda h, w: jnp.tanh(h @ w), weights, x) ** 2)

    return jax.grad(total)(weights)


def kernel_average(x: Array, y: Array) -> Array:
    """Averages of rows, weighted by a Gaussian kernel."""
    return jnp.exp(-((x[:, None] - y[None]) ** 2).sum(-1)) @ y


def clusters(x: Array, centers: Array) -> Array:
    """A step of k-means."""
    nearest = jnp.argmin(((x[:, None] - centers[None]) ** 2).sum(-1), 1)
    sums = jax.ops.segment_sum(x, nearest, len(centers))
    counts = jax.ops.segment_sum(jnp.ones(len(x)), nearest, len(centers))
    return sums / jnp.maximum(counts, 1)[:, None]


X: Final = P("x")
Y: Final = P("y")
XY: Final = P("x", "y")
XYZ: Final = P("x", "y", "z")
KEY: Final = Argument(np.arange(4, dtype=np.uint32), P())

PROGRAMS: Final[dict[str, ShardedProgram]] = {
    "tensor-parallel perceptron": ShardedProgram(
        GRID, plain(mlp),
        [floats(32, 64, spec=X), floats(64, 128, spec=P(None, "y")), floats(128, 64, spec=Y)], X,
    ),
    "tensor-parallel attention": ShardedProgram(
        GRID, plain(attention),
        [floats(4, 16, 32, spec=X), *(floats(32, 8, 8, spec=P(None, "y")) for _ in range(3)),
         floats(8, 8, 32, spec=Y)], X,
    ),
    "gradients of tensor-parallel attention": ShardedProgram(
        GRID, plain(jax.grad(lambda *a: jnp.sum(attention(*a) ** 2), argnums=(1, 2, 3, 4))),
        [floats(4, 16, 32, spec=X), *(floats(32, 8, 8, spec=P(None, "y")) for _ in range(3)),
         floats(8, 8, 32, spec=Y)], (*[P(None, "y")] * 3, Y),
    ),
    "data-parallel step": ShardedProgram(
        LINE, plain(descent),
        [floats(32, 64, spec=P()), floats(64, 16, spec=P()), floats(64, 32, spec=X),
         floats(64, 16, spec=X)], (P(), P(), P()),
    ),
    "FSDP step": ShardedProgram(
        LINE, plain(descent),
        [floats(32, 64, spec=X), floats(64, 16, spec=X), floats(64, 32, spec=X),
         floats(64, 16, spec=X)], (P(), X, X),
    ),
    "FSDP step of two axes": ShardedProgram(
        GRID, plain(descent),
        [floats(32, 64, spec=XY), floats(64, 16, spec=P("y", "x")), floats(64, 32, spec=X),
         floats(64, 16, spec=X)], (P(), XY, P("y", "x")),
    ),
    "FSDP step of Adam": ShardedProgram(
        LINE, plain(adam),
        [floats(32, 64, spec=X), floats(64, 16, spec=X), *(floats(32, 64, spec=X),) * 2,
         floats(64, 32, spec=X), floats(64, 16, spec=X)], (X, X, X),
    ),
    "micro-batches in a scan": ShardedProgram(
        LINE, micro_batches,
        [floats(32, 64, spec=P()), floats(64, 16, spec=P()), floats(4, 64, 32, spec=P(None, "x")),
         floats(4, 64, 16, spec=P(None, "x"))], P(),
    ),
    "experts by all_to_all": ShardedProgram(
        LINE, mapped((P(None, "x"), X), P(None, "x"), dispatch),
        [floats(8, 64, 16, spec=P(None, "x")), floats(8, 16, 16, spec=X)], P(None, "x"),
    ),
    "experts by ragged_all_to_all": ShardedProgram(
        LINE, mapped(X, X, ragged_dispatch), [floats(64, 16, spec=X)], X,
    ),
    "experts by einsum": ShardedProgram(
        LINE, plain(lambda x, w: jnp.einsum("gecd,edf->gecf", x, w)),
        [floats(8, 8, 4, 16, spec=X), floats(8, 16, 16, spec=X)], X,
    ),
    "pipeline in a shard_map": ShardedProgram(
        LINE, mapped((X, X), X, pipeline), [floats(64, 16, spec=X), floats(8, 16, 16, spec=X)], X,
    ),
    "heat equation in a shard_map": ShardedProgram(
        LINE, mapped(X, X, heat_in_shards), [floats(64, 16, spec=X)], X,
    ),
    "heat equation between borders": ShardedProgram(
        LINE, plain(heat), [floats(64, 16, spec=X)], X,
    ),
    "periodic heat equation": ShardedProgram(
        GRID, plain(periodic_heat), [floats(64, 64, spec=XY)], XY,
    ),
    "convolution over divided rows": ShardedProgram(
        LINE, plain(convolution), [floats(2, 64, 32, 4, spec=P(None, "x")),
                                   floats(3, 3, 4, 4, spec=P())], P(None, "x"),
    ),
    "convolution over divided rows and columns": ShardedProgram(
        GRID, plain(convolution), [floats(2, 32, 32, 4, spec=P(None, "x", "y")),
                                   floats(3, 3, 4, 4, spec=P())], P(None, "x", "y"),
    ),
    "convolution of stride 2": ShardedProgram(
        LINE, plain(lambda x, k: convolution(x, k, (2, 2))),
        [floats(2, 64, 32, 4, spec=P(None, "x")), floats(3, 3, 4, 4, spec=P())], P(None, "x"),
    ),
    "gradient of a convolution": ShardedProgram(
        LINE, plain(jax.grad(lambda k, x: jnp.sum(convolution(x, k) ** 2))),
        [floats(3, 3, 4, 4, spec=P()), floats(2, 64, 32, 4, spec=P(None, "x"))], P(),
    ),
    "images of twice the size": ShardedProgram(
        LINE, plain(lambda x: jax.image.resize(x, (2, 64, 32, 4), "bilinear")),
        [floats(2, 32, 16, 4, spec=P(None, "x"))], P(None, "x"),
    ),
    "maxima of windows": ShardedProgram(LINE, plain(pooled), [floats(64, 16, spec=X)], X),
    "gradient of maxima of windows": ShardedProgram(
        GRID, plain(jax.grad(lambda x: jnp.sum(lax.reduce_window(
            x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") ** 2))),
        [floats(2, 16, 16, 4, spec=P(None, "x", "y"))], P(None, "x", "y"),
    ),
    "gradient of maxima of windows that overlap": ShardedProgram(
        LINE, plain(gradient_of_maxima), [floats(2, 32, 16, 4, spec=P(None, "x"))], P(None, "x"),
    ),
    "the same of divided rows and columns": ShardedProgram(
        GRID, plain(gradient_of_maxima), [floats(2, 16, 16, 4, spec=P(None, "x", "y"))],
        P(None, "x", "y"),
    ),
    "FFT of divided rows": ShardedProgram(
        LINE, plain(jnp.fft.fft), [floats(16, 64, spec=X)], X,
    ),
    "FFT of two dimensions": ShardedProgram(
        LINE, plain(lambda x: jnp.abs(jnp.fft.fft2(x))), [floats(32, 64, spec=X)], X,
    ),
    "sort of divided rows": ShardedProgram(
        LINE, plain(lambda x: jnp.sort(x, axis=1)), [floats(16, 64, spec=X)], X,
    ),
    "sort along a divided dimension": ShardedProgram(
        LINE, plain(lambda x: jnp.sort(x, axis=1)), [floats(16, 64, spec=P(None, "x"))],
        P(None, "x"),
    ),
    "Cholesky factors of a batch": ShardedProgram(
        LINE, plain(jnp.linalg.cholesky), [positive_definite(16, 8, X)], X,
    ),
    "Cholesky factor of divided rows": ShardedProgram(
        LINE, plain(jnp.linalg.cholesky), [positive_definite(2, 32, P(None, "x"))], P(None, "x"),
    ),
    "embeddings of divided words": ShardedProgram(
        GRID, plain(lambda table, words: jnp.take(table, words, axis=0)),
        [floats(128, 32, spec=Y), indices(128, 16, 8, spec=X)], X,
    ),
    "gradient of embeddings": ShardedProgram(
        GRID, plain(jax.grad(lambda table, words: jnp.sum(jnp.take(table, words, axis=0) ** 2))),
        [floats(128, 32, spec=Y), indices(128, 16, 8, spec=X)], Y,
    ),
    "words as rows of zeros and a one": ShardedProgram(
        GRID, plain(lambda words, table: jax.nn.one_hot(words, 128) @ table),
        [indices(128, 64, spec=X), floats(128, 32, spec=Y)], X,
    ),
    "permutation of divided rows": ShardedProgram(
        LINE, plain(lambda seed, x: jax.random.permutation(jax.random.key(seed), x)),
        [Argument(np.int32(7), P()), floats(64, 16, spec=X)], X,
    ),
    "updates of divided rows": ShardedProgram(
        LINE, plain(lambda x, i, u: x.at[i].set(u)),
        [floats(64, 16, spec=X), Argument(np.arange(0, 64, 4, dtype=np.int32), P()),
         floats(16, 16, spec=P())], X,
    ),
    "roll": ShardedProgram(
        LINE, plain(lambda x: jnp.roll(x, 1, axis=0)), [floats(64, 8, spec=X)], X,
    ),
    "transposition to another sharding": ShardedProgram(
        GRID, plain(jnp.transpose), [floats(32, 64, spec=XY)], XY,
    ),
    "resharding to the other dimension": ShardedProgram(
        LINE, plain(lambda x: x + 1), [floats(64, 64, spec=X)], P(None, "x"),
    ),
    "resharding to swapped axes": ShardedProgram(
        GRID, plain(lambda x: x + 1), [floats(64, 64, spec=XY)], P("y", "x"),
    ),
    "layer norm of divided features": ShardedProgram(
        GRID, plain(layer_norm),
        [floats(16, 64, spec=XY), floats(64, spec=Y), floats(64, spec=Y)], XY,
    ),
    "cross entropy of divided classes": ShardedProgram(
        GRID, plain(cross_entropy), [floats(16, 64, spec=XY), indices(64, 16, spec=X)], P(),
    ),
    "cumulative sum": ShardedProgram(
        LINE, plain(lambda x: jnp.cumsum(x, axis=0)), [floats(64, 16, spec=X)], X,
    ),
    "mean and maximum": ShardedProgram(
        GRID, plain(lambda x: (jnp.mean(x, 0), jnp.max(x))), [floats(64, 64, spec=XY)], (Y, P()),
    ),
    "slice and update": ShardedProgram(
        LINE, plain(lambda x, i: lax.dynamic_update_slice_in_dim(
            x, 2 * lax.dynamic_slice_in_dim(x, i, 4, axis=1), i, axis=1)),
        [floats(64, 16, spec=X), Argument(np.int32(3), P())], X,
    ),
    "dynamic slice of a divided dimension": ShardedProgram(
        LINE, plain(lambda x, i: lax.dynamic_slice_in_dim(x, i, 4)),
        [floats(64, 16, spec=X), Argument(np.int32(30), P())], P(),
    ),
    "dynamic update of a divided dimension": ShardedProgram(
        LINE, plain(lambda x, u, i: lax.dynamic_update_slice_in_dim(x, u, i, axis=0)),
        [floats(64, 16, spec=X), floats(1, 16, spec=P()), Argument(np.int32(30), P())], X,
    ),
    "even rows": ShardedProgram(LINE, plain(lambda x: x[::2]), [floats(64, 16, spec=X)], X),
    "shifted rows": ShardedProgram(
        LINE, plain(lambda x: jnp.pad(x, ((1, 0), (0, 0)))[:-1]), [floats(64, 16, spec=X)], X,
    ),
    "split of a divided dimension": ShardedProgram(
        LINE, plain(lambda x: x.reshape(8, 8, 16).sum(1)), [floats(64, 16, spec=X)], X,
    ),
    "merge of divided dimensions": ShardedProgram(
        GRID, plain(lambda x: x.reshape(64, 16) * 2), [floats(8, 8, 16, spec=XY)], P(("x", "y")),
    ),
    "concatenation along a divided dimension": ShardedProgram(
        LINE, plain(lambda a, b: jnp.concatenate([a, b])),
        [floats(32, 16, spec=X), floats(32, 16, spec=X)], X,
    ),
    "padding of a divided dimension": ShardedProgram(
        LINE, plain(lambda x: jnp.pad(x, ((4, 4), (0, 0)))), [floats(56, 16, spec=X)], X,
    ),
    "reversal of a divided dimension": ShardedProgram(
        LINE, plain(lambda x: x[::-1]), [floats(64, 16, spec=X)], X,
    ),
    "reversal of two divided dimensions": ShardedProgram(
        GRID, plain(lambda x: x[::-1, ::-1]), [floats(64, 64, spec=XY)], XY,
    ),
    "Kronecker product": ShardedProgram(
        GRID, plain(jnp.kron), [floats(8, 8, spec=XY), floats(4, 4, spec=P())], XY,
    ),
    "rng_bit_generator": ShardedProgram(GRID, random_bits((64, 64)), [KEY], XY),
    "jax.random.normal": ShardedProgram(
        GRID, plain(lambda seed: jax.random.normal(jax.random.key(seed), (64, 64))),
        [Argument(np.int32(7), P())], XY,
    ),
    "rematerialized layers, FSDP": ShardedProgram(
        LINE, plain(rematerialized),
        [floats(4, 32, 64, spec=P(None, "x")), floats(4, 64, 32, spec=P(None, "x")),
         floats(64, 32, spec=X)], (P(None, "x"),) * 2,
    ),
    "rematerialized layers, FSDP and tensor-parallel": ShardedProgram(
        GRID, plain(rematerialized),
        [floats(4, 32, 64, spec=P(None, "x", "y")), floats(4, 64, 32, spec=P(None, "y", "x")),
         floats(64, 32, spec=X)], (P(None, "x", "y"), P(None, "y", "x")),
    ),
    "linear recurrence": ShardedProgram(
        LINE, plain(recurrence), [floats(64, 16, spec=X), floats(64, 16, spec=X)], X,
    ),
    "power iteration": ShardedProgram(
        GRID, plain(power_iteration), [floats(64, 64, spec=XY), floats(64, spec=Y)], Y,
    ),
    "depthwise convolution": ShardedProgram(
        GRID, plain(depthwise), [floats(4, 32, 16, spec=P("x", None, "y")),
                                 floats(3, 1, 16, spec=P(None, None, "y"))], P("x", None, "y"),
    ),
    "zeros between rows": ShardedProgram(
        LINE, plain(lambda x: lax.pad(x, np.float32(0), ((0, 1, 1), (0, 0, 0)))),
        [floats(32, 16, spec=X)], X,
    ),
    "sums of divided updates": ShardedProgram(
        LINE, plain(lambda x, i, u: x.at[i].add(u)),
        [floats(64, 16, spec=X), indices(64, 32, spec=X), floats(32, 16, spec=X)], X,
    ),
    "places of sorted rows": ShardedProgram(
        LINE, plain(lambda x: jnp.argsort(x, axis=1)), [floats(16, 64, spec=X)], X,
    ),
    "medians": ShardedProgram(
        GRID, plain(lambda x: jnp.median(x, axis=1)), [floats(64, 64, spec=XY)], X,
    ),
    "largest elements of rows": ShardedProgram(
        LINE, plain(lambda x: lax.top_k(x, 4)), [floats(16, 64, spec=X)], [X, X],
    ),
    "tile": ShardedProgram(
        LINE, plain(lambda x: jnp.tile(x, (2, 1))), [floats(64, 4, spec=X)], X,
    ),
    "tile of two divided dimensions": ShardedProgram(
        GRID, plain(lambda x: jnp.tile(x, (2, 2))), [floats(16, 16, spec=XY)], XY,
    ),
    "every third row": ShardedProgram(
        LINE, plain(lambda x: x[::3]), [floats(64, 16, spec=X)], P(),
    ),
    "sum of the first rows": ShardedProgram(
        LINE, plain(lambda x: x[:50].sum(0)), [floats(64, 16, spec=X)], P(),
    ),
    "last position of divided ones": ShardedProgram(
        GRID, plain(lambda x: x[:, -1]), [floats(4, 32, 16, spec=XY)], X,
    ),
    "differences of neighbors": ShardedProgram(
        GRID, plain(variation), [floats(64, 64, spec=XY)], P(),
    ),
    "loss of the next words": ShardedProgram(
        GRID, plain(next_words), [floats(4, 32, 16, spec=XY), indices(16, 4, 32, spec=XY)], P(),
    ),
    "gradient of the loss of the next words": ShardedProgram(
        GRID, plain(jax.grad(next_words)),
        [floats(4, 32, 16, spec=XY), indices(16, 4, 32, spec=XY)], XY,
    ),
    "norms": ShardedProgram(
        GRID, plain(lambda x: (jnp.linalg.norm(x), jnp.linalg.norm(x, axis=0), jnp.abs(x).max())),
        [floats(64, 64, spec=XY)], (P(), Y, P()),
    ),
    "product with its transpose": ShardedProgram(
        GRID, plain(lambda x: x.T @ x), [floats(64, 64, spec=XY)], XY,
    ),
    "gradients of a rematerialized loop": ShardedProgram(
        LINE, plain(scanned), [floats(4, 32, 32, spec=P(None, "x")), floats(16, 32, spec=P())],
        P(None, "x"),
    ),
    "ring attention in a shard_map": ShardedProgram(
        LINE, mapped(X, X, ring_attention), [floats(64, 16, spec=X)] * 3, X,
    ),
    "grouped attention": ShardedProgram(
        GRID, plain(grouped_attention),
        [floats(32, 16, 8, spec=P(None, "y")), floats(32, 4, 8, spec=P(None, "y")),
         floats(32, 4, 8, spec=P(None, "y")), floats(16, 8, 32, spec=Y),
         floats(4, 8, 32, spec=X)], X,
    ),
    "sequence-parallel perceptron": ShardedProgram(
        GRID, sequence_parallel,
        [floats(8, 16, 32, spec=XY), floats(32, 64, spec=P(None, "y")), floats(64, 32, spec=Y)],
        XY,
    ),
    "attention step with divided positions": ShardedProgram(
        GRID, plain(decoded),
        [floats(4, 32, 4, 8, spec=XY), floats(4, 1, 4, 8, spec=X), floats(4, 4, 8, spec=X),
         Argument(np.int32(5), P())], (XY, X),
    ),
    "mixture of experts": ShardedProgram(
        GRID, plain(experts),
        [floats(64, 16, spec=X), floats(16, 8, spec=P()), floats(8, 16, 32, spec=Y),
         floats(8, 32, 16, spec=Y)], X,
    ),
    "pipeline by rotations": ShardedProgram(
        LINE, plain(pipelined), [floats(8, 16, 16, spec=X), floats(12, 4, 16, spec=P())], P(),
    ),
    "low-rank adaptation": ShardedProgram(
        GRID, plain(adapted),
        [floats(64, 64, spec=XY), floats(64, 4, spec=X), floats(4, 64, spec=P(None, "y")),
         floats(16, 64, spec=X), floats(16, 64, spec=X)], (X, P(None, "y")),
    ),
    "step of Adam with divided moments": ShardedProgram(
        LINE, plain(divided_adam),
        [floats(64, 64, spec=P()), floats(64, 64, spec=X), floats(64, 64, spec=X),
         floats(16, 64, spec=X), floats(16, 64, spec=X)], (P(), X, X),
    ),
    "FFT of three dimensions": ShardedProgram(
        GRID, plain(lambda x: jnp.abs(jnp.fft.fftn(x))), [floats(16, 16, 16, spec=XY)], XY,
    ),
    "sums of segments": ShardedProgram(
        LINE, plain(lambda x, s: jax.ops.segment_sum(x, s, 16)),
        [floats(64, 16, spec=X), indices(16, 64, spec=X)], X,
    ),
    "clusters": ShardedProgram(
        LINE, plain(clusters), [floats(64, 8, spec=X), floats(8, 8, spec=P())], P(),
    ),
    "distinct numbers": ShardedProgram(
        LINE, plain(lambda x: jnp.unique(x, size=16)), [indices(16, 64, spec=X)], P(),
    ),
    "triangular systems with divided right-hand sides": ShardedProgram(
        GRID, plain(lambda a, b: jax.scipy.linalg.solve_triangular(a, b, lower=True)),
        [lower_triangular(8, 8, X), floats(8, 8, 16, spec=P("x", None, "y"))], P("x", None, "y"),
    ),
    "triangular systems from the right": ShardedProgram(
        GRID, plain(lambda a, b: lax.linalg.triangular_solve(a, b, lower=True)),
        [lower_triangular(8, 8, X), floats(8, 16, 8, spec=XY)], XY,
    ),
    "largest elements of divided rows and columns": ShardedProgram(
        GRID, plain(lambda x: lax.top_k(x, 4)), [floats(16, 64, spec=XY)], [X, X],
    ),
    "largest elements of a vector": ShardedProgram(
        LINE, plain(lambda x: lax.top_k(x, 8)), [floats(1024, spec=X)], P(),
    ),
    "largest elements of divided columns": ShardedProgram(
        LINE, plain(lambda x: lax.top_k(x, 4)), [floats(16, 64, spec=P(None, "x"))], P(),
    ),
    "heat equation in three dimensions": ShardedProgram(
        CUBE, plain(heat_in_space), [floats(16, 16, 16, spec=XYZ)], XYZ,
    ),
    "merge of three divided dimensions": ShardedProgram(
        CUBE, plain(lambda x: x.reshape(64, 8) * 2), [floats(4, 4, 4, 8, spec=XYZ)],
        P(("x", "y", "z")),
    ),
    "split into three divided dimensions": ShardedProgram(
        CUBE, plain(lambda x: x.reshape(4, 4, 4, 8) * 2), [floats(64, 8, spec=P(("x", "y", "z")))],
        XYZ,
    ),
    "running logarithms of sums": ShardedProgram(
        LINE, plain(lambda x: lax.cumlogsumexp(x, axis=0)), [floats(64, 16, spec=X)], X,
    ),
    "covariance": ShardedProgram(
        LINE, plain(lambda x: jnp.cov(x.T)), [floats(64, 16, spec=X)], P(),
    ),
    "conjugate gradients": ShardedProgram(
        GRID, plain(lambda a, b: jax.scipy.sparse.linalg.cg(lambda v: a[0] @ v, b, maxiter=5)[0]),
        [positive_definite(1, 64, X)._replace(spec=P(None, "x", "y")), floats(64, spec=X)], X,
    ),
    "columns that are looked up": ShardedProgram(
        GRID, plain(lambda x, places: x[:, places]),
        [floats(64, 64, spec=XY), indices(64, 16, spec=P())], X,
    ),
    "counts of numbers": ShardedProgram(
        LINE, plain(lambda x: jnp.bincount(x, length=32)), [indices(32, 512, spec=X)], P(),
    ),
    "softmax": ShardedProgram(GRID, plain(jax.nn.softmax), [floats(64, 64, spec=XY)], XY),
    "product of divided matrices": ShardedProgram(
        GRID, plain(jnp.matmul), [floats(64, 64, spec=XY), floats(64, 64, spec=XY)], XY,
    ),
    "layers of a transformer, FSDP": ShardedProgram(
        LINE, plain(transformer),
        [*(floats(3, 32, 4, 8, spec=P(None, "x")) for _ in range(3)),
         floats(3, 4, 8, 32, spec=P(None, None, None, "x")), floats(3, 32, 128, spec=P(None, "x")),
         floats(3, 128, 32, spec=P(None, "x")), floats(16, 16, 32, spec=X)],
        [*(P(None, "x"),) * 3, P(None, None, None, "x"), *(P(None, "x"),) * 2],
    ),
    "four layers, FSDP": ShardedProgram(
        LINE, plain(deep), [*(floats(32, 32, spec=X) for _ in range(4)), floats(64, 32, spec=X)],
        [X] * 4,
    ),
    "four layers, data-parallel": ShardedProgram(
        LINE, plain(deep), [*(floats(32, 32, spec=P()) for _ in range(4)), floats(64, 32, spec=X)],
        [P()] * 4,
    ),
    "long short-term memory": ShardedProgram(
        LINE, plain(lstm), [floats(16, 64, spec=P()), floats(16, 64, spec=P()),
                            floats(12, 32, 16, spec=P(None, "x"))], P(None, "x"),
    ),
    "Laplacian with repeated borders": ShardedProgram(
        GRID, plain(laplacian("edge")), [floats(64, 64, spec=XY)], XY,
    ),
    "Laplacian with mirrored borders": ShardedProgram(
        GRID, plain(laplacian("reflect")), [floats(64, 64, spec=XY)], XY,
    ),
    "periodic Laplacian": ShardedProgram(
        GRID, plain(laplacian("wrap")), [floats(64, 64, spec=XY)], XY,
    ),
    "systems of linear equations": ShardedProgram(
        LINE, plain(jnp.linalg.solve), [positive_definite(16, 8, X), floats(16, 8, 4, spec=X)], X,
    ),
    "determinants": ShardedProgram(LINE, plain(jnp.linalg.det), [positive_definite(16, 8, X)], X),
    "averages by a Gaussian kernel": ShardedProgram(
        LINE, plain(kernel_average), [floats(64, 8, spec=X), floats(64, 8, spec=P())], X,
    ),
    "running averages": ShardedProgram(
        LINE, plain(lambda a, x: a * lax.scan(
            lambda s, z: (0.9 * s + 0.1 * z, s), jnp.zeros(x.shape[1:]), x)[1]),
        [floats(8, spec=P()), floats(20, 64, 8, spec=P(None, "x"))], P(None, "x"),
    ),
    "slice that is added to": ShardedProgram(
        LINE, plain(lambda x, u, i: lax.dynamic_update_slice_in_dim(
            x, lax.dynamic_slice_in_dim(x, i, 4, 1) + u, i, 1)),
        [floats(64, 16, spec=X), floats(64, 4, spec=X), Argument(np.int32(3), P())], X,
    ),
    "loop until a sum is small": ShardedProgram(
        GRID, plain(lambda x: lax.while_loop(lambda x: jnp.sum(x**2) > 1.0, lambda x: x / 2, x)),
        [floats(64, 64, spec=XY)], XY,
    ),
}  # fmt: skip


def compile_on(program: ShardedProgram, platform: str) -> tuple[Any, list[Any]]:
    """The compiled program, and its arguments, on the devices of a client."""
    shape = tuple(program.axes.values())
    devices = np.array(jax.devices(platform)[: np.prod(shape)]).reshape(shape)
    mesh = Mesh(devices, tuple(program.axes))
    arguments = [
        jax.device_put(value, NamedSharding(mesh, spec)) for value, spec in program.arguments
    ]
    results = jax.tree.map(
        lambda spec: NamedSharding(mesh, spec),
        program.results,
        is_leaf=lambda spec: isinstance(spec, P),
    )
    options = {} if program.results is None else {"out_shardings": results}
    compiled = jax.jit(program.function(mesh), **options).lower(*arguments).compile()
    return compiled, arguments
