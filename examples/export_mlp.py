"""Train a small classifier of drawn digits and write it as StableHLO text, weights included.

    python examples/export_mlp.py

Writes ``mlp.mlir`` and ``digit.npy``, a drawing of a seven, beside this file. The digits are those
of a seven-segment display on 28 by 28 pixels, shifted and noisy, so that nothing is downloaded.
"""

import pathlib
from typing import Final

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import Array

SEED: Final = 0
SIDE: Final = 28
BATCH: Final = 128
STEPS: Final = 300
RATE: Final = 0.1
SHOWN_DIGIT: Final = 7

# Which of the segments a to g of the display each digit lights.
SEGMENTS: Final = (
    "abcdef",
    "bc",
    "abdeg",
    "abcdg",
    "bcfg",
    "acdfg",
    "acdefg",
    "abc",
    "abcdefg",
    "abcdfg",
)
# Rows and columns that a segment covers.
AREAS: Final = {
    "a": (slice(4, 6), slice(9, 19)),
    "b": (slice(4, 14), slice(17, 19)),
    "c": (slice(13, 24), slice(17, 19)),
    "d": (slice(22, 24), slice(9, 19)),
    "e": (slice(13, 24), slice(9, 11)),
    "f": (slice(4, 14), slice(9, 11)),
    "g": (slice(13, 15), slice(9, 19)),
}

Parameters = tuple[Array, Array, Array, Array]


def draw(digit: int, generator: np.random.Generator) -> npt.NDArray[np.float32]:
    """One image as a row of 784 pixels from 0 to 1."""
    image = np.zeros((SIDE, SIDE), np.float32)
    for segment in SEGMENTS[digit]:
        image[AREAS[segment]] = 1
    image = np.roll(image, generator.integers(-3, 4, size=2), axis=(0, 1))
    noise = generator.normal(0, 0.2, image.shape).astype(np.float32)
    return np.clip(image + noise, 0, 1).reshape(SIDE * SIDE)


def logits(parameters: Parameters, images: Array) -> Array:
    """Scores of the ten digits, ``(batch, 10)``; the weights are kept in bf16."""
    w1, b1, w2, b2 = (p.astype(jnp.float32) for p in parameters)
    return jnp.maximum(images @ w1 + b1, 0) @ w2 + b2


@jax.jit
def step(parameters: Parameters, images: Array, digits: Array) -> Parameters:
    """One step of gradient descent on the cross entropy."""

    def loss(parameters: Parameters) -> Array:
        scores = jax.nn.log_softmax(logits(parameters, images))
        return -jnp.take_along_axis(scores, digits[:, None], 1).mean()

    gradients = jax.grad(loss)(parameters)
    return jax.tree.map(lambda p, g: p - RATE * g, parameters, gradients)


def train(generator: np.random.Generator) -> Parameters:
    """Parameters in f32, after a few hundred batches."""
    parameters: Parameters = tuple(
        jnp.asarray(generator.normal(0, 0.05, shape), jnp.float32)
        for shape in ((SIDE * SIDE, 128), (128,), (128, 10), (10,))
    )
    for _ in range(STEPS):
        digits = generator.integers(0, 10, BATCH)
        images = np.stack([draw(digit, generator) for digit in digits])
        parameters = step(parameters, images, digits)
    return parameters


def main() -> None:
    """Train, measure, write."""
    folder = pathlib.Path(__file__).parent
    generator = np.random.default_rng(SEED)
    parameters = tuple(p.astype(jnp.bfloat16) for p in train(generator))

    def mlp(image: Array) -> Array:
        return jax.nn.softmax(logits(parameters, image))

    digits = generator.integers(0, 10, 1000)
    images = np.stack([draw(digit, generator) for digit in digits])
    print(f"accuracy {(mlp(images).argmax(1) == digits).mean():.3f}")

    image = jax.ShapeDtypeStruct((1, SIDE * SIDE), jnp.float32)
    (folder / "mlp.mlir").write_text(jax.jit(mlp).lower(image).as_text())
    np.save(folder / "digit.npy", draw(SHOWN_DIGIT, generator)[None])


if __name__ == "__main__":
    main()
