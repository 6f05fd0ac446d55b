"""The programs of ``benchmarks.dynamic_sizes``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import numpy as np


@dataclass(frozen=True, slots=True)
class Program:
    """A program.

    Attributes:
        name: What the table calls it.
        shapes: The shapes of its arguments, with ``n`` for the size that changes.
        size: The size of repeated calls.
        step: The distance of new sizes.
        integers: Which arguments are numbers of one of eight classes or rows.
        definite: Whether the first argument is a symmetric positive definite matrix, or a batch.
        least: The least size that the program is exported for.
    """

    name: str
    shapes: Sequence[str]
    size: int
    step: int = 3
    integers: Sequence[int] = ()
    definite: bool = False
    least: int = 1

    def function(self) -> Callable[..., Any]:
        """The function."""
        return FUNCTIONS[self.name.split(",")[0]]

    def arguments(self, size: int) -> list[Any]:
        """Arguments of a size."""
        random_numbers = np.random.default_rng(size)
        shapes = [eval_shape(shape, size) for shape in self.shapes]
        arguments: list[Any] = [random_numbers.random(shape, np.float32) / 8 for shape in shapes]
        for position in self.integers:
            arguments[position] = random_numbers.integers(0, 8, shapes[position], np.int32)
        if self.definite:
            matrix = arguments[0]
            arguments[0] = matrix @ matrix.swapaxes(-1, -2) + np.eye(matrix.shape[-1], dtype="f4")
        return arguments


def eval_shape(text: str, size: int) -> tuple[int, ...]:
    """A shape for a size."""
    return tuple([size if part == "n" else int(part) for part in text.split(",")])


def softmax(x: Any) -> Any:
    """Softmax of rows."""
    return import_module("jax.nn").softmax(x, axis=-1)


def layer_norm(x: Any, scale: Any, bias: Any) -> Any:
    """Normalized rows."""
    jnp = import_module("jax.numpy")
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * scale + bias


def mlp(x: Any, first: Any, second: Any) -> Any:
    """Two dense layers."""
    jnp = import_module("jax.numpy")
    return jnp.maximum(x @ first, 0) @ second


def block(x: Any, qkv: Any, out: Any, up: Any, down: Any) -> Any:
    """A block of a transformer with 4 heads."""
    jnp, nn = import_module("jax.numpy"), import_module("jax.nn")
    batch, length, width = x.shape
    heads = (layer_norm(x, 1, 0) @ qkv).reshape(batch, length, 3, 4, width // 4)
    q, k, v = (heads[:, :, i].transpose(0, 2, 1, 3) for i in range(3))
    weights = nn.softmax(q @ k.transpose(0, 1, 3, 2) / 8, axis=-1)
    values = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, length, width)
    x = x + values @ out
    return x + jnp.maximum(layer_norm(x, 1, 0) @ up, 0) @ down


def elementwise(x: Any, y: Any) -> Any:
    """A product, a sum and a function."""
    return import_module("jax.numpy").tanh(x * y + x)


def row_sums(x: Any) -> Any:
    """Sums of rows."""
    return x.sum(-1)


def column_sums(x: Any) -> Any:
    """Sums of columns."""
    return x.sum(0)


def dot(x: Any, w: Any) -> Any:
    """A product of matrices."""
    return x @ w


def convolution(x: Any, w: Any) -> Any:
    """A convolution whose result has the size of the image."""
    lax = import_module("jax.lax")
    numbers = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=numbers)


def halved(x: Any, w: Any) -> Any:
    """A convolution whose result has half the size of the image, rounded up."""
    lax = import_module("jax.lax")
    numbers = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=numbers)


def overlapping(x: Any) -> Any:
    """Maxima of overlapping 3 x 3 windows, half as many as the image is large, rounded up."""
    lax = import_module("jax.lax")
    return lax.reduce_window(x, -float("inf"), lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


def pooled(x: Any) -> Any:
    """Maxima of 2 x 2 windows."""
    lax = import_module("jax.lax")
    return lax.reduce_window(x, -np.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def network(x: Any, first: Any, second: Any, dense: Any) -> Any:
    """A small convolutional network."""
    relu = import_module("jax.nn").relu
    x = pooled(relu(convolution(x, first)))
    return relu(convolution(x, second)).mean((1, 2)) @ dense


def loss(x: Any, labels: Any, first: Any, second: Any) -> Any:
    """The cross entropy of two dense layers."""
    nn = import_module("jax.nn")
    logits = nn.log_softmax(nn.relu(x @ first) @ second)
    return -(logits * nn.one_hot(labels, 8)).sum(-1).mean()


def gradient(x: Any, labels: Any, first: Any, second: Any) -> Any:
    """The gradient of a loss."""
    return import_module("jax").grad(loss, (2, 3))(x, labels, first, second)


def recurrent(x: Any, state: Any, w: Any, u: Any) -> Any:
    """A recurrent layer."""
    jax, jnp = import_module("jax"), import_module("jax.numpy")

    def step(h: Any, row: Any) -> Any:
        h = jnp.tanh(row @ w + h @ u)
        return h, h

    return jax.lax.scan(step, state, x)[1]


def gaussian_process(x: Any, y: Any, z: Any) -> Any:
    """Predictions of a Gaussian process."""
    jnp, linalg = import_module("jax.numpy"), import_module("jax.scipy.linalg")

    def kernel(a: Any, b: Any) -> Any:
        return jnp.exp(-((a[:, None] - b[None]) ** 2).sum(-1))

    factor = jnp.linalg.cholesky(kernel(x, x) + jnp.eye(x.shape[0]))
    return kernel(z, x) @ linalg.cho_solve((factor, True), y)


def numpy(name: str, **options: Any) -> Callable[..., Any]:
    """A function of jax.numpy."""

    def call(*arguments: Any) -> Any:
        function: Any = import_module("jax.numpy")
        for part in name.split("."):
            function = getattr(function, part)
        return function(*arguments, **options)

    return call


def lax(name: str, **options: Any) -> Callable[..., Any]:
    """A function of jax.lax."""
    return lambda *arguments: getattr(import_module("jax.lax"), name)(*arguments, **options)


def least_squares(x: Any, y: Any) -> Any:
    """A linear fit of rows with eight features."""
    return numpy("linalg.solve")(x.T @ x + numpy("eye")(8), x.T @ y)


def upper_factor(x: Any) -> Any:
    """The magnitudes of R, whose signs are a matter of the routine."""
    return abs(numpy("linalg.qr")(x)[1])


def spectrum(x: Any) -> Any:
    """The magnitudes of a Fourier transform."""
    return abs(numpy("fft.fft")(x))


def there_and_back(x: Any) -> Any:
    """A real Fourier transform and its inverse."""
    return numpy("fft.irfft")(numpy("fft.rfft")(x))


def rows_of(rows: Any, places: Any) -> Any:
    """The rows at some places."""
    return rows[places]


def segment_sums(x: Any, segments: Any) -> Any:
    """Sums of the rows of each segment."""
    return import_module("jax").ops.segment_sum(x, segments, 8)


def updated(x: Any, places: Any, rows: Any) -> Any:
    """Other rows at some places."""
    return x.at[places].set(rows)


def batched_products(x: Any, y: Any) -> Any:
    """Products of the matrices of two batches."""
    return numpy("einsum")("bij,bjk->bik", x, y)


def distances(x: Any) -> Any:
    """Squares of the distances between all points."""
    return ((x[:, None] - x[None]) ** 2).sum(-1)


def concatenated(x: Any, y: Any) -> Any:
    """Rows after other rows."""
    return numpy("concatenate")([x, y])


def rolled(x: Any) -> Any:
    """Rows moved on by three."""
    return numpy("roll")(x, 3, 0)


def causal_attention(q: Any, k: Any, v: Any) -> Any:
    """Attention to what came before."""
    return import_module("jax.nn").dot_product_attention(q, k, v, is_causal=True)


def transposed(x: Any, w: Any) -> Any:
    """A transposed convolution that doubles height and width."""
    return import_module("jax.lax").conv_transpose(x, w, (2, 2), "SAME")


def dilated(x: Any, w: Any) -> Any:
    """A convolution whose kernel is dilated."""
    return general_convolution(x, w, rhs_dilation=(2, 2))


def depthwise(x: Any, w: Any) -> Any:
    """A convolution of each channel by itself."""
    return general_convolution(x, w, feature_group_count=x.shape[-1])


def general_convolution(x: Any, w: Any, **options: Any) -> Any:
    """A convolution whose result has the size of the image."""
    lax = import_module("jax.lax")
    numbers = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=numbers, **options)


def lstm(x: Any, state: Any, cell: Any, w: Any, u: Any) -> Any:
    """A layer with long short-term memory."""
    jax, jnp = import_module("jax"), import_module("jax.numpy")

    def step(carry: Any, row: Any) -> Any:
        h, c = carry
        i, f, g, o = jnp.split(row @ w + h @ u, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    return jax.lax.scan(step, (state, cell), x)[1]


def decoded(q: Any, k: Any, v: Any, keys: Any, values: Any) -> Any:
    """One step of decoding: keys and values are added to a cache."""
    lax, jnp, nn = (import_module(f"jax.{name}") for name in ("lax", "numpy", "nn"))
    at = keys.shape[1] // 2
    keys = lax.dynamic_update_slice(keys, k, (0, at, 0, 0))
    values = lax.dynamic_update_slice(values, v, (0, at, 0, 0))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, keys) / 4
    weights = nn.softmax(jnp.where(jnp.arange(keys.shape[1]) <= at, scores, -jnp.inf))
    return jnp.einsum("bhqk,bkhd->bqhd", weights, values), keys, values


def mixture(x: Any, gate: Any, experts: Any) -> Any:
    """Two experts for each row."""
    lax, jnp, nn = (import_module(f"jax.{name}") for name in ("lax", "numpy", "nn"))
    largest, chosen = lax.top_k(x @ gate, 2)
    return jnp.einsum("nk,nd,nkde->ne", nn.softmax(largest), x, experts[chosen])


def magnitudes(x: Any) -> Any:
    """The magnitudes of the eigenvalues of a matrix, in order."""
    jnp = import_module("jax.numpy")
    return jnp.sort(abs(jnp.linalg.eigvals(x)))


def fitted(x: Any, y: Any) -> Any:
    """A least-squares fit by singular values."""
    return numpy("linalg.lstsq")(x, y)[0]


def reflected(x: Any) -> Any:
    """Rows with reflected borders."""
    return numpy("pad", mode="reflect")(x, ((0, 0), (2, 2)))


def resized(x: Any) -> Any:
    """Images of twice the height and width."""
    return import_module("jax.image").resize(x, (x.shape[0], 16, 16, 3), "bilinear")


FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "elementwise": elementwise,
    "sum of rows": row_sums,
    "sum of columns": column_sums,
    "softmax": softmax,
    "layer norm": layer_norm,
    "dot": dot,
    "MLP": mlp,
    "transformer block": block,
    "convolution": convolution,
    "strided convolution": halved,
    "max pooling": pooled,
    "overlapping pooling": overlapping,
    "small CNN": network,
    "gradient of an MLP": gradient,
    "RNN": recurrent,
    "cumsum of rows": numpy("cumsum", axis=1),
    "cumsum along it": numpy("cumsum", axis=0),
    "sort": numpy("sort"),
    "sort of rows": numpy("sort", axis=1),
    "argsort of rows": numpy("argsort", axis=1),
    "top_k": lax("top_k", k=5),
    "argmax": numpy("argmax", axis=1),
    "median": numpy("median", axis=1),
    "Cholesky": numpy("linalg.cholesky"),
    "solve": numpy("linalg.solve"),
    "inverse": numpy("linalg.inv"),
    "determinant": numpy("linalg.det"),
    "eigenvalues": numpy("linalg.eigvalsh"),
    "singular values": numpy("linalg.svd", compute_uv=False),
    "QR": upper_factor,
    "Gaussian process": gaussian_process,
    "least squares": least_squares,
    "FFT": spectrum,
    "real FFT": there_and_back,
    "embedding": rows_of,
    "segment sum": segment_sums,
    "scatter": updated,
    "histogram": numpy("bincount", length=8),
    "batched products": batched_products,
    "distances": distances,
    "concatenation": concatenated,
    "roll": rolled,
    "causal attention": causal_attention,
    "resize": resized,
    "transposed convolution": transposed,
    "dilated convolution": dilated,
    "depthwise convolution": depthwise,
    "LSTM": lstm,
    "decoding with a cache": decoded,
    "mixture of experts": mixture,
    "eigenvalues of a general matrix": magnitudes,
    "least squares by singular values": fitted,
    "reflected borders": reflected,
}
LAYER: Final = ("128,384", "128,128", "128,512", "512,128")
PROGRAMS: Final = (
    Program("elementwise", ("n,256", "n,256"), 1000),
    Program("sum of rows", ("64,n",), 5000),
    Program("sum of columns", ("n,512",), 1000),
    Program("softmax, dynamic rows", ("n,512",), 500),
    Program("softmax, dynamic columns", ("128,n",), 1000),
    Program("layer norm", ("n,256", "256", "256"), 1000),
    Program("dot, dynamic rows", ("n,512", "512,512"), 500),
    Program("dot, dynamic columns", ("256,512", "512,n"), 500),
    Program("dot, dynamic depth", ("256,n", "n,256"), 500),
    Program("MLP, dynamic batch", ("n,256", "256,1024", "1024,64"), 100),
    Program("transformer block, dynamic batch", ("n,64,128", *LAYER), 4, 1),
    Program("transformer block, dynamic length", ("2,n,128", *LAYER), 100),
    Program("gradient of an MLP", ("n,64", "n", "64,128", "128,8"), 100, integers=(1,)),
    Program("small CNN, dynamic batch", ("n,16,16,3", "3,3,3,16", "3,3,16,32", "32,8"), 8, 1),
    Program("convolution, dynamic height and width", ("1,n,n,16", "3,3,16,32"), 64),
    Program("max pooling, dynamic height and width", ("2,n,n,16",), 64),
    Program("strided convolution, dynamic height and width", ("1,n,n,16", "3,3,16,32"), 64),
    Program("overlapping pooling, dynamic height and width", ("2,n,n,16",), 64),
    Program("RNN, dynamic length", ("n,4,16", "4,32", "16,32", "32,32"), 50),
    Program("RNN, dynamic batch", ("12,n,16", "n,32", "16,32", "32,32"), 50),
    Program("causal attention, dynamic length", ("2,n,4,16",) * 3, 100),
    Program("causal attention, dynamic length, in tiles", ("2,n,4,64",) * 3, 512),
    Program("cumsum of rows", ("n,64",), 200),
    Program("cumsum along it", ("n,64",), 200),
    Program("sort", ("n",), 1000),
    Program("sort of rows", ("n,64",), 200),
    Program("argsort of rows, dynamic columns", ("16,n",), 200),
    Program("top_k", ("n,100",), 200),
    Program("argmax", ("n,100",), 200),
    Program("median", ("n,16",), 200),
    Program("Cholesky, 4 x 4", ("n,4,4",), 200, definite=True),
    Program("Cholesky, 40 x 40", ("n,40,40",), 20, definite=True),
    Program("solve, 4 x 4", ("n,4,4", "n,4,1"), 200, definite=True),
    Program("solve, n x n", ("n,n", "n,2"), 100, definite=True),
    Program("inverse, 4 x 4", ("n,4,4",), 200, definite=True),
    Program("determinant, 5 x 5", ("n,5,5",), 200, definite=True),
    Program("eigenvalues, 4 x 4", ("n,4,4",), 200, definite=True),
    Program("eigenvalues, n x n", ("n,n",), 60, definite=True),
    Program("singular values, 6 x 4", ("n,6,4",), 200),
    Program("QR, 6 x 4", ("n,6,4",), 200),
    Program("Gaussian process", ("n,3", "n", "20,3"), 100),
    Program("least squares, dynamic rows", ("n,8", "n,1"), 500),
    Program("FFT", ("n,256",), 100),
    Program("real FFT", ("n,256",), 100),
    Program("embedding", ("1000,64", "n"), 200, integers=(1,)),
    Program("segment sum", ("n,16", "n"), 500, integers=(1,)),
    Program("scatter", ("n,16", "5", "5,16"), 200, integers=(1,)),
    Program("histogram", ("n",), 1000, integers=(0,)),
    Program("batched products", ("n,8,16", "n,16,8"), 100),
    Program("distances", ("n,3",), 100),
    Program("concatenation", ("n,16", "n,16"), 300),
    Program("roll", ("n,16",), 300),
    Program("resize", ("n,8,8,3",), 50),
    Program("transposed convolution, dynamic height and width", ("1,n,n,8", "3,3,8,8"), 64),
    Program("dilated convolution, dynamic height and width", ("1,n,n,8", "3,3,8,8"), 64),
    Program("depthwise convolution, dynamic height and width", ("1,n,n,8", "3,3,1,8"), 64),
    Program("LSTM, dynamic length", ("n,4,8", "4,16", "4,16", "8,64", "16,64"), 50),
    Program(
        "decoding with a cache, dynamic length",
        ("2,1,4,16", "2,1,4,16", "2,1,4,16", "2,n,4,16", "2,n,4,16"),
        200,
    ),
    Program("mixture of experts, dynamic rows", ("n,8", "8,4", "4,8,8"), 200),
    Program("singular values, n x n", ("n,n",), 60),
    Program("singular values, n x 6", ("n,6",), 60),
    Program("QR, n x 6", ("n,6",), 100, least=8),
    Program("QR, n x n", ("n,n",), 60),
    Program("eigenvalues of a general matrix, n x n", ("n,n",), 40),
    Program("least squares by singular values, dynamic rows", ("n,5", "n"), 100, least=8),
    Program("reflected borders, dynamic columns", ("4,n",), 300, least=8),
)
