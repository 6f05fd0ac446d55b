"""Per-tensor, per-axis and sub-channel types: which operations take them, and how they move."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stablemate as sm
from tests.oracle.client import Oracle, OracleRejected
from tests.properties.quantized.draws import (
    quantized_types,
    stored_values,
)
from tests.properties.quantized.formulas import (
    Quantized,
    numbers_of,
)
from tests.properties.quantized.programs import ROWS, Row
from tests.properties.quantized.running import (
    FEW,
    GRANULARITIES,
    SHAPES,
    Array,
    accepts,
    computed,
    per_tensor,
    program,
    same,
    tensor,
)

# ---- every operation in every granularity

# What the specification allows and upstream refuses: it has no per-axis dynamic_conv and no
# quantized triangular_solve. It has no sub-channel types at all.
REFUSED_UPSTREAM: Final = {
    ("dynamic_conv", "a"),
    ("dynamic_conv.hybrid", "a"),
    ("triangular_solve", "t"),
}


@pytest.mark.parametrize("granularity", ["t", "a", "s"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_granularities_are_those_of_the_specification(row: Row, granularity: str) -> None:
    text = row.program(granularity)
    assert accepts(text) == (granularity in row.granularities)
    if accepts(text):
        module = sm.load(text)
        for generic in (False, True):
            assert module.difference(sm.load(module.to_text(generic=generic))) == ""


@pytest.mark.parametrize("granularity", ["t", "a"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_upstream_accepts_and_prints_the_same(row: Row, granularity: str, oracle: Oracle) -> None:
    text = row.program(granularity)
    allowed = granularity in row.granularities and (row.name, granularity) not in REFUSED_UPSTREAM
    if not allowed:
        with pytest.raises(OracleRejected):
            oracle.print(text)
        return
    for generic in (False, True):
        assert sm.load(text).to_text(generic=generic) == oracle.print(text, generic=generic)


# ---- moving slices and blocks: each element keeps its scale and zero point


def keeps_meaning(
    operation: str,
    operand: Quantized,
    result: Quantized,
    shape: Sequence[int],
    moved: Callable[[Array], Array],
    attributes: str = "",
) -> None:
    """The operation moves stored values, and so what they stand for."""
    stored = stored_values(operand, shape, 0)
    expected = moved(stored)
    text = program(operation, [tensor(shape, operand)], tensor(expected.shape, result), attributes)
    assert accepts(text)
    same(computed(text, stored), expected)
    assert numbers_of(expected, result).tolist() == moved(numbers_of(stored, operand)).tolist()


def is_refused(text: str, rule: str) -> bool:
    """Whether the program breaks this rule."""
    return [diagnostic.rule for diagnostic in sm.load(text).diagnostics()] == [rule]


@FEW
@given(st.data(), SHAPES, st.sampled_from(GRANULARITIES))
def test_transpose(data: st.DataObject, shape: tuple[int, ...], granularity: str) -> None:
    operand = data.draw(quantized_types(shape, granularity=granularity))
    order = data.draw(st.permutations(range(len(shape))))
    attributes = f"{{permutation = array<i64: {', '.join(map(str, order))}>}}"
    result = operand
    if granularity == "axis":
        result = replace(operand, axis=order.index(operand.axis))
    if granularity == "blocks":
        result = with_grids(
            operand, [operand.blocks[d] for d in order], lambda grid: grid.transpose(order)
        )
    keeps_meaning("transpose", operand, result, shape, lambda x: x.transpose(order), attributes)


def with_grids(
    element: Quantized, blocks: Sequence[int], moved: Callable[[Array], Array]
) -> Quantized:
    """The type with other blocks, and scales and zero points moved by a function."""
    scales, zero_points = (
        moved(np.array(zero_point).reshape(element.grid))
        for zero_point in (element.scales, element.zero_points)
    )
    return replace(
        element,
        scales=tuple(scales.reshape(-1).tolist()),
        zero_points=tuple(zero_points.reshape(-1).tolist()),
        blocks=tuple(blocks),
        grid=scales.shape,
    )


@FEW
@given(st.data(), st.lists(st.integers(1, 3), min_size=1, max_size=2), st.booleans())
def test_broadcast_in_dim(data: st.DataObject, sizes: list[int], in_blocks: bool) -> None:
    shape, rank = tuple(sizes), len(sizes) + 1
    granularity = "blocks" if in_blocks else "axis"
    operand = data.draw(quantized_types(shape, granularity=granularity))
    dimensions = data.draw(st.permutations(range(rank)))[: len(shape)]
    target = [2] * rank
    for d, size in zip(dimensions, shape, strict=True):
        target[d] = 3 if size == 1 else size
    order = np.argsort(dimensions)
    aligned = [1] * rank
    for d, size in zip(dimensions, shape, strict=True):
        aligned[d] = size

    def broadcast(x: Array) -> Array:
        return np.broadcast_to(x.transpose(order).reshape(aligned), target)

    if in_blocks:
        blocks, grid = [0] * rank, [1] * rank
        for d, r in enumerate(dimensions):
            repeated = shape[d] == 1 != target[r]
            blocks[r] = 0 if repeated else operand.blocks[d]
            grid[r] = 1 if repeated else operand.grid[d]
        if not any(blocks):
            blocks[0] = target[0]
        result = with_grids(operand, blocks, lambda x: x.transpose(order).reshape(grid))
    else:
        assert operand.axis is not None
        axis = dimensions[operand.axis]
        count = target[axis] // len(operand.scales)  # the one scale is repeated
        result = replace(
            operand,
            axis=axis,
            scales=operand.scales * count,
            zero_points=operand.zero_points * count,
        )
    attributes = f"{{broadcast_dimensions = array<i64: {', '.join(map(str, dimensions))}>}}"
    keeps_meaning("broadcast_in_dim", operand, result, shape, broadcast, attributes)


@FEW
@given(
    st.data(),
    st.lists(st.tuples(st.booleans(), st.integers(2, 3)), min_size=1, max_size=5),
)
def test_reshape_in_blocks(data: st.DataObject, factors: list[tuple[bool, int]]) -> None:
    """Both shapes group the same factors, along some of which the scale changes."""
    count = math.prod(size for changes, size in factors if changes)
    base = data.draw(quantized_types((count,), granularity="axis", axis=0))
    (shape, operand), (other, result) = (grouped(data.draw, base, factors) for _ in range(2))
    keeps_meaning("reshape", operand, result, shape, lambda x: x.reshape(other))


def grouped(
    draw: st.DrawFn, base: Quantized, factors: Sequence[tuple[bool, int]]
) -> tuple[tuple[int, ...], Quantized]:
    """A shape whose dimensions are products of factors, and the type with the scales of another."""
    groups: list[list[tuple[bool, int]]] = []
    for changes, size in factors:
        apart = changes and bool(groups) and not groups[-1][-1][0]  # a block is innermost
        if apart or not groups or draw(st.booleans()):
            groups.append([])
        groups[-1].append((changes, size))
    shape = tuple(math.prod(size for _, size in group) for group in groups)
    grid = tuple(math.prod(size for changes, size in group if changes) for group in groups)
    blocks = tuple(
        size // count if count > 1 else 0 for size, count in zip(shape, grid, strict=True)
    )
    if not any(blocks):
        blocks = (shape[0], *blocks[1:])
    return shape, replace(base, axis=None, blocks=blocks, grid=grid)


def test_scales_that_would_change_are_refused() -> None:
    wide, tall = (
        Quantized("i8", "f32", (0.5, 0.25), (0, 1), -128, 127, None, blocks, grid)
        for blocks, grid in (((0, 1), (1, 2)), ((1, 0), (2, 1)))
    )
    slices = [tensor((2, 2), item) for item in (wide, tall)]
    for operation, attributes, rule in (
        ("transpose", "{permutation = array<i64: 0, 1>}", "stablehlo.transpose C1"),
        ("reshape", "", "stablehlo.reshape C3"),
        (
            "broadcast_in_dim",
            "{broadcast_dimensions = array<i64: 0, 1>}",
            "stablehlo.broadcast_in_dim C6",
        ),
    ):
        assert is_refused(program(operation, slices[:1], slices[1], attributes), rule)
    assert is_refused(program("add", slices[:1] * 2, slices[1]), "stablehlo.add C6")
    assert is_refused(
        program("add", slices[:1] * 2, tensor((2, 2), per_tensor(wide))), "stablehlo.add C5"
    )
