"""A U-Net: training steps with Equinox and Optax."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

STEPS, BATCH, SIZE, WIDTHS = 5, 4, 64, (16, 32, 64)


class Stage(eqx.Module):
    """Two convolutions."""

    first: eqx.nn.Conv2d
    second: eqx.nn.Conv2d

    def __init__(self, inputs: int, outputs: int, key: Any) -> None:
        keys = jax.random.split(key)
        self.first = eqx.nn.Conv2d(inputs, outputs, 3, padding=1, key=keys[0])
        self.second = eqx.nn.Conv2d(outputs, outputs, 3, padding=1, key=keys[1])

    def __call__(self, x: Any) -> Any:
        """The result for one image."""
        return jax.nn.silu(self.second(jax.nn.silu(self.first(x))))


class UNet(eqx.Module):
    """Stages down and up again, with connections between those of one size."""

    down: list[Stage]
    up: list[Stage]
    raised: list[eqx.nn.ConvTranspose2d]
    last: eqx.nn.Conv2d

    def __init__(self, key: Any) -> None:
        keys = iter(jax.random.split(key, 16))
        sizes = (1, *WIDTHS)
        pairs = list(pairwise(WIDTHS))[::-1]
        self.down = [Stage(*pair, next(keys)) for pair in zip(sizes, WIDTHS, strict=False)]
        self.up = [Stage(2 * low, low, next(keys)) for low, _ in pairs]
        self.raised = [
            eqx.nn.ConvTranspose2d(high, low, 2, 2, key=next(keys)) for low, high in pairs
        ]
        self.last = eqx.nn.Conv2d(WIDTHS[0], 1, 1, key=next(keys))

    def __call__(self, x: Any) -> Any:
        """The result for one image."""
        kept: list[Any] = []
        for number, stage in enumerate(self.down):
            if number:
                x = eqx.nn.AvgPool2d(2, 2)(x)
            x = stage(x)
            kept.append(x)
        for stage, raised, other in zip(self.up, self.raised, kept[-2::-1], strict=True):
            x = stage(jnp.concatenate([raised(x), other]))
        return self.last(x)


def program() -> Callable[[], Any]:
    """The training loop."""
    random = np.random.default_rng(0)
    clean = random.standard_normal((BATCH, 1, SIZE, SIZE), np.float32)
    noisy = clean + 0.1 * random.standard_normal(clean.shape, np.float32)
    model, optimizer = UNet(jax.random.key(0)), optax.adam(1e-3)
    state = optimizer.init(eqx.filter(model, eqx.is_array))

    def loss(model: Any, noisy: Any, clean: Any) -> Any:
        return jnp.mean((jax.vmap(model)(noisy) - clean) ** 2)

    @eqx.filter_jit
    def step(model: Any, state: Any, noisy: Any, clean: Any) -> Any:
        value, gradient = eqx.filter_value_and_grad(loss)(model, noisy, clean)
        updates, state = optimizer.update(gradient, state)
        return eqx.apply_updates(model, updates), state, value

    def loop() -> Any:
        current, value = (model, state), None
        for _ in range(STEPS):
            *current, value = step(*current, noisy, clean)
        return value

    return loop
