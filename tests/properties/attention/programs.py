"""Generates programs with attention, in the forms in which libraries and people write it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Final, TypeVar

import numpy as np

jax: Any = import_module("jax")
jnp: Any = jax.numpy
Array = Any
T = TypeVar("T")

DTYPES: Final = ("float32", "float32", "float32", "bfloat16", "float16", "float64")
ORDERS: Final = ("bhqk", "bqhk", "hbqk", "bhkq", "hqbk", "qbhk")
SCALES: Final = ("none", "query", "key", "scores", "divided", "both")
MASKS: Final = (
    "none", "none", "causal", "causal added", "window", "lengths", "given", "given added",
    "segments", "no key", "no key at all",
)  # fmt: skip
BIASES: Final = (
    "none", "none", "none", "full", "heads", "keys", "relative", "distance", "sink",
)  # fmt: skip
SOFTMAXES: Final = (
    "library", "library", "by hand", "reciprocal", "late", "log", "float32", "chosen", "guarded",
)  # fmt: skip
SPECIALS: Final = ("", "", "", "", "nan", "inf", "-inf", "large")
QUERIES: Final = (1, 12, 47, 48, 49, 60, 95, 97, 131)
KEYS: Final = (1, 96, 255, 256, 257, 287, 300, 384, 391, 513)
DYNAMIC: Final = (("batch",), ("length",), ("queries", "keys"), ("batch", "length"))
FEWEST_DYNAMIC_KEYS: Final = 160  # of which blocks are cut, without knowing how many there are
# Masks that are computed from indices, and thus for all sizes.
INDEX_MASKS: Final = (
    "none", "causal", "causal added", "window", "no key", "no key at all",
)  # fmt: skip
FEATURES: Final = (1, 3, 8, 16, 17, 20, 33, 64)
LIMIT: Final = 400_000  # scores


@dataclass(frozen=True)
class Form:
    """How a program writes attention.

    Attributes:
        batch: How many batches there are.
        queries: Queries.
        keys: Keys.
        heads: Heads of queries.
        group: Heads of queries for each head of keys.
        features: Features of queries and keys.
        value_features: Those of values.
        dtype: The type of operands.
        order: The order of the dimensions of the scores.
        scale: Where scores are scaled.
        mask: What masks scores, and how.
        masked: The number that masks.
        bias: What is added to scores; a sink is a logit beside those of the keys.
        cap: Whether a hyperbolic tangent limits scores.
        softmax: How the softmax is written.
        dropout: Whether weights are dropped.
        result: ``forward``, ``both`` or ``gradient``.
        special: A number among the operands that is not finite, or large.
        seed: Of the operands.
        dynamic: The sizes that the program does not know: ``batch``, ``queries``, ``keys``, or
            ``length`` for both if they are equal.
    """

    batch: int
    queries: int
    keys: int
    heads: int
    group: int
    features: int
    value_features: int
    dtype: str
    order: str
    scale: str
    mask: str
    masked: float
    bias: str
    cap: bool
    softmax: str
    dropout: bool
    result: str
    special: str
    seed: int
    dynamic: tuple[str, ...] = ()

    @property
    def scores_are_small(self) -> bool:
        """Whether the interpreter is fast enough."""
        return self.batch * self.heads * self.queries * self.keys <= LIMIT // 4

    def bias_shape(self) -> tuple[int, ...]:
        """The shape of the operand that the bias is computed from."""
        return {
            "full": (self.batch, self.heads, self.queries, self.keys),
            "heads": (1, self.heads, self.queries, self.keys),
            "keys": (self.batch, 1, 1, self.keys),
            "relative": (32, self.heads),
            "distance": (self.heads,),
            "sink": (self.heads,),
            "none": (1,),
        }[self.bias]

    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes of queries, keys, values, bias, cotangent."""
        key_heads = self.heads // self.group
        return [
            (self.batch, self.queries, self.heads, self.features),
            (self.batch, self.keys, key_heads, self.features),
            (self.batch, self.keys, key_heads, self.value_features),
            self.bias_shape(),
            (self.batch, self.queries, self.heads, self.value_features),
        ]

    def symbolic(self) -> Form:
        """The form with symbols in place of the sizes that the program does not know."""
        names = {
            "batch": ("batch", 1), "queries": ("queries", 2), "keys": ("keys", 2),
            "length": ("length", 2),
        }  # fmt: skip
        export = import_module("jax.export")
        scope = export.SymbolicScope([f"{name} >= {names[name][1]}" for name in self.dynamic])
        symbols = {name: export.symbolic_shape(name, scope=scope)[0] for name in self.dynamic}
        if "length" in symbols:
            symbols["queries"] = symbols["keys"] = symbols.pop("length")
        return replace(self, **symbols)

    def text(self, arguments: Sequence[Array]) -> str:
        """The program."""
        if not self.dynamic:
            text: str = jax.jit(self.function(), keep_unused=True).lower(*arguments).as_text()
            return text
        sized = self.symbolic()
        types = [jax.ShapeDtypeStruct(shape, jnp.dtype(self.dtype)) for shape in sized.shapes()]
        exported = import_module("jax.export").export(jax.jit(sized.function(), keep_unused=True))
        dynamic: str = exported(*types).mlir_module()
        return dynamic

    def arguments(self) -> list[Array]:
        """Queries, keys, values, bias, cotangent."""
        random = np.random.default_rng(self.seed)
        shapes = self.shapes()
        arrays = [random.standard_normal(shape) for shape in shapes]
        if self.special and self.batch:
            operand = arrays[random.integers(3)]
            shape: tuple[int, ...] = operand.shape
            place = tuple([int(random.integers(size)) for size in shape])
            operand[place] = {"large": 3e4}.get(self.special) or float(self.special)
        return [array.astype(jnp.dtype(self.dtype)) for array in arrays]

    def function(self) -> Callable[..., Any]:
        """The program."""
        if self.result == "forward":
            return self.attention

        def gradients(query: Array, key: Array, value: Array, bias: Array, seed: Array) -> Any:
            result, pullback = jax.vjp(self.attention, query, key, value, bias)
            given = pullback(seed.astype(result.dtype))
            given = given if self.bias != "none" else given[:3]
            return (result, *given) if self.result == "both" else tuple(given)

        return gradients

    def attention(
        self, query: Array, key: Array, value: Array, bias: Array, *_: Array
    ) -> Array:  # fmt: skip
        """Attention."""
        key, value = (jnp.repeat(x, self.group, axis=2) for x in (key, value))
        scale = self.features**-0.5
        if self.scale in ("query", "both"):
            query = query * (scale if self.scale == "query" else scale**0.5)
        if self.scale in ("key", "both"):
            key = key * (scale if self.scale == "key" else scale**0.5)
        scores = jnp.einsum(f"bqhd,bkhd->{self.order}", query, key)
        if self.scale == "scores":
            scores = scores * scale
        if self.scale == "divided":
            scores = scores / np.sqrt(self.features).astype(scores.dtype)
        if self.cap:
            scores = jnp.tanh(scores / 4) * 4
        if self.bias not in ("none", "sink"):
            scores = scores + self.placed(self.bias_of(bias).astype(scores.dtype))
        scores = self.masked_scores(scores)
        axis = self.order.index("k")
        if self.bias == "sink":
            scores = self.with_sink(scores, bias, axis)
        weights = self.weights(scores, axis)
        if self.bias == "sink":
            weights = jax.lax.slice_in_dim(weights, 0, self.keys, axis=axis)
        if self.dropout:
            number = jnp.arange(weights.size, dtype=jnp.uint32).reshape(weights.shape)
            kept = (number * jnp.uint32(2654435761)) >> 29 != 0
            weights = jnp.where(kept, weights / 0.875, 0).astype(weights.dtype)
        result = jnp.einsum(f"{self.order},bkhd->bqhd", weights.astype(value.dtype), value)
        if self.softmax == "late":
            total = jnp.einsum(
                f"{self.order.replace('k', '')}->bqh", self.exponentials(scores, axis).sum(axis)
            )
            result = (result / total[..., None]).astype(result.dtype)
        return result

    def placed(self, matrix: Array) -> Array:
        """What is given for batch, head, query and key, in the order of scores."""
        return jnp.transpose(matrix, ["bhqk".index(letter) for letter in self.order])

    def bias_of(self, bias: Array) -> Array:
        """What is added to scores."""
        if self.bias not in ("relative", "distance"):
            return bias
        distance = jnp.arange(self.keys)[None] - jnp.arange(self.queries)[:, None]
        if self.bias == "distance":
            return -bias[None, :, None, None] * jnp.abs(distance).astype(bias.dtype) / 100
        return jnp.transpose(bias[jnp.clip(distance + 16, 0, 31)], (2, 0, 1))[None]

    def with_sink(self, scores: Array, sink: Array, axis: int) -> Array:
        """Scores and another one for each query, which is that of its head."""
        column = self.placed(sink.astype(scores.dtype)[None, :, None, None])
        shape = [1 if d == axis else size for d, size in enumerate(scores.shape)]
        return jnp.concatenate([scores, jnp.broadcast_to(column, shape)], axis)

    def masked_scores(self, scores: Array) -> Array:
        """Scores, of which some are masked."""
        if self.mask == "none":
            return scores
        visible = self.placed(self.visible())
        number = jnp.asarray(self.masked, scores.dtype)
        if self.mask.endswith("added"):
            return scores + jnp.where(visible, jnp.zeros((), scores.dtype), number)
        return jnp.where(visible, scores, number)

    def visible(self) -> Array:
        """Which keys each query sees."""
        query, key = jnp.arange(self.queries)[:, None], jnp.arange(self.keys)[None]
        random = np.random.default_rng(self.seed + 1)
        match self.mask:
            case "causal" | "causal added":
                visible = key <= query + (self.keys - self.queries)
            case "window":
                middle = query * 3
                visible = (key >= middle - 40) & (key <= middle + 30)
            case "lengths":
                lengths = random.integers(1, self.keys + 1, self.batch)
                return (key < jnp.asarray(lengths)[:, None])[:, None, None]
            case "segments":
                of_query = jnp.asarray(np.sort(random.integers(0, 3, self.queries)))
                of_key = jnp.asarray(np.sort(random.integers(0, 3, self.keys)))
                visible = of_query[:, None] == of_key[None]
            case "no key":
                visible = key < 3 * (query - 20)
            case "no key at all":
                visible = key < -1 - 0 * query
            case _:
                shape = (self.batch, 1, self.queries, self.keys)
                return jnp.asarray(random.random(shape) > 0.4)
        return visible[None, None]

    def exponentials(self, scores: Array, axis: int) -> Array:
        """Exponentials of differences from the maximum."""
        return jnp.exp(scores - jnp.max(scores, axis=axis, keepdims=True))

    def weights(self, scores: Array, axis: int) -> Array:
        """The softmax; without the division if that comes later."""
        match self.softmax:
            case "by hand":
                exponentials = self.exponentials(scores, axis)
                return exponentials / exponentials.sum(axis, keepdims=True)
            case "reciprocal":
                exponentials = self.exponentials(scores, axis)
                return exponentials * (1 / exponentials.sum(axis, keepdims=True))
            case "late":
                return self.exponentials(scores, axis)
            case "log":
                return jnp.exp(jax.nn.log_softmax(scores, axis=axis))
            case "float32":
                wide = scores.astype(jnp.float32) if scores.dtype.itemsize < 4 else scores
                return jax.nn.softmax(wide, axis=axis).astype(scores.dtype)
            case "chosen":
                mask = self.placed(self.visible())
                if self.bias == "sink":
                    sink = jnp.ones_like(jax.lax.slice_in_dim(mask, 0, 1, axis=axis))
                    mask = jnp.concatenate([mask, sink], axis)
                mask = jnp.broadcast_to(mask, scores.shape)
                return jax.nn.softmax(scores, axis=axis, where=mask)
            case "guarded":
                hidden = jnp.all(scores == -jnp.inf, axis=axis, keepdims=True)
                weights = jax.nn.softmax(scores, axis=axis)
                return jnp.where(hidden, jnp.zeros((), scores.dtype), weights)
            case _:
                return jax.nn.softmax(scores, axis=axis)


def form(seed: int, number: int) -> Form:
    """The form with a number."""
    random = np.random.default_rng([seed, number])

    def one(choices: Sequence[T]) -> T:
        return choices[int(random.integers(len(choices)))]

    usual = random.random() < 0.85
    queries, keys = (one(QUERIES[3:]), one(KEYS[3:])) if usual else (one(QUERIES), one(KEYS))
    batch, heads = (one((1, 2, 3)), one((1, 2, 3, 4)))
    while batch * heads * queries * keys > LIMIT:
        heads, batch = max(1, heads - 1), max(1, batch - 1)
    batch = 0 if random.random() < 0.02 else batch
    dtype, mask = one(DTYPES), one(MASKS)
    most = float(jnp.finfo(dtype).min)
    numbers = (-np.inf, -1e4, most) if dtype == "float16" else (-np.inf, -1e9, most)
    chosen = one(("forward", "both", "gradient"))
    result = Form(
        batch, queries, keys, heads, one([g for g in (1, 2, 4) if heads % g == 0]), one(FEATURES),
        one(FEATURES), dtype, one(ORDERS), one(SCALES), mask, one(numbers), one(BIASES),
        bool(random.random() < 0.15), one(SOFTMAXES), bool(random.random() < 0.2), chosen,
        one(SPECIALS), int(random.integers(1 << 30)),
    )  # fmt: skip
    if random.random() > 0.25 or not batch or min(queries, keys) < 2:
        return result
    if (
        keys < FEWEST_DYNAMIC_KEYS
        or mask not in INDEX_MASKS
        or (mask, result.softmax) == ("none", "chosen")
    ):
        return result
    dynamic = one(DYNAMIC)
    if "batch" in dynamic and batch < 2:
        return result
    if "length" in dynamic:
        result = replace(result, queries=keys, batch=min(batch, 2), heads=result.group)
    return replace(result, dynamic=dynamic)
