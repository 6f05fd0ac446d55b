"""The algorithms of dot_general: components add up, and more products are more exact."""

from __future__ import annotations

import numpy as np

from stablemate.dialects.stablehlo.attributes import DotAlgorithm
from stablemate.dialects.stablehlo.contraction import matrix_products
from stablemate.dialects.stablehlo.dot_algorithms import (
    FLOATS_OF_8_BITS,
    SUPPORTED,
    TF32,
    algorithm_products,
    components,
    is_known,
    round_to_precision,
)
from stablemate.numerics.elements import BF16, F32, F64


def test_every_supported_algorithm_can_be_evaluated() -> None:
    x = np.ones((2, 3), np.float32)
    for row in SUPPORTED:
        algorithm = DotAlgorithm(*row)
        assert is_known(algorithm)
        assert (algorithm_products(algorithm, F32, matrix_products)(x, x.T) == 3).all()
    for first in FLOATS_OF_8_BITS:
        for imprecise in (False, True):
            algorithm = DotAlgorithm(first, min(FLOATS_OF_8_BITS, key=str), F32, 1, 1, 1, imprecise)
            assert is_known(algorithm)
            assert (algorithm_products(algorithm, F32, matrix_products)(x, x.T) == 3).all()
    assert not is_known(DotAlgorithm(BF16, BF16, F64))


def test_three_components_of_bf16_are_exact() -> None:
    x = np.random.default_rng(0).standard_normal(1000).astype(np.float32)
    parts = components(x, BF16, 3)
    assert (sum(part.astype(np.float64) for part in parts) == x).all()
    assert all((round_to_precision(part, BF16) == part).all() for part in parts)


def test_more_products_are_more_exact() -> None:
    generator = np.random.default_rng(0)
    x, y = (generator.standard_normal((50, 50)).astype(np.float32) for _ in "xy")
    exact = x.astype(np.float64) @ y.astype(np.float64)
    errors = [
        np.abs(
            algorithm_products(DotAlgorithm(BF16, BF16, F32, 1, 1, n), F64, matrix_products)(x, y)
            - exact
        ).max()
        for n in (1, 3, 6)
    ]
    assert errors[0] > 50 * errors[1]
    assert errors[1] > 5 * errors[2]


def test_tf32_keeps_eleven_bits_of_the_significand() -> None:
    x = np.random.default_rng(0).standard_normal(1000).astype(np.float32)
    significand, exponent = np.frexp(x.astype(np.float64))
    expected = np.ldexp(np.rint(significand * (1 << TF32.precision)), exponent - TF32.precision)
    assert (round_to_precision(x, TF32) == expected).all()
    largest = np.array([np.finfo(np.float32).max, np.inf, -np.inf], np.float32)
    assert round_to_precision(largest, TF32).tolist() == [np.inf, np.inf, -np.inf]
