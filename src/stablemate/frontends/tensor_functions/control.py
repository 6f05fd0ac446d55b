"""Branches and loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.dialects.stablehlo.case import Case
from stablemate.dialects.stablehlo.if_ import If
from stablemate.dialects.stablehlo.while_ import While
from stablemate.frontends.tensor_functions.graph import TensorGraph
from stablemate.frontends.tensor_functions.reductions import return_from
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    TypeLike,
    emit_several,
    region,
    scalar,
)
from stablemate.ir.core import Region

Branch = Callable[[TensorGraph], Sequence[Tensor]]


def if_else(
    condition: Tensor, on_true: Branch, on_false: Branch, types: Sequence[TypeLike]
) -> list[Tensor]:
    """The results of one of two branches, by a scalar boolean."""
    regions = [branch_region(condition.graph, run) for run in (on_true, on_false)]
    return emit_several(condition.graph, If, types, pred=condition.value, regions=regions)


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
