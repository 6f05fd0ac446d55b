"""The forms of attention of libraries: each is recognized, in both directions.

A form is run through the recognizer; the test fails if an operation of the forward pass or the
gradient keeps a matrix of scores. Values are compared with XLA's in double precision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
import pytest

from stablemate.compiler.graph.graph import Graph
from stablemate.compiler.rewrites.attention import gradient
from tests.compiler.kernels.test_attention import (
    Array,
    Case,
    attention,
    executable_of,
    jax,
    jnp,
    operations_of,
    random_bias,
    scores_of,
    softmax,
    weighted,
)

SHAPE: Final = (2, 256, 512, 2, 2, 16)
LENGTHS: Final = np.array([100, 200])


def added_bias(query: Array, key: Array, value: Array, bias: Array) -> Array:
    """A bias in the type of the scores."""
    return weighted(softmax(scores_of(query, key) + bias), value)


def library_bias(query: Array, key: Array, value: Array, bias: Array) -> Array:
    return attention(query, key, value, bias=bias)


def chosen(query: Array, key: Array, value: Array) -> Array:
    """``jax.nn.softmax`` with a mask."""
    scores = scores_of(query, key)
    visible = jnp.arange(scores.shape[-1]) % 3 != 0
    mask = jnp.broadcast_to(visible, scores.shape)
    return weighted(jax.nn.softmax(scores, axis=-1, where=mask), value)


def safe_softmax(query: Array, key: Array, value: Array, *, causal: bool) -> Array:
    """``torch.nn.functional.scaled_dot_product_attention`` as PyTorch decomposes it.

    Queries and keys are scaled by a root each; a mask is added; rows that see nothing are zero.
    """
    query, key, value = (x.transpose(0, 2, 1, 3) for x in (query, key, value))
    scale = query.shape[-1] ** -0.25
    scores = (query * scale) @ (key * scale).transpose(0, 1, 3, 2)
    if causal:
        visible = jnp.tril(jnp.ones(scores.shape[-2:], bool))
        scores = scores + jnp.where(visible, jnp.zeros((), scores.dtype), -jnp.inf)
    hidden = jnp.all(scores == -jnp.inf, axis=-1, keepdims=True)
    weights = jnp.where(hidden, jnp.zeros((), scores.dtype), jax.nn.softmax(scores, axis=-1))
    return (weights @ value).transpose(0, 2, 1, 3)


def batched_products(query: Array, key: Array, value: Array) -> Array:
    """``torch.nn.MultiheadAttention``: ``baddbmm`` of merged batches and heads, and ``bmm``."""
    batch, queries, heads, features = query.shape
    query, key, value = (
        x.transpose(0, 2, 1, 3).reshape(batch * heads, -1, features) for x in (query, key, value)
    )
    mask = jnp.where(jnp.arange(key.shape[1]) < 300, 0, -jnp.inf)
    scores = mask + (query * features**-0.5) @ key.transpose(0, 2, 1)
    result = jax.nn.softmax(scores, axis=-1) @ value
    return result.reshape(batch, heads, queries, features).transpose(0, 2, 1, 3)


def flax_attention(query: Array, key: Array, value: Array, *, dropout: bool) -> Array:
    """``flax.linen.dot_product_attention`` with a mask and, if wanted, dropout of all heads."""
    query = query / jnp.sqrt(query.shape[-1]).astype(query.dtype)
    scores = jnp.einsum("...qhd,...khd->...hqk", query, key)
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool), 256)[None, None]
    scores = jnp.where(mask, scores, jnp.finfo(scores.dtype).min)
    weights = jax.nn.softmax(scores).astype(query.dtype)
    if dropout:
        shape = (1, 1, *weights.shape[-2:])
        kept = jax.random.uniform(jax.random.key(3), shape, np.float32) < 0.8
        weights = weights * (kept.astype(weights.dtype) / jnp.asarray(0.8, weights.dtype))
    return jnp.einsum("...hqk,...khd->...qhd", weights, value)


FORMS: Final[dict[str, Callable[..., Array]]] = {
    "jax plain": attention,
    "jax scale": partial(attention, scale=0.3),
    "jax causal": partial(attention, is_causal=True),
    "jax bias": library_bias,
    "jax mask": partial(attention, mask=np.random.default_rng(1).random((2, 1, 256, 512)) > 0.3),
    "jax lengths of keys": partial(attention, key_value_seq_lengths=LENGTHS),
    "jax window": partial(attention, local_window_size=(40, 20)),
    "jax window, causal": partial(attention, local_window_size=30, is_causal=True),
    "jax softmax(where=)": chosen,
    "bias in the type of scores": added_bias,
    "flax mask": partial(flax_attention, dropout=False),
    "flax dropout": partial(flax_attention, dropout=True),
    "torch": partial(safe_softmax, causal=False),
    "torch causal": partial(safe_softmax, causal=True),
    "torch MultiheadAttention": batched_products,
}
BIASED: Final = ("jax bias", "bias in the type of scores")
ALL: Final = [(name, "float32") for name in FORMS] + [
    (name, dtype)
    for name in (
        "bias in the type of scores", "flax mask", "torch causal", "jax softmax(where=)",
    )
    for dtype in ("bfloat16", "float16")
] + [(name, "bfloat16") for name in ("jax causal", "jax bias", "jax lengths of keys")]  # fmt: skip
ERRORS: Final = {"float32": 2e-5, "float16": 0.02, "bfloat16": 0.1}


def arguments_of(name: str, dtype: str, key_heads: int = 2) -> list[Array]:
    """Queries, keys, values, and a bias of some forms."""
    case = Case(FORMS[name], (*SHAPE[:4], key_heads, SHAPE[5]), jnp.dtype(dtype))
    bias = [jnp.asarray(random_bias((1, 2, 256, 512)), case.dtype)] if name in BIASED else []
    return [*case.arguments(), *bias]


def run(function: Callable[..., Any], arguments: Sequence[Array]) -> tuple[Graph, list[Array]]:
    """The graph of a program, and its results."""
    executable = executable_of(Case(function), arguments)
    taken = executable.signature.take([np.asarray(argument) for argument in arguments])
    results = [np.asarray(result).astype(np.float64) for result in executable.run(taken)]
    return executable.compilation().graph, results


def with_pullback(function: Callable[..., Array]) -> Callable[..., Any]:
    """The gradients of all operands; the cotangent is the last argument."""

    def gradients(*arguments: Array) -> Any:
        result, pullback = jax.vjp(function, *arguments[:-1])
        return pullback(arguments[-1].astype(result.dtype))

    return gradients


def compare(function: Callable[..., Any], arguments: Sequence[Array], dtype: str) -> None:
    """Compares a program with XLA in double precision; none of its operations is a dot."""
    graph, results = run(function, arguments)
    assert not [operation for operation in operations_of(graph) if "dot" in operation]
    with jax.enable_x64(True):
        wide = [jnp.asarray(np.asarray(argument).astype(np.float64)) for argument in arguments]
        expected = jax.tree.leaves(function(*wide))
    for one, other in zip(results, map(np.asarray, expected), strict=True):
        assert np.abs(one - other).max() < ERRORS[dtype] * max(1.0, np.abs(other).max())


@pytest.mark.standard
@pytest.mark.parametrize(("name", "dtype"), ALL)
def test_forms_are_recognized(name: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gradient, "FEWEST_SCORES_OF_CLUSTERS", 1)
    arguments = arguments_of(name, dtype)
    compare(FORMS[name], arguments, dtype)
    cotangent = jnp.asarray(random_bias(arguments[0].shape), arguments[0].dtype)
    compare(with_pullback(FORMS[name]), [*arguments, cotangent], dtype)


@pytest.mark.standard
@pytest.mark.parametrize("name", ["jax plain", "jax causal"])
def test_grouped_heads_are_recognized(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gradient, "FEWEST_SCORES_OF_CLUSTERS", 1)
    arguments = arguments_of(name, "float32", key_heads=1)
    compare(FORMS[name], arguments, "float32")
    cotangent = jnp.asarray(random_bias(arguments[0].shape), np.float32)
    compare(with_pullback(FORMS[name]), [*arguments, cotangent], "float32")


@pytest.mark.standard
def test_lengths_of_queries_are_recognized() -> None:
    """Rows after the last query are zero."""
    function = partial(attention, query_seq_lengths=LENGTHS, key_value_seq_lengths=LENGTHS)
    arguments = arguments_of("jax plain", "float32")
    graph, (result,) = run(function, arguments)
    assert not [operation for operation in operations_of(graph) if "dot" in operation]
    expected = np.asarray(jax.jit(function)(*arguments))
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-5)
    assert (result[0, 100:] == 0).all()


def test_rows_whose_visible_logits_are_minus_infinity_are_zero() -> None:
    """A mask that the softmax gets shows keys, of which all have the logit minus infinity."""

    def function(query: Array, key: Array, value: Array) -> Array:
        scores = scores_of(query, key)
        shown = jnp.broadcast_to(jnp.arange(scores.shape[-1]) < 64, scores.shape)
        row = jnp.arange(scores.shape[-2])[:, None]
        logits = scores + jnp.where(row == 3, -jnp.inf, 0.0)
        return weighted(jax.nn.softmax(logits, axis=-1, where=shown), value)

    arguments = arguments_of("jax plain", "float32")
    graph, (result,) = run(function, arguments)
    assert not [operation for operation in operations_of(graph) if "dot" in operation]
    expected = np.asarray(jax.jit(function)(*arguments))
    assert np.isnan(expected[:, 3]).all()
    assert (result[:, 3] == 0).all()
    np.testing.assert_allclose(
        np.delete(result, 3, 1), np.delete(expected, 3, 1), rtol=1e-4, atol=1e-5
    )
