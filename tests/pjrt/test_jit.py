"""``sm.jit`` beside ``jax.jit``, in a process whose default platform is XLA's CPU client."""

from __future__ import annotations

import os
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


def is_here(tree: Any) -> bool:
    """Whether all arrays are stablemate's."""
    clients = {device.client for leaf in jax.tree.leaves(tree) for device in leaf.devices()}
    return all("stablemate" in client.platform_version for client in clients)


def layer(p: dict[str, Any], x: Any, *, scale: float = 2.0) -> Any:
    return {"y": jnp.tanh(x @ p["w"] + p["b"]) * scale, "n": jnp.sum(x)}, x.shape[0]


@pytest.fixture
def parameters() -> dict[str, Any]:
    return {"w": jnp.linspace(-1, 1, 12).reshape(4, 3), "b": jnp.zeros(3)}


@pytest.fixture
def batch() -> Any:
    return jnp.linspace(-2, 2, 8).reshape(2, 4)


def test_a_function_of_jax_jit_keeps_its_static_arguments(batch: Any) -> None:
    def power(x: Any, n: int) -> Any:
        assert isinstance(n, int), "n is traced"
        return x**n

    for static in ({"static_argnums": 1}, {"static_argnames": "n"}):
        inner: Any = jax.jit(power, **static)
        for outer in (sm.jit(inner), sm.jit(inner, **static), sm.jit(sm.jit(power, **static))):
            for result in (outer(batch, 3), outer(batch, n=3)):
                same(result, inner(batch, 3))
                assert is_here(result)
    # Options replace what the inner function says, which then has its say.
    with pytest.raises(ValueError, match="Non-hashable static arguments"):
        sm.jit(jax.jit(power, static_argnums=1), static_argnums=0, static_argnames=())(2.0, 3)


def test_trees_come_back(parameters: dict[str, Any], batch: Any) -> None:
    run: Any = sm.jit(layer)
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
    with pytest.raises(ValueError, match="Non-hashable static arguments"):
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


@pytest.mark.skipif(not hasattr(jax, "enable_x64"), reason="newer than this JAX")
def test_double_precision_is_another_signature() -> None:
    run = sm.jit(lambda x: x + 1)
    x = np.ones(2)
    assert run(x).dtype == jnp.float32
    with jax.enable_x64(True):
        assert run(x).dtype == jnp.float64


@pytest.mark.skipif(not hasattr(jax.scipy.linalg, "qr_multiply"), reason="newer than this JAX")
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
    with pytest.raises(TypeError, match="as an abstract array"):
        sm.jit(lambda x: x)("text")


def test_results_are_here_wherever_arguments_are() -> None:
    run = sm.jit(lambda x, y: x + y)
    x, n = jnp.arange(3.0), np.arange(3, dtype=np.float32)
    assert not is_here(x)
    for first in (x, n, run(x, n)):
        for second in (x, n, run(x, n), 1.0):
            got = run(first, second)
            assert is_here(got)
            same(got, np.asarray(first) + np.asarray(second, np.float32))


def test_large_arrays_of_another_client_are_not_copied() -> None:
    x = jnp.zeros(10**5)
    seen: list[int] = []

    def look(array: Any) -> Any:
        seen.append(np.asarray(array).ctypes.data)
        return np.float32(0)

    shape = jax.ShapeDtypeStruct((), np.float32)
    sm.jit(lambda x: jax.pure_callback(look, shape, x))(x)
    assert seen == [x.unsafe_buffer_pointer()]


def test_a_weak_type_stays_weak() -> None:
    x = jnp.asarray(2.0)  # of Python's float, hence weak
    assert x.weak_type
    assert sm.jit(lambda x: x * jnp.ones(2, jnp.bfloat16))(x).dtype == jnp.bfloat16


def test_arguments_are_donated() -> None:
    run = sm.jit(lambda x: x + 1, donate_argnums=0)
    x = run(jnp.ones(4))
    assert run(x)[0] == 3
    assert x.is_deleted()


def test_a_gradient_of_a_function_is_computed_here() -> None:
    assert is_here(jax.grad(sm.jit(lambda x: jnp.sin(x).sum()))(jnp.ones(3)))


def test_inside_of_a_program_of_another_client() -> None:
    inner = sm.jit(lambda x: x + 1)
    x = jax.device_put(jnp.ones(3), jax.devices()[0])
    same(jax.jit(lambda x: inner(x) * 2)(x), jnp.full(3, 4.0))


def test_the_attributes_of_jax_jit(batch: Any) -> None:
    run = sm.jit(lambda x: 2 * x, inline=True, keep_unused=True)
    compiled = run.lower(batch).compile()
    same(compiled(batch), 2 * batch)
    assert compiled.memory_analysis().argument_size_in_bytes == batch.nbytes
    assert run.eval_shape(batch).shape == batch.shape


def test_the_cost_of_a_program_is_that_of_xla() -> None:
    def function(x: Any) -> Any:
        return jnp.sum(jnp.sin(x) @ jnp.exp(x)) + jnp.tanh(x).sum()

    x = jnp.ones((64, 64))
    got = sm.jit(function).lower(x).compile().cost_analysis()
    expected = jax.jit(function).lower(x).cost_analysis()
    for name in ("transcendentals", "bytes accessed"):
        assert got[name] == expected[name]
    assert expected["transcendentals"] == 3 * x.size
    # XLA counts one addition less for each sum: the first element is not added to anything.
    assert got["flops"] == expected["flops"] + 2
    lowered = sm.jit(function).lower(x).cost_analysis()  # of a program that calls another one
    assert lowered["transcendentals"] == expected["transcendentals"]
    assert lowered["flops"] == pytest.approx(expected["flops"], rel=1e-5)


def test_options_of_jax_jit_are_checked_by_it() -> None:
    with pytest.raises(TypeError, match="threads"):
        sm.jit(lambda x: x, threads=2)


def test_functions_may_call_back_into_python() -> None:
    shape = jax.ShapeDtypeStruct((3,), np.float32)
    run = sm.jit(lambda x: jax.pure_callback(lambda a: np.asarray(a) * 2, shape, x))
    same(run(jnp.arange(3.0)), 2 * jnp.arange(3.0))


SHARDED = """
import jax, jax.numpy as jnp, numpy as np, stablemate as sm
from jax.sharding import AxisType, NamedSharding, PartitionSpec
assert jax.default_backend() == "cpu" and len(jax.devices()) == 1
sm.jit(lambda x: x)(1.0)  # creates the client where JAX_PLATFORMS does not
devices = jax.devices("stablemate")
mesh = jax.sharding.Mesh(np.array(devices), ("i",), axis_types=(AxisType.Auto,))
where = NamedSharding(mesh, PartitionSpec("i"))
x = np.arange(16.0, dtype=np.float32)
by_option = sm.jit(lambda v: v * 2, in_shardings=where, out_shardings=where)(x)
by_argument = sm.jit(lambda v: v * 2)(jax.device_put(x, where))
for result in (by_option, by_argument):
    assert len(result.devices()) == 4
    np.testing.assert_array_equal(result, 2 * x)
with jax.set_mesh(mesh):
    spread = sm.jit(lambda v: v * 2, out_shardings=PartitionSpec("i"))(x)
    assert len(spread.devices()) == 4
    assert float(sm.jit(jnp.sum)(spread)) == 240
"""


@pytest.mark.skipif(not hasattr(jax, "set_mesh"), reason="newer than this JAX")
@pytest.mark.parametrize("platforms", ["", "cpu"])
def test_shardings(platforms: str) -> None:
    environment = os.environ | {"JAX_PLATFORMS": platforms, "STABLEMATE_DEVICES": "4"}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", SHARDED],
        env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]


def test_without_jax() -> None:
    code = (
        "import sys; sys.modules['jax'] = None\n"
        "import stablemate as sm\n"
        "try: sm.jit(lambda x: x)\n"
        "except sm.UnsupportedError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "functions of JAX need JAX: pip install jax"
