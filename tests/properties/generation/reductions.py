"""Steps that append operations with regions on elements: reductions, windows, sorts, maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stablemate.dialects.stablehlo.windows import WindowDimensions
from stablemate.ir.core import Region
from stablemate.ir.types import tensor
from stablemate.numerics.elements import I32, I64, ComplexType, ElementType
from tests.properties.generation import region_bodies as bodies
from tests.properties.generation.data_movement import ranked
from tests.properties.generation.elementwise import EXACT_INTEGERS, EXACT_NUMBERS, EXACT_STEPS
from tests.properties.generation.program_builder import (
    ALL_ELEMENTS,
    MAXIMUM_RANK,
    MAXIMUM_SIZE,
    WIDE_FLOATS,
    Draft,
    Tensor,
)


def companions(draft: Draft, lowest: int = 0, highest: int = MAXIMUM_RANK) -> list[Tensor]:
    """One to three tensors of one shape; the second often a position in the first."""
    first = reducible(draft, lowest, highest)
    values = [first]
    for _ in range(draft.choices.weighted(((0, 60), (1, 30), (2, 10)))):
        element = draft.element((I32, I64)) if draft.choices.chance(60) else element_of(draft)
        values.append(draft.like(first.type.with_element(element)))
    return values


def element_of(draft: Draft) -> ElementType:
    """An element type that reductions here take."""
    return draft.element((*EXACT_NUMBERS,) if draft.is_nested else ALL_ELEMENTS)


def reducible(draft: Draft, lowest: int, highest: int) -> Tensor:
    """A tensor to reduce; in regions only such as can be reduced in any order."""
    elements = EXACT_INTEGERS if draft.is_nested else ALL_ELEMENTS
    return draft.operand(
        elements,
        lambda type_: lowest <= type_.rank <= highest,
        lambda: draft.shape(lowest, highest),
    )


def init_values(draft: Draft, body: Region) -> list[Tensor]:
    """A scalar for each result of a reducer, mostly one that changes nothing.

    In regions always such a one: how often others are used is not agreed on.
    """
    any_value = not draft.is_nested and draft.choices.chance(25)
    return [init_value(draft, body, i, any_value) for i in range(len(body.block.arguments) // 2)]


def init_value(draft: Draft, body: Region, index: int, any_value: bool) -> Tensor:
    """A scalar for one result of a reducer."""
    type_ = body.block.arguments[index].type
    identity = bodies.identity(body, index)
    if any_value or identity is None:
        return draft.fresh(type_, "small")
    return draft.given(type_, np.array(identity).astype(type_.element_type.dtype))


def reduce(draft: Draft) -> None:
    """A reduction of one or more tensors."""
    inputs = companions(draft)
    if draft.is_nested:
        inputs = inputs[:1]
    body = bodies.reducer(draft, [value.type.element_type for value in inputs])
    draft.emit(
        "reduce",
        inputs=inputs,
        init_values=init_values(draft, body),
        dimensions=draft.choices.permutation(draft.choices.subset(range(inputs[0].type.rank), 60)),
        regions=[body],
    )


def windows_on(draft: Draft, shape: Sequence[int], *, dilated: bool) -> WindowDimensions:
    """Windows on a tensor."""
    choices, rank = draft.choices, len(shape)
    gaps = ((1, 75), (2, 20), (3, 5)) if dilated else ((1, 1),)
    return WindowDimensions(
        sizes=tuple(choices.weighted(((1, 40), (2, 40), (3, 20))) for _ in range(rank)),
        strides=tuple(choices.weighted(((1, 60), (2, 30), (3, 10))) for _ in range(rank)),
        padding=tuple(
            (
                choices.weighted(((0, 60), (1, 30), (2, 10))),
                choices.weighted(((0, 60), (1, 30), (2, 10))),
            )
            for _ in range(rank)
        ),
        base_dilations=tuple(choices.weighted(gaps) for _ in range(rank)),
        window_dilations=tuple(choices.weighted(gaps) for _ in range(rank)),
    )


def optional(draft: Draft, values: Sequence[Any], default: Any) -> Sequence[Any] | None:
    """An attribute, left out where it may be."""
    is_default = all(value == default for value in values)
    return None if is_default and not draft.choices.chance(30) else values


def reduce_window(draft: Draft) -> None:
    """A reduction of windows."""
    inputs = companions(draft, 0, 3)
    windows = windows_on(draft, inputs[0].type.shape, dilated=True)
    if np.prod(windows.counts(inputs[0].type.shape)) > MAXIMUM_SIZE:
        return
    body = bodies.reducer(draft, [value.type.element_type for value in inputs])
    draft.emit(
        "reduce_window",
        inputs=inputs,
        init_values=init_values(draft, body),
        window_dimensions=windows.sizes,
        window_strides=optional(draft, windows.strides, 1),
        base_dilations=optional(draft, windows.base_dilations, 1),
        window_dilations=optional(draft, windows.window_dilations, 1),
        padding=optional(draft, windows.padding, (0, 0)) if windows.padding else None,
        regions=[body],
    )


def select_and_scatter(draft: Draft) -> None:
    """Selection in windows and its reverse."""
    elements = tuple(
        all_element for all_element in ALL_ELEMENTS if not isinstance(all_element, ComplexType)
    )
    operand = draft.operand(
        elements, lambda t: 1 <= t.rank <= 3 and t.size > 0, lambda: [draft.size(1), draft.size(1)]
    )
    windows = windows_on(draft, operand.type.shape, dilated=False)
    counts = windows.counts(operand.type.shape)
    if 0 in counts or np.prod(counts) > MAXIMUM_SIZE:
        return
    element = operand.type.element_type
    scatter = bodies.region_of(draft, [element], bodies.each_alone)
    draft.emit(
        "select_and_scatter",
        operand=operand,
        source=draft.like(tensor(element, *counts)),
        init_value=init_value(draft, scatter, 0, draft.choices.chance(25)),
        window_dimensions=windows.sizes,
        window_strides=optional(draft, windows.strides, 1),
        padding=optional(draft, windows.padding, (0, 0)),
        regions=[bodies.selection(draft, element), scatter],
    )


def sort(draft: Draft) -> None:
    """A sort of one or more tensors by one or more keys."""
    inputs = companions(draft, 1, 3)
    elements = [value.type.element_type for value in inputs]
    if all(isinstance(element, ComplexType) for element in elements):
        return
    order = bodies.keys(draft, elements)
    is_unique = {key.operand for key in order} == set(range(len(inputs))) and not any(
        key.is_canonical for key in order
    )
    floats = [key for key in order if key.mode is not None or elements[key.operand] in WIDE_FLOATS]
    may_be_unstable = is_unique and not floats
    rank = inputs[0].type.rank
    draft.emit(
        "sort",
        inputs=inputs,
        dimension=draft.choices.integer(0, 2 * rank - 1) - rank,
        is_stable=not (may_be_unstable and draft.choices.chance(40)),
        regions=[bodies.comparator(draft, elements, order)],
    )


def map_(draft: Draft) -> None:
    """A function of corresponding elements of some tensors."""
    first = ranked(draft)
    inputs = [first]
    for _ in range(draft.choices.integer(0, 2)):
        inputs.append(draft.like(first.type.with_element(draft.element(EXACT_NUMBERS))))

    def compute(inner: Draft, arguments: Sequence[Any]) -> Sequence[Tensor]:
        for _ in range(draft.choices.integer(0, 3)):
            draft.choices.weighted(EXACT_STEPS)(inner)
        scalars = [value for value in inner.pool if value.type.rank == 0]
        return scalars[-1:]

    draft.emit(
        "map",
        inputs=inputs,
        dimensions=range(first.type.rank),
        regions=[draft.region([tensor(v.type.element_type) for v in inputs], compute)],
    )


STEPS: Final = (
    (reduce, 30),
    (reduce_window, 25),
    (sort, 20),
    (select_and_scatter, 12),
    (map_, 10),
)
EXACT_STEPS_HERE: Final = ((reduce, 10),)
