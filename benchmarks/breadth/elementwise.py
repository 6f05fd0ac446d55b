"""Functions of each element: of `jax.nn` and of `jax.scipy`, and pixels."""

from __future__ import annotations

from typing import Any, Final

import jax
import jax.numpy as jnp
from jax.scipy import special, stats

from benchmarks.breadth.program import SIDE, Program, integers, normal, unary, unit

JNP: Final = [
    "exp",
    "expm1",
    "log",
    "log1p",
    "log2",
    "sqrt",
    "cbrt",
    "sin",
    "cos",
    "tan",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "arcsinh",
    "sinc",
    "floor",
    "round",
    "sign",
    "square",
    "nan_to_num",
]
NN: Final = [
    "relu",
    "relu6",
    "sigmoid",
    "softplus",
    "silu",
    "gelu",
    "elu",
    "selu",
    "celu",
    "log_sigmoid",
    "hard_tanh",
    "hard_sigmoid",
    "mish",
    "softmax",
    "log_softmax",
    "standardize",
    "soft_sign",
]
SPECIAL: Final = [
    "erf",
    "erfc",
    "erfinv",
    "gammaln",
    "digamma",
    "i0e",
    "i1e",
    "ndtr",
    "ndtri",
    "entr",
    "logit",
]


def brighter(pixels: Any) -> Any:
    """Pixels through f32 and back."""
    scaled = pixels.astype(jnp.float32) / 255.0 * 1.2
    return (jnp.clip(scaled, 0.0, 1.0) * 255.0).astype(jnp.uint8)


def named(area: str, module: Any, names: list[str], argument: Any) -> list[Program]:
    """The programs of functions of a module."""
    return unary(area, {name: getattr(module, name) for name in names}, argument)


def programs() -> list[Program]:
    """The rows."""
    positive, signed, other = unit(SIDE, SIDE), normal(SIDE, SIDE), normal(SIDE, SIDE, seed=1)
    return [
        *named("jnp", jnp, JNP, positive),
        *named("jax.nn", jax.nn, NN, signed),
        *named("jax.scipy.special", special, SPECIAL, positive),
        Program("jnp.arctan2", jnp.arctan2, (signed, other)),
        Program("jnp.hypot", jnp.hypot, (signed, other)),
        Program("jnp.logaddexp", jnp.logaddexp, (signed, other)),
        Program("jnp.remainder", jnp.remainder, (signed, positive)),
        Program("jnp.power", jnp.power, (positive, other)),
        Program("jax.scipy.special.xlogy", special.xlogy, (signed, positive)),
        Program("jax.scipy.stats.norm.logpdf", stats.norm.logpdf, (signed,)),
        Program("jax.scipy.stats.norm.cdf", stats.norm.cdf, (signed,)),
        Program("u8 pixels through f32", brighter, (integers(256, 512, 512, 3, kind="uint8"),)),
    ]
