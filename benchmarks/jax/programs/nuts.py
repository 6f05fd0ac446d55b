"""Bayesian logistic regression: the No-U-Turn sampler of NumPyro."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import numpyro
from numpyro import distributions
from numpyro.infer import MCMC, NUTS

WARMUP, SAMPLES = 200, 200


def model(x: Any, y: Any) -> None:
    """Normal weights, Bernoulli observations."""
    weights = numpyro.sample("weights", distributions.Normal(0, 1).expand([x.shape[1]]))
    bias = numpyro.sample("bias", distributions.Normal(0, 2))
    numpyro.sample("y", distributions.Bernoulli(logits=x @ weights + bias), obs=y)


def program() -> Callable[[], Any]:
    """The sampler; calls after the first compile nothing."""
    random = np.random.default_rng(0)
    x = random.standard_normal((200, 8), np.float32)
    y = (x.sum(1) > 0).astype(np.float32)
    sampler = MCMC(NUTS(model), num_warmup=WARMUP, num_samples=SAMPLES, progress_bar=False)

    def loop() -> Any:
        sampler.run(jax.random.key(1), x, y)
        return sampler.get_samples()

    return loop
