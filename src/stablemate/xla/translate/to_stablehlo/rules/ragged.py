"""Ragged all-to-all: rows of the processes of a group go to places that their senders choose.

Source: XLA, operation semantics, RaggedAllToAll.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from stablemate.dialects.stablehlo.attributes import ComparisonDirection, GatherDimensionNumbers
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.xla.translate.to_stablehlo.groups import channel, exchanging_groups
from stablemate.xla.translate.to_stablehlo.step import Fields, TranslationStep, Values

Array = Value[TensorType]


def ragged_all_to_all(step: TranslationStep) -> Values:
    """``all_to_all`` of everything, then for each sender a choice of rows.

    Sender k hands ``send_sizes[i]`` rows of its input, from ``input_offsets[i]`` on, to member i,
    where they are rows from ``output_offsets[i]`` on; all other rows are those of ``output``.
    Offsets and sizes may have a second dimension: several such pieces.
    """
    source, output, *numbers, _ = step.arrays()
    shape = numbers[0].type.shape
    if source.type.rank < 1 or len(shape) not in (1, 2):
        step.refuse("offsets have one dimension or two", offsets=numbers[0].type)
    members = shape[0]
    copies = step.spread(
        step.reshape(source, (1, *source.type.shape)),
        (members, *source.type.shape),
        range(source.type.rank + 1),
    )
    starts, sizes, places = (exchange_sizes(step, number) for number in numbers)
    received = exchange_sizes(step, copies)
    for piece in range(math.prod(shape)):
        index = divmod(piece, shape[1]) if len(shape) == 2 else (piece,)
        row = step.reshape(element(step, received, index[:1]), source.type.shape)
        start, size, place = (
            step.reshape(element(step, vector, index), ()) for vector in (starts, sizes, places)
        )
        output = update_rows(step, output, row, (start, size, place))
    return [output]


def exchange_sizes(step: TranslationStep, value: Array) -> Array:
    """Entry k is what member k has for this process."""
    fields: Fields = {
        "operands": [value],
        "split_dimension": 0,
        "concat_dimension": 0,
        "split_count": value.type.shape[0],
        "replica_groups": exchanging_groups(step),
        "channel_handle": channel(step),
    }
    return step.one("stablehlo.all_to_all", **fields)


def element(step: TranslationStep, value: Array, index: Sequence[int]) -> Array:
    """``value[index]``, with dimensions of size 1 where the index was."""
    rest = value.type.shape[len(index) :]
    return step.one(
        "stablehlo.slice",
        operand=value,
        start_indices=[*index, *[0] * len(rest)],
        limit_indices=[*(number + 1 for number in index), *rest],
        strides=[1] * value.type.rank,
    )


def update_rows(
    step: TranslationStep, output: Array, source: Array, piece: Sequence[Array]
) -> Array:
    """The output with ``size`` rows from ``place`` on taken from the source, from ``start`` on."""
    start, size, place = piece
    shape, element_type = output.type.shape, start.type.element_type
    rows = TensorType((shape[0],), element_type)
    numbers = step.one("stablehlo.iota", results=[rows], iota_dimension=0)
    first = step.spread(place, rows.shape)
    offset = step.one("stablehlo.subtract", lhs=numbers, rhs=first)
    positions = step.one("stablehlo.add", lhs=offset, rhs=step.spread(start, rows.shape))
    rows_taken = step.one(
        "stablehlo.gather",
        operand=source,
        start_indices=step.reshape(positions, (shape[0], 1)),
        dimension_numbers=GatherDimensionNumbers(
            offset_dims=tuple(range(1, len(shape))),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
            index_vector_dim=1,
        ),
        slice_sizes=[1, *shape[1:]],
    )
    is_after = compare_integers(step, numbers, first, ComparisonDirection.GE)
    before = compare_integers(step, offset, step.spread(size, rows.shape), ComparisonDirection.LT)
    inside = step.one("stablehlo.and", lhs=is_after, rhs=before)
    chosen = step.spread(inside, shape, [0])
    return step.one("stablehlo.select", pred=chosen, on_true=rows_taken, on_false=output)


def compare_integers(
    step: TranslationStep, lhs: Array, rhs: Array, direction: ComparisonDirection
) -> Array:
    """Emits a comparison of integers in a direction."""
    return step.one("stablehlo.compare", lhs=lhs, rhs=rhs, comparison_direction=direction)
