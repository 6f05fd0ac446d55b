"""Robertson's reaction, which is stiff: an implicit solver of Diffrax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import diffrax
import jax
import jax.numpy as jnp
import numpy as np

COUNT = 20


def derivative(t: Any, y: Any, rates: Any) -> Any:
    """Three substances."""
    first = -rates[0] * y[0] + rates[1] * y[1] * y[2]
    third = rates[2] * y[1] ** 2
    return jnp.stack([first, -first - third, third])


def program() -> Callable[[], Any]:
    """The solver, for slightly different rates."""
    rates = np.array([0.04, 1e4, 3e7], np.float32)

    @jax.jit
    def solve(rates: Any) -> Any:
        return diffrax.diffeqsolve(
            diffrax.ODETerm(derivative), diffrax.Kvaerno5(), 0.0, 100.0, 2e-4,
            jnp.array([1.0, 0.0, 0.0]), args=rates, max_steps=10_000,
            stepsize_controller=diffrax.PIDController(rtol=1e-4, atol=1e-7),
        ).ys  # fmt: skip

    return lambda: [solve(rates * np.float32(1 + 0.01 * i)) for i in range(COUNT)]
