"""Graph: a function as the compiler sees it, calls opened, every value with one name.

graph = (argument*) { node* } -> (value*)
node  = value* = operation(value*) { graph* }       regions see the values around them
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias

from stablemate.compiler.contents import in_memory
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.calls import CALLS
from stablemate.execution.targets.annotations import BOUNDARIES, IDENTITIES
from stablemate.execution.targets.registry import REGISTERED
from stablemate.ir.core import Block, Operation, OpResult, Value
from stablemate.ir.definition import Asking
from stablemate.ir.types import TensorType, Type

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
SILENT: Final = frozenset({"sdy.sharding_group"})  # do nothing, and have no results


class Tensor:
    """A value of the program that is being compiled.

    Attributes:
        type: Its type.
        node: What makes it; None for an argument.
        users: The nodes that take it, and None for each time that a graph returns it.
    """

    __slots__ = ("node", "number", "type", "users")

    def __init__(self, value_type: Type, node: Node | None, number: int) -> None:
        self.type = value_type
        self.node = node
        self.number = number
        self.users: list[Node | None] = []

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape; that of anything but a tensor is empty."""
        return self.type.shape if isinstance(self.type, TensorType) else ()

    def __repr__(self) -> str:
        return f"%{self.number}"


@dataclass(eq=False, slots=True)
class Node:
    """One operation of the program.

    Attributes:
        operation: The operation; its fields are those of its class.
        operands: What it takes.
        results: What it makes.
        regions: Its regions.
    """

    operation: Any
    operands: tuple[Tensor, ...]
    results: tuple[Tensor, ...] = ()
    regions: tuple[Graph, ...] = ()

    def __repr__(self) -> str:
        results = ", ".join(map(repr, self.results))
        return f"{results} = {self.operation.name}({', '.join(map(repr, self.operands))})"


@dataclass(eq=False, slots=True)
class Graph:
    """A function or region."""

    arguments: tuple[Tensor, ...]
    nodes: list[Node] = field(default_factory=list["Node"])
    results: tuple[Tensor, ...] = ()

    def __str__(self) -> str:
        return "\n".join(lines_of(self, 0))


def lines_of(graph: Graph, depth: int) -> list[str]:
    """The lines of a printed graph."""
    pad = "  " * depth
    arguments = ", ".join(f"{each!r}: {each.type}" for each in graph.arguments)
    lines = [f"{pad}({arguments}) {{"]
    for node in graph.nodes:
        types = ", ".join(str(each.type) for each in node.results)
        lines.append(f"{pad}  {node!r} : {types}")
        for region in node.regions:
            lines += lines_of(region, depth + 2)
    lines.append(f"{pad}}} -> {', '.join(map(repr, graph.results))}")
    return lines


Known: TypeAlias = "Tensor | tuple[Known, ...]"  # what an operation takes or gives
Constant = Callable[[Value[Any]], Any]  # the array that a value is known to be, or None
Turns = Callable[[Operation, Mapping[str, Operation], Constant], int | None]


class GraphBuilder:
    """Makes the graph of a function.

    Args:
        functions: All functions.
        turns: How often the body of a loop is written out in the place of the loop, if at all.
    """

    def __init__(self, functions: Mapping[str, Operation], turns: Turns | None = None) -> None:
        self.functions = functions
        self.turns = turns
        self.count = 0

    def tensor(self, value_type: Type, node: Node | None = None) -> Tensor:
        """A new value."""
        self.count += 1
        return Tensor(in_memory(value_type), node, self.count)

    def function(self, name: str) -> Graph:
        """The graph of a function, in which nobody knows yet who uses what."""
        region = self.functions[name].regions[0]
        if not region.blocks:
            raise UnsupportedError(f"function @{name} has no body")
        block = region.block
        return self.block(block, {}, (name,))

    def block(
        self, block: Block, outside: Mapping[Value[Any], Known], active: tuple[str, ...]
    ) -> Graph:
        """The graph of a block, whose operations also see the values outside."""
        graph = Graph(tuple(self.tensor(each.type) for each in block.arguments))
        known = dict(outside)
        known.update(zip(block.arguments, graph.arguments, strict=True))
        graph.results = tensors(self.operations(graph, block, known, active), block.terminator)
        return graph

    def operations(
        self,
        graph: Graph,
        block: Block,
        known: dict[Value[Any], Known],
        active: tuple[str, ...],
    ) -> tuple[Known, ...]:
        """Adds the operations of a block to a graph; what its terminator returns."""
        for operation in block.operations[:-1]:
            results = self.operation(graph, operation, known, active)
            known.update(zip(operation.results, results, strict=True))
        return tuple([known[each] for each in block.terminator.operands])

    def operation(
        self,
        graph: Graph,
        operation: Operation,
        known: dict[Value[Any], Known],
        active: tuple[str, ...],
    ) -> Sequence[Known]:
        """Adds an operation to a graph, where it is no mere name for values; its results."""
        operands = tuple([known[each] for each in operation.operands])
        name = operation.name
        if name in TRANSPARENT or is_annotation(operation):
            return operands
        if name in SILENT:
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
                turns = self.turns(operation, self.functions, partial(constant_of, known))
                if turns is not None:
                    return self.unrolled(graph, operation, turns, operands, known, active)
            case _:
                pass
        node = Node(operation, tensors(operands, operation))
        node.results = tuple([self.tensor(each.type, node) for each in operation.results])
        node.regions = tuple(
            [self.block(each.block, known, active) for each in operation.regions if each.blocks]
        )
        graph.nodes.append(node)
        return node.results

    def unrolled(
        self,
        graph: Graph,
        operation: Operation,
        turns: int,
        operands: Sequence[Known],
        known: dict[Value[Any], Known],
        active: tuple[str, ...],
    ) -> Sequence[Known]:
        """Adds the body of a loop so many times; the state in the end."""
        body = operation.regions[1].block
        for _ in range(turns):
            known.update(zip(body.arguments, operands, strict=True))
            operands = self.operations(graph, body, known, active)
        return operands

    def call(
        self,
        graph: Graph,
        operation: Operation,
        symbol: str,
        operands: Sequence[Known],
        active: tuple[str, ...],
    ) -> tuple[Known, ...]:
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
        operands: Sequence[Known],
        active: tuple[str, ...],
    ) -> tuple[Known, ...]:
        """Adds what an operation begins, which ends before anything else is done.

        Raises:
            UnsupportedError: It waits for other processes, for which what follows may not wait.
        """
        block = operation.regions[0].block
        if any(map(may_wait, block.operations)):
            message = "what waits for other processes is not begun in native code"
            raise UnsupportedError(Diagnostic(message, operation.name, operation.span))
        return self.opened(graph, block, operands, active)

    def opened(
        self, graph: Graph, block: Block, operands: Sequence[Known], active: tuple[str, ...]
    ) -> tuple[Known, ...]:
        """Adds the operations of a block that sees its arguments only; what it returns."""
        known: dict[Value[Any], Known] = dict(zip(block.arguments, operands, strict=True))
        return self.operations(graph, block, known, active)


def may_wait(operation: Operation) -> bool:
    """Whether an operation asks the world, or something in it or in what it calls may."""
    return any(isinstance(each, Asking) or each.name in CALLS for each in operation.walk())


def is_annotation(operation: Operation) -> bool:
    """Whether this is a custom call that only says where values are."""
    if operation.name != "stablehlo.custom_call":
        return False
    target: Any = operation.attributes["call_target_name"]
    if target.value not in ANNOTATIONS or target.value in REGISTERED:
        return False
    types = [[in_memory(e.type) for e in v] for v in (operation.operands, operation.results)]
    return types[0] == types[1]


def tensors(values: Sequence[Known], taker: Operation) -> tuple[Tensor, ...]:
    """The values, of which none is a tuple.

    Raises:
        UnsupportedError: One is, and what takes it is not compiled.
    """
    found = tuple([each for each in values if isinstance(each, Tensor)])
    if len(found) != len(values):
        message = "this operation is not compiled for tuples"
        raise UnsupportedError(Diagnostic(message, taker.name, taker.span))
    return found


def constant_of(known: Mapping[Value[Any], Known], value: Value[Any]) -> Any:
    """The array that a value is a constant of; None if it is none."""
    tensor = known.get(value)
    node = tensor.node if isinstance(tensor, Tensor) else None
    maker: Any = None if node is None else node.operation
    if tensor is None and isinstance(value, OpResult):
        maker = value.operation
    return maker.evaluate() if maker is not None and maker.name == "stablehlo.constant" else None


def count_users(graph: Graph) -> None:
    """Fills in who uses each value."""
    for node in graph.nodes:
        for operand in node.operands:
            operand.users.append(node)
        for region in node.regions:
            count_users(region)
    for result in graph.results:
        result.users.append(None)
