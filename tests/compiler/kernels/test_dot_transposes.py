"""Transposed products of matrices: which become products in the other order, with equal bits."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.compile import native_or_interpreted
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import host
from stablemate.compiler.graph.graph import all_nodes
from tests.compiler.plans import compilation

Numbers = tuple[int, ...]


def tensor(shape: Numbers, element: str = "f32") -> str:
    """A tensor type."""
    return f"tensor<{'x'.join([*map(str, shape), element])}>"


def program(
    lhs: Numbers, rhs: Numbers, batching: tuple[Numbers, Numbers],
    contracting: tuple[Numbers, Numbers], dims: Numbers, element: str = "f32",
) -> str:  # fmt: skip
    """The transpose of a product."""
    shape = [lhs[d] for d in batching[0]]
    for sizes, batch, contracted in zip((lhs, rhs), batching, contracting, strict=True):
        shape += [n for d, n in enumerate(sizes) if d not in (*batch, *contracted)]
    product = tensor(tuple(shape), element)
    result = tensor(tuple([shape[d] for d in dims]), element)
    a, b = tensor(lhs, element), tensor(rhs, element)
    pairs = [" x ".join(str([*side]) for side in both) for both in (batching, contracting)]
    return f"""func.func @main(%a: {a}, %b: {b}) -> {result} {{
      %0 = stablehlo.dot_general %a, %b, batching_dims = {pairs[0]}, contracting_dims = {pairs[1]}
        : ({a}, {b}) -> {product}
      %1 = stablehlo.transpose %0, dims = {[*dims]} : ({product}) -> {result}
      return %1 : {result}
    }}"""


EXCHANGED = {
    "gradient of a layer": program((16, 40), (16, 24), ((), ()), ((0,), (0,)), (1, 0)),
    "matrices of f64": program((9, 5), (5, 7), ((), ()), ((1,), (0,)), (1, 0), "f64"),
    "matrices of i32": program((9, 5), (5, 7), ((), ()), ((1,), (0,)), (1, 0), "i32"),
    "batch": program((3, 8, 6), (6, 3, 4), ((0,), (1,)), ((2,), (0,)), (0, 2, 1)),
    "several free dimensions": program((2, 3, 7), (7, 4, 5), ((), ()), ((2,), (0,)), (2, 3, 0, 1)),
    "several contracting dimensions": program(
        (4, 5, 6), (5, 4, 3), ((), ()), ((0, 1), (1, 0)), (1, 0)
    ),
}
UNCHANGED = {
    "vector": program((5,), (5, 7, 3), ((), ()), ((0,), (0,)), (1, 0)),
    "one row": program((1, 5), (5, 7), ((), ()), ((1,), (0,)), (1, 0)),
    "batch moved": program((3, 8, 6), (3, 6, 4), ((0,), (0,)), ((2,), (1,)), (1, 0, 2)),
    "free dimensions of one operand": program((2, 3, 7), (7, 4), ((), ()), ((2,), (0,)), (1, 0, 2)),
}


def operations(text: str) -> list[str]:
    """The names of the operations after all rewrites."""
    executable: Any = sm.compile(sm.load(text), backend="interpreter")
    nodes = all_nodes(compilation(executable.functions, "main", host()).graph)
    return [node.operation.name.removeprefix("stablehlo.") for node in nodes]


@pytest.mark.parametrize("name", EXCHANGED)
def test_a_transposed_product_is_the_product_in_the_other_order(name: str) -> None:
    text = EXCHANGED[name]
    assert operations(text) == ["dot_general"]
    module, results = sm.load(text), []
    random = np.random.default_rng(0)
    interpreted: Any = sm.compile(module, backend="interpreter")
    arguments = [
        (random.standard_normal(prod(a.type.shape)) * 9).astype(a.type.element_type.dtype)
        .reshape(a.type.shape)
        for a in interpreted.signature.arguments
    ]  # fmt: skip
    for simplify in (True, False):
        options = CompileOptions(simplify=simplify)
        native = native_or_interpreted(interpreted, options=options)
        assert native.fallback is None
        results.append(np.asarray(native(*arguments)))
    assert results[0].tobytes() == results[1].tobytes()
    np.testing.assert_allclose(results[0], np.asarray(interpreted(*arguments)), 1e-5, 1e-4)


@pytest.mark.parametrize("name", UNCHANGED)
def test_other_transposes_stay(name: str) -> None:
    assert "transpose" in operations(UNCHANGED[name])


def test_a_product_with_another_use_stays() -> None:
    square = tensor((4, 4))
    text = f"""func.func @main(%a: {square}, %b: {square}) -> ({square}, {square}) {{
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : ({square}, {square}) -> {square}
      %1 = stablehlo.transpose %0, dims = [1, 0] : ({square}) -> {square}
      return %0, %1 : {square}, {square}
    }}"""
    assert operations(text) == ["dot_general", "transpose"]


def test_a_product_that_is_transposed_there_and_back_stays() -> None:
    a, b, there, back = (tensor(shape) for shape in ((9, 5), (5, 7), (7, 9), (9, 7)))
    text = f"""func.func @main(%a: {a}, %b: {b}) -> {back} {{
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({a}, {b}) -> {back}
      %1 = stablehlo.transpose %0, dims = [1, 0] : ({back}) -> {there}
      %2 = stablehlo.transpose %1, dims = [1, 0] : ({there}) -> {back}
      return %2 : {back}
    }}"""
    executable: Any = sm.compile(sm.load(text), backend="interpreter")
    (node,) = all_nodes(compilation(executable.functions, "main", host()).graph)
    assert [operand.shape for operand in node.operands] == [(9, 5), (5, 7)]
