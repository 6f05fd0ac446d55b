"""Operators that call graphs: branches, loops, scans and regions.

A graph inside becomes a region of ``stablehlo.if``, ``case`` or ``while``, or is translated where
it is called.

Source: PyTorch, torch.cond, torch.export, "Control Flow Operators"; StableHLO specification, if,
case, while.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.control import (
    counted_loop,
    if_else,
    switch,
    while_loop,
)
from stablemate.frontends.tensor_functions.graph import TensorGraph
from stablemate.frontends.tensor_functions.indexing import dynamic_index, dynamic_update_index
from stablemate.frontends.tensor_functions.tensor import Tensor, TypeLike, full
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.call import Call, Operand
from stablemate.frontends.torch.fx import GraphModule
from stablemate.frontends.torch.operators.control.value_dependent_sizes import size_of
from stablemate.frontends.torch.promotion import INT64, element_of_number
from stablemate.frontends.torch.table import lowerings, lowers, operator_name
from stablemate.numerics.elements import BOOLEAN, F64, I32, ElementType
from stablemate.numerics.symbolic_sizes import SymbolicSize


def number_element(number: Operand) -> ElementType:
    """The element type in which a loop or branch carries a number."""
    element = INT64 if isinstance(number, SymbolicSize) else element_of_number(number)
    return F64 if isinstance(number, float) else element


def as_tensors(call: Call, values: Sequence[Operand]) -> list[Tensor]:
    """Values of a loop or branch as tensors."""
    return [
        value if isinstance(value, Tensor) else call.tensor(value, number_element(value))
        for value in values
    ]


def branch(
    call: Call, subgraph: GraphModule, operands: Sequence[object]
) -> Callable[..., list[Tensor]]:
    """A graph as what fills the region of a branch."""

    def run(graph: TensorGraph) -> list[Tensor]:
        return as_tensors(call.within(graph), call.subgraph(subgraph, graph, operands))

    return run


def tensor_types(call: Call) -> list[TypeLike]:
    """The types of the results; a number is an integer of 64 bits."""
    return [((), INT64) if known is None else known for known in call.types]


@lowers("higher_order.cond")
def cond(
    call: Call,
    pred: Operand,
    true_fn: GraphModule,
    false_fn: GraphModule,
    operands: Sequence[object] = (),
) -> list[Any]:
    """The results of one of two graphs, by a boolean"""
    if isinstance(pred, bool):
        return call.subgraph(true_fn if pred else false_fn, call.graph, operands)
    runs = [branch(call, subgraph, operands) for subgraph in (true_fn, false_fn)]
    condition = call.tensor(pred, BOOLEAN)
    return if_else(scalar_of(condition), runs[0], runs[1], tensor_types(call))


def scalar_of(x: Tensor) -> Tensor:
    """A tensor with one element as a scalar."""
    return m.reshape(x, ())


@lowers("higher_order.switch")
def switch_graphs(
    call: Call, index: Operand, branches: Sequence[GraphModule], operands: Sequence[object] = ()
) -> list[Any]:
    """The results of the graph with an index; indices outside are clamped"""
    last = len(branches) - 1
    chosen = f.clamp(0, scalar_of(call.tensor(index, INT64)), last).convert(I32)
    runs = [branch(call, subgraph, operands) for subgraph in branches]
    return switch(chosen, runs, tensor_types(call))


@lowers("higher_order.while_loop")
def while_loop_of_graphs(
    call: Call, cond_fn: GraphModule, body_fn: GraphModule, carried_inputs: Sequence[Any],
    additional_inputs: Sequence[object],
) -> list[Any]:  # fmt: skip
    """The values that a loop carries, after its last step"""
    goes_on, step = loop_of_graphs(call, cond_fn, body_fn, additional_inputs)
    return while_loop(goes_on, step, as_tensors(call, carried_inputs))


def loop_of_graphs(
    call: Call, cond_fn: GraphModule, body_fn: GraphModule, additional_inputs: Sequence[object]
) -> tuple[Callable[..., Tensor], Callable[..., list[Tensor]]]:
    """The condition and a step of a loop, as functions of what it carries."""

    def condition(*state: Tensor) -> Tensor:
        (goes_on,) = call.subgraph(cond_fn, state[0].graph, [*state, *additional_inputs])
        return scalar_of(call.within(state[0].graph).tensor(goes_on, BOOLEAN))

    def body(*state: Tensor) -> list[Tensor]:
        graph = state[0].graph
        results = call.subgraph(body_fn, graph, [*state, *additional_inputs])
        return [
            call.within(graph).tensor(result, before.element)
            for result, before in zip(results, state, strict=True)
        ]

    return condition, body


@lowers("higher_order.while_loop_stack_output")
def while_loop_with_all_states(
    call: Call, cond_fn: GraphModule, body_fn: GraphModule, carried_inputs: Sequence[Any],
    additional_inputs: Sequence[object],
) -> list[Any]:  # fmt: skip
    """The values that a loop carries after each step, stacked; the first ones if it takes none

    The loop runs twice: first its steps are counted, which say how large the results are.
    """
    goes_on, step = loop_of_graphs(call, cond_fn, body_fn, additional_inputs)
    first = as_tensors(call, carried_inputs)

    def counted_condition(_number: Tensor, *state: Tensor) -> Tensor:
        return goes_on(*state)

    def counted_step(number: Tensor, *state: Tensor) -> list[Tensor]:
        return [number + 1, *step(*state)]

    count, *_ = while_loop(counted_condition, counted_step, [call.tensor(0, INT64), *first])
    size = size_of(call, f.maximum(count, 1))

    def stacked_step(_graph: TensorGraph, index: Tensor, state: Sequence[Tensor]) -> list[Tensor]:
        results = step(*state[: len(first)])
        pairs = zip(state[len(first) :], results, strict=True)
        return [*results, *[dynamic_update_index(rows, one, index) for rows, one in pairs]]

    stacked = [m.expand_dims(x, 0).broadcast_to((size, *x.shape)) for x in first]
    return counted_loop(count, stacked_step, [*first, *stacked])[len(first) :]


@lowers("higher_order.scan")
def scan(
    call: Call, combine_fn: GraphModule, init: Sequence[Any], xs: Sequence[Tensor],
    additional_inputs: Sequence[Any] = (),
) -> list[Any]:  # fmt: skip
    """The last carried values, and the other results of each step, stacked"""
    first = as_tensors(call, init)
    count = len(first)

    def step(graph: TensorGraph, index: Tensor, state: Sequence[Tensor]) -> list[Tensor]:
        slices = [dynamic_index(x.within(graph), index) for x in xs]
        results = call.subgraph(combine_fn, graph, [*state[:count], *slices, *additional_inputs])
        tensors = as_tensors(call.within(graph), results)
        stacked = [
            dynamic_update_index(all_, one, index)
            for all_, one in zip(state[count:], tensors[count:], strict=True)
        ]
        return [*tensors[:count], *stacked]

    return counted_loop(length_of(call, xs), step, [*first, *stacks(call, count)])


def length_of(call: Call, xs: Sequence[Tensor]) -> Tensor:
    """The number of steps of a scan."""
    return call.tensor(xs[0].shape[0], INT64)


def stacks(call: Call, first: int) -> list[Tensor]:
    """Zeros in the place of stacked results, the first of which has a number."""
    types = tensor_types(call)[first:]
    return [full(call.graph, shape, 0, element) for shape, element in types]


@lowers("higher_order.map_impl")
def map_slices(
    call: Call, function: GraphModule, xs: Sequence[Tensor], pos_args: Sequence[object] = ()
) -> list[object]:
    """The results of a graph for each slice of tensors along their first dimension, stacked"""
    return scan(call, function, [], xs, pos_args)


@lowers("higher_order.associative_scan")
def associative_scan(
    call: Call,
    combine_fn: GraphModule,
    xs: Sequence[Tensor],
    additional_inputs: Sequence[object] = (),
) -> list[Any]:
    """The slices of ``xs`` up to each one, combined by an associative graph"""
    size = xs[0].shape[0]
    if isinstance(size, int) and size == 0:
        return list(xs)
    first = call.tensor(0, INT64)
    heads = [dynamic_index(x, first) for x in xs]

    def step(graph: TensorGraph, index: Tensor, state: Sequence[Tensor]) -> list[Tensor]:
        place = index + 1
        slices = [dynamic_index(x.within(graph), place) for x in xs]
        totals = call.subgraph(combine_fn, graph, [*state[: len(xs)], *slices, *additional_inputs])
        pairs = zip(state[len(xs) :], totals, strict=True)
        return [*totals, *[dynamic_update_index(all_, one, place) for all_, one in pairs]]

    outcome = counted_loop(length_of(call, xs) - 1, step, [*heads, *xs])
    return outcome[len(xs) :]


# graphs that are called as they are


@lowers("higher_order.invoke_subgraph")
def invoke_subgraph(
    call: Call, subgraph: GraphModule, identifier: str | None, *operands: object
) -> list[object]:
    """The results of a graph that is called from several places"""
    return call.subgraph(subgraph, call.graph, operands)


@lowers(
    "higher_order.wrap",
    "higher_order.wrap_activation_checkpoint",
    "higher_order.tag_activation_checkpoint",
    "higher_order.invoke_quant",
    "higher_order.foreach_map",
)
def wrap(call: Call, subgraph: GraphModule, *operands: object) -> list[object]:
    """The results of a graph"""
    return call.subgraph(subgraph, call.graph, operands)


@lowers("higher_order.strict_mode", "higher_order.run_const_graph", "higher_order.hints_wrapper")
def call_graph(
    call: Call, subgraph: GraphModule, operands: Sequence[object], *annotations: object
) -> list[object]:
    """The results of a graph, whose operands are a list"""
    return call.subgraph(subgraph, call.graph, operands)


@lowers("higher_order.wrap_with_set_grad_enabled")
def wrap_with_set_grad_enabled(
    call: Call, enable_grad: bool, subgraph: GraphModule, *operands: object
) -> list[object]:
    """The results of a graph in which gradients are on or off"""
    return call.subgraph(subgraph, call.graph, operands)


@lowers("higher_order.wrap_with_autocast")
def wrap_with_autocast(
    call: Call, device_type: str, dtype: ElementType | None, enabled: bool,
    cache_enabled: bool | None, subgraph: GraphModule, *operands: object,
) -> list[object]:  # fmt: skip
    """The results of a graph; conversions of autocast are operators in it"""
    return call.subgraph(subgraph, call.graph, operands)


@lowers("higher_order.out_dtype")
def out_dtype(call: Call, operator: object, output_dtype: ElementType, *operands: object) -> object:
    """The result of an operator on operands of an element type"""
    converted = [
        operand.convert(output_dtype) if isinstance(operand, Tensor) else operand
        for operand in operands
    ]
    return call_operator(call, operator, converted, {})


def call_operator(
    call: Call, operator: object, positional: Sequence[object], keywords: Mapping[str, object]
) -> object:
    """The result of an operator that is an argument of the call.

    Raises:
        UnsupportedError: It has no translation.
    """
    name = operator_name(operator)
    lowering = lowerings().get(name)
    if lowering is None:
        call.refuse(f"it calls {name}, which has no translation")
    values, named = pytorch.filled_arguments(operator, positional, keywords)
    return lowering.function(call, *values, **lowering.accepted_keywords(named))
