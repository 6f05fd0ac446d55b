"""Writes the programs of ``docs/models`` with Flax: ``python -m tools.site.export_models``.

Weights are arguments, so the programs hold none. The locations of operations are the names of
layers, without files and lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import flax.linen as nn
import jax
import jax.numpy as jnp
from jax import Array
from jax.interpreters import mlir

import stablemate as sm
from tools.site.models import HOME

Program = tuple[Callable[..., Any], tuple[Any, ...]]
GPT2: Final = {"layers": 12, "heads": 12, "width": 768, "context": 128, "vocabulary": 50257}
RESNET50: Final = ((64, 3), (128, 4), (256, 6), (512, 3))  # width and number of blocks of a stage
FILE: Final = r'loc\("[^"]*\.py":\d+:\d+\)'
IMAGE: Final = (1, 224, 224, 3)


class Block(nn.Module):
    """A transformer block with normalization first.

    Attributes:
        heads: Number of heads of the attention.
        causal: Whether a position sees only earlier ones.
    """

    heads: int
    causal: bool

    @nn.compact
    def __call__(self, x: Array) -> Array:
        """Takes and returns ``[batch, position, width]``."""
        mask = nn.make_causal_mask(x[..., 0]) if self.causal else None
        y = nn.LayerNorm(name="norm_1")(x)
        x = x + nn.MultiHeadDotProductAttention(self.heads, name="attention")(y, mask=mask)
        y = nn.LayerNorm(name="norm_2")(x)
        y = nn.gelu(nn.Dense(4 * x.shape[-1], name="expand")(y))
        return x + nn.Dense(x.shape[-1], name="contract")(y)


class Gpt2(nn.Module):
    """GPT-2, whose last layer shares its weights with the embedding."""

    @nn.compact
    def __call__(self, tokens: Array) -> Array:
        """Takes ``[batch, position]`` numbers of tokens, returns logits for each position."""
        embedding = nn.Embed(GPT2["vocabulary"], GPT2["width"], name="tokens")
        positions = nn.Embed(1024, GPT2["width"], name="positions")
        x = embedding(tokens) + positions(jnp.arange(tokens.shape[1]))
        for i in range(GPT2["layers"]):
            x = Block(GPT2["heads"], causal=True, name=f"block_{i}")(x)
        return embedding.attend(nn.LayerNorm(name="norm")(x))


class VisionTransformer(nn.Module):
    """ViT-B/16."""

    @nn.compact
    def __call__(self, images: Array) -> Array:
        """Takes ``[batch, 224, 224, 3]`` images, returns the logits of 1,000 classes."""
        x = nn.Conv(768, (16, 16), (16, 16), name="patches")(images)
        x = x.reshape(x.shape[0], -1, x.shape[-1])
        first = self.param("class", nn.initializers.zeros, (1, 1, 768))
        x = jnp.concatenate([jnp.broadcast_to(first, (x.shape[0], 1, 768)), x], axis=1)
        x = x + self.param("positions", nn.initializers.zeros, (1, x.shape[1], 768))
        for i in range(12):
            x = Block(12, causal=False, name=f"block_{i}")(x)
        return nn.Dense(1000, name="head")(nn.LayerNorm(name="norm")(x)[:, 0])


class Bottleneck(nn.Module):
    """A residual block of three convolutions.

    Attributes:
        width: Features of the inner convolutions.
        stride: By how much the image shrinks.
    """

    width: int
    stride: int

    @nn.compact
    def __call__(self, x: Array) -> Array:
        """Takes and returns ``[batch, height, width, features]``."""
        y = x
        sizes = ((self.width, 1, 1), (self.width, 3, self.stride), (4 * self.width, 1, 1))
        for i, (features, size, stride) in enumerate(sizes, start=1):
            conv = nn.Conv(
                features, (size, size), (stride, stride), use_bias=False, name=f"conv_{i}"
            )
            y = conv(y)
            y = nn.BatchNorm(use_running_average=True, name=f"norm_{i}")(y)
            y = nn.relu(y) if i < len(sizes) else y
        if x.shape != y.shape:
            strides = (self.stride, self.stride)
            x = nn.Conv(y.shape[-1], (1, 1), strides, use_bias=False, name="shortcut")(x)
            x = nn.BatchNorm(use_running_average=True, name="shortcut_norm")(x)
        return nn.relu(x + y)


class ResNet50(nn.Module):
    """ResNet-50 for inference."""

    @nn.compact
    def __call__(self, images: Array) -> Array:
        """Takes ``[batch, 224, 224, 3]`` images, returns the logits of 1,000 classes."""
        x = nn.Conv(64, (7, 7), (2, 2), use_bias=False, name="stem")(images)
        x = nn.relu(nn.BatchNorm(use_running_average=True, name="stem_norm")(x))
        x = nn.max_pool(x, (3, 3), (2, 2), "SAME")
        for i, (width, blocks) in enumerate(RESNET50, start=1):
            for j in range(blocks):
                stride = 2 if i > 1 and j == 0 else 1
                x = Bottleneck(width, stride, name=f"stage_{i}_block_{j + 1}")(x)
        return nn.Dense(1000, name="head")(x.mean((1, 2)))


class UNet(nn.Module):
    """A U-Net of three levels."""

    @nn.compact
    def __call__(self, x: Array) -> Array:
        """Takes ``[batch, height, width, features]``, returns one logit for each pixel."""
        skips = []
        for i, width in enumerate((32, 64, 128), start=1):
            x = nn.relu(nn.Conv(width, (3, 3), name=f"down_{i}")(x))
            skips.append(x)
            x = nn.max_pool(x, (2, 2), (2, 2))
        x = nn.relu(nn.Conv(256, (3, 3), name="bottom")(x))
        pairs = zip((128, 64, 32), reversed(skips), strict=True)
        for i, (width, skip) in enumerate(pairs, start=1):
            x = nn.ConvTranspose(width, (2, 2), (2, 2), name=f"up_{i}")(x)
            x = jnp.concatenate([x, skip], axis=-1)
            x = nn.relu(nn.Conv(width, (3, 3), name=f"merge_{i}")(x))
        return nn.Conv(1, (1, 1), name="head")(x)


class Lstm(nn.Module):
    """An LSTM of 256 units and a linear layer on its last output."""

    @nn.compact
    def __call__(self, x: Array) -> Array:
        """Takes ``[batch, time, features]``, returns ``[batch, 10]``."""
        outputs = nn.RNN(nn.OptimizedLSTMCell(256, name="cell"), name="scan")(x)
        return nn.Dense(10, name="head")(outputs[:, -1])


def forward(model: nn.Module, *inputs: jax.ShapeDtypeStruct) -> Program:
    """A model with its weights as arguments."""
    weights = jax.eval_shape(model.init, jax.random.key(0), *inputs)
    return model.apply, (weights, *inputs)


def training_step(model: nn.Module, x: jax.ShapeDtypeStruct, y: jax.ShapeDtypeStruct) -> Program:
    """A step of gradient descent on the mean of the squared errors."""
    weights = jax.eval_shape(model.init, jax.random.key(0), x)

    def loss(weights: Any, x: Array, y: Array) -> Array:
        return jnp.mean((model.apply(weights, x) - y) ** 2)

    def step(weights: Any, x: Array, y: Array) -> Any:
        gradient = jax.grad(loss)(weights, x, y)
        return jax.tree.map(lambda weight, slope: weight - 0.01 * slope, weights, gradient)

    return step, (weights, x, y)


def programs() -> dict[str, Program]:
    """The programs by file name."""
    images = jax.ShapeDtypeStruct(IMAGE, jnp.float32)
    tokens = jax.ShapeDtypeStruct((1, GPT2["context"]), jnp.int32)
    scans = jax.ShapeDtypeStruct((4, 64, 64, 1), jnp.float32)
    series = jax.ShapeDtypeStruct((8, 100, 32), jnp.float32)
    return {
        "gpt2": forward(Gpt2(), tokens),
        "resnet50": forward(ResNet50(), images),
        "vit": forward(VisionTransformer(), images),
        "unet": training_step(UNet(), scans, scans),
        "lstm": forward(Lstm(), series),
    }


def main() -> None:
    """Writes all of them."""
    jax.config.update("jax_traceback_in_locations_limit", 0)
    HOME.mkdir(exist_ok=True)
    for name, (function, arguments) in programs().items():
        lowered = jax.jit(function).lower(*arguments)
        text = mlir.module_to_string(lowered.compiler_ir(), enable_debug_info=True)
        bytecode = sm.load(re.sub(FILE, "loc(unknown)", text)).to_bytecode()
        (HOME / f"{name}.mlir.bc").write_bytes(bytecode)
        print(f"{len(bytecode):>9,}  {name}")


if __name__ == "__main__":
    main()
