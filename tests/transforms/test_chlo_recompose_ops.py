"""Composites that encode operations of CHLO; calls are tested in ``tests/ops/custom_call.mlir``."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.transforms.chlo_recompose_ops import COMPOSITES
from tests.oracle.client import Oracle

X: Final = np.array([0.25, 0.5, -0.75, 1e-40], np.float32)
RECOMPOSED: Final = ("acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "sinh")
IDENTITY: Final = """\
func.func private @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
"""


def program(name: str, attributes: str = ", version = 1 : i32") -> str:
    """A composite whose decomposition is not the function that it names."""
    return (
        f"{IDENTITY}func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n"
        f'  %0 = stablehlo.composite "{name}" %x {{decomposition = @identity{attributes}}}'
        " : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"
    )


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
@pytest.mark.parametrize("name", RECOMPOSED)
def test_functions_that_xla_recomposes(name: str, backend: str, oracle: Oracle) -> None:
    text = program(f"chlo.{name}")
    (expected,) = oracle.xla(text, X)
    assert not np.array_equal(expected[:3], X[:3], equal_nan=False)
    np.testing.assert_allclose(sm.run(text, X, backend=backend), expected, rtol=1e-6, atol=1e-38)


@pytest.mark.parametrize(
    ("name", "attributes"),
    [
        ("chlo.cosh", ""),
        ("chlo.cosh", ", version = 2 : i32"),
        ("chlo.square", ", version = 1 : i32"),
        ("chlo.atan", ", version = 1 : i32"),
        ("chlo.tan", ", version = 1 : i32"),
        ("my.cosh", ", version = 1 : i32"),
    ],
)
def test_others_are_their_decompositions(name: str, attributes: str, oracle: Oracle) -> None:
    text = program(name, attributes)
    np.testing.assert_array_equal(oracle.xla(text, X[:4])[0][:3], X[:3])
    for backend in ("cpu", "interpreter"):
        np.testing.assert_array_equal(sm.run(text, X, backend=backend), X)


@pytest.mark.parametrize("name", sorted(COMPOSITES))
def test_a_composite_of_other_types_is_its_decomposition(name: str) -> None:
    """No function of CHLO takes three operands, or an operand that is a Boolean."""
    text = f"""
    func.func private @xor(%a: tensor<i1>, %b: tensor<i1>, %c: tensor<i1>) -> tensor<i1> {{
      %0 = stablehlo.xor %a, %b : tensor<i1>
      %1 = stablehlo.xor %0, %c : tensor<i1>
      return %1 : tensor<i1>
    }}
    func.func @main(%a: tensor<i1>) -> tensor<i1> {{
      %0 = stablehlo.composite "{name}" %a, %a, %a {{decomposition = @xor, version = 1 : i32}}
        : (tensor<i1>, tensor<i1>, tensor<i1>) -> tensor<i1>
      return %0 : tensor<i1>
    }}
    """
    value: Any = sm.run(text, np.array(True))
    assert bool(value)


def test_the_pass_writes_the_operation() -> None:
    module = sm.opt(sm.load(program("chlo.erf")), "chlo-recompose-ops")
    assert "chlo.erf %arg0 : tensor<4xf32> -> tensor<4xf32>" in str(module)
