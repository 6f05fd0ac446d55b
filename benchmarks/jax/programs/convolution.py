"""A convolutional classifier: training steps with Flax and Optax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn

STEPS, BATCH = 20, 32


class Classifier(nn.Module):
    """Two convolutions, two dense layers."""

    @nn.compact
    def __call__(self, x: Any) -> Any:
        """The result for a batch."""
        for features in (16, 32):
            x = nn.relu(nn.Conv(features, (3, 3))(x))
            x = nn.max_pool(x, (2, 2), (2, 2))
        x = nn.relu(nn.Dense(64)(x.reshape(len(x), -1)))
        return nn.Dense(10)(x)


def program() -> Callable[[], Any]:
    """The training loop."""
    random = np.random.default_rng(0)
    images = random.standard_normal((BATCH, 28, 28, 1), np.float32)
    labels = random.integers(0, 10, BATCH)
    model, optimizer = Classifier(), optax.adam(1e-3)
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
        values: list[Any] = []
        current = parameters, state
        for _ in range(STEPS):
            *current, value = step(*current, images, labels)
            values.append(value)
        return jnp.stack(values)

    return loop
