"""The model in JAX: a call for each token, with caches that are donated, or a scan over tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from benchmarks.decoding.sizes import (
    GROUP,
    ModelSize,
    quantized_bytes,
    quantized_nibbles,
    random_matrix,
)

EPSILON = 1e-5


def stored(matrix: Any, kind: str) -> Any:
    """A matrix in the type of its weights."""
    match kind:
        case "int8":
            return quantized_bytes(matrix)
        case "int4":
            return quantized_nibbles(matrix)
        case "bf16":
            return matrix.astype(jnp.bfloat16)
        case _:
            return matrix


def parameters(size: ModelSize, kind: str) -> dict[str, Any]:
    """Random weights."""
    random = np.random.default_rng(0)
    table = random_matrix(random, size.vocabulary, size.width)
    layers = [
        {name: stored(random_matrix(random, *shape), kind) for name, shape in size.matrices.items()}
        for _ in range(size.layers)
    ]
    return {"table": table, "layers": layers, "head": stored(table, kind)}


def empty_caches(size: ModelSize) -> list[tuple[Any, Any]]:
    """Keys and values of all layers."""
    shape = (size.pairs, size.context, size.features)
    return [(jnp.zeros(shape), jnp.zeros(shape)) for _ in range(size.layers)]


def product(x: Any, weights: Any) -> Any:
    """Activations times the weights, dequantized where they are quantized."""
    if isinstance(weights, tuple):
        codes, scales = weights
        if codes.dtype == jnp.uint8:
            pairs = jnp.stack([codes & 15, codes >> 4], -1).astype(jnp.float32) - 8.0
            groups = pairs.reshape(*scales.shape, GROUP) * scales[..., None]
            weights = groups.reshape(codes.shape[0], -1)
        else:
            weights = codes.astype(jnp.float32) * scales[:, None]
    return lax.dot_general(x, weights.astype(x.dtype), (((1,), (1,)), ((), ())))


def normalized(x: Any) -> Any:
    """RMS norm, with weights of one."""
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + EPSILON)


def rotated(x: Any, position: Any) -> Any:
    """Rotary embeddings of heads at a position."""
    half = x.shape[-1] // 2
    angles = position * 10000.0 ** (-jnp.arange(half) / half)
    cosine, sine = jnp.cos(angles), jnp.sin(angles)
    first, second = x[..., :half], x[..., half:]
    return jnp.concatenate([first * cosine - second * sine, second * cosine + first * sine], -1)


def attended(
    size: ModelSize, layer: dict[str, Any], h: Any, cache: tuple[Any, Any], position: Any
) -> tuple[Any, tuple[Any, Any]]:
    """Attention of one token, and the caches with its key and value."""
    query = rotated(product(h, layer["query"]).reshape(size.heads, -1), position)
    key = rotated(product(h, layer["key"]).reshape(size.pairs, -1), position)
    value = product(h, layer["value"]).reshape(size.pairs, -1)
    keys = lax.dynamic_update_slice(cache[0], key[:, None], (0, position, 0))
    values = lax.dynamic_update_slice(cache[1], value[:, None], (0, position, 0))
    query = query.reshape(size.pairs, -1, size.features)
    scores = jnp.einsum("hgd,htd->hgt", query, keys) / size.features**0.5
    scores = jnp.where(jnp.arange(size.context) <= position, scores, -1e30)
    heads = jnp.einsum("hgt,htd->hgd", jax.nn.softmax(scores, -1), values)
    return product(heads.reshape(1, -1), layer["output"]), (keys, values)


def next_token(
    size: ModelSize, weights: dict[str, Any], caches: Sequence[Any], token: Any, position: Any
) -> tuple[Any, list[Any]]:
    """The most likely next token, and the caches."""
    x, result = weights["table"][token][None], []
    for layer, cache in zip(weights["layers"], caches, strict=True):
        change, cache = attended(size, layer, normalized(x), cache, position)
        result.append(cache)
        x = x + change
        h = normalized(x)
        gated = jax.nn.silu(product(h, layer["gate"])) * product(h, layer["up"])
        x = x + product(gated, layer["down"])
    logits = product(normalized(x), weights["head"])
    return jnp.argmax(logits[0]).astype(jnp.int32), result


def scanned(
    size: ModelSize, count: int, weights: dict[str, Any], caches: Any, token: Any, position: Any
) -> tuple[Any, Any]:
    """The last of several tokens, and the caches."""

    def body(carry: Any, _: Any) -> tuple[Any, None]:
        caches, token, position = carry
        token, caches = next_token(size, weights, caches, token, position)
        return (caches, token, position + 1), None

    (caches, token, _), _ = lax.scan(body, (caches, token, position), None, length=count)
    return token, caches


def decoding(size: ModelSize, kind: str, count: int, *, scans: bool) -> Callable[[], Any]:
    """A function that decodes several tokens from an empty cache on.

    Args:
        size: The model.
        kind: The type of its weights.
        count: How many tokens.
        scans: Whether one call decodes all of them.
    """
    weights = jax.device_put(parameters(size, kind))
    call = jax.jit(partial(next_token, size), donate_argnums=(1,))
    scan = jax.jit(partial(scanned, size, count), donate_argnums=(1,))

    def run() -> Any:
        caches, token = empty_caches(size), jnp.int32(3)
        if scans:
            return scan(weights, caches, token, jnp.int32(0))[0].block_until_ready()
        for position in range(count):
            token, caches = call(weights, caches, token, jnp.int32(position))
        return token.block_until_ready()

    return run
