"""Points at which functions are hard."""

from __future__ import annotations

import math
from typing import Any, Final

import ml_dtypes
import numpy as np

from stablemate.numerics.elements import Array

HARD_MULTIPLE_OF_HALF_PI: Final = 6381956970095103 * 2.0**797  # of all, the closest to one


def around(value: float, dtype: Any) -> list[float]:
    """A number and its neighbors in a format."""
    with np.errstate(over="ignore"):
        near = np.array(value).astype(dtype).astype(np.float64)
    unit = float(np.abs(near)) * float(ml_dtypes.finfo(dtype).eps) / 2
    return [
        float(near),
        float(near) - unit,
        float(near) + unit,
        float(near) + 2 * unit,
        float(near) - 2 * unit,
    ]


def magnitudes(dtype: Any) -> list[float]:
    """The ends of a format, and the scales at which functions change."""
    info = ml_dtypes.finfo(dtype)
    least, tiny = float(info.smallest_subnormal), float(info.smallest_normal)
    eps, top = float(info.eps), float(info.max)
    scales = [eps**power for power in (0.25, 1 / 3, 0.5, 1, 2)]
    ends = [
        0.0,
        least,
        2 * least,
        3 * least,
        tiny / 2,
        tiny - least,
        tiny,
        tiny + least,
        top / 4,
        top / 2,
        top * (1 - eps),
        top,
    ]
    roots = [math.sqrt(top), math.sqrt(top) / 2, math.sqrt(tiny), math.sqrt(least)]
    return [*ends, *roots, *scales, 2 * eps, 1 / eps, 0.5 / eps]


def real_points(dtype: Any, count: int = 300, seed: int = 0) -> Array:
    """Numbers of both signs, in a format."""
    info = ml_dtypes.finfo(dtype)
    top = float(info.max)
    least = float(info.smallest_subnormal)
    named: list[float] = magnitudes(dtype)
    for value in (
        0.5,
        1.0,
        2.0,
        math.log(top),
        -math.log(least),
        math.log(top) / 2,
        math.log(2),
        math.e,
        math.sqrt(0.5),
        math.sqrt(2),
        0.25,
        0.75,
        1.5,
        3.0,
        10.0,
        18.0,
        22.0,
        1 / 3,
    ):
        named += around(value, dtype)
    for k in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 22, 100, 355, 1000, 1e5, 1e6 + 1, 2.0**20 * 3, 1e10):
        named += around(k * math.pi / 2, dtype)
        named += around(k * math.pi / 4, dtype)[:1]
    named += [HARD_MULTIPLE_OF_HALF_PI, 1e22, 1e100, 1e300, 2.0**26, 2.0**27, 2.0**53, 12345.678]
    rng = np.random.default_rng(seed)
    low, high = math.log2(least), math.log2(top)
    spread = [
        2 ** rng.uniform(low, high, count // 4),
        2 ** rng.uniform(-6, 6, count // 2),
        2 ** rng.uniform(-30, 12, count // 4),
    ]
    numbers = np.concatenate([named, *spread])
    return rounded(np.concatenate([numbers, -numbers]), dtype)


def rounded(numbers: Array, dtype: Any) -> Array:
    """The finite numbers of a format nearest to numbers, each once."""
    with np.errstate(all="ignore"):
        values = numbers.astype(dtype)
    values = values[np.isfinite(values.astype(np.float64))]
    unsigned = values.view(f"u{values.dtype.itemsize}")
    return np.unique(unsigned).view(dtype)


def complex_points(dtype: Any, count: int = 100, seed: int = 0) -> Array:
    """Complex numbers: a grid of hard parts, and numbers near circles, cuts and multiples of pi."""
    part = np.zeros(1, dtype).real.dtype
    info = ml_dtypes.finfo(part)
    top, least, tiny, eps = (
        float(x) for x in (info.max, info.smallest_subnormal, info.smallest_normal, info.eps)
    )
    named = np.array(
        [
            0.0,
            least,
            tiny,
            tiny * 0.5,
            math.sqrt(tiny),
            eps**0.5,
            eps,
            0.5,
            1 - eps / 2,
            1.0,
            1 + eps,
            math.pi / 2,
            2.0,
            math.pi,
            math.log(top),
            math.log(top) + 0.5,
            20.0,
            1 / eps,
            math.sqrt(top),
            top / 2,
            top,
        ]
    )
    axis = np.concatenate([named, -named]).astype(part)
    a, b = (item.ravel() for item in np.meshgrid(axis, axis))
    rng = np.random.default_rng(seed)
    chosen = rng.random(a.size) < 3 * count / a.size
    a, b = a[chosen], b[chosen]
    turns = rng.uniform(-math.pi, math.pi, count)
    near_one = 1 + rng.choice([-1, 1], count) * 2.0 ** rng.uniform(-52, -2, count)
    unit = near_one * np.exp(1j * turns)
    size = 2.0 ** rng.uniform(-20, 8, (2, count)) * rng.choice([-1, 1], (2, count))
    anywhere = size[0] + 1j * size[1]
    with np.errstate(all="ignore"):
        wide = 2.0 ** rng.uniform(math.log2(least), math.log2(top), (2, count)) * rng.choice(
            [-1, 1], (2, count)
        )
        periods = rng.integers(-20, 20, count) * (math.pi / 2)
        near_poles = periods * (1 + 2.0 ** rng.uniform(-53, -8, count)) + 1j * 2.0 ** rng.uniform(
            -60, 3, count
        )
        distance = 2.0 ** rng.uniform(-60, -1, (2, count)) * rng.choice([-1, 1], (2, count))
        near_branch = rng.choice([1, -1, 1j, -1j], count) + distance[0] + 1j * distance[1]
        rest = np.concatenate(
            [
                unit,
                unit - 1,
                anywhere,
                wide[0] + 1j * wide[1],
                near_poles,
                1j * near_poles,
                near_branch,
            ]
        )
        parts = np.stack(
            [
                np.concatenate([a, rest.real.astype(part)]),
                np.concatenate([b, rest.imag.astype(part)]),
            ],
            -1,
        )
    parts = parts[np.isfinite(parts).all(-1)]
    return np.ascontiguousarray(parts).view(dtype).ravel()
