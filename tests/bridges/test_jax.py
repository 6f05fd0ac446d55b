"""Functions of JAX as programs, beside what JAX gives."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import stablemate as sm


def layer(p: dict[str, Any], x: Any, *, scale: float = 2.0) -> Any:
    return {"y": jnp.tanh(x @ p["w"] + p["b"]) * scale, "n": jnp.sum(x)}, x.shape[0]


@pytest.fixture
def parameters() -> dict[str, Any]:
    return {"w": jnp.linspace(-1, 1, 12).reshape(4, 3), "b": jnp.zeros(3)}


@pytest.fixture
def batch() -> Any:
    return jnp.linspace(-2, 2, 8).reshape(2, 4)


def test_a_program_is_called_as_the_function(parameters: dict[str, Any], batch: Any) -> None:
    m = sm.from_jax(layer, parameters, batch, scale=3.0)
    (got, size), (expected, _) = (
        m.run(parameters, batch, keywords={"scale": np.float32(3)}),
        layer(parameters, batch, scale=3.0),
    )
    assert int(size) == 2
    assert got.keys() == expected.keys()
    np.testing.assert_allclose(got["y"], expected["y"], rtol=1e-6)


def test_a_program_may_have_symbols_for_sizes() -> None:
    (b,) = jax.export.symbolic_shape("b")
    m = sm.from_jax(lambda x: x.sum(0), jax.ShapeDtypeStruct((b, 3), jnp.float32))
    np.testing.assert_array_equal(m.run(np.ones((5, 3), np.float32)), [5, 5, 5])


def test_functions_that_call_back_into_python_say_why_they_are_refused() -> None:
    def shown(x: Any) -> Any:
        jax.debug.print("{}", x)
        return x

    with pytest.raises(sm.UnsupportedError, match=r"calls back into Python, as jax\.debug\.print"):
        sm.from_jax(shown, np.float32(1))
    with pytest.raises(sm.UnsupportedError, match="EQX_ON_ERROR"):
        sm.from_jax(shown, np.float32(1))


def test_without_jax() -> None:
    code = (
        "import sys; sys.modules['jax'] = None\n"
        "import stablemate as sm\n"
        "try: sm.from_jax(lambda x: x, 1.0)\n"
        "except sm.UnsupportedError as error: print(error)"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert completed.stdout.strip() == "functions of JAX need JAX: pip install jax"
