"""A Gaussian process: hyperparameters by gradients of the likelihood, with Optax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

STEPS, POINTS = 50, 200


def program() -> Callable[[], Any]:
    """The optimization."""
    random = np.random.default_rng(0)
    x = np.sort(random.uniform(-3, 3, POINTS)).astype(np.float32)
    y = (np.sin(2 * x) + 0.1 * random.standard_normal(POINTS)).astype(np.float32)
    optimizer = optax.adam(0.05)

    def loss(logs: Any, x: Any, y: Any) -> Any:
        scale, length, noise = jnp.exp(logs)
        distances = (x[:, None] - x) ** 2
        kernel = scale * jnp.exp(-0.5 * distances / length**2) + (noise + 1e-4) * jnp.eye(POINTS)
        factor = jnp.linalg.cholesky(kernel)
        weights = jax.scipy.linalg.cho_solve((factor, True), y)
        return 0.5 * y @ weights + jnp.log(jnp.diag(factor)).sum()

    @jax.jit
    def step(logs: Any, state: Any, x: Any, y: Any) -> Any:
        value, gradient = jax.value_and_grad(loss)(logs, x, y)
        updates, state = optimizer.update(gradient, state)
        return optax.apply_updates(logs, updates), state, value

    def loop() -> Any:
        logs = jnp.zeros(3)
        current, value = (logs, optimizer.init(logs)), None
        for _ in range(STEPS):
            *current, value = step(*current, x, y)
        return value

    return loop
