"""HLO modules that JAX produces: unoptimized, optimized, partitioned; the corpus of many tests.

``python -m tests.xla.corpus`` writes ``corpus.json.gz``, one JSON object per line and module. What
XLA makes of a program depends on the processor, so the file is kept, and not made by the tests.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, Literal

FILE: Final = Path(__file__).with_name("corpus.json.gz")
DEVICES: Final = 4
Stage = Literal["unoptimized", "optimized", "partitioned"]


@dataclass(frozen=True, slots=True)
class CorpusModule:
    """A module as XLA prints it, with large constants, and its serialized proto.

    Attributes:
        name: Of the function, with the stage behind a dot.
        stage: Before XLA's passes, behind them, or behind them for several devices.
        text: XLA's text, all constants written out.
        short: XLA's short text.
        proto: Its ``HloModuleProto``.
    """

    name: str
    stage: Stage
    text: str
    short: str
    proto: bytes


@cache
def modules() -> tuple[CorpusModule, ...]:
    """All modules of the corpus."""
    rows = map(json.loads, gzip.decompress(FILE.read_bytes()).splitlines())
    return tuple(CorpusModule(**{**row, "proto": bytes.fromhex(row["proto"])}) for row in rows)


# ---- making the file


def functions() -> Iterator[tuple[str, Callable[..., Any], tuple[Any, ...]]]:
    """Functions with arguments to trace them with."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax

    def f32(*shape: int) -> Any:
        return jax.ShapeDtypeStruct(shape, np.float32)

    def i32(*shape: int) -> Any:
        return jax.ShapeDtypeStruct(shape, np.int32)

    def dense(x: Any, w: Any, b: Any) -> Any:
        return jax.nn.relu(x @ w + b)

    def attention(q: Any, k: Any, v: Any) -> Any:
        scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8.0
        return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, -1), v)

    def layer_norm(x: Any, g: Any) -> Any:
        mean = x.mean(-1, keepdims=True)
        return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * g

    def loop(x: Any) -> Any:
        return lax.fori_loop(0, 10, lambda i, a: jnp.sin(a) + i, x)

    def scan(x: Any) -> Any:
        return lax.scan(lambda c, a: (c + a, c * a), jnp.zeros(4), x)

    def branch(i: Any, x: Any) -> Any:
        return lax.switch(i, [jnp.sin, jnp.cos, lambda y: y * 2], x)

    def cond(p: Any, x: Any) -> Any:
        return lax.cond(p > 0, lambda y: y + 1, lambda y: y - 1, x)

    def convolution(x: Any, w: Any) -> Any:
        return lax.conv_general_dilated(
            x, w, (2, 1), ((1, 2), (0, 1)), (1, 2), (2, 1), feature_group_count=2,
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        )  # fmt: skip

    def pool(x: Any) -> Any:
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")

    def gather(x: Any, i: Any) -> Any:
        return x[i], jnp.take_along_axis(x, i[:, None], 1)

    def scatter(x: Any, i: Any, u: Any) -> Any:
        return x.at[i].add(u), x.at[i].set(u, unique_indices=True)

    def slices(x: Any, i: Any) -> Any:
        y = lax.dynamic_slice(x, (i, 0), (2, 3))
        return lax.dynamic_update_slice(x, y, (0, i)), x[1:5:2, ::-1], jnp.pad(x, ((1, 2), (0, 3)))

    def linear_algebra(a: Any, b: Any) -> Any:
        c = jnp.linalg.cholesky(a @ a.T + jnp.eye(4))
        solved = lax.linalg.triangular_solve(c, b, left_side=True, lower=True)
        return solved, jnp.linalg.qr(a), jnp.linalg.eigh(a)

    def narrow(x: Any) -> Any:
        types = (jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.bfloat16, jnp.float16, jnp.int8)
        return [x.astype(value_type).astype(jnp.float32) for value_type in types]

    def narrow_integers(x: Any) -> Any:
        return [x.astype(item) for item in (jnp.int4, jnp.uint4, jnp.uint8, jnp.int16, jnp.uint32)]

    def random(key: Any) -> Any:
        return jax.random.normal(key, (3, 5)), jax.random.randint(key, (4,), 0, 9)

    def constants(x: Any) -> Any:
        table = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 7
        more = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-30], np.float32)
        return x + table, more, np.array([True, False]), np.array([1 + 2j], np.complex64)

    def loss(w: Any, x: Any, y: Any) -> Any:
        hidden = jnp.tanh(x @ w["a"])
        return ((hidden @ w["b"] - y) ** 2).mean()

    weights = {"a": f32(8, 16), "b": f32(16, 2)}
    yield "dense", dense, (f32(5, 8), f32(8, 16), f32(16))
    yield "attention", attention, (f32(2, 3, 4, 8), f32(2, 3, 6, 8), f32(2, 3, 6, 8))
    yield "layer_norm", layer_norm, (f32(4, 16), f32(16))
    yield "softmax", jax.nn.softmax, (f32(4, 7),)
    yield "gradient", jax.value_and_grad(loss), (weights, f32(4, 8), f32(4, 2))
    yield "hessian", jax.hessian(lambda x: jnp.sum(jnp.sin(x) ** 3)), (f32(5),)
    yield "loop", loop, (f32(4),)
    yield "scan", scan, (f32(6, 4),)
    yield "branch", branch, (i32(), f32(3))
    yield "cond", cond, (f32(), f32(3))
    yield "convolution", convolution, (f32(2, 9, 8, 4), f32(3, 2, 2, 6))
    yield "convolution_gradient", jax.grad(lambda x, w: convolution(x, w).sum(), (0, 1)), (
        f32(2, 9, 8, 4), f32(3, 2, 2, 6),
    )  # fmt: skip
    yield "pool", pool, (f32(2, 7, 8, 3),)
    yield "pool_gradient", jax.grad(lambda x: pool(x).sum()), (f32(2, 7, 8, 3),)
    yield "gather", gather, (f32(6, 5), i32(6))
    yield "scatter", scatter, (f32(6, 5), i32(3), f32(3, 5))
    yield "slices", slices, (f32(7, 6), i32())
    yield "sort", lambda x: (jnp.sort(x), jnp.argsort(x), lax.top_k(x, 2)), (f32(3, 8),)
    yield "cumulative", lambda x: (jnp.cumsum(x, 1), jnp.cumprod(x, 0)), (f32(3, 8),)
    yield "reductions", lambda x: (x.max(0), x.argmax(1), x.prod(), (x > 0).any(1)), (f32(3, 8),)
    yield "linear_algebra", linear_algebra, (f32(4, 4), f32(4, 3))
    yield "fft", lambda x: (jnp.fft.fft(x), jnp.fft.rfft(x.real), jnp.fft.irfft(x)), (f32(3, 8),)
    yield "complex", lambda x: (jnp.abs(x * 1j), jnp.conj(x + 2j), jnp.angle(x + 1j)), (f32(5),)
    yield "narrow", narrow, (f32(9),)
    yield "narrow_integers", narrow_integers, (i32(9),)
    yield "random", random, (jax.random.key(0),)
    yield "constants", constants, (f32(2, 3, 4),)
    yield "integers", lambda x: (x // 3, x % 5, x << 2, x ^ 7, lax.population_count(x)), (i32(6),)
    yield "elementwise", lambda x: (
        jnp.exp(x), jnp.log1p(x), jnp.tanh(x), lax.erf(x), lax.cbrt(x), jnp.floor(x), x**1.5,
        jnp.sign(x), jnp.arctan2(x, 2.0), lax.is_finite(x), lax.round(x), lax.expm1(x),
    ), (f32(6),)  # fmt: skip
    yield "map", jax.vmap(loop), (f32(3, 4),)
    yield (
        "special",
        lambda x: (jax.scipy.special.gammaln(x), jax.scipy.special.erfinv(x)),
        (f32(5),),
    )
    yield "remat", jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)).sum())), (f32(5),)
    yield "one_hot", partial(jax.nn.one_hot, num_classes=5), (i32(3),)
    yield "interpolate", partial(jax.image.resize, shape=(6, 6), method="linear"), (f32(3, 3),)
    yield "empty", lambda x: (x[:0], jnp.zeros((0, 3)), ()), (f32(4),)


def partitioned_functions() -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """Jitted functions over a mesh of devices."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax
    from jax.sharding import AxisType, NamedSharding
    from jax.sharding import PartitionSpec as P

    mesh = jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)

    def sharded(*spec: Any) -> NamedSharding:
        return NamedSharding(mesh, P(*spec))

    def f32(*shape: int) -> Any:
        return jax.ShapeDtypeStruct(shape, np.float32)

    def mapped(f: Any, inputs: Any, outputs: Any) -> Any:
        return jax.jit(jax.shard_map(f, mesh=mesh, in_specs=inputs, out_specs=outputs))

    yield "product", jax.jit(
        lambda a, b: a @ b, in_shardings=(sharded("x", "y"), sharded("y", None)),
        out_shardings=sharded("x"),
    ), (f32(8, 16), f32(16, 4))  # fmt: skip
    yield "mean", jax.jit(
        lambda a: (a - a.mean(0)) / a.std(0), in_shardings=sharded("x", "y")
    ), (f32(8, 16),)  # fmt: skip
    yield "transposed", jax.jit(
        lambda a: a.T + 1, in_shardings=sharded("x"), out_shardings=sharded("x")
    ), (f32(8, 16),)  # fmt: skip
    yield "all_reduce", mapped(lambda a: lax.psum(a, "x"), P("x"), P()), (f32(8),)
    yield "all_gather", mapped(
        lambda a: lax.all_gather(a, "x")[0], P("x"), P("x")
    ), (f32(8, 2),)  # fmt: skip
    yield "reduce_scatter", mapped(
        lambda a: lax.psum_scatter(a, "y", tiled=True), P("x"), P("x", "y")
    ), (f32(8, 2),)  # fmt: skip
    yield "permute", mapped(
        lambda a: lax.ppermute(a, "x", [(0, 1), (1, 0)]), P("x"), P("x")
    ), (f32(8, 2),)  # fmt: skip
    yield "all_to_all", mapped(
        lambda a: lax.all_to_all(a, "x", 1, 0, tiled=True), P("x"), P(None, "x")
    ), (f32(8, 4),)  # fmt: skip
    yield "axis_index", mapped(
        lambda a: a + lax.axis_index("x") + lax.axis_index("y"), P("x"), P("x", "y")
    ), (f32(8, 2),)  # fmt: skip
    yield "loop_of_sums", mapped(
        lambda a: lax.fori_loop(0, 3, lambda i, c: jnp.sin(lax.pmean(c, "y")) + c, a), P("x", "y"),
        P("x", "y"),
    ), (f32(4, 4),)  # fmt: skip


def printed(name: str, stage: Stage, module: Any) -> str:
    """The line for a module of jaxlib."""
    from jaxlib import _hlo

    options = _hlo.HloPrintOptions()
    options.print_large_constants = True
    row = {
        "name": f"{name}.{stage}",
        "stage": stage,
        "text": module.to_string(options),
        "short": module.to_string(_hlo.HloPrintOptions.short_parsable()),
        "proto": module.as_serialized_hlo_module_proto().hex(),
    }
    return json.dumps(row)


def main() -> Iterator[str]:
    """The lines of the corpus."""
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax

    jax.config.update("jax_hlo_source_file_canonicalization_regex", r".*/(?=site-packages/|tests/)")

    for name, function, arguments in functions():
        lowered = jax.jit(function, keep_unused=True).lower(*arguments)
        unoptimized = lowered.compiler_ir("hlo").as_hlo_module()
        yield printed(name, "unoptimized", unoptimized)
        (optimized,) = lowered.compile().runtime_executable().hlo_modules()
        yield printed(name, "optimized", optimized)
    for name, jitted, arguments in partitioned_functions():
        lowered = jitted.lower(*arguments)
        yield printed(name, "unoptimized", lowered.compiler_ir("hlo").as_hlo_module())
        (partitioned,) = lowered.compile().runtime_executable().hlo_modules()
        yield printed(name, "partitioned", partitioned)


if __name__ == "__main__":
    lines = "\n".join(main())
    FILE.write_bytes(gzip.compress(lines.encode(), mtime=0))
