"""JAX on the backend, in a process of its own: JAX chooses its platform once."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from typing import Final

import pytest

HEAD = """
import faulthandler; faulthandler.enable()
import stablemate.pjrt; stablemate.pjrt.initialize()
import jax, jax.numpy as jnp, numpy as np
"""
PROGRAMS = {
    "unreduced arrays on a mesh": """
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P, reshard
mesh = jax.make_mesh((2,), ("x",), axis_types=(AxisType.Explicit,))
def shards(x):
    return [np.asarray(shard.data).tolist() for shard in x.addressable_shards]
def model(weights, rows):
    for weight in weights:
        rows = rows @ weight
    return rows.sum()
@jax.jit
def step(weights, batches):
    def accumulate(sums, rows):
        return jax.tree.map(jnp.add, sums, jax.grad(model)(weights, rows)), None
    zeros = reshard(jax.tree.map(jnp.zeros_like, weights), P(unreduced={"x"}))
    return reshard(jax.lax.scan(accumulate, zeros, batches)[0], P())
with jax.set_mesh(mesh):
    whole, halves = jnp.arange(4), jax.device_put(np.arange(4), P("x"))
    unreduced = jax.jit(lambda v: v, out_shardings=P(unreduced={"x"}))
    assert shards(unreduced(whole)) == [[0, 1, 2, 3], [0, 0, 0, 0]]
    assert shards(unreduced(halves)) == [[0, 1, 0, 0], [0, 0, 2, 3]]
    assert shards(reshard(unreduced(halves), P("x"))) == [[0, 1], [2, 3]]
    reduced = jax.device_put(np.arange(4.0), P(None, reduced={"x"}))
    gradient = jax.jit(jax.grad(lambda v: (reshard(v, P("x")) * 2).sum()))(reduced)
    assert gradient.sharding.spec == P(None, unreduced={"x"})
    assert shards(gradient) == [[2, 2, 0, 0], [0, 0, 2, 2]]
    weights = tuple(jax.device_put(jnp.ones((4, 4)), P(reduced={"x"})) for _ in range(3))
    batches = jax.device_put(jnp.ones((2, 2, 4)), P(None, "x", None))
    assert step.lower(weights, batches).compile().as_text().count("all-reduce(") == 1
    for result in step(weights, batches):
        np.testing.assert_array_equal(result, np.full((4, 4), 64))
""",
    "random numbers on a mesh": """
import re
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
draws = dict(
    bits=lambda key, shape: jax.random.bits(key, shape),
    uniform=lambda key, shape: jax.random.uniform(key, shape),
    normal=lambda key, shape: jax.random.normal(key, shape, jnp.bfloat16),
    wide=lambda key, shape: jax.random.bits(key, shape, jnp.uint16),
    dropout=lambda key, shape: jnp.where(jax.random.bernoulli(key, 0.5, shape), 2.0, 0.0),
)
collective = re.compile("all-reduce|all-gather|all-to-all|collective-permute|reduce-scatter")
for shape, spec in (((1944,), P("x")), ((72, 102), P("x", "y")), ((72, 102), P(None, "y")),
                    ((72, 102), P(("x", "y")))):
    for name, draw in draws.items():
        function = jax.jit(lambda key: draw(key, shape), out_shardings=NamedSharding(mesh, spec))
        key = jax.random.key(0)
        text = function.lower(key).compile().as_text()
        assert f"[{','.join(map(str, shape))}]" not in text, (name, spec)
        assert not collective.search(text), (name, spec)
        one = np.asarray(jax.jit(lambda key: draw(key, shape))(key))
        np.testing.assert_array_equal(np.asarray(function(key)), one, err_msg=name)
""",
    "batches of calls of FFI targets on a mesh": """
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((8,), ("x",), axis_types=(AxisType.Auto,))
jax.ffi.register_ffi_target_as_batch_partitionable("lapack_sgeqrf_ffi")
matrices = jax.ShapeDtypeStruct((8, 4, 5), np.float32), jax.ShapeDtypeStruct((8, 4), np.float32)
from jax.extend.core import Primitive
call = Primitive("geqrf")
call.multiple_results = True
call.def_abstract_eval(lambda x: (x, jax.core.ShapedArray(x.shape[:-1], x.dtype)))
from jax.interpreters import mlir
mlir.register_lowering(call, lambda context, x: jax.ffi.ffi_lowering(
    "lapack_sgeqrf_ffi", extra_attributes={
        "mhlo.frontend_attributes": mlir.ir_attribute({"num_batch_dims": "1"})})(context, x))
host = np.random.default_rng(0).random((8, 4, 5)).astype(np.float32)
divided = jax.device_put(host, NamedSharding(mesh, P("x")))
function = jax.jit(call.bind, out_shardings=divided.sharding)
assert "all-gather" not in function.lower(divided).compile().as_text()
results = function(divided)
for ours, whole in zip(results, function(host)):
    np.testing.assert_allclose(ours, whole, rtol=1e-5, atol=1e-5)
""",
    "key arrays on a mesh": """
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
host = np.arange(16, dtype=np.uint32).reshape(8, 2)
seeds = jax.device_put(host, NamedSharding(mesh, P("x", "y")))
keys = jax.jit(lambda v: jax.vmap(jax.vmap(jax.random.key))(v).T)(seeds)
assert keys.sharding == NamedSharding(mesh, P("y", "x")), keys.sharding
assert jax.random.key_data(keys).sharding.spec == P("y", "x", None)
""",
    "programs exported for one device on a mesh": """
import jax.export
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P
devices = jax.devices()
one, all_devices = (NamedSharding(Mesh(d, "i"), P("i")) for d in (devices[:1], devices))
def f(x):
    return jnp.sum(jax.lax.with_sharding_constraint(x, one) ** 2, axis=0)
host = np.arange(80, dtype=np.float32).reshape(8, 10)
for function in (jax.jit(f), jax.jit(lambda x: jnp.sum(x ** 2, axis=0), in_shardings=one)):
    exported = jax.export.export(function)(host)
    assert exported.nr_devices == 1
    x = jax.device_put(host, all_devices)
    np.testing.assert_allclose(exported.call(x), (host ** 2).sum(0))
    np.testing.assert_allclose(jax.jit(exported.call)(x), (host ** 2).sum(0))
""",
    "statistics of memory on a mesh": """
statistics = jax.devices()[0].memory_stats()
expected = {"num_allocs", "bytes_in_use", "peak_bytes_in_use", "largest_alloc_size", "bytes_limit",
            "bytes_reserved", "peak_bytes_reserved", "bytes_reservable_limit",
            "largest_free_block_bytes", "pool_bytes", "peak_pool_bytes"}
assert expected <= set(statistics), expected - set(statistics)
assert statistics["bytes_reservable_limit"] == statistics["bytes_limit"] // 8
""",
    "results of automatic layout": """
from jax.experimental.layout import Format, Layout
x, automatic = jnp.arange(24.0).reshape(2, 3, 4), Format(Layout.AUTO)
here = jax.sharding.SingleDeviceSharding(jax.devices()[0])
def orders(function, in_shardings, *arguments):
    compiled = jax.jit(function, in_shardings=in_shardings, out_shardings=automatic).lower(
        *arguments).compile()
    result = compiled(*arguments)
    np.testing.assert_array_equal(result, function(*map(np.asarray, arguments)))
    assert result.format == compiled.output_formats
    return compiled.output_formats.layout.major_to_minor
assert orders(lambda v: v.T, automatic, x) == (2, 1, 0)
assert orders(lambda v: v.transpose(1, 2, 0), automatic, x) == (2, 0, 1)
assert orders(lambda v: v.transpose(1, 2, 0).transpose(1, 2, 0), automatic, x) == (1, 2, 0)
assert orders(lambda v: v * 2, automatic, x) == (0, 1, 2)
columns = Format(Layout((0, 2, 1)), here)
assert orders(lambda v: v.T, columns, jax.device_put(x, columns)) == (2, 0, 1)
""",
    "buffer callbacks share the memory of aliases": """
from jax.experimental import buffer_callback
def callback(context, out, argument):
    try:
        context.stream
    except jax.errors.JaxRuntimeError as error:
        assert "XLA FFI GPU context is not available" in str(error)
    else:
        raise AssertionError
    assert np.asarray(argument).ctypes.data == np.asarray(out).ctypes.data
    np.asarray(out)[:] += 1
x = jnp.arange(12.0)
call = buffer_callback.buffer_callback(
    callback, jax.ShapeDtypeStruct(x.shape, x.dtype), input_output_aliases={0: 0})
np.testing.assert_array_equal(call(x), np.arange(12.0) + 1)
np.testing.assert_array_equal(x, np.arange(12.0))
""",
    "DLPack with and without copies": """
memory = np.zeros(256, np.uint8)
start = -memory.ctypes.data % 64
for offset in (0, 4, 16, 32):
    host = memory[start + offset :][:64].view(np.float32)
    host[:] = offset
    shared, copied = jnp.from_dlpack(host), jnp.from_dlpack(host, copy=True)
    assert shared.unsafe_buffer_pointer() == host.ctypes.data
    assert copied.unsafe_buffer_pointer() != host.ctypes.data
    try:
        jnp.from_dlpack(host, copy=False)
        assert offset == 0
    except ValueError as error:
        assert offset and "is not aligned to 64 bytes" in str(error)
    host[:] = -1
    np.testing.assert_array_equal(copied, np.full(16, offset))
for dtype in ("bool", "int8", "uint16", "float16", "bfloat16", "complex64", "float32"):
    for x in (jnp.ones((2, 3), dtype), jnp.zeros((0, 3), dtype), jnp.ones((), dtype)):
        copy = jax.dlpack.from_dlpack(x, copy=True)
        assert copy.dtype == x.dtype and copy.shape == x.shape
        np.testing.assert_array_equal(np.asarray(copy), np.asarray(x))
""",
    "a batch of QR factorizations has the bits of its members": """
for dtype in (np.float32, np.complex64):
    for rows, columns, count in ((1, 1, 9), (4, 3, 16), (5, 17, 8), (32, 32, 9), (40, 36, 3)):
        random = np.random.default_rng(rows)
        batch = (random.normal(size=(count, rows, columns)) * (1 + 1j)).astype(dtype)
        factors = jax.jit(jnp.linalg.qr)
        whole = factors(batch)
        for number in (0, count - 1):
            for of_all, own in zip(whole, factors(batch[number])):
                np.testing.assert_array_equal(np.asarray(of_all)[number], np.asarray(own))
        for of_all, in_turn in zip(whole, jax.lax.map(jnp.linalg.qr, batch)):
            np.testing.assert_array_equal(np.asarray(of_all), np.asarray(in_turn))
""",
    "texts of errors are those of XLA": """
def message(call, *arguments):
    try:
        jax.block_until_ready(call(*arguments))
    except Exception as error:
        return str(error)
x, both = jnp.ones(3), jax.jit(lambda a, b: a + b, donate_argnums=0)
assert "use a buffer that was previously donated in the same call" in message(both, x, x)
both = jax.jit(lambda a, b: a + b, donate_argnums=1)
assert "donate a buffer which is also used by the same call" in message(both, x, x)
three = jax.jit(lambda a, b, c: (a + b, b + c, c + a), donate_argnums=(0, 1))
assert "donate the same buffer twice in Execute() (flattened argument 1" in message(three, x, x, x)
last = jax.jit(lambda a, b, c: a + b + c, donate_argnums=2)
assert "(flattened argument 2, replica 0, partition 0, first use: 0)" in message(last, x, x, x)
double = jax.jit(lambda a: a * 2, donate_argnums=0)
double(x)
deleted = "Buffer has been deleted or donated.", "Array has been deleted"  # since JAX 0.12
assert any(text in message(double, x) for text in deleted)
too_large = message(lambda: jnp.zeros(1 << 45, jnp.int8))
assert too_large.startswith("RESOURCE_EXHAUSTED: Out of memory"), too_large
""",
    "meshes of the same devices in any order": """
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
devices, random = np.array(jax.devices()), np.random.default_rng(0)
host = np.arange(64.0, dtype=np.float32).reshape(8, 8)
def check(x, expected):
    np.testing.assert_allclose(x, expected, rtol=1e-6)
    for shard in x.addressable_shards:
        np.testing.assert_allclose(shard.data, expected[shard.index], rtol=1e-6)
        assert shard.data.devices() == {shard.device}
orders = [devices[::-1], *(devices[random.permutation(8)] for _ in range(3))]
for order in orders:
    for shape, spec in (((4, 2), P("a", "b")), ((2, 4), P("b", "a")), ((2, 4), P()),
                        ((2, 2, 2), P("b", ("c", "a"))), ((2, 4), P(None, "b")), ((8,), P("a"))):
        other = NamedSharding(Mesh(order.reshape(shape), ("a", "b", "c")[: len(shape)]), spec)
        x = jax.device_put(jnp.asarray(host), NamedSharding(mesh, P("x", "y")))
        y = jax.device_put(x, other)
        assert y.sharding == other
        check(y, host)
        check(jax.device_put(y, x.sharding), host)
        both = jax.jit(lambda v: (v @ v.T, v.sum(0)), out_shardings=(other, None))
        for result, expected in zip(both(y), (host @ host.T, host.sum(0))):
            check(result, expected)
""",
    "callbacks that wait for those of other devices": """
import threading
from jax.sharding import AxisType, PartitionSpec as P
jax.config.update("jax_num_cpu_devices", 4)
mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
def mapped(function):
    def f(v):
        here = jax.lax.axis_index("x")
        w = jax.pure_callback(function, jax.ShapeDtypeStruct(v.shape, v.dtype), here, v)
        return w + jax.lax.psum(w, "x")
    return jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x")))

barrier, values = threading.Barrier(4), {}
def exchange(here, v):
    values[int(here)] = np.asarray(v)
    barrier.wait(60)
    right = values[(int(here) + 1) % 4]
    barrier.wait(60)
    return right
x = jnp.arange(8.0)
for _ in range(3):
    result = mapped(exchange)(x)
    right = np.roll(np.arange(8.0), -2)
    expected = right + np.tile(right.reshape(4, 2).sum(0), 4)
    np.testing.assert_array_equal(result, expected)

started = threading.Event()
def last_starts(here, v):
    started.set() if here == 3 else started.wait(60)
    if here == 1:
        raise ValueError("of device 1")
    return np.asarray(v)
try:
    mapped(last_starts)(x).block_until_ready()
except jax.errors.JaxRuntimeError as error:
    assert "ValueError: of device 1" in str(error), error
else:
    raise AssertionError
np.testing.assert_array_equal(mapped(lambda here, v: np.asarray(v) * 0 + 1)(x), np.full(8, 5))
mapped(lambda here, v: np.asarray(jnp.sin(v) @ v) + np.asarray(v))(x).block_until_ready()
""",
    "devices": """
assert jax.default_backend() == "cpu"
assert repr(jax.devices()[0]) == "StablemateDevice(id=0)"
assert str(jax.devices()[0]) == "cpu:0"
assert "stablemate" in jax.devices()[0].client.platform_version
""",
    "results": """
x = jnp.arange(12.0).reshape(3, 4)
np.testing.assert_array_equal(jax.jit(lambda v: v @ v.T)(x), np.asarray(x) @ np.asarray(x).T)
np.testing.assert_allclose(jnp.linalg.cholesky(jnp.eye(3) * 4), np.eye(3) * 2)
""",
    "large arrays are shared": """
host = np.zeros(10**6, np.float32)
x = jax.device_put(host)
assert x.unsafe_buffer_pointer() == host.ctypes.data
assert np.asarray(x).ctypes.data == host.ctypes.data
""",
    "arrays that another server sends": """
import threading
from jax.experimental import transfer
here = jax.sharding.SingleDeviceSharding(jax.devices()[0])
def spec(shape): return jax.ShapeDtypeStruct(shape, jnp.float32, sharding=here)
def server():
    client = jax.devices()[0].client
    return transfer.start_transfer_server(client, "127.0.0.1:0", ["127.0.0.1:0"])
sender, receiver = server(), server()
connection = receiver.connect(sender.address())
x = jnp.arange(6.0).reshape(2, 3)
large = jnp.arange(2.0**21)
sender.await_pull(1, [x, large])
for sent, pulled in zip([x, large], connection.pull(1, [spec(x.shape), spec(large.shape)])):
    np.testing.assert_array_equal(pulled, sent)

later, dropped = connection.pull(2, [spec(x.shape), spec(x.shape)])
assert not later.is_ready()
dropped.delete()
assert dropped.is_deleted() and not later.is_deleted()
sending = threading.Timer(0.1, sender.await_pull, (2, [x + 1, x]))
sending.start()
np.testing.assert_array_equal(jax.jit(lambda v: v * 2)(later), (np.asarray(x) + 1) * 2)
later.block_until_ready()
host = [np.asarray(later) for _ in range(3)]
del later
np.testing.assert_array_equal(host[0], np.asarray(x) + 1)
sending.join()

def fails(read, message):
    try:
        read()
    except jax.errors.JaxRuntimeError as error:
        assert message in str(error), error
    else:
        raise AssertionError(message)
lost = connection.pull(3, [spec(x.shape)])[0]
connection._testonly_inject_failure()
fails(lost.block_until_ready, "Connection closed")
broken = transfer.make_error_array(spec(x.shape), "no such array")
double = jax.jit(lambda v: v * 2)
fails(broken.block_until_ready, "no such array")
fails(lambda: np.asarray(broken), "no such array")
fails(lambda: double(double(broken)).block_until_ready(), "no such array")
""",
    "arrays in other layouts": """
from itertools import permutations
from jax.experimental.layout import Format, Layout
from jax.sharding import SingleDeviceSharding
here = SingleDeviceSharding(jax.devices()[0])
host = np.random.default_rng(0).standard_normal((4, 5, 6)).astype(np.float32)
for order in permutations(range(3)):
    x = jax.device_put(host, Format(Layout(order), here))
    assert x.format.layout.major_to_minor == order
    major_first = sorted(range(3), key=lambda d: -np.asarray(x).strides[d])
    assert tuple(major_first) == order
    for view in (np.asarray(x), np.from_dlpack(x), x * 1, jax.device_put(x, jax.devices()[0])):
        np.testing.assert_array_equal(view, host)
    np.testing.assert_array_equal(x[1], host[1])
columns = Format(Layout((1, 0)), here)
a = jax.device_put(host[0], columns)
products = jax.jit(lambda v: (v.T @ v, v * 2), in_shardings=columns, out_shardings=columns)(a)
np.testing.assert_allclose(products[0], host[0].T @ host[0], rtol=1e-5)
np.testing.assert_array_equal(products[1], host[0] * 2)
assert [p.format.layout.major_to_minor for p in products] == [(1, 0), (1, 0)]
printed = jax.jit(lambda v: v * 2, in_shardings=columns, out_shardings=here).lower(a).compile()
assert "{(f32[5,6]{0,1})->f32[5,6]{1,0}}" in printed.as_text()  # jaxlib before 0.9 reads it
large = np.random.default_rng(1).standard_normal((300, 200)).astype(np.float32)
np.testing.assert_array_equal(jax.device_put(large, columns), large)
fortran = jax.dlpack.from_dlpack(np.asfortranarray(host))
np.testing.assert_array_equal(fortran + 0, host)
rows = jax.device_put(host[0], Format(Layout((0, 1)), here))
try:
    jax.jit(lambda v: v, in_shardings=columns)(rows)
except ValueError as error:
    assert "does not match the layout" in str(error)
else:
    raise AssertionError
any_layout = Format(Layout.AUTO)
automatic = jax.jit(lambda v: v.T, in_shardings=any_layout, out_shardings=any_layout)
compiled = automatic.lower(jax.ShapeDtypeStruct((2, 3), np.float32)).compile()
assert compiled.output_formats.layout.major_to_minor == (1, 0)
try:
    jax.device_put(host[0], Format(Layout((1, 0), ((2, 2),)), here))
except Exception as error:
    assert "without tiles" in str(error), error
else:
    raise AssertionError
""",
    "arrays in other layouts over a mesh, and in callbacks": """
from jax.experimental.layout import Format, Layout
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
columns = Format(Layout((1, 0)), NamedSharding(mesh, P("x")))
host = np.arange(48, dtype=np.float32).reshape(8, 6)
x = jax.device_put(host, columns)
assert x.format.layout.major_to_minor == (1, 0)
np.testing.assert_array_equal(x, host)
y = jax.jit(lambda v: (v + 1) @ v.T, in_shardings=columns)(x)
np.testing.assert_array_equal(y, (host + 1) @ host.T)
shape = jax.ShapeDtypeStruct(host.shape, host.dtype)
def doubled(v):
    return jax.pure_callback(lambda a: np.asarray(a) * 2, shape, v)
double = jax.jit(doubled, out_shardings=columns)
np.testing.assert_array_equal(double(x), host * 2)
assert double(x).format.layout.major_to_minor == (1, 0)
""",
    "booleans of NumPy that are other bytes than 0 and 1": """
host = np.array([0, 1, 96, 255], np.uint8).view(bool)
x = jnp.array(host)
np.testing.assert_array_equal(np.asarray(x).view(np.uint8), [0, 1, 1, 1])
np.testing.assert_array_equal(x.view(jnp.int8), [0, 1, 1, 1])
""",
    "windows of a scatter that are partly outside": """
# Source: XLA, operation semantics, Scatter: such a window is skipped as a whole.
numbers = jax.lax.ScatterDimensionNumbers((1, 2), (), (0, 1))
updates = jnp.arange(1.0, 13).reshape(3, 2, 2)
for dtype in (np.int32, np.int8, np.uint8):
    last = -1 if dtype != np.uint8 else 255
    indices = np.array([[1, 1], [3, 2], [last, 0]], dtype)
    expected = np.zeros((4, 4))
    expected[1:3, 1:3] = [[1, 2], [3, 4]]
    scatter = jax.jit(lambda i: jax.lax.scatter_add(jnp.zeros((4, 4)), i, updates, numbers))
    np.testing.assert_array_equal(scatter(indices), expected)
    np.testing.assert_array_equal(jax.jit(lambda: scatter(indices))(), expected)
""",
    "arrays of integers of few bits": """
import ml_dtypes
for dtype, values in (
    (ml_dtypes.int4, [[0, 1, -1, 7], [2, -8, 3, 5]]),
    (ml_dtypes.uint4, [[0, 15, 3, 1], [9, 2, 6, 4]]),
    (ml_dtypes.int2, [[0, 1, -1, -2], [1, -2, 0, 1]]),
    (ml_dtypes.uint2, [[0, 1, 2, 3], [3, 1, 0, 2]]),
):
    host = np.array(values).astype(dtype)
    for x, expected in (
        (jnp.asarray(host), host), (jnp.asarray(host).T, host.T), (jnp.asarray(host) * 1, host),
        (jnp.stack([host, host[::-1]]), np.stack([host, host[::-1]])),
    ):
        np.testing.assert_array_equal(np.asarray(x).astype(int), expected.astype(int))
""",
    "donated arguments are deleted": """
x = jnp.ones(4)
y = jax.jit(lambda v: v + 1, donate_argnums=0)(x)
assert x.is_deleted() and y[0] == 2
for positions in ((0,), (1,), (0, 1)):
    z = jnp.ones(4)
    try:
        jax.jit(lambda v, w: v + w, donate_argnums=positions)(z, z)
    except RuntimeError as error:
        assert "the same call to Execute()" in str(error), error
    else:
        raise AssertionError
    assert not z.is_deleted() and z[0] == 1
""",
    "a view outlives its array": """
x = jnp.arange(100_000.0) + 1
view = np.asarray(x)
x.delete()
del x
assert view[99_999] == 100_000
""",
    "callbacks": """
shape = jax.ShapeDtypeStruct((3,), np.float32)
f = jax.jit(lambda v: jax.pure_callback(lambda a: np.asarray(a) * 2, shape, v))
np.testing.assert_array_equal(f(jnp.arange(3.0)), [0, 2, 4])
def broken(_): raise ValueError("broken on purpose")
try:
    jax.jit(lambda v: jax.pure_callback(broken, shape, v))(jnp.arange(3.0)).block_until_ready()
except jax.errors.JaxRuntimeError as error:
    assert "CpuCallback error calling callback: Traceback" in str(error)
    assert "ValueError: broken on purpose" in str(error)
else:
    raise AssertionError
""",
    "buffer callbacks": """
from jax.experimental.buffer_callback import ExecutionStage, buffer_callback
shape = jax.ShapeDtypeStruct((2, 3), np.float32)
def twice(context, out, x):
    assert context.stage == ExecutionStage.EXECUTE
    assert (x.shape, x.dtype, x.writeable, out.writeable) == ((2, 3), np.float32, False, True)
    np.asarray(out)[...] = np.from_dlpack(x) * 2
x = jnp.arange(6.0).reshape(2, 3)
np.testing.assert_array_equal(jax.jit(buffer_callback(twice, shape))(x), x * 2)
one_each = jax.vmap(buffer_callback(twice, shape, vmap_method="sequential"))
np.testing.assert_array_equal(one_each(jnp.stack([x, x + 1])), jnp.stack([x * 2, x * 2 + 2]))
def increment(context, out, x):
    np.asarray(out)[...] += 1
np.testing.assert_array_equal(
    buffer_callback(increment, shape, input_output_aliases={0: 0})(x), x + 1
)
try:
    jax.block_until_ready(buffer_callback(lambda context, out, x: 3, shape)(x))
except jax.errors.JaxRuntimeError as error:
    assert "must not return any values" in str(error)
else:
    raise AssertionError
""",
    "callbacks in programs over a mesh": """
from jax.sharding import NamedSharding, PartitionSpec as P, SingleDeviceSharding
mesh = jax.make_mesh((8,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
sharding = NamedSharding(mesh, P("x"))
x = jax.device_put(np.arange(16.0, dtype=np.float32), sharding)
calls = []
def record(v):
    calls.append(np.asarray(v).tolist())
    return np.asarray(v) * 2
def debug(v):
    jax.debug.callback(record, v)
    jax.debug.callback(lambda v: calls.append("second"), v.sum())
    return v + 1
def ordered(v):
    shape = jax.ShapeDtypeStruct((16,), np.float32)
    first = jax.experimental.io_callback(record, shape, v, ordered=True)
    return jax.experimental.io_callback(record, shape, first, ordered=True) + v
y = jax.jit(debug)(x)
jax.effects_barrier()
assert y.sharding == sharding
assert sorted(map(str, calls)) == [str([float(i) for i in range(16)]), "second"]
calls.clear()
np.testing.assert_array_equal(jax.jit(ordered)(x), 5 * np.arange(16))
assert calls == [[float(i) for i in range(16)], [2.0 * i for i in range(16)]]
calls.clear()
jax.block_until_ready(jax.jit(lambda v: (jax.debug.callback(record, v, partitioned=True), v)[1])(x))
jax.effects_barrier()
assert sorted(calls) == [[2.0 * i, 2.0 * i + 1] for i in range(8)]
""",
    "unreduced axes of a mesh": """
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Explicit,) * 2)
jax.set_mesh(mesh)
a = jax.device_put(np.arange(32.0, dtype=np.float32).reshape(4, 8), P(None, "y"))
product = jax.jit(lambda v: jnp.einsum("ab,cb->ac", v, v, out_sharding=P("x", unreduced={"y"})))(a)
assert product.sharding == NamedSharding(mesh, P("x", None, unreduced={"y"}))
host = np.arange(32.0).reshape(4, 8)
np.testing.assert_array_equal(jax.reshard(product, P("x", None)), host @ host.T)
for shard, columns in zip(product.addressable_shards[:4], np.split(host, 4, 1)):
    np.testing.assert_array_equal(shard.data, columns[:2] @ columns.T)
# The first device along the axes has the elements, the others have zeros.
terms = jax.reshard(jnp.ones(3), P(unreduced={"x", "y"}))
assert [float(np.asarray(s.data).sum()) for s in terms.addressable_shards] == [3] + [0] * 7
assert jax.reshard(terms, P()).tolist() == [1] * 3
""",
    "automatic axes of a mesh in a shard_map": """
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
def f(v):
    own = jax.lax.with_sharding_constraint(v * 2, P(None, "y"))
    return jax.lax.psum(own, "x")
x = np.arange(32.0, dtype=np.float32).reshape(4, 8)
with jax.set_mesh(mesh):
    y = jax.jit(jax.shard_map(f, in_specs=P("x"), out_specs=P(), axis_names={"x"}))(x)
assert y.sharding == NamedSharding(mesh, P(None, "y"))
np.testing.assert_array_equal(y, 2 * (x[:2] + x[2:]))
""",
    "devices of a mesh": """
from jax.sharding import NamedSharding, PartitionSpec
auto = (jax.sharding.AxisType.Auto,) * 2
mesh = jax.make_mesh((4, 2), ("a", "b"), axis_types=auto)
x = jax.device_put(jnp.arange(64.0).reshape(8, 8), NamedSharding(mesh, PartitionSpec("a", "b")))
assert float(jax.jit(lambda v: v @ v.T)(x).sum()) == 510720
np.testing.assert_array_equal(jax.jit(lambda v: v[jnp.array([1, 5])])(x), np.asarray(x)[[1, 5]])
assert jax.pmap(lambda v: jax.lax.psum(v, "i"), axis_name="i")(jnp.arange(8.0))[3] == 28
""",
    "eager operations under a mesh": """
mesh = jax.make_mesh((8,), ("a",))
with jax.set_mesh(mesh):
    x = jnp.ones((2, 4))
    assert float(x.sum()) == 8 and len(x.sharding.device_set) == 8
    compiled = jax.jit(lambda v: jnp.broadcast_to(v, (2, 4))).lower(1.0).compile()
    assert "broadcast" in compiled.as_text() and compiled(1.0).sum() == 8
    assert jax.jit(lambda v: ())(x) == ()
""",
    "a callback with two results in a shard of a mesh": """
from jax.sharding import PartitionSpec as P
with jax.set_mesh(jax.make_mesh((2,), ("x",))):
    def f(piece):
        shape = jax.ShapeDtypeStruct(piece.shape, piece.dtype)
        return jax.pure_callback(lambda v: (v + 1, v * 2), (shape, shape), piece)
    x = jax.device_put(np.arange(32, dtype=np.float32).reshape(16, 2), P("x"))
    results = jax.shard_map(f, in_specs=P("x"), out_specs=(P("x"), P("x")))(x)
    np.testing.assert_array_equal(results[0], np.asarray(x) + 1)
    np.testing.assert_array_equal(results[1], np.asarray(x) * 2)
""",
    "results over a mesh that divides no dimension evenly": """
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((8,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
host = np.arange(64, dtype=np.float32).reshape(8, 8)
x = jax.device_put(host, NamedSharding(mesh, P("x")))
for shape in ((4, 16), (2, 4, 8)):
    np.testing.assert_array_equal(jax.jit(lambda v: v.reshape(shape))(x), host.reshape(shape))
""",
    "donated arguments that no result over a mesh can have, and empty arrays": """
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((8,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
rows = NamedSharding(mesh, P("x"))
for function, deletes in ((jnp.sum, False), (lambda v: v + 1, True), (lambda v: v[:4], False)):
    x = jax.device_put(np.ones((8, 8), np.float32), rows)
    jax.block_until_ready(jax.jit(function, donate_argnums=0)(x))
    assert x.is_deleted() == deletes, function
empty = jax.device_put(np.ones((0, 8), np.float32), rows)
assert jax.jit(lambda v: v.sum(0))(empty).tolist() == [0] * 8
assert jax.device_put(empty, NamedSharding(mesh, P(None, "x"))).shape == (0, 8)
""",
    "programs over several views of a mesh": """
from jax.sharding import NamedSharding, PartitionSpec as P
auto = jax.sharding.AxisType.Auto
line = jax.make_mesh((8,), ("x",), axis_types=(auto,))
square = jax.make_mesh((2, 4), ("x", "y"), axis_types=(auto,) * 2)
host = np.arange(64, dtype=np.float32).reshape(8, 8)
one = jax.device_put(host, NamedSharding(line, P("x")))
other = jax.device_put(host, NamedSharding(square, P("y", "x")))
np.testing.assert_array_equal(one + other, host * 2)
target = NamedSharding(square, P("x", "y"))
moved = jax.jit(lambda v: v + 1, out_shardings=target)(one)
assert moved.sharding == target
np.testing.assert_array_equal(moved, host + 1)
for shard in moved.addressable_shards:
    np.testing.assert_array_equal(shard.data, host[shard.index] + 1)
transposed = jax.sharding.Mesh(np.array(jax.devices()).reshape(4, 2).T, ("x", "y"))
for spec in (P("x", "y"), P("y"), P(None, ("y", "x"))):
    there = jax.device_put(one, NamedSharding(transposed, spec))
    for shard in there.addressable_shards:
        np.testing.assert_array_equal(shard.data, host[shard.index])
    np.testing.assert_array_equal(jax.device_put(there, target), host)
constrained = jax.jit(lambda v: jax.lax.with_sharding_constraint(v @ v, target))(one)
np.testing.assert_array_equal(constrained, host @ host)
""",
    "custom partitioning over a mesh": """
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((2, 4), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
host = np.arange(64, dtype=np.float32).reshape(8, 8)
shapes = []
def sorted_rows(v):
    shapes.append(v.shape)
    return jnp.sort(v, axis=1)
def rows(mesh, arguments, results):
    spec = P(arguments[0].sharding.spec[0] if arguments[0].sharding.spec else None, None)
    return NamedSharding(mesh, spec)
def partition(mesh, arguments, results):
    sharding = rows(mesh, arguments, results)
    return mesh, sorted_rows, sharding, (sharding,)
f = custom_partitioning(sorted_rows)
f.def_partition(partition, sharding_rule="i j -> i j", need_replication_factors=("j",))
for spec, shape in ((P("x"), (4, 8)), (P(("x", "y")), (1, 8)), (P("x", "y"), (4, 8))):
    x = jax.device_put(-host, NamedSharding(mesh, spec))
    np.testing.assert_array_equal(jax.jit(lambda v: f(v * 2) + 1)(x), np.sort(-host * 2) + 1)
    assert shape in shapes
product = custom_partitioning(lambda a, b: a @ b)
def partition_product(mesh, arguments, result):
    places = [NamedSharding(mesh, spec) for spec in (P("x", "y"), P("y", None), P("x", None))]
    return mesh, lambda a, b: jax.lax.psum(a @ b, "y"), places[2], tuple(places[:2])
product.def_partition(
    partition_product, sharding_rule="i k, k j -> i j", reduction_factors=("k",)
)
x = jax.device_put(host, NamedSharding(mesh, P("x", "y")))
np.testing.assert_array_equal(jax.jit(product)(x, host), host @ host)
total = custom_partitioning(lambda v: v.sum())
def partition_total(mesh, arguments, result):
    def rows(v):
        step = lambda carry, row: (carry + jax.lax.psum(row.sum(), "y"), None)
        return jax.lax.scan(step, 0.0, v)[0]
    return mesh, rows, result.sharding, (arguments[0].sharding,)
total.def_partition(partition_total, sharding_rule="i j -> ")  # no result has i or j
x = jax.device_put(host, NamedSharding(mesh, P(None, "y")))
np.testing.assert_array_equal(jax.jit(total)(x), host.sum())
flat = custom_partitioning(lambda a, b: a.reshape(8) + b)
def partition_flat(mesh, arguments, result):
    places = tuple(argument.sharding for argument in arguments)
    return mesh, lambda a, b: a.reshape(4) + b, result.sharding, places
flat.def_partition(
    partition_flat, sharding_rule="(i k) j, (i k j) -> (i k j)", i=2, k=2,
    need_replication_factors=("k",),
)
a = jax.device_put(host[:4, :2], NamedSharding(mesh, P("x")))
b = jax.device_put(host[0], NamedSharding(mesh, P("x")))
added = jax.jit(flat)(a, b)
np.testing.assert_array_equal(added, host[:4, :2].ravel() + host[0])
assert added.sharding.spec == P("x")
""",
    "asynchronous collectives and control dependencies over a mesh": """
from jax._src.lax import parallel
try:
    from jax.experimental.control_deps import schedule
except ImportError:  # JAX 0.12
    schedule = lambda values: None
mesh = jax.make_mesh((8,), ("i",), axis_types=(jax.sharding.AxisType.Explicit,))
@jax.jit
@jax.shard_map(
    mesh=mesh, in_specs=jax.P("i"), out_specs=jax.P("i"),
    check_vma=jax.__version_info__ >= (0, 11, 1),  # without which these have no asynchronous sum
)
def f(x):
    started = parallel.psum_start(x, "i")
    y = x * 2
    schedule([getattr(started, "x", started), y])  # an array itself since JAX 0.11
    return started.done() + y
x = np.arange(8, dtype=np.float32)
x = jax.device_put(x, jax.NamedSharding(mesh, jax.P("i")))
np.testing.assert_array_equal(f(x), 28 + 2 * np.arange(8))
text = f.lower(x).compile().as_text()
assert " all-reduce(" in text and "all-reduce-start" not in text, text
""",
    "programs that call Python are not in the persistent cache": """
import inspect, logging, pathlib, sys, tempfile
from stablemate.bridges import jax_internals
if "host_callbacks" not in inspect.signature(jax_internals.compiler()._cache_write).parameters:
    sys.exit()
messages = []
handler = logging.Handler()
handler.emit = lambda record: messages.append(record.getMessage())
logging.getLogger("jax._src.compiler").addHandler(handler)
with tempfile.TemporaryDirectory() as directory:
    jax.config.update("jax_compilation_cache_dir", directory)
    jax.config.update("jax_explain_cache_misses", True)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    spec = jax.ShapeDtypeStruct((), jnp.float32)
    call = lambda v: 2 * jax.pure_callback(lambda v: v + 1, spec, v)
    assert jax.jit(lambda v: jax.lax.cond(v > 0, call, lambda v: v, v))(1.0) == 4
    assert not list(pathlib.Path(directory).glob("jit__lambda*-cache"))
    assert any("because it uses host callbacks" in text for text in messages), messages
    assert jax.jit(lambda v: v + 1)(1.0) == 2
    assert list(pathlib.Path(directory).glob("jit__lambda*-cache"))
""",
    "a program from the persistent cache calls the functions of whoever looks it up": """
import inspect, pathlib, sys, tempfile
from jax.experimental import io_callback
from stablemate.bridges import jax_internals
if "host_callbacks" in inspect.signature(jax_internals.compiler()._cache_write).parameters:
    sys.exit()
seen = []
with tempfile.TemporaryDirectory() as directory:
    jax.config.update("jax_compilation_cache_dir", directory)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    for factor in (2, 3):
        def twice(v):
            seen.append(factor * int(v))
            return np.float32(factor * v)
        def call(v):
            scaled = io_callback(twice, v, v)
            return io_callback(lambda w: np.float32(w + factor), v, scaled, ordered=True)
        jax.clear_caches()
        assert jax.jit(call)(np.float32(5)) == 6 * factor
        assert len(list(pathlib.Path(directory).glob("jit_call*-cache"))) == 1
assert seen == [10, 15], seen
""",
    "calls that XLA inlines early": """
import sys
if not hasattr(jax, "Inline"):  # before JAX 0.11
    sys.exit()
def text(mode):
    call = jax.jit(lambda v: v * 2, inline=mode)
    return jax.jit(lambda v: call(v) + 1).lower(1.0).compile().as_text()
assert "call(" not in text(jax.Inline.XLA_EARLY)
assert "call(" in text(jax.Inline.XLA_LATE)
""",
    "manual computations over several meshes": """
from functools import partial
from jax.sharding import NamedSharding, PartitionSpec as P
auto = (jax.sharding.AxisType.Auto,) * 2
x = np.arange(64, dtype=np.float32).reshape(8, 8)
sums = np.tile(x.reshape(2, 4, 8).sum(0), (2, 1)) + np.repeat(np.arange(4), 2)
mesh = jax.make_mesh((2, 4), ("a", "b"), axis_types=auto)
def add(v):
    return jax.lax.psum(v, "a") + jax.lax.axis_index("b")
def gather(v):
    return jax.lax.all_gather(2 * v, "c", axis=0, tiled=True)
for sizes, manual in (((2, 4), "cd"), ((4, 2), "cd"), ((4, 2), "c"), ((8, 1), "c")):
    other = jax.make_mesh(sizes, ("c", "d"), axis_types=auto)
    columns = P(None, "d" if "d" in manual else None)
    @jax.jit
    def f(v):
        ab = P("a", "b")
        first = jax.shard_map(add, mesh=mesh, in_specs=ab, out_specs=ab, check_vma=False)(v)
        inner = jax.shard_map(
            gather, mesh=other, axis_names=set(manual), in_specs=P("c", *columns[1:]),
            out_specs=columns, check_vma=False,
        )(first)
        return jax.lax.with_sharding_constraint(inner, NamedSharding(mesh, P("b", "a")))
    np.testing.assert_array_equal(f(x), 2 * sums)
""",
    "batches of matrices divided over a mesh have the bits of whole ones": """
from jax.sharding import NamedSharding, PartitionSpec as P
rows = NamedSharding(jax.make_mesh((8,), ("x",)), P("x"))
random = np.random.default_rng(0)
parts = random.standard_normal((2, 8, 6, 6)).astype(np.float32)
a = parts[0] + 1j * parts[1]
hermitian = a @ a.conj().swapaxes(1, 2)
linear = jax.lax.linalg
for function in (linear.svd, linear.qr, linear.eig, linear.schur, linear.hessenberg, linear.lu):
    for matrices in (a, parts[0]):
        whole, divided = function(matrices), jax.jit(function)(jax.device_put(matrices, rows))
        jax.tree.map(np.testing.assert_array_equal, whole, divided)
for function in (linear.eigh, linear.tridiagonal, linear.cholesky):
    for matrices in (hermitian, hermitian.real):
        whole, divided = function(matrices), jax.jit(function)(jax.device_put(matrices, rows))
        jax.tree.map(np.testing.assert_array_equal, whole, divided)
""",
    "linear algebra over a mesh": """
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((2, 4), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
host = np.arange(64, dtype=np.float32).reshape(8, 8)
host = host @ host.T * 1e-3 + 8 * np.eye(8, dtype=np.float32)
batch = np.stack([host * (i + 1) for i in range(8)])
for spec in (P("x"), P("x", "y"), P(None, "y")):
    one = jax.device_put(host, NamedSharding(mesh, spec))
    several = jax.device_put(batch, NamedSharding(mesh, spec))
    for f in (np.linalg.cholesky, np.linalg.inv, np.linalg.eigvalsh):
        own = jax.jit(getattr(jnp.linalg, f.__name__))
        np.testing.assert_allclose(own(one), f(host), rtol=2e-4, atol=1e-5)
        np.testing.assert_allclose(own(several), f(batch), rtol=2e-4, atol=1e-5)
text = jax.jit(jnp.linalg.cholesky).lower(one).compile().as_text()
assert "num_partitions=8" in text and "sharding={replicated}" in text
with jax.set_mesh(mesh):
    text = jax.jit(lambda v: v + 1).lower(1.0).compile().as_text()
assert "num_partitions=8" in text
""",
    "arrays of DLPack in other orders": """
for host in (np.arange(12, dtype=np.float32).reshape(3, 4).T,
             np.arange(24, dtype=np.float32).reshape(2, 3, 4).transpose(1, 2, 0)):
    x = jnp.from_dlpack(host)
    np.testing.assert_array_equal(x, host)
    np.testing.assert_array_equal(x + 1, host + 1)
""",
    "unknown options are rejected": """
try:
    jax.jit(lambda v: v).lower(1.0).compile(compiler_options={"invalid_key": "x"})
except jax.errors.JaxRuntimeError as error:
    assert "No such compile option: 'invalid_key'" in str(error)
else:
    raise AssertionError
try:
    jax.jit(lambda v: v).lower(1.0).compile({"xla_embed_ir_in_executable": "maybe"})
except jax.errors.JaxRuntimeError as error:
    assert "'maybe' is not a valid bool value." in str(error)
else:
    raise AssertionError
import logging
messages = []
handler = logging.Handler()
handler.emit = lambda record: messages.append(record.getMessage())
logging.getLogger("stablemate").addHandler(handler)
for _ in range(2):
    f = jax.jit(lambda v: v, compiler_options={"xla_embed_ir_in_executable": True})
    assert f(1.0) == 1.0
assert messages == ["options of XLA have no effect on stablemate: xla_embed_ir_in_executable"]
""",
    "compiled programs are dumped": """
import pathlib, tempfile
with tempfile.TemporaryDirectory() as directory:
    formats = {"xla_dump_hlo_as_text": True, "xla_dump_hlo_as_proto": True}
    options = {"xla_dump_to": directory, **formats}
    jax.jit(lambda v: v + 1, compiler_options=options)(jnp.ones(3))
    (text,) = pathlib.Path(directory).glob("*after_optimizations.txt")
    assert text.read_text().startswith("HloModule jit__lambda")
    (proto,) = pathlib.Path(directory).glob("*after_optimizations.hlo.pb")
    assert proto.stat().st_size
""",
    "executables are serialized": """
from jax.experimental import serialize_executable
compiled = jax.jit(lambda v: v + 1).lower(jnp.ones(3)).compile()
again = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled))
assert again(jnp.ones(3))[0] == 2
assert compiled.memory_analysis().argument_size_in_bytes == 12
""",
    "Ctrl-C": """
import os, signal, threading
import jaxlib.mlir.dialects.mhlo  # JAX imports it late, and it cannot be imported twice

jax.jit(jnp.sin)(jnp.ones(3))
# Python drops an interrupt that comes in a callback of its garbage collector: some are repeated.
def press():
    while not done.wait(0.5):
        os.kill(os.getpid(), signal.SIGINT)

done, interrupted = threading.Event(), 0
threading.Thread(target=press, daemon=True).start()
while interrupted < 3:
    try:
        for size in range(1, 10_000):
            jax.jit(lambda v: jnp.sin(v) * interrupted)(jnp.ones(size + interrupted * 100))
    except (KeyboardInterrupt, jax.errors.JaxRuntimeError):
        interrupted += 1
done.set()
""",
}


PROGRAMS["collective operations over the axes of a mesh have their groups in the text"] = """
mesh = jax.make_mesh((2, 4), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
spec = jax.P("x", "y")
f = jax.jit(jax.shard_map(lambda a: jax.lax.psum(a, "y"), mesh=mesh, in_specs=spec, out_specs=jax.P("x")))
text = f.lower(jax.device_put(np.ones((2, 4)), jax.NamedSharding(mesh, spec))).compile().as_text()
assert "{{0,1,2,3},{4,5,6,7}}" in text or "[2,4]<=[8]" in text, text
"""  # noqa: E501 a program


PROGRAMS["devices of a mesh factor few matrices each, with the bits of the whole batch"] = """
functions = dict(
    factors=lambda a: jnp.linalg.qr(a), inverse=jnp.linalg.inv, vectors=jnp.linalg.eigh,
    forms=jax.vmap(lambda a: tuple(jax.scipy.linalg.schur(a))), values=jnp.linalg.svd,
)
a = np.random.default_rng(0).standard_normal((16, 5, 5)).astype(np.float32)
mesh = jax.make_mesh((8,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
shards = jax.device_put(a, jax.NamedSharding(mesh, jax.P("x")))
for name, function in functions.items():
    whole, divided = (jax.tree.leaves(jax.jit(function)(value)) for value in (a, shards))
    for one, other in zip(whole, divided, strict=True):
        np.testing.assert_array_equal(one, other, err_msg=name)
"""


PROGRAMS[
    "devices of a mesh find the largest elements of their shards, and of these the largest"
] = """
mesh = jax.make_mesh((2, 4), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
chance = np.random.default_rng(0)
for k, spec in ((3, (None, "y")), (5, ("x", "y")), (9, (None, ("x", "y"))), (1, ("y", "x"))):
    x = chance.integers(-4, 5, (8, 128)).astype(np.float32)
    x[chance.integers(0, 8, 9), chance.integers(0, 128, 9)] = [np.nan, -0.0, -np.inf] * 3
    divided = jax.device_put(x, jax.NamedSharding(mesh, jax.P(*spec)))
    one, other = (jax.jit(lambda v: jax.lax.top_k(v, k))(v) for v in (x, divided))
    for expected, result in zip(one, other, strict=True):
        np.testing.assert_array_equal(expected, result, err_msg=f"{k} {spec}")
compiled = jax.jit(lambda v: jax.lax.top_k(v, 3)).lower(divided).compile()
assert compiled.as_text().count("all-gather(") == 1
"""


# The minor version of JAX since which there is what a program calls, after 0.6.
SINCE: Final = {
    "unreduced arrays on a mesh": 8,
    "batches of calls of FFI targets on a mesh": 7,
    "programs exported for one device on a mesh": 7,
    "results of automatic layout": 7,
    "DLPack with and without copies": 8,
    "meshes of the same devices in any order": 7,
    "arrays that another server sends": 7,
    "arrays in other layouts": 8,
    "arrays in other layouts over a mesh, and in callbacks": 7,
    "unreduced axes of a mesh": 8,
    "automatic axes of a mesh in a shard_map": 8,
    "eager operations under a mesh": 7,
    "a callback with two results in a shard of a mesh": 7,
    "custom partitioning over a mesh": 7,
    "asynchronous collectives and control dependencies over a mesh": 10,
    "linear algebra over a mesh": 7,
    "arrays of DLPack in other orders": 8,
    "collective operations over the axes of a mesh have their groups in the text": 7,
    "devices of a mesh factor few matrices each, with the bits of the whole batch": 7,
    "devices of a mesh find the largest elements of their shards, and of these the largest": 7,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    needed = SINCE.get(name, 6)
    if int(version("jax").split(".")[1]) < needed:
        pytest.skip(f"needs JAX 0.{needed}")
    environment = os.environ | {"JAX_PLATFORMS": "stablemate", "STABLEMATE_DEVICES": "8"}
    if "mesh" not in name:
        environment["STABLEMATE_DEVICES"] = "1"
    run = subprocess.run(
        [sys.executable, "-c", HEAD + PROGRAMS[name]],
        env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]
