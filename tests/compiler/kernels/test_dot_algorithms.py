"""Dots that state their algorithm, without leaving native code."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.result_comparison import native

# Precision types, accumulation, operand, primitive operations: and the bits that the factors keep.
ALGORITHMS: Final = {
    "bf16 bf16 f32 1": 8,
    "bf16 bf16 f32 3": 15,
    "bf16 bf16 f32 6": 22,
    "bf16 bf16 f32 9": 22,
    "bf16 bf16 bf16 1": 8,
    "tf32 tf32 f32 1": 10,
    "tf32 tf32 f32 3": 19,
    "f16 f16 f32 1": 10,
    "f8E4M3FN f8E5M2 f32 1": 2,
    "f32 f32 f32 1": 22,
}


def program(algorithm: str, shape: tuple[int, int, int], element: str = "f32") -> str:
    """A product of matrices."""
    lhs, rhs, accumulation, count = algorithm.split()
    m, k, n = shape
    types = f"(tensor<{m}x{k}x{element}>, tensor<{k}x{n}x{element}>) -> tensor<{m}x{n}x{element}>"
    return f"""
    func.func @main(%a: tensor<{m}x{k}x{element}>, %b: tensor<{k}x{n}x{element}>)
        -> tensor<{m}x{n}x{element}> {{
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0],
        algorithm = <lhs_precision_type = {lhs}, rhs_precision_type = {rhs},
          accumulation_type = {accumulation}, lhs_component_count = 1, rhs_component_count = 1,
          num_primitive_operations = {count}, allow_imprecise_accumulation = false> : {types}
      return %0 : tensor<{m}x{n}x{element}>
    }}"""


def matrices(m: int, k: int, n: int) -> tuple[Any, Any]:
    """Two matrices of numbers that no narrow format holds."""
    random = np.random.default_rng(m + k + n)
    return random.standard_normal((m, k)).astype("f"), random.standard_normal((k, n)).astype("f")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("shape", [(3, 5, 2), (33, 70, 48)])
def test_algorithms_keep_their_bits(algorithm: str, shape: tuple[int, int, int]) -> None:
    text, (a, b) = program(algorithm, shape), matrices(*shape)
    native_result = native(text)(a, b)
    wide = [operand.astype(np.float64) for operand in (a, b)]
    scale = abs(wide[0]) @ abs(wide[1])
    error = (abs(native_result - wide[0] @ wide[1]) / scale).max()
    assert error < 2.0 ** (1 - ALGORITHMS[algorithm])
    expected = sm.run(text, a, b, backend="interpreter")
    bits = 8 if algorithm.split()[2] == "bf16" else 22  # sums are added up in another order
    assert (abs(native_result - expected) / scale).max() < 2.0**-bits


def test_infinite_factors_have_no_small_parts() -> None:
    a = np.array([[np.inf, 1.0], [np.nan, 1.0], [-np.inf, 2.0], [3e38, 1e-3]], np.float32)
    b = np.array([[1.0, np.inf], [2.0, 0.5]], np.float32)
    for algorithm in ("bf16 bf16 f32 3", "bf16 bf16 f32 6", "tf32 tf32 f32 3"):
        text = program(algorithm, (4, 2, 2))
        expected = sm.run(text, a, b, backend="interpreter")
        np.testing.assert_array_equal(native(text)(a, b), expected)


def test_operands_of_other_types_are_rounded() -> None:
    text, (a, b) = program("bf16 bf16 f32 1", (4, 6, 3), "f64"), matrices(4, 6, 3)
    wide = a.astype(np.float64), b.astype(np.float64)
    expected = sm.run(text, *wide, backend="interpreter")
    np.testing.assert_allclose(native(text)(*wide), expected, rtol=1e-6)


def test_the_sum_is_rounded_to_the_accumulation_type() -> None:
    text = program("f16 f16 f16 1", (2, 3, 2))
    a, b = matrices(2, 3, 2)
    native_result = native(text)(a, b)
    assert (native_result.astype(np.float16) == native_result).all()
