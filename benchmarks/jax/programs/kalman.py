"""A Kalman filter: the likelihood of observations and its gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

LENGTH, STATE, SEEN = 2000, 4, 2


def program() -> Callable[[], Any]:
    """The filter."""
    observations = np.random.default_rng(0).standard_normal((LENGTH, SEEN)).astype(np.float32)
    transition = jnp.eye(STATE) + 0.1 * jnp.eye(STATE, k=SEEN)
    matrix = jnp.eye(SEEN, STATE)

    def likelihood(scales: Any, observations: Any) -> Any:
        process, noise = jnp.exp(scales[0]) * jnp.eye(STATE), jnp.exp(scales[1]) * jnp.eye(SEEN)

        def step(carry: Any, seen: Any) -> Any:
            mean, covariance = carry
            mean = transition @ mean
            covariance = transition @ covariance @ transition.T + process
            innovation = seen - matrix @ mean
            spread = matrix @ covariance @ matrix.T + noise
            gain = jnp.linalg.solve(spread, matrix @ covariance).T
            log_density = -0.5 * (
                innovation @ jnp.linalg.solve(spread, innovation) + jnp.linalg.slogdet(spread)[1]
            )
            return (mean + gain @ innovation, covariance - gain @ matrix @ covariance), log_density

        _, terms = jax.lax.scan(step, (jnp.zeros(STATE), jnp.eye(STATE)), observations)
        return terms.sum()

    run = jax.jit(jax.value_and_grad(likelihood))
    return lambda: run(np.array([-2.0, -1.0], np.float32), observations)
