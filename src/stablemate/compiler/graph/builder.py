"""The graph of a function: calls and tuples opened, short loops written out, annotations gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.graph.memory_types import in_memory
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.calls import CALLS, may_request
from stablemate.execution.custom_calls.annotations import BOUNDARIES, IDENTITIES
from stablemate.execution.custom_calls.registry import REGISTERED
from stablemate.ir.core import Block, Operation, OpResult, Value
from stablemate.ir.types import TokenType, TupleType, Type

# Results are the operands: annotations of shardings do nothing to a tensor as a whole.
TRANSPARENT: Final = frozenset(
    {
        "stablehlo.optimization_barrier",
        *(
            f"sdy.{name}"
            for name in (
                "all_gather", "all_reduce", "all_slice", "all_to_all", "collective_permute",
                "data_flow_edge", "func_data_flow_edge", "propagation_barrier", "reduce_scatter",
                "replicated_to_unreduced", "reshard", "sharded_to_unreduced",
                "sharding_constraint",
            )
        ),
    }
)  # fmt: skip
# Custom calls of the same kind; a buffer is what it was made of.
ANNOTATIONS: Final = frozenset({*IDENTITIES, *BOUNDARIES, "Pin", "Unpin"})
WITHOUT_EFFECT: Final = frozenset({"sdy.sharding_group"})  # do nothing, and have no results

GraphValue: TypeAlias = "Tensor | tuple[GraphValue, ...]"  # what an operation takes or gives
Constant = Callable[[Value[Any]], Any]  # the array that a value is known to be, or None
UnrollCount = Callable[[Operation, Mapping[str, Operation], Constant], int | None]


class GraphBuilder:
    """Makes the graph of a function.

    Args:
        functions: All functions.
        turns: How often the body of a loop is written out in the place of the loop, if at all.
    """

    def __init__(
        self, functions: Mapping[str, Operation], turns: UnrollCount | None = None
    ) -> None:
        self.functions = functions
        self.turns = turns
        self.count = 0

    def tensor(self, value_type: Type, node: Node | None = None) -> Tensor:
        """A new value."""
        self.count += 1
        return Tensor(in_memory(value_type), node, self.count)

    def function(self, name: str) -> Graph:
        """The graph of a function, in which nobody knows yet who uses what.

        Its arguments and results are the parts of tuples, without tokens.
        """
        region = self.functions[name].regions[0]
        if not region.blocks:
            raise UnsupportedError(f"function @{name} has no body")
        block = region.block
        arguments: list[Tensor] = []
        values: dict[Value[Any], GraphValue] = {}
        for argument in block.arguments:
            values[argument] = self.argument(argument.type, arguments)
        graph = Graph(tuple(arguments))
        results = list(flatten_tuples(self.operations(graph, block, values, (name,))))
        graph.results = tuple([e for e in results if not isinstance(e.type, TokenType)])
        return graph

    def argument(self, value_type: Type, parts: list[Tensor]) -> GraphValue:
        """An argument of a type; what it is made of is added to the others, but for tokens."""
        if isinstance(value_type, TupleType):
            return tuple([self.argument(member, parts) for member in value_type.types])
        tensor = self.tensor(value_type)
        if not isinstance(value_type, TokenType):
            parts.append(tensor)
        return tensor

    def block(
        self, block: Block, outside: Mapping[Value[Any], GraphValue], active: tuple[str, ...]
    ) -> Graph:
        """The graph of a block, whose operations also see the values outside."""
        graph = Graph(tuple(self.tensor(argument.type) for argument in block.arguments))
        values = dict(outside)
        values.update(zip(block.arguments, graph.arguments, strict=True))
        graph.results = require_tensors(
            self.operations(graph, block, values, active), block.terminator
        )
        return graph

    def operations(
        self,
        graph: Graph,
        block: Block,
        values: dict[Value[Any], GraphValue],
        active: tuple[str, ...],
    ) -> tuple[GraphValue, ...]:
        """Adds the operations of a block to a graph; what its terminator returns."""
        for operation in block.operations[:-1]:
            results = self.operation(graph, operation, values, active)
            values.update(zip(operation.results, results, strict=True))
        return tuple([values[operand] for operand in block.terminator.operands])

    def operation(
        self,
        graph: Graph,
        operation: Operation,
        values: dict[Value[Any], GraphValue],
        active: tuple[str, ...],
    ) -> Sequence[GraphValue]:
        """Adds an operation to a graph, where it is no mere name for values; its results."""
        operands = tuple([values[operand] for operand in operation.operands])
        name = operation.name
        if name in TRANSPARENT or is_annotation(operation):
            return operands
        if name in WITHOUT_EFFECT:
            return ()
        if name in CALLS:
            return self.call(graph, operation, CALLS[name], operands, active)
        match name, operands:
            case "stablehlo.tuple", _:
                return (operands,)
            case "stablehlo.get_tuple_element", (tuple(parts),):
                position: Any = operation.attributes["index"]
                return (parts[position.value],)
            case "sdy.named_computation", _:
                block = operation.regions[0].block
                return self.opened(graph, block, operands, active)
            case "stablehlo.async_start", _:
                return (self.begun(graph, operation, operands, active),)
            case "stablehlo.async_done", (tuple(parts),):
                return parts
            case "stablehlo.while", _ if self.turns is not None:
                turns = self.turns(operation, self.functions, partial(constant_of, values))
                if turns is not None:
                    return self.unrolled(graph, operation, turns, operands, values, active)
            case _:
                pass
        if name == "stablehlo.custom_call":
            return self.custom_call(graph, operation, operands)
        node = Node(operation, require_tensors(operands, operation))
        node.results = tuple([self.tensor(result.type, node) for result in operation.results])
        node.regions = tuple(
            [
                self.block(region.block, values, active)
                for region in operation.regions
                if region.blocks
            ]
        )
        graph.nodes.append(node)
        return node.results

    def custom_call(
        self, graph: Graph, operation: Operation, operands: Sequence[GraphValue]
    ) -> Sequence[GraphValue]:
        """Adds a custom call, which may take and give tuples."""
        node = Node(operation, tuple(flatten_tuples(operands)))
        graph.nodes.append(node)
        results: list[Tensor] = []

        def tensor_of(value_type: Type) -> GraphValue:
            if isinstance(value_type, TupleType):
                return tuple([tensor_of(member) for member in value_type.types])
            results.append(self.tensor(value_type, node))
            return results[-1]

        values = [tensor_of(result.type) for result in operation.results]
        node.results = tuple(results)
        return values

    def unrolled(
        self,
        graph: Graph,
        operation: Operation,
        turns: int,
        operands: Sequence[GraphValue],
        values: dict[Value[Any], GraphValue],
        active: tuple[str, ...],
    ) -> Sequence[GraphValue]:
        """Adds the body of a loop so many times; the state in the end."""
        body = operation.regions[1].block
        for _ in range(turns):
            values.update(zip(body.arguments, operands, strict=True))
            operands = self.operations(graph, body, values, active)
        return operands

    def call(
        self,
        graph: Graph,
        operation: Operation,
        symbol: str,
        operands: Sequence[GraphValue],
        active: tuple[str, ...],
    ) -> tuple[GraphValue, ...]:
        """Adds the operations of a called function."""
        target: Any = operation.attributes[symbol]
        name = target.root
        function = self.functions.get(name)
        if name in active or function is None or not function.regions[0].blocks:
            message = f"this call of @{name} cannot be opened"
            raise UnsupportedError(Diagnostic(message, operation.name, operation.span))
        return self.opened(graph, function.regions[0].block, operands, (*active, name))

    def begun(
        self,
        graph: Graph,
        operation: Operation,
        operands: Sequence[GraphValue],
        active: tuple[str, ...],
    ) -> tuple[GraphValue, ...]:
        """Adds what an operation begins, which ends before anything else is done.

        Raises:
            UnsupportedError: It waits for other processes, for which what follows may not wait.
        """
        block = operation.regions[0].block
        if any(map(may_request, block.operations)):
            message = "what waits for other processes is not begun in native code"
            raise UnsupportedError(Diagnostic(message, operation.name, operation.span))
        return self.opened(graph, block, operands, active)

    def opened(
        self, graph: Graph, block: Block, operands: Sequence[GraphValue], active: tuple[str, ...]
    ) -> tuple[GraphValue, ...]:
        """Adds the operations of a block that sees its arguments only; what it returns."""
        values: dict[Value[Any], GraphValue] = dict(zip(block.arguments, operands, strict=True))
        return self.operations(graph, block, values, active)


def is_annotation(operation: Operation) -> bool:
    """Whether this is a custom call that only says where values are."""
    if operation.name != "stablehlo.custom_call":
        return False
    target: Any = operation.attributes["call_target_name"]
    if target.value not in ANNOTATIONS or target.value in REGISTERED:
        return False
    types = [[in_memory(e.type) for e in v] for v in (operation.operands, operation.results)]
    return types[0] == types[1]


def flatten_tuples(values: Sequence[GraphValue]) -> Iterator[Tensor]:
    """What values are made of."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        else:
            yield from flatten_tuples(value)


def require_tensors(values: Sequence[GraphValue], taker: Operation) -> tuple[Tensor, ...]:
    """The values, of which none is a tuple.

    Raises:
        UnsupportedError: One is, and what takes it is not compiled.
    """
    tensor_values = tuple([value for value in values if isinstance(value, Tensor)])
    if len(tensor_values) != len(values):
        message = "this operation is not compiled for tuples"
        raise UnsupportedError(Diagnostic(message, taker.name, taker.span))
    return tensor_values


def constant_of(values: Mapping[Value[Any], GraphValue], value: Value[Any]) -> Any:
    """The array that a value is a constant of; None if it is none."""
    tensor = values.get(value)
    node = tensor.node if isinstance(tensor, Tensor) else None
    maker: Any = None if node is None else node.operation
    if tensor is None and isinstance(value, OpResult):
        maker = value.operation
    return maker.evaluate() if maker is not None and maker.name == "stablehlo.constant" else None
