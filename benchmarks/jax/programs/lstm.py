"""An LSTM over sequences: training steps with Flax and Optax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn

STEPS, BATCH, LENGTH, WIDTH = 10, 16, 64, 128


class Model(nn.Module):
    """An LSTM and a dense layer."""

    @nn.compact
    def __call__(self, x: Any) -> Any:
        """The result for a batch."""
        return nn.Dense(1)(nn.RNN(nn.LSTMCell(WIDTH))(x))


def program() -> Callable[[], Any]:
    """The training loop."""
    random = np.random.default_rng(0)
    x = random.standard_normal((BATCH, LENGTH, 8), np.float32)
    y = np.cumsum(x.sum(2, keepdims=True), 1)
    model, optimizer = Model(), optax.adam(1e-3)
    parameters = jax.jit(model.init)(jax.random.key(0), x)
    state = jax.jit(optimizer.init)(parameters)

    def loss(parameters: Any, x: Any, y: Any) -> Any:
        return jnp.mean((model.apply(parameters, x) - y) ** 2)

    @jax.jit
    def step(parameters: Any, state: Any, x: Any, y: Any) -> Any:
        value, gradient = jax.value_and_grad(loss)(parameters, x, y)
        updates, state = optimizer.update(gradient, state)
        return optax.apply_updates(parameters, updates), state, value

    def loop() -> Any:
        current, value = (parameters, state), None
        for _ in range(STEPS):
            *current, value = step(*current, x, y)
        return value

    return loop
