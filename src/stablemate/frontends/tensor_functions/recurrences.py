"""Recurrences: loops over the steps of sequences, as recurrent layers are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from stablemate.frontends.tensor_functions.contraction import dot_general
from stablemate.frontends.tensor_functions.control import counted_loop
from stablemate.frontends.tensor_functions.graph import Shape, TensorGraph
from stablemate.frontends.tensor_functions.indexing import dynamic_index, dynamic_update_index
from stablemate.frontends.tensor_functions.movement import slice_dimension
from stablemate.frontends.tensor_functions.tensor import Tensor, full, size_tensor
from stablemate.numerics.elements import I64

Outcome: TypeAlias = tuple[list[Tensor], list[Tensor]]  # the next state, and values of the step
# Takes slices of sequences at a step, and the state.
Step: TypeAlias = Callable[[Sequence[Tensor], Sequence[Tensor]], Outcome]


def recurrence(
    sequences: Sequence[Tensor], state: Sequence[Tensor], stored: Sequence[Shape], step: Step, *,
    reverse: bool,
) -> list[Tensor]:  # fmt: skip
    """The last state, and what each step gives, stacked.

    Args:
        sequences: What a step takes a slice of, along the first dimension.
        state: The first state.
        stored: The shapes of what a step gives, with the steps as the first dimension.
        step: A step.
        reverse: Whether the last slice is the first step.
    """
    outer, count = sequences[0].graph, len(state)
    last = size_tensor(outer, sequences[0].shape[0], I64) - 1

    def body(graph: TensorGraph, index: Tensor, values: Sequence[Tensor]) -> list[Tensor]:
        place = last.within(graph) - index if reverse else index
        slices = [dynamic_index(x.within(graph), place) for x in sequences]
        new, given = step(slices, values[:count])
        pairs = zip(values[count:], given, strict=True)
        return [*new, *[dynamic_update_index(all_, one, place) for all_, one in pairs]]

    buffers = [full(outer, shape, 0, state[0].element) for shape in stored]
    return counted_loop(last + 1, body, [*state, *buffers])


def times(x: Tensor, weight: Tensor) -> Tensor:
    """A state (batch, in) times a weight (out, in), transposed."""
    return dot_general(x, weight.within(x.graph), ([1], [1]))


def times_transposed(x: Tensor, weight: Tensor) -> Tensor:
    """A gradient (batch, out) times a weight (out, in)."""
    return dot_general(x, weight.within(x.graph), ([1], [0]))


def chunks(x: Tensor, count: int) -> list[Tensor]:
    """Equal parts of the last dimension."""
    size = x.shape[-1] // count
    return [slice_dimension(x, -1, i * size, (i + 1) * size) for i in range(count)]
