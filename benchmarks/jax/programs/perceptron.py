"""A multilayer perceptron: training steps with Equinox and Optax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

STEPS, BATCH = 200, 64


def program() -> Callable[[], Any]:
    """The training loop."""
    random = np.random.default_rng(0)
    x = random.standard_normal((BATCH, 16), np.float32)
    y = np.sin(x).sum(1, keepdims=True)
    model = eqx.nn.MLP(16, 1, 64, 3, key=jax.random.key(0))
    optimizer = optax.adamw(1e-3)
    state = optimizer.init(eqx.filter(model, eqx.is_array))

    def loss(model: Any, x: Any, y: Any) -> Any:
        return jnp.mean((jax.vmap(model)(x) - y) ** 2)

    @eqx.filter_jit
    def step(model: Any, state: Any, x: Any, y: Any) -> Any:
        value, gradient = eqx.filter_value_and_grad(loss)(model, x, y)
        updates, state = optimizer.update(gradient, state, eqx.filter(model, eqx.is_array))
        return eqx.apply_updates(model, updates), state, value

    def loop() -> Any:
        current, value = (model, state), None
        for _ in range(STEPS):
            *current, value = step(*current, x, y)
        return value

    return loop
