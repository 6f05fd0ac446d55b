"""Functions of JAX as programs, and running here, beside what JAX gives."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import stablemate as sm


class State(NamedTuple):
    weights: Any
    step: Any


def same(got: Any, expected: Any, *, rtol: float = 1e-6) -> None:
    """Trees of one structure, whose leaves are arrays of one type and nearly one value."""
    got_leaves, got_tree = jax.tree_util.tree_flatten(got)
    leaves, tree = jax.tree_util.tree_flatten(expected)
    assert got_tree == tree
    for a, b in zip(got_leaves, leaves, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=rtol, atol=1e-6)


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


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_trees_come_back(backend: str, parameters: dict[str, Any], batch: Any) -> None:
    run: Any = sm.jit(layer, backend=backend)
    same(run(parameters, batch), jax.jit(layer)(parameters, batch))
    same(run(parameters, batch, scale=0.5), jax.jit(layer)(parameters, batch, scale=0.5))


def test_named_tuples_and_none() -> None:
    def step(state: State, gradient: Any, mask: Any = None) -> State:
        scaled = gradient if mask is None else gradient * mask
        return State(jax.tree.map(lambda w, g: w - 0.1 * g, state.weights, scaled), state.step + 1)

    state = State([jnp.ones(3), jnp.ones((2, 2))], jnp.int32(0))
    gradient = [jnp.ones(3), jnp.ones((2, 2))]
    same(sm.jit(step)(state, gradient), step(state, gradient))


def test_one_program_for_each_signature() -> None:
    traced: list[Any] = []

    @sm.jit
    def double(x: Any) -> Any:
        traced.append(x.shape)
        return 2 * x

    for shape in ((2,), (3,), (2,)):
        same(double(jnp.ones(shape)), 2 * jnp.ones(shape))
    same(double(jnp.ones(2, jnp.int32)), 2 * jnp.ones(2, jnp.int32))
    assert traced == [(2,), (3,), (2,)]
    double.clear_cache()
    double(jnp.ones(2))
    assert len(traced) == 4


def test_constants() -> None:
    @partial(sm.jit, static_argnames="n")
    def power(x: Any, n: int) -> Any:
        return x**n if n > 1 else x

    x = jnp.arange(4.0)
    same(power(x, 3), x**3)
    same(power(x, n=2), x**2)
    same(power(n=1, x=x), x)
    same(sm.jit(lambda n, x: x[:n], static_argnums=0)(2, x), x[:2])
    same(sm.jit(lambda x, n: x[:n], static_argnums=-1)(x, 3), x[:3])
    with pytest.raises(sm.ArgumentError, match="argument 1 is a constant of the program: unhash"):
        power(x, [1])


def test_constants_of_equal_value_and_other_type_differ() -> None:
    run = sm.jit(lambda x, n: x * n, static_argnums=1)
    assert run(jnp.ones(2, jnp.int32), 2).dtype == jnp.int32
    assert run(jnp.ones(2, jnp.int32), 2.0).dtype == jnp.float32


def test_inside_of_transformations() -> None:
    run = sm.jit(lambda x: jnp.sin(x).sum())
    x = jnp.linspace(0, 1, 5)
    same(jax.grad(run)(x), jnp.cos(x))
    same(jax.vmap(run)(x[None]), jnp.sin(x).sum()[None])
    same(sm.jit(jax.grad(run))(x), jnp.cos(x))


def test_random_keys() -> None:
    def draw(key: Any) -> Any:
        return jax.random.split(key), jax.random.normal(key, (3,))

    for impl in ("threefry2x32", "rbg"):
        key = jax.random.key(7, impl=impl)
        (keys, numbers), (expected_keys, expected) = sm.jit(draw)(key), jax.jit(draw)(key)
        assert keys.dtype == expected_keys.dtype
        same(jax.random.key_data(keys), jax.random.key_data(expected_keys))
        same(numbers, expected, rtol=1e-5)
    same(sm.jit(draw)(jax.random.PRNGKey(7)), draw(jax.random.PRNGKey(7)), rtol=1e-5)


def test_gradients_of_integers_have_no_values() -> None:
    gradient = jax.grad(lambda n: (2.0 * n).sum(), allow_int=True)
    got, expected = (f(gradient)(jnp.arange(3)) for f in (sm.jit, jax.jit))
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape


def test_narrow_types_and_no_results() -> None:
    x = jnp.arange(4, dtype=jnp.bfloat16)
    same(sm.jit(lambda x: x.astype(jnp.float8_e4m3fn))(x), x.astype(jnp.float8_e4m3fn))
    assert sm.jit(lambda x: ())(x) == ()


def test_a_method() -> None:
    class Model:
        def __init__(self, scale: float) -> None:
            self.scale = scale

        @partial(sm.jit, static_argnums=0)
        def __call__(self, x: Any) -> Any:
            return self.scale * x

    same(Model(3.0)(jnp.ones(2)), 3 * jnp.ones(2))
    same(Model(4.0)(jnp.ones(2)), 4 * jnp.ones(2))


def test_the_program_of_a_function(batch: Any) -> None:
    module = sm.jit(lambda x: 2 * x).module(jax.ShapeDtypeStruct((2, 4), jnp.float32))
    np.testing.assert_array_equal(module.run(batch), 2 * np.asarray(batch))


def test_double_precision_is_another_signature() -> None:
    run = sm.jit(lambda x: x + 1)
    x = np.ones(2)
    assert run(x).dtype == jnp.float32
    with jax.enable_x64(True):
        assert run(x).dtype == jnp.float64


def test_custom_calls_that_jax_does_not_promise_to_keep() -> None:
    a = np.array([[3.0, 1.0], [4.0, 2.0]], np.float32)
    got = sm.jit(jax.scipy.linalg.qr_multiply)(a, a)
    expected = jax.jit(jax.scipy.linalg.qr_multiply)(a, a)
    for mine, theirs in zip(got, expected, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)


def test_functions_registered_here_are_called_by_name() -> None:
    @sm.custom_call("test_bridges_halved")
    def halved(operands: Sequence[Any], call: Any) -> Any:
        return operands[0] / 2

    def function(x: Any) -> Any:
        target = jax.ffi.ffi_call("test_bridges_halved", jax.ShapeDtypeStruct(x.shape, x.dtype))
        return target(x) + 1

    assert sm.jit(function)(np.float32(4)) == 3


def test_what_jax_cannot_trace_is_its_error() -> None:
    with pytest.raises(jax.errors.TracerBoolConversionError):
        sm.jit(lambda x: x if x > 0 else -x)(jnp.float32(1))
    with pytest.raises(TypeError, match="not a valid JAX type"):
        sm.jit(lambda x: x)("text")


def test_functions_that_call_back_into_python_say_why_they_are_refused() -> None:
    def shown(x: Any) -> Any:
        jax.debug.print("{}", x)
        return x

    with pytest.raises(sm.UnsupportedError, match=r"calls back into Python, as jax\.debug\.print"):
        sm.jit(shown)(np.float32(1))
    with pytest.raises(sm.UnsupportedError, match="EQX_ON_ERROR"):
        sm.from_jax(shown, np.float32(1))


def test_without_jax() -> None:
    code = (
        "import sys; sys.modules['jax'] = None\n"
        "import stablemate as sm\n"
        "try: sm.jit(lambda x: x)\n"
        "except sm.UnsupportedError as error: print(error)"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert completed.stdout.strip() == 'functions of JAX need JAX: pip install "stablemate[jax]"'
