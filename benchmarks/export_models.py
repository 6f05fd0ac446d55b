"""Write the benchmark programs as StableHLO text.

    python benchmarks/export_models.py OUT [--small] [NAME ...]

For each model it writes ``OUT/NAME.mlir`` and ``OUT/NAME.json``. The JSON holds a seed and one
record per argument: shape, dtype and how to fill it ("normal" with a scale, "randint" below a
bound). No weights are stored: ``tests/programs/program.py`` draws them from the seed. ``--small``
shrinks every size, for slow reference interpreters; ``tests/programs`` holds what that writes.

The text depends on the version of jax, which is the one that ``pyproject.toml`` pins.
"""

import argparse
import json
import math
import pathlib
from collections.abc import Callable
from typing import Any, Final

import jax
import jax.numpy as jnp
from jax import Array, lax

SEED: Final = 0
NHWC: Final = ("NHWC", "HWIO", "NHWC")


class Arguments:
    """Records of a program's arguments, in order; both methods return the position."""

    def __init__(self) -> None:
        """Start without any."""
        self.records: list[dict[str, Any]] = []

    def normal(self, *shape: int, scale: float | None = None, dtype: str = "float32") -> int:
        """Normal values; by default scaled so that activations stay near unit size."""
        if scale is None:
            scale = 1 / math.sqrt(math.prod(shape[:-1]) or 1) if len(shape) > 1 else 0.1
        return self._add({"shape": shape, "dtype": dtype, "fill": "normal", "scale": scale})

    def integers(self, *shape: int, bound: int, dtype: str = "int32") -> int:
        """Integers from 0 up to, but not including, ``bound``."""
        return self._add({"shape": shape, "dtype": dtype, "fill": "randint", "bound": bound})

    def _add(self, record: dict[str, Any]) -> int:
        self.records.append(record)
        return len(self.records) - 1


Model = tuple[Arguments, Callable[..., Any]]


# ---- models: each a function of `small` that returns arguments and what is computed from them


def mlp(batch: int, small: bool) -> Model:
    """A perceptron 784-1024-1024-10."""
    arguments, hidden = Arguments(), 64 if small else 1024
    arguments.normal(4 if small else batch, 784, scale=1.0)
    for m, n in ((784, hidden), (hidden, hidden), (hidden, 10)):
        arguments.normal(m, n)
        arguments.normal(n)

    def f(x: Array, *p: Array) -> Array:
        for i in range(0, len(p), 2):
            x = x @ p[i] + p[i + 1]
            x = jnp.maximum(x, 0) if i + 2 < len(p) else x
        return x

    return arguments, f


GPT2_SMALL: Final = (12, 768, 12, 128)


def gpt2(batch: int, small: bool, size: tuple[int, int, int, int] = GPT2_SMALL) -> Model:
    """The blocks of GPT-2, without embedding and head; size is layers, width, heads, tokens."""
    layers, d, heads, t, b = (2, 48, 4, 8, 1) if small else (*size, batch)
    arguments = Arguments()
    arguments.normal(b, t, d, scale=1.0)
    attention = ((d,), (d,), (d, 3 * d), (3 * d,), (d, d), (d,))
    feed_forward = ((d,), (d,), (d, 4 * d), (4 * d,), (4 * d, d), (d,))
    for _ in range(layers):
        for shape in attention + feed_forward:
            arguments.normal(*shape)

    def norm(x: Array, g: Array, c: Array) -> Array:
        m = x.mean(-1, keepdims=True)
        v = ((x - m) ** 2).mean(-1, keepdims=True)
        return (x - m) * lax.rsqrt(v + 1e-5) * (1 + g) + c

    def f(x: Array, *p: Array) -> Array:
        mask = jnp.tril(jnp.ones((t, t), bool))
        for i in range(0, len(p), 12):
            g1, c1, wq, bq, wo, bo, g2, c2, w1, b1, w2, b2 = p[i : i + 12]
            qkv = (norm(x, g1, c1) @ wq + bq).reshape(b, t, 3, heads, d // heads)
            q, k, v = (qkv[:, :, j].transpose(0, 2, 1, 3) for j in range(3))
            s = jnp.where(mask, q @ k.transpose(0, 1, 3, 2) / math.sqrt(d // heads), -1e9)
            y = (jax.nn.softmax(s) @ v).transpose(0, 2, 1, 3).reshape(b, t, d)
            x = x + y @ wo + bo
            x = x + jax.nn.gelu(norm(x, g2, c2) @ w1 + b1) @ w2 + b2
        return x

    return arguments, f


def resnet50(small: bool) -> Model:
    """ResNet-50 for one image, batch normalization folded into scale and bias."""
    side, width, blocks = (32, 8, (1, 1)) if small else (224, 64, (3, 4, 6, 3))
    arguments = Arguments()
    arguments.normal(1, side, side, 3, scale=1.0)

    def conv(k: int, ci: int, co: int) -> tuple[int, int, int]:
        """Positions of weights, scale and bias."""
        return arguments.normal(k, k, ci, co), arguments.normal(co), arguments.normal(co)

    stem, ci = conv(7, 3, width), width
    plan = []
    for stage, n in enumerate(blocks):
        mid = width << stage
        for j in range(n):
            stride = 2 if j == 0 and stage else 1
            skip = conv(1, ci, 4 * mid) if j == 0 else None
            body = conv(1, ci, mid), conv(3, mid, mid), conv(1, mid, 4 * mid)
            plan.append((stride, *body, skip))
            ci = 4 * mid
    head = arguments.normal(ci, 1000)

    def f(*p: Array) -> Array:
        def cbr(x: Array, at: tuple[int, int, int], stride: int = 1, relu: bool = True) -> Array:
            w, scale, bias = (p[i] for i in at)
            y = lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=NHWC)
            y = y * (1 + scale) + bias
            return jnp.maximum(y, 0) if relu else y

        x = cbr(p[0], stem, 2)
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        for stride, c1, c2, c3, skip in plan:
            y = cbr(cbr(cbr(x, c1), c2, stride), c3, relu=False)
            x = jnp.maximum(y + (cbr(x, skip, stride, False) if skip else x), 0)
        return x.mean((1, 2)) @ p[head]

    return arguments, f


def lstm(small: bool) -> Model:
    """An LSTM cell over 100 steps."""
    t, b, h = (5, 2, 8) if small else (100, 16, 128)
    arguments = Arguments()
    arguments.normal(t, b, h, scale=1.0)
    arguments.normal(h, 4 * h)
    arguments.normal(h, 4 * h)
    arguments.normal(4 * h)

    def f(xs: Array, wx: Array, wh: Array, bias: Array) -> Array:
        def step(state: tuple[Array, Array], x: Array) -> tuple[tuple[Array, Array], Array]:
            hh, cc = state
            i, g, o, u = jnp.split(x @ wx + hh @ wh + bias, 4, axis=-1)
            cc = jax.nn.sigmoid(g) * cc + jax.nn.sigmoid(i) * jnp.tanh(u)
            hh = jax.nn.sigmoid(o) * jnp.tanh(cc)
            return (hh, cc), hh

        z = jnp.zeros((b, h), jnp.float32)
        return lax.scan(step, (z, z), xs)[1]

    return arguments, f


def fft(small: bool) -> Model:
    """Filter rows in the frequency domain."""
    b, n = (2, 32) if small else (256, 4096)
    arguments = Arguments()
    arguments.normal(b, n, scale=1.0)
    arguments.normal(n // 2 + 1, scale=1.0)
    return arguments, lambda x, w: jnp.fft.irfft(jnp.fft.rfft(x) * w, n).astype(jnp.float32)


def sort(small: bool) -> Model:
    """Sort a million floats."""
    arguments = Arguments()
    arguments.normal(64 if small else 1 << 20, scale=1.0)
    return arguments, lambda x: lax.sort(x)


def argtopk(small: bool) -> Model:
    """The largest values of each row and where they are, by sorting pairs."""
    b, n, k = (2, 32, 4) if small else (64, 32768, 16)
    arguments = Arguments()
    arguments.normal(b, n, scale=1.0)

    def f(x: Array) -> tuple[Array, Array]:
        idx = lax.broadcasted_iota(jnp.int32, x.shape, 1)
        v, i = lax.sort((-x, idx), num_keys=1)
        return -v[:, :k], i[:, :k]

    return arguments, f


def histogram(small: bool) -> Model:
    """Scatter-add a million weights into 1024 bins."""
    n, bins = (100, 16) if small else (1 << 20, 1024)
    arguments = Arguments()
    arguments.integers(n, bound=bins)
    arguments.normal(n, scale=1.0)
    return arguments, lambda i, w: jnp.zeros(bins, jnp.float32).at[i].add(w)


def nbody(small: bool) -> Model:
    """Gravity among 256 bodies for 100 steps."""
    n, steps = (8, 3) if small else (256, 100)
    arguments = Arguments()
    arguments.normal(n, 3, scale=1.0)
    arguments.normal(n, 3, scale=0.1)

    def f(x: Array, v: Array) -> tuple[Array, Array]:
        def step(_: Array, s: tuple[Array, Array]) -> tuple[Array, Array]:
            x, v = s
            d = x[None] - x[:, None]
            r2 = (d * d).sum(-1) + 1e-2
            v = v + 1e-3 * (d * (r2**-1.5)[..., None]).sum(1)
            return x + 1e-3 * v, v

        return lax.fori_loop(0, steps, step, (x, v))

    return arguments, f


def threefry(small: bool) -> Model:
    """A million normal numbers from a key."""
    n = 64 if small else 1 << 20
    arguments = Arguments()
    arguments.integers(2, bound=1 << 31, dtype="uint32")

    def f(bits: Array) -> Array:
        key = jax.random.wrap_key_data(bits, impl="threefry2x32")
        return jax.random.normal(key, (n,), jnp.float32)

    return arguments, f


def smallwhile(small: bool) -> Model:
    """A loop of 10,000 steps over eight elements."""
    n = 50 if small else 10000
    arguments = Arguments()
    arguments.normal(8, scale=1.0)
    State = tuple[Array, Array, Array]

    def f(x: Array) -> State:
        def going(c: State) -> Array:
            return (c[0] < n) & (c[2] < 1e6)

        def body(c: State) -> State:
            i, x, s = c
            y = jnp.sin(x + s)
            return i + 1, jnp.where(y > 0, y, x * 0.9 + 0.3), s * 0.99 + y.sum() * 0.01

        return lax.while_loop(going, body, (0, x, jnp.float32(0)))

    return arguments, f


def elementwise(small: bool) -> Model:
    """Softmax of rows over a chain of elementwise operations."""
    r, c = (8, 16) if small else (8192, 1024)
    arguments = Arguments()
    arguments.normal(r, c, scale=1.0)
    arguments.normal(c)
    arguments.normal(c)
    return arguments, lambda x, w, b: jax.nn.softmax(jax.nn.gelu(x * w + b) + jnp.tanh(x))


def gpt_bf16(small: bool) -> Model:
    """Four transformer blocks in bfloat16, batch 4, as accelerators' programs look."""
    layers, d, heads, t, b = (1, 32, 2, 8, 2) if small else (4, 768, 12, 128, 4)
    arguments = Arguments()
    arguments.normal(b, t, d, scale=1.0, dtype="bfloat16")
    for _ in range(layers):
        for shape in ((d,), (d, 3 * d), (d, d), (d,), (d, 4 * d), (4 * d, d)):
            arguments.normal(*shape, dtype="bfloat16")

    def norm(x: Array, g: Array) -> Array:
        y = x.astype(jnp.float32)
        y = y * lax.rsqrt((y * y).mean(-1, keepdims=True) + 1e-5)
        return y.astype(x.dtype) * (1 + g)

    def f(x: Array, *p: Array) -> Array:
        for i in range(0, len(p), 6):
            g1, wq, wo, g2, w1, w2 = p[i : i + 6]
            qkv = (norm(x, g1) @ wq).reshape(b, t, 3, heads, d // heads)
            q, k, v = jnp.moveaxis(qkv, (2, 3), (0, 2))
            s = (q @ k.swapaxes(-1, -2)).astype(jnp.float32) / math.sqrt(d // heads)
            y = jax.nn.softmax(s).astype(x.dtype) @ v
            x = x + y.transpose(0, 2, 1, 3).reshape(b, t, d) @ wo
            x = x + jax.nn.silu(norm(x, g2) @ w1) @ w2
        return x

    return arguments, f


def convtrain(small: bool) -> Model:
    """One SGD step of a small convolutional network with batch normalization."""
    b, side, widths = (2, 8, (4, 8)) if small else (16, 32, (32, 64, 128))
    arguments = Arguments()
    arguments.normal(b, side, side, 3, scale=1.0)
    arguments.integers(b, bound=10)
    ci = 3
    for co in widths:
        arguments.normal(3, 3, ci, co, scale=(9 * ci) ** -0.5)
        arguments.normal(co)
        arguments.normal(co)
        ci = co
    arguments.normal(ci, 10)

    def loss(p: tuple[Array, ...], x: Array, y: Array) -> Array:
        for i in range(0, len(p) - 1, 3):
            x = lax.conv_general_dilated(x, p[i], (1, 1), "SAME", dimension_numbers=NHWC)
            m, v = x.mean((0, 1, 2)), x.var((0, 1, 2))
            x = jnp.maximum((x - m) * lax.rsqrt(v + 1e-5) * (1 + p[i + 1]) + p[i + 2], 0)
            x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        logits = jax.nn.log_softmax(x.mean((1, 2)) @ p[-1])
        return -jnp.take_along_axis(logits, y[:, None], 1).mean()

    def f(x: Array, y: Array, *p: Array) -> tuple[Array, ...]:
        value, gradients = jax.value_and_grad(loss)(p, x, y)
        return (value, *(w - 0.1 * g for w, g in zip(p, gradients, strict=True)))

    return arguments, f


def mobilenet(small: bool) -> Model:
    """Depthwise separable blocks, batch 1."""
    full = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2))
    side, plan = (16, ((8, 1), (16, 2))) if small else (112, full)
    arguments, ci = Arguments(), plan[0][0]
    arguments.normal(1, side, side, ci, scale=1.0)
    for co, _ in plan:
        arguments.normal(3, 3, 1, ci, scale=1 / 3)
        arguments.normal(ci)
        arguments.normal(1, 1, ci, co, scale=ci**-0.5)
        arguments.normal(co)
        ci = co

    def conv(x: Array, w: Array, stride: int, groups: int) -> Array:
        return lax.conv_general_dilated(
            x,
            w,
            (stride, stride),
            "SAME",
            dimension_numbers=NHWC,
            feature_group_count=groups,
        )

    def f(x: Array, *p: Array) -> Array:
        for i, (_, stride) in enumerate(plan):
            wd, bd, wp, bp = p[4 * i : 4 * i + 4]
            x = jnp.clip(conv(x, wd, stride, x.shape[-1]) + bd, 0, 6)
            x = jnp.clip(conv(x, wp, 1, 1) + bp, 0, 6)
        return x.mean((1, 2))

    return arguments, f


def gnn(small: bool) -> Model:
    """Two rounds of message passing: gather rows, transform, segment sum."""
    nodes, edges, d = (16, 40, 8) if small else (10000, 100000, 64)
    arguments = Arguments()
    arguments.normal(nodes, d, scale=1.0)
    arguments.integers(edges, bound=nodes)
    arguments.integers(edges, bound=nodes)
    for _ in range(2):
        arguments.normal(d, d)
        arguments.normal(d)

    def f(x: Array, source: Array, target: Array, *p: Array) -> Array:
        for i in (0, 2):
            h = jnp.tanh(x @ p[i] + p[i + 1])
            sums = jax.ops.segment_sum(h[source], target, num_segments=nodes)
            x = x + sums / (1 + edges / nodes)
        return x

    return arguments, f


def stencil(small: bool) -> Model:
    """A wave equation on a grid: 200 time steps of shifted sums in a loop."""
    n, steps = (16, 4) if small else (512, 200)
    arguments = Arguments()
    arguments.normal(n, n, scale=1.0)
    arguments.normal(n, n, scale=0.0)

    def f(u: Array, v: Array) -> tuple[Array, Array]:
        def step(_: Array, s: tuple[Array, Array]) -> tuple[Array, Array]:
            u, v = s
            w = jnp.pad(u, 1, mode="wrap")
            lap = w[:-2, 1:-1] + w[2:, 1:-1] + w[1:-1, :-2] + w[1:-1, 2:] - 4 * u
            v = v * 0.999 + 0.1 * lap
            return u + 0.1 * v, v

        return lax.fori_loop(0, steps, step, (u, v))

    return arguments, f


MODELS: Final[dict[str, Callable[[bool], Model]]] = {
    "mlp_b1": lambda small: mlp(1, small),
    "mlp_b128": lambda small: mlp(128, small),
    "gpt2_b1": lambda small: gpt2(1, small),
    "gpt_128": lambda small: gpt2(1, small, (4, 128, 4, 32)),
    "gpt2_b8": lambda small: gpt2(8, small),
    "resnet50": resnet50,
    "lstm": lstm,
    "fft": fft,
    "sort": sort,
    "argtopk": argtopk,
    "histogram": histogram,
    "nbody": nbody,
    "threefry": threefry,
    "smallwhile": smallwhile,
    "elementwise": elementwise,
    "gpt_bf16": gpt_bf16,
    "convtrain": convtrain,
    "mobilenet": mobilenet,
    "gnn": gnn,
    "stencil": stencil,
}


def export(name: str, small: bool) -> tuple[str, list[dict[str, Any]]]:
    """Text of a model, and the records of its arguments."""
    arguments, f = MODELS[name](small)
    f.__name__ = name  # names the module
    specs = [jax.ShapeDtypeStruct(r["shape"], r["dtype"]) for r in arguments.records]
    return jax.jit(f, keep_unused=True).lower(*specs).as_text(), arguments.records


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Write benchmark programs as StableHLO text.")
    parser.add_argument("out", type=pathlib.Path, help="folder to write to")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MODELS)}")
    parser.add_argument("--small", action="store_true", help="shrink every size")
    options = parser.parse_intermixed_args()
    if unknown := set(options.names) - set(MODELS):
        parser.error(f"no such model: {', '.join(sorted(unknown))}")
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names or MODELS:
        text, records = export(name, options.small)
        (options.out / f"{name}.mlir").write_text(text)
        rows = ",\n".join("  " + json.dumps(record) for record in records)
        header = f'{{"seed": {SEED}, "args": [\n{rows}\n]}}\n'
        (options.out / f"{name}.json").write_text(header)
        print(f"{name}: {len(records)} arguments, {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
