"""Special functions of JAX reach executors as operations of CHLO, and not as their expansions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax
import mpmath
import numpy as np
import pytest
from jax import lax

import stablemate as sm
from stablemate.bridges.chlo_composites import DECOMPOSED, lowering_rules

# Subnormal numbers and their neighbors; jaxlib's expansion of lgamma has 103.32505 for the first.
HARD: Final = np.array([2**-149, 3 * 2**-149, 2**-140, 2**-127, 2**-126, 0.7, 0.99], np.float32)
BINARY: Final = {"polygamma": 2.0, "zeta": 3.0}  # the first operand
EXACT: Final[dict[str, Callable[[Any], Any]]] = {
    "bessel_i1e": lambda x: mpmath.exp(-x) * mpmath.besseli(1, x),
    "digamma": mpmath.digamma,
    "erf_inv": lambda x: mpmath.erfinv(x) if x > 1e-30 else x * mpmath.sqrt(mpmath.pi) / 2,
    "erfc": mpmath.erfc,
    "lgamma": mpmath.loggamma,
    "polygamma": lambda x: -2 * mpmath.zeta(3, x) if x > 1e-30 else -2 / x**3,
    "zeta": lambda x: mpmath.zeta(3, x) if x > 1e-30 else 1 / x**3,
}


def applied(name: str) -> Callable[[Any], Any]:
    """The function of one number that is tested."""
    function = getattr(lax, name)
    if name not in BINARY:
        return function  # type: ignore[no-any-return]
    return lambda x: function(lax.full_like(x, BINARY[name]), x)


def exact(name: str) -> Any:
    """The nearest floats to the exact results."""
    with mpmath.workprec(400), np.errstate(over="ignore"):
        results = [EXACT[name](mpmath.mpf(float(x))) for x in HARD]
        return np.array([float(result) for result in results]).astype(np.float32)


def test_jax_has_primitives_for_all_of_them() -> None:
    assert [primitive.name for primitive, _, _ in lowering_rules()] == list(DECOMPOSED)


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
@pytest.mark.parametrize("name", DECOMPOSED)
def test_programs_compute_the_function(name: str, backend: str) -> None:
    program = sm.from_jax(applied(name), HARD)
    np.testing.assert_array_max_ulp(program.run(HARD, backend=backend), exact(name), 1)


@pytest.mark.parametrize("name", DECOMPOSED)
def test_the_backend_computes_the_function(name: str) -> None:
    np.testing.assert_array_max_ulp(np.asarray(sm.jit(applied(name))(HARD)), exact(name), 1)


def test_exports_for_others_are_as_jax_writes_them() -> None:
    np.asarray(sm.jit(lax.lgamma)(HARD))
    exported = jax.export.export(jax.jit(lax.lgamma), platforms=["cpu"])(HARD)
    assert "composite" not in exported.mlir_module()


def test_sizes_may_be_symbols() -> None:
    (b,) = jax.export.symbolic_shape("b")
    program = sm.from_jax(lax.lgamma, jax.ShapeDtypeStruct((b,), np.float32))
    np.testing.assert_array_equal(program.run(HARD), exact("lgamma"))


def test_a_function_has_one_decomposition_for_each_type() -> None:
    def function(x: Any) -> Any:
        return lax.lgamma(x) + lax.lgamma(2 * x), lax.lgamma(x[:2])

    text = str(sm.from_jax(function, HARD))
    assert text.count('stablehlo.composite "chlo.lgamma"') == 3
    assert text.count("func.func private") == 2
