"""Attention with symbolic sizes: one version for all lengths, in tiles; values are XLA's in f64."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Final

import numpy as np
import pytest

from stablemate.compiler.kernels.attention.operation import ATTENTION
from tests.compiler.sized_programs import compiled

jax: Any = import_module("jax")
jnp: Any = jax.numpy
Array = Any
attention: Final = jax.nn.dot_product_attention


def biased(query: Array, key: Array, value: Array) -> Array:
    """A bias that is computed from sizes, and weights of which some are dropped."""
    queries, keys = query.shape[1], key.shape[1]
    distance = jnp.arange(queries)[:, None] - jnp.arange(keys)[None]
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) / 4 - jnp.abs(distance) / 100
    weights = jax.nn.softmax(scores, axis=-1)
    weights = jnp.where((distance + 5 * jnp.arange(keys)) % 7 != 0, weights / 0.8, 0)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, value)


FORMS: Final[dict[str, tuple[Callable[..., Array], str, str]]] = {
    "causal": (partial(attention, is_causal=True), "1,n,2,16", "1,n,2,16"),
    "plain": (attention, "1,n,2,16", "1,n,2,16"),
    "biased": (biased, "1,n,1,16", "1,n,1,16"),
    "queries": (attention, "1,n,1,16", "1,300,1,16"),
    "keys": (attention, "1,400,1,16", "1,n,1,16"),
    "two sizes": (attention, "1,n,1,16", "1,m,1,16"),
    "batch": (partial(attention, is_causal=True), "n,400,1,8", "n,400,1,8"),
}
LENGTHS: Final = {
    "batch": ((3, 0), (2, 0)),
    "two sizes": ((400, 512), (500, 417)),
}
# Blocks have 128 keys, the last one 32 to 159.
USUAL: Final = ((512, 0), (543, 0), (544, 0), (545, 0), (600, 0))


def exported(name: str) -> str:
    """A form as a program with dynamic sizes."""
    function, *shapes = FORMS[name]
    export = import_module("jax.export")
    names = sorted({"n", "m"} & set(",".join(shapes).split(",")))
    scope = export.SymbolicScope([f"{size} >= 1" for size in names])
    query, key = (
        jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), np.float32)
        for shape in shapes
    )
    text: str = export.export(jax.jit(function))(query, key, key).mlir_module()
    return text


def arguments_of(name: str, n: int, m: int) -> list[Array]:
    """Operands."""
    random = np.random.default_rng(n)
    sizes = {"n": n, "m": m}
    shapes = [
        [sizes.get(size) or int(size) for size in shape.split(",")] for shape in FORMS[name][1:]
    ]
    return [random.standard_normal(s).astype(np.float32) for s in (shapes[0], shapes[1], shapes[1])]


def compare(name: str, *, check: bool) -> None:
    """Compares a form with XLA for several lengths."""
    function, versions = compiled(exported(name), check=check)
    for n, m in LENGTHS.get(name, USUAL):
        arguments = arguments_of(name, n, m)
        with jax.enable_x64(True):
            wide = [jnp.asarray(argument.astype(np.float64)) for argument in arguments]
            expected = np.asarray(FORMS[name][0](*wide))
        assert np.abs(np.asarray(function(*arguments)) - expected).max() < 3e-6
    assert len(versions.versions) == 1
    assert not versions.failures
    shapes = [argument.shape for argument in arguments_of(name, *LENGTHS.get(name, USUAL)[0])]
    assert f"{ATTENTION}(" in versions.compilation(shapes).emit("fusion")


@pytest.mark.standard
@pytest.mark.parametrize("name", FORMS)
def test_attention_of_all_lengths_has_one_version(name: str) -> None:
    compare(name, check=False)


@pytest.mark.standard
@pytest.mark.parametrize("name", ["causal", "biased", "two sizes"])
def test_accesses_are_inside_their_buffers(name: str) -> None:
    compare(name, check=True)


@pytest.mark.standard
def test_short_attention_is_computed_as_before() -> None:
    function, versions = compiled(exported("causal"))
    arguments = arguments_of("causal", 100, 0)
    function(*arguments)
    shapes = [argument.shape for argument in arguments]
    assert f"{ATTENTION}(" not in versions.compilation(shapes).emit("fusion")
