"""A funnel: Hamiltonian Monte Carlo of BlackJAX, all steps in one program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import blackjax
import jax
import jax.numpy as jnp

STEPS, SIZE = 2000, 10


def log_density(x: Any) -> Any:
    """Neal's funnel."""
    scale = x[0]
    rest = -0.5 * jnp.sum(x[1:] ** 2) * jnp.exp(-scale) - 0.5 * (SIZE - 1) * scale
    return rest - scale**2 / 18


def program() -> Callable[[], Any]:
    """The sampler."""
    kernel = blackjax.hmc(log_density, 0.1, jnp.ones(SIZE), 20)
    state = kernel.init(jnp.zeros(SIZE))

    @jax.jit
    def sample(key: Any, state: Any) -> Any:
        def step(state: Any, key: Any) -> Any:
            state, _ = kernel.step(key, state)
            return state, state.position

        return jax.lax.scan(step, state, jax.random.split(key, STEPS))

    return lambda: sample(jax.random.key(0), state)
