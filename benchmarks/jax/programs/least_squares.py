"""Curve fits: the Levenberg-Marquardt method of Optimistix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optimistix

COUNT, POINTS = 100, 100


def program() -> Callable[[], Any]:
    """The fits, one after the other."""
    random = np.random.default_rng(0)
    t = np.linspace(0, 4, POINTS, dtype=np.float32)
    curves = [
        (2 * np.exp(-t) * np.cos(3 * t) + 0.01 * random.standard_normal(POINTS)).astype(np.float32)
        for _ in range(COUNT)
    ]
    solver = optimistix.LevenbergMarquardt(rtol=1e-4, atol=1e-5)

    def residuals(parameters: Any, curve: Any) -> Any:
        height, decay, frequency = parameters
        return height * jnp.exp(-decay * t) * jnp.cos(frequency * t) - curve

    @jax.jit
    def fit(curve: Any) -> Any:
        start = jnp.array([1.5, 0.8, 2.8])
        return optimistix.least_squares(residuals, solver, start, curve, throw=False).value

    return lambda: [fit(curve) for curve in curves]
