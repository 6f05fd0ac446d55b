"""A vision transformer: training steps with Flax and Optax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import optax
from flax import linen as nn

STEPS, BATCH, WIDTH, HEADS, DEPTH = 5, 16, 64, 4, 4


class Block(nn.Module):
    """Attention and two dense layers, each with a residual."""

    @nn.compact
    def __call__(self, x: Any) -> Any:
        """The result for a batch."""
        normal = nn.LayerNorm()(x)
        x = x + nn.MultiHeadDotProductAttention(HEADS)(normal, normal)
        hidden = nn.gelu(nn.Dense(4 * WIDTH)(nn.LayerNorm()(x)))
        return x + nn.Dense(WIDTH)(hidden)


class VisionTransformer(nn.Module):
    """Patches, blocks and a classifier."""

    @nn.compact
    def __call__(self, x: Any) -> Any:
        """The result for a batch."""
        x = nn.Conv(WIDTH, (4, 4), (4, 4))(x).reshape(len(x), -1, WIDTH)
        x = x + self.param("position", nn.initializers.normal(0.02), x.shape[1:])
        for _ in range(DEPTH):
            x = Block()(x)
        return nn.Dense(10)(nn.LayerNorm()(x).mean(1))


def program() -> Callable[[], Any]:
    """The training loop."""
    random = np.random.default_rng(0)
    images = random.standard_normal((BATCH, 32, 32, 3), np.float32)
    labels = random.integers(0, 10, BATCH)
    model = VisionTransformer()
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-3))
    parameters = jax.jit(model.init)(jax.random.key(0), images)
    state = jax.jit(optimizer.init)(parameters)

    def loss(parameters: Any, images: Any, labels: Any) -> Any:
        logits = model.apply(parameters, images)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    @jax.jit
    def step(parameters: Any, state: Any, images: Any, labels: Any) -> Any:
        value, gradient = jax.value_and_grad(loss)(parameters, images, labels)
        updates, state = optimizer.update(gradient, state, parameters)
        return optax.apply_updates(parameters, updates), state, value

    def loop() -> Any:
        current, value = (parameters, state), None
        for _ in range(STEPS):
            *current, value = step(*current, images, labels)
        return value

    return loop
