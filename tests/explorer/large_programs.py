"""Large programs of the kinds that people look at, for the layout of their pages.

``python -m tests.explorer.large_programs FOLDER`` writes the pages, to be looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import stablemate as sm
from tests.explorer.programs import (
    independent_updates,
    long_chain,
    parameters_of_one_operation,
)

Parameters = dict[str, Any]
WIDTH: Final = 64
HEADS: Final = 4


def zeros(*shape: int) -> Array:
    """A parameter."""
    return jnp.zeros(shape, jnp.float32)


def normalized(x: Array, axes: int | tuple[int, ...] = -1) -> Array:
    """Values of mean 0 and variance 1 along axes."""
    centered = x - x.mean(axes, keepdims=True)
    return centered * lax.rsqrt((centered * centered).mean(axes, keepdims=True) + 1e-5)


def decoder_layer(p: Parameters, x: Array) -> Array:
    """A layer of a decoder: attention to what came before, then two products."""
    batch, length, _ = x.shape
    with jax.named_scope("attention"):
        n = normalized(x) * p["scale1"] + p["shift1"]
        q, k, v = (
            (n @ p[each] + p[f"{each}_bias"]).reshape(batch, length, HEADS, -1) for each in "qkv"
        )
        scores = jnp.einsum("bthd,bshd->bhts", q, k) / np.sqrt(WIDTH // HEADS).astype(np.float32)
        scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -jnp.inf)
        mixed = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(scores), v)
        x = x + mixed.reshape(batch, length, WIDTH) @ p["o"] + p["o_bias"]
    with jax.named_scope("mlp"):
        n = normalized(x) * p["scale2"] + p["shift2"]
        return x + jax.nn.gelu(n @ p["up"] + p["up_bias"]) @ p["down"] + p["down_bias"]


def decoder_parameters(layers: int) -> Parameters:
    """The parameters of a decoder, 16 a layer and three beside them."""
    square = {each: zeros(WIDTH, WIDTH) for each in "qkvo"}
    rows = ("scale1", "shift1", "scale2", "shift2", "down_bias")
    biases = {f"{each}_bias": zeros(WIDTH) for each in "qkvo"} | {r: zeros(WIDTH) for r in rows}
    wide = {"up": zeros(WIDTH, 256), "up_bias": zeros(256), "down": zeros(256, WIDTH)}
    layer = square | biases | wide
    return {
        "words": zeros(512, WIDTH),
        "places": zeros(32, WIDTH),
        "last": zeros(WIDTH),
        "layers": [layer for _ in range(layers)],
    }


def decoder_loss(p: Parameters, words: Array) -> Array:
    """The mean loss of the next word."""
    x = p["words"][words] + p["places"]
    for i, layer in enumerate(p["layers"]):
        with jax.named_scope(f"layer{i}"):
            x = decoder_layer(layer, x)
    logits = jax.nn.log_softmax((x * p["last"]) @ p["words"].T)
    return -jnp.take_along_axis(logits[:, :-1], words[:, 1:, None], -1).mean()


def training_step_of_a_decoder() -> str:
    """A step with momentum over 195 parameters; without scopes, as JAX writes it by default."""

    def step(p: Parameters, momentum: Parameters, words: Array) -> tuple[Any, Any, Array]:
        loss, gradient = jax.value_and_grad(decoder_loss)(p, words)
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, gradient)
        return jax.tree.map(lambda w, m: w - 0.01 * m, p, momentum), momentum, loss

    p = decoder_parameters(12)
    return jax.jit(step).lower(p, p, jnp.zeros((2, 32), jnp.int32)).as_text()


def u_net() -> str:
    """A U-Net of four levels, with the scopes of its source."""

    def conv(x: Array, w: Array) -> Array:
        return lax.conv_general_dilated(
            x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )

    def block(p: list[Any], x: Array) -> Array:
        for weight, scale, shift in p:
            x = jax.nn.silu(normalized(conv(x, weight), (1, 2)) * scale + shift)
        return x

    def parameters(a: int, b: int) -> list[Any]:
        return [(zeros(3, 3, i, b), zeros(b), zeros(b)) for i in (a, b)]

    def network(p: Parameters, x: Array) -> Array:
        skipped = []
        for i, level in enumerate(p["down"]):
            with jax.named_scope(f"down{i}"):
                x = block(level, x)
                skipped.append(x)
                x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")
        with jax.named_scope("middle"):
            x = block(p["middle"], x)
        for i, level in enumerate(p["up"]):
            with jax.named_scope(f"up{i}"):
                x = jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)
                x = block(level, jnp.concatenate([x, skipped.pop()], -1))
        return conv(x, p["out"])

    p = {
        "down": [parameters(a, b) for a, b in ((3, 16), (16, 32), (32, 64), (64, 128))],
        "middle": parameters(128, 256),
        "up": [parameters(a, b) for a, b in ((384, 128), (192, 64), (96, 32), (48, 16))],
        "out": zeros(3, 3, 16, 3),
    }
    return jax.jit(network).lower(p, zeros(1, 64, 64, 3)).as_text(debug_info=True)


def gpu_dump() -> str:
    """A scheduled module with the calls and fusions of XLA's GPU backend, 241 parameters."""
    matrix, row = "f32[128,256]{1,0}", "f32[256]{0}"
    fusions, entry = list[str](), [f"  %p.0 = {matrix} parameter(0)"]
    x = "%p.0"
    for i in range(120):
        fusions.append(
            f"%fused.{i} (a: f32[128,256], b: f32[256]) -> f32[128,256] {{\n"
            f"  %a = {matrix} parameter(0)\n  %b = {row} parameter(1)\n"
            f"  %wide = {matrix} broadcast(%b), dimensions={{1}}\n"
            f"  %sum = {matrix} add(%a, %wide)\n  %low = f32[] constant(-inf)\n"
            f"  %lows = {matrix} broadcast(%low), dimensions={{}}\n"
            f"  ROOT %max = {matrix} maximum(%sum, %lows)\n}}\n"
        )
        name = f'metadata={{op_name="jit(f)/layer{i // 10}/dot_general"}}'
        entry += [
            f"  %w.{i} = f32[256,256]{{1,0}} parameter({2 * i + 1})",
            f"  %v.{i} = {row} parameter({2 * i + 2})",
            f"  %gemm.{i} = ({matrix}, s8[4096]{{0}}) custom-call({x}, %w.{i}), "
            f'custom_call_target="__cublas$gemm", {name}',
            f"  %get.{i} = {matrix} get-tuple-element(%gemm.{i}), index=0, {name}",
            f"  %loop_fusion.{i} = {matrix} fusion(%get.{i}, %v.{i}), kind=kLoop, "
            f"calls=%fused.{i}, {name}",
        ]
        x = f"%loop_fusion.{i}"
    entry.append(f"  ROOT %out = ({matrix}) tuple({x})")
    body = "\n".join(entry)
    head = "HloModule jit_f, is_scheduled=true\n\n"
    return f"{head}{''.join(fusions)}\nENTRY %main {{\n{body}\n}}\n"


def eight_way_partition() -> str:
    """The program of one of 2 x 4 devices of a training step, data by tensor parallel."""
    mesh = jax.sharding.AbstractMesh((2, 4), ("data", "model"))
    placements = (NamedSharding(mesh, P(None, "model")), NamedSharding(mesh, P("model", None)))

    def loss(p: list[Any], x: Array) -> Array:
        for up, down in p:
            x = normalized(x + jax.nn.gelu(x @ up) @ down)
        return (x * x).sum()

    def step(p: list[Any], x: Array) -> list[Any]:
        return jax.tree.map(lambda w, g: w - 0.1 * g, p, jax.grad(loss)(p, x))

    p = [
        tuple(
            jax.ShapeDtypeStruct(shape, jnp.float32, sharding=placement)
            for shape, placement in zip(((64, 256), (256, 64)), placements, strict=True)
        )
        for _ in range(8)
    ]
    x = jax.ShapeDtypeStruct((32, 64), jnp.float32, sharding=NamedSharding(mesh, P("data")))
    lowered = jax.jit(step).trace(p, x).lower(lowering_platforms=("cpu",))
    return str(sm.opt(sm.parse(lowered.as_text()), "sdy-partition"))


def ten_thousand_operations() -> str:
    """A chain of operations in scopes."""
    return long_chain(10_000)


LARGE_PROGRAMS: Final[tuple[Callable[[], str], ...]] = (
    training_step_of_a_decoder,
    u_net,
    gpu_dump,
    eight_way_partition,
    ten_thousand_operations,
)


def main() -> None:
    """Writes the pages into the folder that the command names."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for program in (*LARGE_PROGRAMS, parameters_of_one_operation, independent_updates):
        print(sm.view(sm.load(program())).save(folder / f"{program.__name__}.html"))


if __name__ == "__main__":
    main()
