"""Attention: the forms in which JAX programs write it are recognized, and their values.

Values are compared with those that XLA computes in double precision; the forms that must not be
matched keep their operations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from click.testing import CliRunner

import stablemate as sm
from stablemate.cli import main
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.graph.graph import Graph
from stablemate.compiler.kernels.attention.operation import (
    ATTENTION,
    ATTENTION_PRODUCTS,
    ATTENTION_STATISTICS,
)
from stablemate.compiler.rewrites.attention import forward, gradient
from tests.compiler.plan_evaluation import difference

jax: Any = import_module("jax")
jnp: Any = jax.numpy
Array = Any
attention: Final = jax.nn.dot_product_attention


def softmax(scores: Array) -> Array:
    """A softmax over keys."""
    return jax.nn.softmax(scores, axis=-1)


def scores_of(query: Array, key: Array) -> Array:
    """Scaled scores."""
    return jnp.einsum("bqhd,bkhd->bhqk", query, key) * 0.2


def weighted(weights: Array, value: Array) -> Array:
    """Weighted sums of values."""
    return jnp.einsum("bhqk,bkhd->bqhd", weights, value)


def plain(query: Array, key: Array, value: Array) -> Array:
    return weighted(softmax(scores_of(query, key)), value)


def unscaled(query: Array, key: Array, value: Array) -> Array:
    return weighted(softmax(jnp.einsum("bqhd,bkhd->bhqk", query, key)), value)


def divided(query: Array, key: Array, value: Array) -> Array:
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) / jnp.sqrt(query.shape[-1])
    return weighted(softmax(scores), value)


def matrices(query: Array, key: Array, value: Array) -> Array:
    query, key, value = (x.transpose(0, 2, 1, 3) for x in (query, key, value))
    return (softmax(query @ key.transpose(0, 1, 3, 2) * 0.3) @ value).transpose(0, 2, 1, 3)


def keys_first(query: Array, key: Array, value: Array) -> Array:
    scores = jnp.einsum("bkhd,bqhd->bhkq", key, query) * 0.2
    return jnp.einsum("bhkq,bkhd->bqhd", jax.nn.softmax(scores, axis=2), value)


def by_hand(query: Array, key: Array, value: Array) -> Array:
    scores = scores_of(query, key)
    exponentials = jnp.exp(scores - jnp.max(scores, axis=-1, keepdims=True))
    weights = exponentials * (1.0 / jnp.sum(exponentials, axis=-1, keepdims=True))
    return weighted(weights, value)


def triangle(query: Array, key: Array, value: Array) -> Array:
    scores = scores_of(query, key)
    visible = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return weighted(softmax(jnp.where(visible, scores, -1e10)), value)


def added_mask(query: Array, key: Array, value: Array) -> Array:
    scores = scores_of(query, key)
    later = jnp.arange(scores.shape[-1])[None] > jnp.arange(scores.shape[-2])[:, None]
    return weighted(softmax(scores + jnp.where(later, -jnp.inf, 0.0)), value)


def guarded(query: Array, key: Array, value: Array) -> Array:
    """As PyTorch does it: queries that see no key have results that are zero."""
    scores = scores_of(query, key)
    visible = jnp.tril(jnp.ones(scores.shape[-2:], bool), -100)
    scores = jnp.where(visible, scores, -jnp.inf)
    sees_some = jnp.any(scores != -jnp.inf, axis=-1, keepdims=True)
    return weighted(jnp.where(~sees_some, 0.0, softmax(scores)), value)


def chosen(query: Array, key: Array, value: Array) -> Array:
    """A mask that the softmax gets; the last queries see some keys."""
    scores = scores_of(query, key)
    visible = jnp.tril(jnp.ones(scores.shape[-2:], bool), -100)
    return weighted(jax.nn.softmax(scores, axis=-1, where=visible), value)


def soft_cap(query: Array, key: Array, value: Array) -> Array:
    return weighted(softmax(jnp.tanh(scores_of(query, key) / 5.0) * 5.0), value)


def merged_batch(query: Array, key: Array, value: Array) -> Array:
    batch, queries, heads, features = query.shape
    query, key, value = (
        x.transpose(0, 2, 1, 3).reshape(batch * heads, -1, features) for x in (query, key, value)
    )
    scores = (query @ key.transpose(0, 2, 1)).reshape(batch, heads, queries, -1) * 0.2
    mask = jnp.where(jnp.arange(scores.shape[-1]) < 200, 0, -1e9)
    weights = softmax(scores + mask).reshape(batch * heads, queries, -1)
    return (weights @ value).reshape(batch, heads, queries, features).transpose(0, 2, 1, 3)


def mapped(query: Array, key: Array, value: Array) -> Array:
    def one(query: Array, key: Array, value: Array) -> Array:
        return softmax(query @ key.T * 0.2) @ value

    return jax.vmap(jax.vmap(one, 1, 1))(query, key, value)


def in_a_loop(query: Array, key: Array, value: Array) -> Array:
    def step(state: Array, _: Array) -> tuple[Array, None]:
        return attention(state, key, value) + 1.0, None

    return jax.lax.scan(step, query, None, length=3)[0]


def dropout(query: Array, key: Array, value: Array) -> Array:
    weights = softmax(scores_of(query, key))
    number = jnp.arange(weights.size, dtype=jnp.uint32).reshape(weights.shape)
    kept = (number * jnp.uint32(2654435761)) >> 29 != 0
    return weighted(jnp.where(kept, weights / 0.875, 0.0), value)


def attention_causal(query: Array, key: Array, value: Array) -> Array:
    return attention(query, key, value, is_causal=True)


def with_keywords(**keywords: Any) -> Callable[..., Array]:
    """``jax.nn.dot_product_attention`` with keywords."""
    return partial(attention, **keywords)


@dataclass(frozen=True)
class Case:
    """A program with attention.

    Attributes:
        function: It.
        shape: Batch, queries, keys, heads, heads of keys, features.
        dtype: The type of operands.
        error: The largest error that is admitted.
    """

    function: Callable[..., Array]
    shape: tuple[int, int, int, int, int, int] = (2, 512, 256, 2, 2, 32)
    dtype: Any = np.float32
    error: float = 3e-6

    def arguments(self) -> list[Array]:
        """Operands."""
        batch, queries, keys, heads, key_heads, features = self.shape
        random = np.random.default_rng(0)
        shapes = [
            (batch, queries, heads, features),
            (batch, keys, key_heads, features),
            (batch, keys, key_heads, features),
        ]
        return [jnp.asarray(random.standard_normal(shape), self.dtype) for shape in shapes]


def random_bias(shape: Sequence[int]) -> Array:
    """A bias."""
    return np.random.default_rng(1).standard_normal(shape).astype(np.float32)


def random_mask(shape: Sequence[int]) -> Array:
    """A mask."""
    return np.random.default_rng(1).random(shape) > 0.3


LENGTHS: Final = {
    "query_seq_lengths": np.array([100, 200]),
    "key_value_seq_lengths": np.array([250, 30]),
}
CASES: Final = {
    "plain": Case(plain),
    "unscaled": Case(unscaled, error=2e-5),
    "divided": Case(divided),
    "matrices": Case(matrices, error=5e-6),
    "keys_first": Case(keys_first),
    "by_hand": Case(by_hand),
    "triangle": Case(triangle),
    "added_mask": Case(added_mask),
    "soft_cap": Case(soft_cap),
    "guarded": Case(guarded),
    "chosen": Case(chosen),
    "merged_batch": Case(merged_batch),
    "mapped": Case(mapped),
    "in_a_loop": Case(in_a_loop),
    "dropout": Case(dropout),
    "library": Case(with_keywords()),
    "causal": Case(with_keywords(is_causal=True), (1, 512, 512, 2, 2, 32)),
    "window": Case(with_keywords(local_window_size=(40, 20)), (1, 512, 512, 2, 2, 32)),
    "bias": Case(with_keywords(bias=random_bias((1, 2, 512, 256)))),
    "mask": Case(with_keywords(mask=random_mask((2, 1, 512, 256)))),
    "padding": Case(with_keywords(mask=random_mask((2, 1, 1, 256)), is_causal=True)),
    "lengths": Case(with_keywords(**LENGTHS)),
    "grouped": Case(with_keywords(is_causal=True), (2, 512, 256, 4, 2, 32)),
    "odd": Case(with_keywords(), (1, 513, 301, 3, 3, 40)),
    "odd_causal": Case(with_keywords(is_causal=True), (1, 387, 387, 1, 1, 20)),
    "few_features": Case(with_keywords(), (1, 512, 259, 1, 1, 3)),
    "bf16": Case(with_keywords(is_causal=True), dtype=jnp.bfloat16, error=0.03),
    "f16": Case(divided, dtype=jnp.float16, error=0.005),
}


def executable_of(case: Case, arguments: Sequence[Array], **options: bool) -> CompiledExecutable:
    """A case as native code."""
    text = jax.jit(case.function).lower(*arguments).as_text()
    interpreted: Any = sm.load(text).executable("main", backend="interpreter")
    return CompiledExecutable(interpreted, options=CompileOptions(**options))


def operations_of(graph: Graph) -> Iterator[str]:
    """The operations of a graph and of its loops, without what is inside of attention."""
    for node in graph.nodes:
        yield node.operation.name
        if not node.operation.name.startswith(ATTENTION):
            for region in node.regions:
                yield from operations_of(region)


def result_of(executable: CompiledExecutable, arguments: Sequence[Array]) -> Array:
    """The first result as doubles."""
    taken = executable.signature.take([np.asarray(argument) for argument in arguments])
    return np.asarray(executable.run(taken)[0]).astype(np.float64)


def exact(function: Callable[..., Array], arguments: Sequence[Array]) -> Array:
    """What XLA computes in double precision."""
    with jax.enable_x64(True):
        wide = [jnp.asarray(np.asarray(argument).astype(np.float64)) for argument in arguments]
        return np.asarray(function(*wide))


@pytest.mark.parametrize("name", CASES)
def test_values(name: str) -> None:
    case = CASES[name]
    arguments = case.arguments()
    executable = executable_of(case, arguments)
    operations = list(operations_of(executable.compilation().graph))
    assert operations.count(ATTENTION) == 1
    assert not any("dot" in operation for operation in operations)
    error = np.abs(result_of(executable, arguments) - exact(case.function, arguments)).max()
    assert error < case.error


def with_gradient(function: Callable[..., Array], *, only: bool) -> Callable[..., Array]:
    """The results and the gradients of operands, or only those."""

    def gradients(query: Array, key: Array, value: Array, cotangent: Array) -> Sequence[Array]:
        result, pullback = jax.vjp(function, query, key, value)
        return pullback(cotangent) if only else (result, *pullback(cotangent))

    return gradients


def gradient_case(name: str, *, only: bool) -> tuple[Case, list[Array]]:
    """A case with its gradient, and arguments."""
    case = CASES[name]
    arguments = case.arguments()
    batch, queries, _, heads, _, features = case.shape
    random = np.random.default_rng(7).standard_normal((batch, queries, heads, features))
    arguments.append(jnp.asarray(random, case.dtype))
    return replace(case, function=with_gradient(case.function, only=only)), arguments


@pytest.fixture
def small_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gradients are computed in tiles, however small they are."""
    monkeypatch.setattr(gradient, "FEWEST_SCORES_OF_CLUSTERS", 1)


GRADIENTS: Final = [name for name in CASES if name not in ("in_a_loop", "lengths", "chosen")]


@pytest.mark.usefixtures("small_clusters")
@pytest.mark.parametrize("name", GRADIENTS)
@pytest.mark.parametrize("only", [False, True])
def test_gradients(name: str, only: bool) -> None:
    case, arguments = gradient_case(name, only=only)
    executable = executable_of(case, arguments)
    operations = list(operations_of(executable.compilation().graph))
    assert operations.count(ATTENTION) == (not only)
    assert ATTENTION_PRODUCTS in operations
    assert not any("dot" in operation for operation in operations)
    taken = executable.signature.take([np.asarray(argument) for argument in arguments])
    ours = [np.asarray(result).astype(np.float64) for result in executable.run(taken)]
    with jax.enable_x64(True):
        wide = [jnp.asarray(np.asarray(argument).astype(np.float64)) for argument in arguments]
        theirs = [np.asarray(result) for result in case.function(*wide)]
    for one, other in zip(ours, theirs, strict=True):
        assert np.abs(one - other).max() < 3 * case.error * max(1.0, np.abs(other).max())


@pytest.mark.usefixtures("small_clusters")
@pytest.mark.parametrize("only", [False, True])
def test_gradients_with_a_mask_for_the_softmax(only: bool) -> None:
    """``jax.nn.softmax(where=mask)`` is differentiated as it is written."""
    case, arguments = gradient_case("chosen", only=only)
    executable = executable_of(case, arguments)
    operations = list(operations_of(executable.compilation().graph))
    assert ATTENTION_PRODUCTS in operations
    assert not any("dot" in operation for operation in operations)
    taken = executable.signature.take([np.asarray(argument) for argument in arguments])
    ours = [np.asarray(result) for result in executable.run(taken)]
    for one, other in zip(ours, jax.jit(case.function)(*arguments), strict=True):
        np.testing.assert_allclose(one, np.asarray(other), rtol=1e-3, atol=1e-5)


def test_a_sum_with_a_mask_that_is_a_result_has_zeros() -> None:
    """A row that the mask hides has the sum zero; only under a mask may it be NaN."""

    def function(query: Array, key: Array, value: Array) -> tuple[Array, Array]:
        scores = scores_of(query, key)
        visible = jnp.tril(jnp.ones(scores.shape[-2:], bool), -100)
        logits = jnp.where(visible, scores, -jnp.inf)
        exponentials = jnp.exp(logits - jnp.max(logits, axis=-1, keepdims=True))
        total = jnp.where(visible, exponentials, 0).sum(-1, keepdims=True)
        return weighted(jnp.where(visible, exponentials / total, 0), value), total

    case = Case(function, (1, 512, 256, 1, 1, 16))
    arguments = case.arguments()
    executable = executable_of(case, arguments)
    result, total = executable.run(executable.signature.take([np.asarray(a) for a in arguments]))
    assert (np.asarray(total)[:, :, :100] == 0).all()
    for one, other in zip((result, total), jax.jit(function)(*arguments), strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-4, atol=3e-6)


@pytest.mark.usefixtures("small_clusters")
@pytest.mark.parametrize("name", ["plain", "causal", "dropout", "bf16", "divided"])
def test_gradients_take_two_operations(name: str) -> None:
    case, arguments = gradient_case(name, only=True)
    operations = list(operations_of(executable_of(case, arguments).compilation().graph))
    fused = [operation for operation in operations if operation.startswith(ATTENTION)]
    assert fused == [ATTENTION_STATISTICS, ATTENTION_PRODUCTS]


@pytest.mark.standard
@pytest.mark.usefixtures("small_clusters")
@pytest.mark.parametrize("operand", [0, 1])
def test_gradients_of_one_operand(operand: int) -> None:
    """Blocks of keys and of queries do not divide their numbers."""

    def function(query: Array, key: Array, value: Array, cotangent: Array) -> Array:
        return jax.vjp(plain, query, key, value)[1](cotangent)[operand]

    case = Case(function, (2, 259, 431, 1, 1, 20))
    arguments = [*case.arguments(), random_bias((2, 259, 1, 20))]
    executable = executable_of(case, arguments)
    assert ATTENTION_PRODUCTS in operations_of(executable.compilation().graph)
    expected = exact(function, arguments)
    error = np.abs(result_of(executable, arguments) - expected).max()
    assert error < 3 * case.error * max(1.0, np.abs(expected).max())


@pytest.mark.usefixtures("small_clusters")
@pytest.mark.parametrize("name", ["causal", "odd_causal", "dropout", "grouped"])
def test_accesses_of_gradients_are_inside_their_buffers(name: str) -> None:
    case, arguments = gradient_case(name, only=False)
    results = [
        executable.run(executable.signature.take([np.asarray(a) for a in arguments]))
        for executable in (executable_of(case, arguments, check=c) for c in (False, True))
    ]
    for one, other in zip(*results, strict=True):
        assert (np.asarray(one) == np.asarray(other)).all()


@pytest.mark.usefixtures("small_clusters")
def test_gradients_of_rows_that_see_no_key() -> None:
    """The mask is so that no number is NaN; a block of keys is left out only where it may be."""
    function = with_gradient(wholly_masked(-1e9), only=False)
    case = Case(function, (1, 512, 512, 1, 1, 16))
    arguments = [*case.arguments(), jnp.ones((1, 512, 1, 16), np.float32)]
    executable = executable_of(case, arguments)
    assert ATTENTION_PRODUCTS in operations_of(executable.compilation().graph)
    taken = executable.signature.take([np.asarray(argument) for argument in arguments])
    for ours, theirs in zip(executable.run(taken), jax.jit(function)(*arguments), strict=True):
        np.testing.assert_allclose(ours, np.asarray(theirs), rtol=1e-4, atol=1e-5)


@pytest.mark.usefixtures("small_clusters")
def test_memory_of_gradients_is_linear() -> None:
    arenas: list[int] = []
    for size in (2048, 4096):
        case = Case(with_gradient(plain, only=False), (1, size, size, 1, 1, 16))
        arguments = [*case.arguments(), jnp.ones((1, size, 1, 16), np.float32)]
        arenas.append(executable_of(case, arguments).memory.arena)
    assert arenas[1] <= 2 * arenas[0] + 4096


BIASES: Final = {
    "scores": (2, 2, 256, 512),
    "heads": (1, 2, 256, 512),
    "one": (256, 512),
    "keys": (2, 1, 1, 512),
    "causal": (1, 2, 256, 512),
}


def with_a_bias(query: Array, key: Array, value: Array, bias: Array, *, causal: bool) -> Array:
    scores = scores_of(query, key) + bias
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e10)
    return weighted(softmax(scores), value)


@pytest.mark.usefixtures("small_clusters")
@pytest.mark.parametrize("name", BIASES)
@pytest.mark.parametrize("check", [False, pytest.param(True, marks=pytest.mark.standard)])
def test_gradients_of_a_bias(name: str, check: bool) -> None:
    """It is summed over batches, heads and queries along which the bias is repeated."""

    def gradients(query: Array, key: Array, value: Array, bias: Array) -> Sequence[Array]:
        def total(*operands: Array) -> Array:
            return (with_a_bias(*operands, causal=name == "causal") ** 2).sum()

        return jax.grad(total, argnums=(3, 0, 1, 2))(query, key, value, bias)

    case = Case(gradients, (2, 256, 512, 2, 2, 16))
    arguments = [*case.arguments(), random_bias(BIASES[name])]
    executable = executable_of(case, arguments, check=check)
    operations = list(operations_of(executable.compilation().graph))
    assert ATTENTION_PRODUCTS in operations
    assert not any("dot" in operation for operation in operations)
    taken = executable.signature.take([np.asarray(argument) for argument in arguments])
    with jax.enable_x64(True):
        wide = [jnp.asarray(np.asarray(argument).astype(np.float64)) for argument in arguments]
        expected = [np.asarray(result) for result in case.function(*wide)]
    for ours, theirs in zip(executable.run(taken), expected, strict=True):
        difference_of_both = np.abs(np.asarray(ours) - theirs).max()
        assert difference_of_both < 5 * case.error * max(1.0, np.abs(theirs).max())


@pytest.mark.usefixtures("small_clusters")
def test_matrices_of_other_types_are_no_results_of_gradients() -> None:
    """Truth values and integers that are computed from scores are as large as these."""

    def function(query: Array, key: Array, value: Array) -> Array:
        def total(query: Array) -> tuple[Array, Array]:
            weights = softmax(scores_of(query, key))
            return (weighted(weights, value) ** 2).sum(), (weights > 0.01, weights.astype("int32"))

        return jax.grad(total, has_aux=True)(query)

    case = Case(function, (1, 256, 512, 1, 1, 16))
    arguments = case.arguments()
    executable = executable_of(case, arguments)
    taken = executable.signature.take([np.asarray(argument) for argument in arguments])
    ours, theirs = executable.run(taken), jax.tree.leaves(jax.jit(function)(*arguments))
    np.testing.assert_allclose(ours[0], np.asarray(theirs[0]), rtol=1e-3, atol=1e-4)
    assert (ours[1] != np.asarray(theirs[1])).mean() < 1e-3
    assert (ours[2] == np.asarray(theirs[2])).all()


@pytest.mark.parametrize("name", ["plain", "triangle"])
def test_double_precision(name: str) -> None:
    with jax.enable_x64(True):
        case = replace(CASES[name], dtype=np.float64, error=1e-14)
        arguments = case.arguments()
        executable = executable_of(case, arguments)
    assert ATTENTION in operations_of(executable.compilation().graph)
    error = np.abs(result_of(executable, arguments) - exact(case.function, arguments)).max()
    assert error < case.error


@pytest.mark.usefixtures("small_clusters")
def test_a_softmax_in_another_type_than_sums_is_no_attention() -> None:
    """``jax.nn.dot_product_attention`` computes the softmax of ``f64`` in ``f32``."""
    with jax.enable_x64(True):
        case = replace(CASES["causal"], dtype=np.float64)
        arguments = [*case.arguments(), case.arguments()[0]]
        function = with_gradient(case.function, only=False)
        executable = executable_of(replace(case, function=function), arguments)
        expected = jax.tree.leaves(jax.jit(function)(*arguments))
    assert ATTENTION not in operations_of(executable.compilation().graph)
    taken = executable.signature.take([np.asarray(argument) for argument in arguments])
    for ours, theirs in zip(executable.run(taken), expected, strict=True):
        np.testing.assert_allclose(ours, np.asarray(theirs), rtol=1e-5, atol=1e-6)


def in_layers(function: Callable[..., Array], *, checkpoint: bool = False) -> Callable[..., Array]:
    """The gradient of a scan over layers that project queries, keys and values."""

    def layer(state: Array, weights: Array) -> tuple[Array, None]:
        query, key, value = (jnp.einsum("bshd,de->bshe", state, w) for w in weights)
        return state + function(query, key, value), None

    def total(state: Array, weights: Array) -> Array:
        one = jax.checkpoint(layer) if checkpoint else layer
        return (jax.lax.scan(one, state, weights)[0].astype("float32") ** 2).sum()

    return jax.grad(total, argnums=(0, 1))


LAYERS: Final = {
    "plain": plain, "causal": attention_causal, "dropout": dropout, "soft_cap": soft_cap,
    "by_hand": by_hand,
}  # fmt: skip


@pytest.mark.usefixtures("small_clusters")
@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("checkpoint", [False, pytest.param(True, marks=pytest.mark.standard)])
def test_scans_over_layers_save_no_weights(name: str, checkpoint: bool) -> None:
    """Both loops have attention, and no value has the size of all weights."""
    layers, size = 4, 384
    case = Case(in_layers(LAYERS[name], checkpoint=checkpoint), (1, size, size, 2, 2, 16))
    random = np.random.default_rng(3)
    weights = (random.standard_normal((layers, 3, 16, 16)) / 4).astype(np.float32)
    arguments = [case.arguments()[0], weights]
    executable = executable_of(case, arguments)
    operations = list(operations_of(executable.compilation().graph))
    assert {ATTENTION, ATTENTION_STATISTICS, ATTENTION_PRODUCTS} <= set(operations)
    assert executable.memory.arena < layers * 2 * size * size * 4
    taken = executable.signature.take([np.asarray(argument) for argument in arguments])
    with jax.enable_x64(True):
        wide = [jnp.asarray(np.asarray(argument).astype(np.float64)) for argument in arguments]
        expected = [np.asarray(result) for result in jax.jit(case.function)(*wide)]
    for ours, theirs in zip(executable.run(taken), expected, strict=True):
        assert np.abs(np.asarray(ours) - theirs).max() < 2e-5 * max(1.0, np.abs(theirs).max())


@pytest.mark.standard
@pytest.mark.usefixtures("small_clusters")
def test_saved_weights_that_are_results_stay() -> None:
    def layers(state: Array, weights: Array) -> Array:
        def layer(state: Array, weights: Array) -> tuple[Array, Array]:
            query, key, value = (jnp.einsum("bshd,de->bshe", state, w) for w in weights)
            saved = softmax(scores_of(query, key))
            return state + weighted(saved, value), saved

        def total(*operands: Array) -> Array:
            return (jax.lax.scan(layer, *operands)[0] ** 2).sum()

        return jax.grad(total)(state, weights), jax.lax.scan(layer, state, weights)[1]

    case = Case(layers, (1, 384, 384, 1, 1, 16))
    random = np.random.default_rng(3)
    weights = (random.standard_normal((2, 3, 16, 16)) / 4).astype(np.float32)
    arguments = [case.arguments()[0], weights]
    taken = executable_of(case, arguments)
    ours = taken.run(taken.signature.take([np.asarray(argument) for argument in arguments]))
    for one, other in zip(ours, jax.jit(layers)(*arguments), strict=True):
        np.testing.assert_allclose(one, np.asarray(other), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("name", ["plain", "causal", "odd_causal", "bias", "dropout", "bf16"])
def test_accesses_are_inside_their_buffers(name: str) -> None:
    case = CASES[name]
    arguments = case.arguments()
    checked = result_of(executable_of(case, arguments, check=True), arguments)
    assert (checked == result_of(executable_of(case, arguments), arguments)).all()


def test_the_option_turns_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES["plain"]
    arguments = case.arguments()
    graph = executable_of(case, arguments, attention=False).compilation().graph
    assert ATTENTION not in operations_of(graph)
    monkeypatch.setenv("STABLEMATE_ATTENTION", "0")
    assert not CompileOptions().attention


@pytest.mark.standard
def test_commands_turn_it_off(tmp_path: Path) -> None:
    case = CASES["plain"]
    file = tmp_path / "program.mlir"
    arguments = case.arguments()
    file.write_text(jax.jit(case.function).lower(*arguments).as_text())
    exe = sm.compile(str(file), attention=False)
    assert f"{ATTENTION}(" not in exe.emit("fusion")
    emitted = [
        CliRunner().invoke(main, ["emit", str(file), "fusion", *given]).output
        for given in ([], ["--no-attention"])
    ]
    assert [f"{ATTENTION}(" in text for text in emitted] == [True, False]
    inputs = [np.asarray(argument) for argument in arguments]
    plain_result = exe(*inputs)
    assert (sm.load(file).run(*inputs, attention=False) == plain_result).all()
    assert (sm.load(file).run(*inputs) != plain_result).any()
    names = [f"--input=@{tmp_path / f'{i}.npy'}" for i in range(3)]
    for i, array in enumerate(inputs):
        np.save(tmp_path / f"{i}.npy", array)
    out = tmp_path / "y.npy"
    run = ["run", str(file), *names, f"--output=@{out}", "--no-attention"]
    assert CliRunner().invoke(main, run).exit_code == 0
    assert (np.load(out) == plain_result).all()
    profiled = [
        CliRunner().invoke(main, ["profile", str(file), *names, "--runs=1", *given]).output
        for given in ([], ["--no-attention"])
    ]
    assert [ATTENTION in text for text in profiled] == [True, False]


def test_tools_show_it_by_name() -> None:
    case = CASES["causal"]
    arguments = [np.asarray(argument) for argument in case.arguments()]
    text = jax.jit(case.function).lower(*arguments).as_text()
    executable = sm.compile(sm.load(text))
    assert "kernel" in next(
        line for line in executable.emit("fusion").splitlines() if f"{ATTENTION}(" in line
    )
    profile = sm.profile(executable, *arguments)
    (row,) = [row for row in profile.rows if any(o.name == ATTENTION for o in row.operations)]
    assert row.flops >= 2 * 2 * 2 * 512 * 512 * 32


def test_memory_is_linear() -> None:
    sizes = [
        executable_of(case, case.arguments()).memory.arena
        for case in (
            Case(plain, (1, 512, 512, 1, 1, 16)), Case(plain, (1, 1024, 1024, 1, 1, 16)),
        )
    ]  # fmt: skip
    assert sizes[1] <= 2 * sizes[0] + 4096


def test_scores_may_be_larger_than_the_limit_of_tensors() -> None:
    case = Case(with_keywords(is_causal=True), (1, 512, 512, 2, 2, 16))
    arguments = case.arguments()
    text = jax.jit(case.function).lower(*arguments).as_text()
    limits = sm.Limits(tensor_bytes=512 * 512 * 4)
    result = sm.compile(sm.load(text), limits=limits)(*map(np.asarray, arguments))
    assert np.abs(result - exact(case.function, arguments)).max() < case.error


def weights_returned(query: Array, key: Array, value: Array) -> Array:
    weights = softmax(scores_of(query, key))
    return weighted(weights, value), weights


def scores_returned(query: Array, key: Array, value: Array) -> Array:
    scores = scores_of(query, key)
    return weighted(softmax(scores), value), scores


def over_queries(query: Array, key: Array, value: Array) -> Array:
    return weighted(jax.nn.softmax(scores_of(query, key), axis=-2), value)


def squared(query: Array, key: Array, value: Array) -> Array:
    return weighted(softmax(scores_of(query, key)) ** 2, value)


def other_sum(query: Array, key: Array, value: Array) -> Array:
    scores = scores_of(query, key)
    exponentials = jnp.exp(scores - jnp.max(scores, axis=-1, keepdims=True))
    return weighted(exponentials / jnp.sum(exponentials, axis=-2, keepdims=True), value)


@pytest.mark.usefixtures("small_clusters")
@pytest.mark.parametrize(
    "function", [weights_returned, scores_returned, over_queries, squared, other_sum]
)
def test_what_is_not_attention(function: Callable[..., Array]) -> None:
    case = Case(function, (1, 256, 512, 1, 1, 32))
    arguments = case.arguments()
    executable = executable_of(case, arguments)
    assert ATTENTION not in operations_of(executable.compilation().graph)
    with jax.enable_x64(True):
        wide = [jnp.asarray(np.asarray(argument).astype(np.float64)) for argument in arguments]
        (result, *_) = jax.tree.leaves(function(*wide))
    assert np.abs(result_of(executable, arguments) - np.asarray(result)).max() < case.error


def test_small_programs_keep_their_bits() -> None:
    case = Case(plain, (1, 64, 64, 2, 2, 16))
    executable = executable_of(case, case.arguments())
    assert ATTENTION not in operations_of(executable.compilation().graph)


def wholly_masked(mask: float) -> Callable[..., Array]:
    """A program whose first rows see no key: later ones see some."""

    def function(query: Array, key: Array, value: Array) -> Array:
        scores = scores_of(query, key)
        rows, columns = scores.shape[-2:]
        visible = jnp.tril(jnp.ones((rows, columns), bool), -200)
        return weighted(softmax(jnp.where(visible, scores, mask)), value)

    return function


@pytest.mark.parametrize("mask", [-np.inf, float(np.finfo(np.float32).min), -1e9])
def test_rows_that_see_no_key(mask: float) -> None:
    case = Case(wholly_masked(mask), (1, 512, 512, 1, 1, 16))
    arguments = case.arguments()
    ours = result_of(executable_of(case, arguments), arguments)
    theirs = np.asarray(jax.jit(case.function)(*arguments))
    assert np.isnan(ours).any() == np.isinf(mask)
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=3e-6)


def test_a_guard_keeps_results_that_are_not_numbers() -> None:
    case = CASES["guarded"]
    arguments = [np.array(argument) for argument in case.arguments()]
    arguments[0][0, 300, 0, 3] = np.nan
    ours = result_of(executable_of(case, arguments), arguments)
    theirs = np.asarray(jax.jit(case.function)(*arguments))
    assert np.isnan(ours[0, 300, 0]).all()
    assert (ours[0, :100] == 0).all()
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=3e-6)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("operand", [0, 1, 2])
def test_numbers_that_are_not_finite(operand: int, value: float) -> None:
    case = Case(plain, (1, 256, 512, 1, 1, 16))
    arguments = [np.array(argument) for argument in case.arguments()]
    arguments[operand][0, 100, 0, 3] = value
    ours = result_of(executable_of(case, arguments), arguments)
    theirs = np.asarray(jax.jit(case.function)(*arguments))
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=3e-6)


def test_values_of_masked_keys() -> None:
    case = Case(triangle, (1, 512, 512, 1, 1, 16))
    query, key, value = (np.array(argument) for argument in case.arguments())
    value[0, -1] = np.nan
    ours = result_of(executable_of(case, [query, key, value]), [query, key, value])
    assert np.isfinite(ours[0, :300]).all()  # blocks of keys that they do not see are left out
    assert np.isnan(ours[0, -1]).all()


def bound(growth: float, keys: int, blocks: int) -> float:
    """The documented bound of errors, relative to the weighted mean of absolute values."""
    return 2 * (keys + 5 * blocks + growth + 92) * 2.0**-24


@pytest.mark.parametrize("step", [0.0, 0.05, -0.05])
def test_the_error_has_a_bound(step: float) -> None:
    """Scores are exact: one feature, small whole numbers times a power of two."""
    keys = 1024

    def function(query: Array, key: Array, value: Array) -> Array:
        return weighted(softmax(jnp.einsum("bqhd,bkhd->bhqk", query, key)), value)

    case = Case(function, (1, 128, keys, 1, 1, 1))
    query = np.full((1, 128, 1, 1), 1.0, np.float32)
    noise = np.random.default_rng(3).integers(-64, 64, keys) / 64
    key = (noise + np.round(step * np.arange(keys) * 64) / 64).astype(np.float32)
    value = np.random.default_rng(4).standard_normal(keys).astype(np.float32)
    arguments = [query, key.reshape(1, keys, 1, 1), value.reshape(1, keys, 1, 1)]
    executable = executable_of(case, arguments)
    assert ATTENTION in operations_of(executable.compilation().graph)
    weights = np.exp(key.astype(np.float64) - key.max())
    weights /= weights.sum()
    errors = np.abs(result_of(executable, arguments) - (weights * value).sum())
    growth = float(np.ptp(key))
    assert errors.max() <= bound(growth, keys, keys // 128) * (weights * np.abs(value)).sum()


@pytest.mark.standard
@pytest.mark.parametrize("name", ["causal", "bias"])
def test_the_plan_in_python_gives_the_same_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward, "FEWEST_SCORES", 1)
    function = CASES[name].function
    if name == "bias":
        function = with_keywords(bias=random_bias((1, 1, 60, 300)))
    case = Case(function, (1, 60, 300, 1, 1, 4))
    arguments = case.arguments()
    executable = executable_of(case, arguments)
    assert ATTENTION in operations_of(executable.compilation().graph)
    assert not difference(executable, [np.asarray(argument) for argument in arguments])


@pytest.mark.standard
@pytest.mark.usefixtures("small_clusters")
def test_the_plan_of_a_gradient_in_python_gives_the_same_bits() -> None:
    function = with_gradient(with_keywords(is_causal=True), only=True)
    case = Case(function, (1, 50, 259, 1, 1, 3))
    arguments = [*case.arguments(), random_bias((1, 50, 1, 3))]
    executable = executable_of(case, arguments)
    assert ATTENTION_PRODUCTS in operations_of(executable.compilation().graph)
    assert not difference(executable, [np.asarray(argument) for argument in arguments])
