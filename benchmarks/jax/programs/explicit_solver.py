"""Predators and prey: an explicit solver of Diffrax for many starting points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import diffrax
import jax
import jax.numpy as jnp
import numpy as np

COUNT = 1000


def derivative(t: Any, y: Any, arguments: Any) -> Any:
    """Lotka and Volterra."""
    prey, predator = y
    return jnp.stack([prey * (1.1 - 0.4 * predator), predator * (0.1 * prey - 0.4)])


def program() -> Callable[[], Any]:
    """The solver."""
    starts = np.random.default_rng(0).uniform(5, 15, (COUNT, 2)).astype(np.float32)

    @jax.jit
    def solve(starts: Any) -> Any:
        def single(start: Any) -> Any:
            return diffrax.diffeqsolve(
                diffrax.ODETerm(derivative), diffrax.Tsit5(), 0.0, 20.0, 0.1, start,
                stepsize_controller=diffrax.PIDController(rtol=1e-4, atol=1e-6),
                saveat=diffrax.SaveAt(ts=jnp.linspace(0, 20, 50)),
            ).ys  # fmt: skip

        return jax.vmap(single)(starts)

    return lambda: solve(starts)
