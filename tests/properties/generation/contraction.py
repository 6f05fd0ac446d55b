"""Steps that append dots and convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.attributes import (
    ConvDimensionNumbers,
    DotDimensionNumbers,
    Precision,
)
from stablemate.dialects.stablehlo.windows import WindowDimensions
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import (
    BF16,
    F16,
    F32,
    F64,
    I8,
    I32,
    I64,
    ElementType,
)
from tests.properties.generation.program_builder import (
    ALL_ELEMENTS,
    MAXIMUM_RANK,
    MAXIMUM_SIZE,
    Draft,
    Tensor,
)
from tests.properties.generation.reductions import optional

PRECISIONS: Final = (None, (Precision.DEFAULT,) * 2, (Precision.HIGHEST, Precision.HIGH))
WIDER: Final = {I8: (I32, I64), BF16: (F32,), F16: (F32,), F32: (F64,)}


def factor(draft: Draft, lowest: int = 0) -> Tensor:
    """A tensor to multiply; mostly small integers, whose sums are exact."""
    kind = "small" if draft.choices.chance(60) else "any"
    return draft.operand(
        ALL_ELEMENTS, lambda t: t.rank >= lowest, lambda: draft.shape(lowest), kind
    )


def dot_general(draft: Draft) -> None:
    """Any dot."""
    lhs = factor(draft)
    choices, shape = draft.choices, lhs.type.shape
    order = choices.permutation(range(len(shape)))
    batch = order[: choices.weighted(((0, 50), (1, 35), (2, 15)))]
    rest = order[len(batch) :]
    contracting = rest[: choices.weighted(((1, 60), (0, 15), (2, 25)))]
    sizes = [*((d, shape[d]) for d in (*batch, *contracting))]
    sizes += [(-1, draft.size()) for _ in range(choices.weighted(((1, 55), (0, 20), (2, 25))))]
    sizes = choices.permutation(sizes)[:4] if len(sizes) <= 4 else sizes
    places = {d: place for place, (d, _) in enumerate(sizes) if d >= 0}
    free = [size for d, size in sizes if d < 0]
    kept = [shape[d] for d in range(len(shape)) if d not in batch and d not in contracting]
    result = [*(shape[d] for d in batch), *kept, *free]
    if np.prod(result) > MAXIMUM_SIZE:
        return
    element = lhs.type.element_type
    rhs = draft.like(tensor(element, *(size for _, size in sizes)), "small")
    draft.emit(
        "dot_general",
        lhs=lhs,
        rhs=rhs,
        dot_dimension_numbers=DotDimensionNumbers(
            lhs_batching_dimensions=tuple(batch),
            rhs_batching_dimensions=tuple(places[d] for d in batch),
            lhs_contracting_dimensions=tuple(contracting),
            rhs_contracting_dimensions=tuple(places[d] for d in contracting),
        ),
        precision_config=choices.of(PRECISIONS),
        results=[tensor(result_element(draft, element), *result)],
    )


def result_element(draft: Draft, element: ElementType) -> ElementType:
    """The element type of a product, seldom a wider one."""
    wider = WIDER.get(element, ())  # type: ignore[call-overload]
    return draft.choices.of(wider) if wider and draft.choices.chance(30) else element


def dot(draft: Draft) -> None:
    """A product of vectors or matrices."""
    lhs = draft.operand(
        ALL_ELEMENTS, lambda t: 1 <= t.rank <= 2, lambda: draft.shape(1, 2), "small"
    )
    element = lhs.type.element_type
    columns = [draft.size()] * draft.choices.integer(0, 1)
    rhs = draft.like(tensor(element, lhs.type.shape[-1], *columns), "small")
    draft.emit("dot", lhs=lhs, rhs=rhs, results=[tensor(element, *lhs.type.shape[:-1], *columns)])


def einsum(draft: Draft) -> None:
    """A product by the names of dimensions."""
    choices = draft.choices
    names = "abcd"[: choices.integer(1, 4)]
    sizes = {name: draft.size(1) for name in names}
    lhs_names = choices.permutation(choices.subset(names, 70))
    rhs_names = choices.permutation(choices.subset(names, 70))
    collected = [name for name in names if name in lhs_names or name in rhs_names]
    result = choices.permutation(choices.subset(collected, 60))
    element = draft.element(ALL_ELEMENTS)
    lhs, rhs = (
        draft.like(tensor(element, *(sizes[n] for n in rhs_name)), "small")
        for rhs_name in (lhs_names, rhs_names)
    )
    config = f"{''.join(lhs_names)},{''.join(rhs_names)}->{''.join(result)}"
    draft.emit(
        "einsum",
        lhs=lhs,
        rhs=rhs,
        einsum_config=config,
        results=[tensor(element, *(sizes[n] for n in result))],
    )


def unary_einsum(draft: Draft) -> None:
    """Sums and a permutation by the names of dimensions."""
    operand = draft.operand(ALL_ELEMENTS, lambda t: t.rank <= MAXIMUM_RANK, draft.shape, "small")
    shape = operand.type.shape
    names = "abcde"[: len(shape)]
    kept = draft.choices.permutation(draft.choices.subset(range(len(shape)), 60))
    draft.emit(
        "unary_einsum",
        operand=operand,
        einsum_config=f"{names}->{''.join(names[d] for d in kept)}",
        results=[tensor(operand.type.element_type, *(shape[d] for d in kept))],
    )


def convolution(draft: Draft) -> None:
    """Any convolution."""
    choices = draft.choices
    spatial = choices.weighted(((1, 45), (2, 35), (0, 10), (3, 10)))
    features, batches = groups(draft)
    inputs = features * choices.integer(1, 2)
    batch = batches * choices.integer(1, 2)
    outputs = features * batches * choices.integer(1, 2)
    space = [draft.size() for _ in range(spatial)]
    kernel = [choices.weighted(((1, 30), (2, 45), (3, 25))) for _ in range(spatial)]
    windows = windows_of(draft, kernel)
    counts = windows.counts(space)
    if np.prod([batch, *counts, outputs]) > 2 * MAXIMUM_SIZE:
        return
    numbers = numbers_of(draft, spatial)
    element = draft.element(ALL_ELEMENTS)
    lhs = placed(
        element,
        {
            numbers.input_batch_dimension: batch,
            numbers.input_feature_dimension: inputs,
            **dict(zip(numbers.input_spatial_dimensions, space, strict=True)),
        },
    )
    rhs = placed(
        element,
        {
            numbers.kernel_input_feature_dimension: inputs // features,
            numbers.kernel_output_feature_dimension: outputs,
            **dict(zip(numbers.kernel_spatial_dimensions, kernel, strict=True)),
        },
    )
    reversal = [choices.chance(20) for _ in range(spatial)]
    draft.emit(
        "convolution",
        lhs=draft.like(lhs, "small" if choices.chance(60) else "any"),
        rhs=draft.like(rhs, "small"),
        window_strides=optional(draft, windows.strides, 1),
        padding=optional(draft, windows.padding, (0, 0)) if spatial else None,
        lhs_dilation=optional(draft, windows.base_dilations, 1),
        rhs_dilation=optional(draft, windows.window_dilations, 1),
        window_reversal=optional(draft, reversal, False),
        dimension_numbers=numbers,
        feature_group_count=features,
        batch_group_count=batches,
        precision_config=choices.of(PRECISIONS),
        results=None,
    )


def groups(draft: Draft) -> tuple[int, int]:
    """feature_group_count and batch_group_count."""
    return draft.choices.weighted((((1, 1), 55), ((2, 1), 20), ((1, 2), 20), ((3, 1), 5)))


def windows_of(draft: Draft, kernel: Sequence[int]) -> WindowDimensions:
    """Windows of a convolution; padding may also remove elements."""
    choices, rank = draft.choices, len(kernel)
    ends = ((0, 50), (1, 30), (2, 10), (-1, 10))
    return WindowDimensions(
        sizes=tuple(kernel),
        strides=tuple(choices.weighted(((1, 65), (2, 25), (3, 10))) for _ in range(rank)),
        padding=tuple((choices.weighted(ends), choices.weighted(ends)) for _ in range(rank)),
        base_dilations=tuple(choices.weighted(((1, 75), (2, 25))) for _ in range(rank)),
        window_dilations=tuple(choices.weighted(((1, 75), (2, 25))) for _ in range(rank)),
    )


def numbers_of(draft: Draft, spatial: int) -> ConvDimensionNumbers:
    """An order of dimensions for each operand and the result."""
    orders = [draft.choices.permutation(range(spatial + 2)) for _ in range(3)]
    lhs, rhs, result = orders
    return ConvDimensionNumbers(
        input_batch_dimension=lhs[0],
        input_feature_dimension=lhs[1],
        input_spatial_dimensions=tuple(lhs[2:]),
        kernel_input_feature_dimension=rhs[0],
        kernel_output_feature_dimension=rhs[1],
        kernel_spatial_dimensions=tuple(rhs[2:]),
        output_batch_dimension=result[0],
        output_feature_dimension=result[1],
        output_spatial_dimensions=tuple(result[2:]),
    )


def placed(element: ElementType, sizes: dict[int, int]) -> TensorType:
    """The type with a size for each dimension."""
    return tensor(element, *(sizes[d] for d in range(len(sizes))))


STEPS: Final = ((dot_general, 45), (convolution, 45), (dot, 6), (einsum, 6), (unary_einsum, 4))
