"""Branches and loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from stablemate.dialects.stablehlo.case import Case
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.if_ import If
from stablemate.dialects.stablehlo.while_ import While
from stablemate.frontends.tensor_functions.graph import Shape, SizeLike, TensorGraph, type_of
from stablemate.frontends.tensor_functions.indexing import dynamic_index, dynamic_update_index
from stablemate.frontends.tensor_functions.reductions import return_from
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    TypeLike,
    emit,
    emit_several,
    full,
    region,
    same_shape,
    scalar,
    size_tensor,
)
from stablemate.ir.core import Region
from stablemate.numerics.elements import I64
from stablemate.numerics.symbolic_sizes import SymbolicSize

TYPICAL: Final = 8  # size that changes in a loop
Branch = Callable[[TensorGraph], Sequence[Tensor]]
Outcome: TypeAlias = tuple[list[Tensor], list[Tensor]]  # the next state, and values of the step
# Takes slices of sequences at a step, and the state.
Step: TypeAlias = Callable[[Sequence[Tensor], Sequence[Tensor]], Outcome]


def if_else(
    condition: Tensor, on_true: Branch, on_false: Branch, types: Sequence[TypeLike]
) -> list[Tensor]:
    """The results of one of two branches, by a scalar boolean."""
    return one_of(
        condition, [branch_region(condition.graph, b) for b in (on_true, on_false)], types
    )


def one_of(condition: Tensor, regions: Sequence[Region], types: Sequence[TypeLike]) -> list[Tensor]:
    """The results of the first or the second region, by a scalar boolean."""
    return emit_several(condition.graph, If, types, pred=condition.value, regions=[*regions])


def switch(index: Tensor, branches: Sequence[Branch], types: Sequence[TypeLike]) -> list[Tensor]:
    """The results of a branch by a scalar index; the last branch if there is none of it."""
    regions = [branch_region(index.graph, run) for run in branches]
    return emit_several(index.graph, Case, types, index=index.value, regions=regions)


def branch_region(graph: TensorGraph, run: Branch) -> Region:
    """The region of a branch, which may use values of the graph around it."""

    def body(inner: TensorGraph) -> None:
        return_from(inner, run(inner))

    return region(graph, (), body, captures=True)


def while_loop(
    condition: Callable[..., Tensor], body: Callable[..., Sequence[Tensor]],
    state: Sequence[Tensor],
) -> list[Tensor]:  # fmt: skip
    """The state after a loop.

    Args:
        condition: Takes the state, to whether the loop goes on.
        body: Takes the state, to the next one, of the same types.
        state: The first state.
    """
    graph = state[0].graph
    types: list[TypeLike] = [(x.shape, x.element) for x in state]

    def test(inner: TensorGraph, *arguments: Tensor) -> None:
        return_from(inner, [condition(*arguments)])

    def step(inner: TensorGraph, *arguments: Tensor) -> None:
        return_from(inner, body(*arguments))

    regions = [region(graph, types, run, captures=True) for run in (test, step)]
    return emit_several(graph, While, types, operand=[x.value for x in state], regions=regions)


def open_while_loop(
    condition: Callable[..., Tensor], body: Callable[..., Sequence[Tensor]],
    state: Sequence[Tensor], types: Sequence[TypeLike],
) -> list[Tensor]:  # fmt: skip
    """The state after a loop in which sizes change; those of the result only a run knows.

    Args:
        condition: Takes the state, to whether the loop goes on.
        body: Takes the state, to the next one.
        state: The first state.
        types: The types of the state in each step, with sizes of their own where they change.
    """
    graph = state[0].graph
    changing = [
        changing_dimensions(x.shape, shape) for x, (shape, _) in zip(state, types, strict=True)
    ]

    def test(inner: TensorGraph, *arguments: Tensor) -> None:
        return_from(inner, [condition(*arguments)])

    def step(inner: TensorGraph, *arguments: Tensor) -> None:
        for argument, dimensions in zip(arguments, changing, strict=True):
            bind_sizes(inner, argument, dimensions)
        return_from(inner, opened_as(body(*arguments), types))

    regions = [region(graph, types, run, captures=True) for run in (test, step)]
    operands = [x.value for x in opened_as(state, types)]
    results = emit_several(graph, While, types, operand=operands, regions=regions)
    return [with_own_sizes(x, ds) for x, ds in zip(results, changing, strict=True)]


def open_if_else(
    condition: Tensor, on_true: Branch, on_false: Branch, types: Sequence[TypeLike],
    changing: Sequence[Sequence[int]],
) -> list[Tensor]:  # fmt: skip
    """The results of one of two branches that differ in sizes, which only a run knows.

    Args:
        condition: A scalar boolean.
        on_true: The branch if it is true.
        on_false: The other one.
        types: The types of the results.
        changing: The dimensions of each result in whose sizes the branches differ.
    """

    def open_branch(run: Branch) -> Branch:
        return lambda inner: opened_as(run(inner), types)

    results = if_else(condition, open_branch(on_true), open_branch(on_false), types)
    return [with_own_sizes(x, ds) for x, ds in zip(results, changing, strict=True)]


def common_type(graph: TensorGraph, one: TypeLike, other: TypeLike) -> TypeLike | None:
    """A type of two tensors, with new sizes where theirs differ; None if there is none."""
    (shape, element), (other_shape, other_element) = one, other
    if element != other_element or len(shape) != len(other_shape):
        return None
    pairs = zip(shape, other_shape, strict=True)
    sizes = [a if same_shape([a], [b]) else new_size(graph) for a, b in pairs]
    return sizes, element


def new_size(graph: TensorGraph) -> SymbolicSize:
    """A size that only a run knows."""
    return graph.assumptions.symbol(TYPICAL, 0)


def changing_dimensions(before: Sequence[SizeLike], after: Sequence[SizeLike]) -> list[int]:
    """The dimensions in which two shapes of the same rank differ."""
    pairs = enumerate(zip(before, after, strict=True))
    return [d for d, (size, other) in pairs if not same_shape([size], [other])]


def bind_sizes(graph: TensorGraph, x: Tensor, dimensions: Sequence[int]) -> None:
    """Gives sizes that are variables of their own the values that a tensor has."""
    for d in dimensions:
        size = x.shape[d]
        assert isinstance(size, SymbolicSize)
        graph.bind_dimension(size, x.value, d)


def with_own_sizes(x: Tensor, dimensions: Sequence[int]) -> Tensor:
    """The tensor, with sizes of its own in some dimensions."""
    shape = [new_size(x.graph) if d in dimensions else n for d, n in enumerate(x.shape)]
    result = Tensor(x.graph, x.value, tuple(shape))
    bind_sizes(x.graph, result, dimensions)
    return result


def opened_as(tensors: Sequence[Tensor], types: Sequence[TypeLike]) -> list[Tensor]:
    """Tensors under types that leave some of their sizes open."""
    return [
        x
        if x.value.type == type_of(shape, element)
        else emit(x.graph, Convert, shape, element, operand=x.value)
        for x, (shape, element) in zip(tensors, types, strict=True)
    ]


def counted_loop(
    count: Tensor, body: Callable[[TensorGraph, Tensor, Sequence[Tensor]], Sequence[Tensor]],
    state: Sequence[Tensor],
) -> list[Tensor]:  # fmt: skip
    """The state after a number of steps.

    Args:
        count: How many steps, a scalar.
        body: Takes the graph of a step, its number, and the state, to the next state.
        state: The first state.
    """

    def goes_on(index: Tensor, *_: Tensor) -> Tensor:
        return index < count.within(index.graph)

    def step(index: Tensor, *current: Tensor) -> list[Tensor]:
        return [index + 1, *body(index.graph, index, current)]

    start = scalar(count.graph, 0, count.element)
    return while_loop(goes_on, step, [start, *state])[1:]


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
