"""Dots, convolutions and windows of random shapes: the interpreter against XLA on a CPU.

Sums of floats are compared with a tolerance that covers the order of addition.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

import numpy as np
import pytest

import stablemate as sm
from tests.oracle.client import Oracle
from tests.oracle.elements import DTYPES, Array

SEEDS: Final = [
    *range(30),
    *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(30, 300)),
]
TOLERANCES: Final = {"f32": 2e-5, "f64": 1e-12, "bf16": 2e-2, "f16": 4e-3, "complex<f32>": 2e-5}
DOT_TYPES: Final = ("f32", "f64", "bf16", "f16", "i8", "ui8", "i16", "i32", "ui64", "i1")


def numbers(rng: random.Random, element: str, shape: list[int]) -> Array:
    """Random elements; integers take the whole range of their type."""
    generator = np.random.default_rng(rng.randrange(1 << 32))
    dtype = DTYPES[element]
    if dtype.kind == "c":
        return (generator.standard_normal(shape) * (1 + 1j)).astype(dtype)
    if dtype.kind == "b":
        return generator.random(shape) < 0.5
    if dtype.kind in "iu":
        return generator.integers(0, 256, (*shape, dtype.itemsize), np.uint8).view(dtype)[..., 0]
    return np.asarray(2 * generator.standard_normal(shape)).astype(dtype)


def tensor(element: str, shape: list[int]) -> str:
    """The type as MLIR spells it."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def integers(values: list[int]) -> str:
    """``array<i64: 1, 2>``."""
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def pairs(values: list[tuple[int, int]]) -> str:
    """``dense<...> : tensor<nx2xi64>``."""
    rows = ", ".join(f"[{low}, {high}]" for low, high in values)
    return f"dense<{f'[{rows}]' if values else ''}> : tensor<{len(values)}x2xi64>"


def program(operation: str, operands: list[str], result: str, region: str = "") -> str:
    """A main function of one operation."""
    names = [f"%a{i}" for i in range(len(operands))]
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, operands, strict=True))
    head, _, attributes = operation.partition(" ")
    return (
        f"func.func @main({arguments}) -> {result} {{\n"
        f'  %r = "{head}"({", ".join(names)}) {attributes}{region} '
        f": ({', '.join(operands)}) -> {result}\n"
        f"  return %r : {result}\n}}\n"
    )


def agree(oracle: Oracle, text: str, arguments: list[Array], tolerance: float) -> None:
    """Runs a program in both and compares."""
    ours = sm.load(text).run(*arguments)
    (theirs,) = oracle.xla(text, *arguments)
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    if tolerance:
        wide = np.complex128 if ours.dtype.kind == "c" else np.float64
        a, b = ours.astype(wide), theirs.astype(wide)
        np.testing.assert_allclose(a, b, tolerance, tolerance, err_msg=text)
    else:
        np.testing.assert_array_equal(ours, theirs, err_msg=text)


def sizes(rng: random.Random, count: int, high: int) -> list[int]:
    """Sizes of dimensions, few of them 0."""
    return [0 if rng.random() < 0.03 else rng.randint(1, high) for _ in range(count)]


@pytest.mark.parametrize("seed", SEEDS)
def test_dot_general(oracle: Oracle, seed: int) -> None:
    rng = random.Random(seed)
    element = rng.choice(("f32", *DOT_TYPES, "complex<f32>"))
    wider = {"bf16": "f32", "i8": "i32"}.get(element, element)
    result = rng.choice((element, wider))
    batch, inner, rows, columns = (sizes(rng, rng.choice((0, 1, 1, 2)), 6) for _ in range(4))
    lhs = rng.sample(range(n := len(batch + inner + rows)), n)
    rhs = rng.sample(range(m := len(batch + inner + columns)), m)
    b, k = len(batch), len(batch + inner)
    lhs[k:], rhs[k:] = sorted(lhs[k:]), sorted(rhs[k:])
    shapes: list[list[int]] = []
    for order, parts in ((lhs, batch + inner + rows), (rhs, batch + inner + columns)):
        shape = dict(zip(order, parts, strict=True))
        shapes.append([shape[d] for d in range(len(order))])
    lists = {
        "lhs_batching_dimensions": lhs[:b],
        "rhs_batching_dimensions": rhs[:b],
        "lhs_contracting_dimensions": lhs[b:k],
        "rhs_contracting_dimensions": rhs[b:k],
    }
    dot = ", ".join(f"{name} = {values}" for name, values in lists.items() if values)
    text = program(
        f"stablehlo.dot_general {{dot_dimension_numbers = #stablehlo.dot<{dot}>}}",
        [tensor(element, shape) for shape in shapes],
        tensor(result, batch + rows + columns),
    )
    arguments = [numbers(rng, element, shape) for shape in shapes]
    agree(oracle, text, arguments, TOLERANCES.get(element, 0))


@pytest.mark.parametrize("seed", SEEDS)
def test_convolution(oracle: Oracle, seed: int) -> None:
    rng = random.Random(seed)
    element = rng.choice(("f32", *DOT_TYPES, "complex<f32>"))
    n = rng.choice((0, 1, 1, 2, 2, 3))
    groups, batch_groups = rng.choice(((1, 1), (1, 1), (2, 1), (3, 1), (1, 2)))
    features, outputs = rng.choice((1, 2, 3)), rng.choice((1, 2)) * groups * batch_groups
    batch = rng.choice((1, 2)) * batch_groups
    spatial, window = sizes(rng, n, 7), [rng.randint(1, 3) for _ in range(n)]
    padding = [(rng.randint(-2, 3), rng.randint(-2, 3)) for _ in range(n)]
    strides, lhs_dilation, rhs_dilation = (
        [rng.randint(1, high) for _ in range(n)] for high in (3, 2, 3)
    )
    counts: list[int] = []
    for d in range(n):
        dilated = (spatial[d] - 1) * lhs_dilation[d] + 1 if spatial[d] else 0
        room = dilated + sum(padding[d]) - (window[d] - 1) * rhs_dilation[d] - 1
        counts.append(room // strides[d] + 1 if room >= 0 else 0)
    parts = [
        ("bf", [batch, features * groups, *spatial]),
        ("io", [features, outputs, *window]),
        ("bf", [batch // batch_groups, outputs, *counts]),
    ]
    shapes, letters = [], []
    for names, shape in parts:
        order = rng.sample(range(n + 2), n + 2)
        labels = [*names, *map(str, range(n))]
        shapes.append([shape[i] for i in order])
        letters.append(f"[{', '.join(labels[i] for i in order)}]")
    flags = ", ".join(rng.choice(("true", "false")) for _ in range(n))
    text = program(
        "stablehlo.convolution {"
        f"dimension_numbers = #stablehlo.conv<{letters[0]}x{letters[1]}->{letters[2]}>, "
        f"feature_group_count = {groups} : i64, batch_group_count = {batch_groups} : i64, "
        f"window_strides = {integers(strides)}, padding = {pairs(padding)}, "
        f"lhs_dilation = {integers(lhs_dilation)}, rhs_dilation = {integers(rhs_dilation)}, "
        f"window_reversal = array<i1{': ' * bool(n)}{flags}>}}",
        [tensor(element, shape) for shape in shapes[:2]],
        tensor(element, shapes[2]),
    )
    arguments = [numbers(rng, element, shape) for shape in shapes[:2]]
    agree(oracle, text, arguments, TOLERANCES.get(element, 0))


REDUCERS: Final[dict[str, Callable[[np.dtype], object]]] = {
    "add": lambda dtype: 0,
    "multiply": lambda dtype: 1,
    "maximum": lambda dtype: -np.inf if dtype.kind == "f" else np.iinfo(dtype).min,
    "minimum": lambda dtype: np.inf if dtype.kind == "f" else np.iinfo(dtype).max,
}


@pytest.mark.parametrize("seed", SEEDS)
def test_reduce_window(oracle: Oracle, seed: int) -> None:
    rng = random.Random(seed)
    name = rng.choice(tuple(REDUCERS))
    element = rng.choice(("f32", "f32", "f64", "f16", "i8", "i32", "ui16"))
    n = rng.choice((1, 1, 2, 2, 3))
    shape, window = sizes(rng, n, 9), [rng.choice((1, 1, 2, 3, 5, 7)) for _ in range(n)]
    padding = [(rng.randint(-2, 3), rng.randint(-2, 3)) for _ in range(n)]
    strides, base, dilations = ([rng.randint(1, high) for _ in range(n)] for high in (3, 2, 2))
    counts: list[int] = []
    for d in range(n):
        dilated = (shape[d] - 1) * base[d] + 1 if shape[d] else 0
        room = dilated + sum(padding[d]) - (window[d] - 1) * dilations[d] - 1
        counts.append(room // strides[d] + 1 if room >= 0 else 0)
    scalar = tensor(element, [])
    region = (
        f" ({{\n  ^bb0(%x: {scalar}, %y: {scalar}):\n    %z = stablehlo.{name} %x, %y : {scalar}\n"
        f"    stablehlo.return %z : {scalar}\n  }})"
    )
    attributes = (
        f"<{{window_dimensions = {integers(window)}, window_strides = {integers(strides)}, "
        f"base_dilations = {integers(base)}, window_dilations = {integers(dilations)}, "
        f"padding = {pairs(padding)}}}>"
    )
    operands = [tensor(element, shape), scalar]
    result = tensor(element, counts)
    text = program(f"stablehlo.reduce_window {attributes}", operands, result, region)
    dtype = DTYPES[element]
    values = numbers(rng, element, shape)
    values = values if dtype.kind in "iu" else (values / 4).astype(dtype)
    initial = np.array(REDUCERS[name](dtype)).astype(dtype)
    tolerance = TOLERANCES.get(element, 0) if name in ("add", "multiply") else 0
    agree(oracle, text, [values, initial], tolerance)
