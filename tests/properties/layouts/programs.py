"""Generates programs of convolutions with random operations between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import numpy as np

jax: Any = import_module("jax")
jnp: Any = jax.numpy
lax: Any = jax.lax
Array = Any

STEPS: Final = 10  # at most between the first convolution and the result
LARGEST: Final = 40_000  # elements of a value; larger ones are sliced


@dataclass
class Writer:
    """Writes one program.

    Attributes:
        random: Chooses operations and their attributes.
        values: The values so far: of four dimensions, features first behind the batch.
        arguments: The arguments of the program.
    """

    random: Any
    values: list[Array]
    arguments: list[Array]

    def take(self) -> Array:
        """One of the latest values."""
        return self.values[-1 - int(self.random.integers(min(len(self.values), 3)))]

    def number(self, low: int, high: int) -> int:
        """A number of a range, both ends included."""
        return int(self.random.integers(low, high + 1))

    def weights(self, *shape: int) -> Array:
        """A constant of the program."""
        drawn = self.random.normal(size=shape, scale=0.5).astype(np.float32)
        return jnp.asarray(drawn, self.arguments[0].dtype)


def convolution(writer: Writer, x: Array) -> Array:
    """A convolution of any strides, padding, dilation and groups."""
    features = x.shape[1]
    size = min(writer.number(1, 3), *x.shape[2:])
    groups = [g for g in (1, 1, 2, features) if features % g == 0]
    group = groups[writer.number(0, len(groups) - 1)]
    outputs = group * writer.number(1, 3) if group > 1 else writer.number(1, 20)
    kernel = writer.weights(outputs, features // group, size, size)
    return lax.conv_general_dilated(
        x, kernel, (writer.number(1, 2),) * 2, [(writer.number(0, 1), writer.number(0, 2))] * 2,
        dimension_numbers=("NCHW", "OIHW", "NCHW"), feature_group_count=group,
    )  # fmt: skip


def transposed_convolution(writer: Writer, x: Array) -> Array:
    """A convolution of a dilated image."""
    kernel = writer.weights(writer.number(1, 9), x.shape[1], 2, 2)
    return lax.conv_general_dilated(
        x, kernel, (1, 1), [(1, 1), (1, 1)], lhs_dilation=(2, 2),
        dimension_numbers=("NCHW", "OIHW", "NCHW"),
    )  # fmt: skip


def normalize(writer: Writer, x: Array) -> Array:
    """A scale and a shift of each feature, by its mean and variance or by constants."""
    scale, shift = writer.weights(x.shape[1], 1, 1), writer.weights(x.shape[1], 1, 1)
    axes = [(0, 2, 3), (2, 3), (1, 2, 3), (1,)][writer.number(0, 3)]
    mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 0.1) * scale + shift


def activation(writer: Writer, x: Array) -> Array:
    """An elementwise function."""
    functions: list[Any] = [jax.nn.relu, jnp.tanh, jax.nn.hard_swish, jax.nn.silu, jax.nn.relu6]
    return functions[writer.number(0, len(functions) - 1)](x)


def residual(writer: Writer, x: Array) -> Array:
    """A sum with another value of the shape: an earlier one, an argument or a constant."""
    others = [v for v in writer.values if v.shape == x.shape and v is not x]
    if others and writer.number(0, 2):
        return x + others[writer.number(0, len(others) - 1)] * 0.5
    if writer.arguments[0].shape == x.shape:
        return x - writer.arguments[0]
    return x + writer.weights(*x.shape)


def pool(writer: Writer, x: Array) -> Array:
    """The largest elements or the sums of windows."""
    size = min(writer.number(1, 3), *x.shape[2:])
    init, function = ((-np.inf, lax.max), (0.0, lax.add))[writer.number(0, 1)]
    pads = [(0, 0)] * 2 + [(writer.number(0, 1), 0)] * 2
    strides = (1, 1, writer.number(1, 2), writer.number(1, 2))
    return lax.reduce_window(x, init, function, (1, 1, size, size), strides, pads)


def reduced(writer: Writer, x: Array) -> Array:
    """A reduction, spread over the value that was reduced."""
    axes = [(1,), (2, 3), (3,), (0, 1, 2, 3), (1, 3)][writer.number(0, 4)]
    function = (jnp.sum, jnp.max, jnp.mean)[writer.number(0, 2)]
    return jax.nn.sigmoid(function(x, axes, keepdims=True)) * x


def concatenate(writer: Writer, x: Array) -> Array:
    """A concatenation along any dimension, with itself or a value that fits."""
    axis = writer.number(0, 3)

    def fits(value: Array) -> bool:
        return all(
            d == axis or a == b for d, (a, b) in enumerate(zip(value.shape, x.shape, strict=True))
        )

    others = [value for value in writer.values if fits(value)]
    return jnp.concatenate([x, others[writer.number(0, len(others) - 1)], x[:1]][:2], axis)


def pad(writer: Writer, x: Array) -> Array:
    """A padding before, between and behind elements."""
    config = [(writer.number(-1, 2) if size > 1 else 0, 1, 0) for size in x.shape]
    config[writer.number(0, 3)] = (0, 1, 1)
    return lax.pad(x, jnp.asarray(0.5, x.dtype), config)


def cut(writer: Writer, x: Array) -> Array:
    """A slice with strides."""
    starts = [writer.number(0, max(size // 2 - 1, 0)) for size in x.shape]
    strides = [writer.number(1, 2) for _ in x.shape]
    return lax.slice(x, starts, x.shape, strides)


def reverse(writer: Writer, x: Array) -> Array:
    """A reversal of two dimensions."""
    return lax.rev(x, sorted({writer.number(0, 3), writer.number(0, 3)}))


def shuffle(writer: Writer, x: Array) -> Array:
    """A transpose of groups of features."""
    batch, features, height, width = x.shape
    groups = next(g for g in (3, 2, 1) if features % g == 0)
    split = x.reshape(batch, groups, features // groups, height, width)
    return split.swapaxes(1, 2).reshape(x.shape)


def tokens(writer: Writer, x: Array) -> Array:
    """A dense layer of the features of each point, in one of two forms."""
    batch, features, height, width = x.shape
    weights = writer.weights(features, writer.number(1, 12))
    if writer.number(0, 1):
        return jnp.tanh(x.transpose(0, 2, 3, 1) @ weights).transpose(0, 3, 1, 2)
    flat = x.reshape(batch, features, height * width).swapaxes(1, 2) @ weights
    return flat.swapaxes(1, 2).reshape(batch, -1, height, width)


def loop(writer: Writer, x: Array) -> Array:
    """A loop whose body convolves, and reads a value from outside."""
    kernel = writer.weights(x.shape[1], x.shape[1], 1, 1) * 0.1
    other = writer.take()

    def body(_: Array, state: Array) -> Array:
        product = lax.conv_general_dilated(
            state, kernel, (1, 1), "VALID", dimension_numbers=("NCHW", "OIHW", "NCHW")
        )
        return jnp.tanh(product + other.mean())

    return lax.fori_loop(0, writer.number(2, 12), body, x)


def upsample(writer: Writer, x: Array) -> Array:
    """Each point several times, by a broadcast or a gather."""
    if writer.number(0, 1):
        return jnp.repeat(x, 2, writer.number(1, 3))
    return jnp.take(x, jnp.asarray([0, x.shape[2] - 1, 0]), axis=2)


def ordered(writer: Writer, x: Array) -> Array:
    """Sums of prefixes, or sorted features."""
    return jnp.sort(x, writer.number(1, 3)) if writer.number(0, 1) else jnp.cumsum(x, 2) * 0.2


def contracted(writer: Writer, x: Array) -> Array:
    """Products of square matrices, or a spectrum."""
    side = min(x.shape[2:])
    square = x[:, :, :side, :side]
    if writer.number(0, 1):
        return square @ square * 0.1
    return jnp.fft.fft(square.astype(np.float32), axis=3).imag.astype(x.dtype)


FORMS: Final[Mapping[str, Callable[[Writer, Array], Array]]] = {
    "convolution": convolution, "transposed": transposed_convolution, "normalize": normalize,
    "activation": activation, "residual": residual, "pool": pool, "reduce": reduced,
    "concatenate": concatenate, "pad": pad, "slice": cut, "reverse": reverse, "shuffle": shuffle,
    "tokens": tokens, "loop": loop, "upsample": upsample, "order": ordered,
    "contract": contracted,
}  # fmt: skip


@dataclass(frozen=True)
class Program:
    """A generated program.

    Attributes:
        seed: The seed of the campaign.
        number: The number of the program.
    """

    seed: int
    number: int

    def arguments(self) -> list[Array]:
        """Its arguments: an image."""
        random = np.random.default_rng((self.seed, self.number, 1))
        shape = [int(random.integers(low, high)) for low, high in ((1, 4), (1, 20), (4, 12))]
        return [random.normal(size=(*shape, shape[-1])).astype(np.float32)]

    def operations(self) -> list[str]:
        """The names of its operations, in order."""
        random = np.random.default_rng((self.seed, self.number, 2))
        between: list[str] = random.choice(list(FORMS), int(random.integers(1, STEPS))).tolist()
        return ["convolution", *between, *["convolution"] * int(random.integers(2))]

    def function(self) -> Callable[..., Any]:
        """The program as a function."""

        def body(*arguments: Array) -> Any:
            random = np.random.default_rng((self.seed, self.number))
            writer = Writer(random, [arguments[0]], list(arguments))
            for name in self.operations():
                x = writer.take() if writer.number(0, 4) == 0 else writer.values[-1]
                result = FORMS[name](writer, x)
                while result.size > LARGEST:
                    result = result[:, :, ::2, ::2]
                if 0 not in result.shape:
                    writer.values.append(result / (1 + 0.1 * jnp.abs(result)))
            return tuple(writer.values[-1 - writer.number(0, 1) :])

        return body

    def text(self) -> str:
        """The program in StableHLO."""
        lowered = jax.jit(self.function()).lower(*self.arguments())
        return str(lowered.as_text())
