"""Random bits of a size that depends on the arguments: compiled once for many sizes."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.sized_programs import compiled

# As jax.export writes lax.rng_bit_generator with the shape (n, 3), or (n,).
PROGRAM = """
func.func @main(%x: tensor<?xf32>, %state: tensor<2xui64>) -> (tensor<2xui64>, tensor<{shape}>) {{
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %rows = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %both = stablehlo.concatenate %rows, %three, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %{size}) {{
      api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm {algorithm}>}}
    : (tensor<2xui64>, tensor<{rank}xi32>) -> (tensor<2xui64>, tensor<{shape}>)
  return %r#0, %r#1 : tensor<2xui64>, tensor<{shape}>
}}"""


@pytest.mark.parametrize("shape", ["?x3xui32", "?xui32", "?x3xui64", "?xui8"])
@pytest.mark.parametrize("algorithm", ["THREE_FRY", "PHILOX"])
def test_random_bits_of_many_sizes_share_versions(algorithm: str, shape: str) -> None:
    rank = shape.count("x")
    size = "both" if rank == 2 else "rows"
    text = PROGRAM.format(algorithm=algorithm, shape=shape, rank=rank, size=size)
    executable, versions = compiled(text)
    state = np.array([7, (1 << 64) - 5], np.uint64)  # the counter overflows
    sizes = (37, 24, 2, 51, 100, 33, 64, 10, 71, 1000)
    for count in sizes:
        x = np.zeros(count, np.float32)
        expected = sm.run(text, x, state, backend="interpreter")
        for result, values in zip(executable(x, state), expected, strict=True):
            np.testing.assert_array_equal(result, values)
    assert not versions.failures
    assert len(versions.versions) <= 6 < len(sizes)  # odd and even sizes, and rests of vectors
