"""Builds the dataflow graph of a function; calls are inlined, short loops unrolled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, TypeAlias

from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.graph.memory_types import in_memory
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.dialects.call_graph import inlined_sizes
from stablemate.dialects.calls import CALLS, callee_of, may_request
from stablemate.execution.custom_calls.annotations import BOUNDARIES, IDENTITIES
from stablemate.execution.custom_calls.registered import REGISTERED
from stablemate.ir.attributes import IntegerAttribute, StringAttribute, attribute_as
from stablemate.ir.core import Block, Operation, OpResult, Value
from stablemate.ir.definition import has_trait, returned_values
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType, TokenType, TupleType, Type

# Custom calls whose results are their operands; a buffer is treated as its contents.
ANNOTATIONS: Final = frozenset({*IDENTITIES, *BOUNDARIES, "Pin", "Unpin"})
WITHOUT_EFFECT: Final = frozenset({"sdy.sharding_group"})  # no results either

GraphValue: TypeAlias = "Tensor | tuple[GraphValue, ...]"  # an operand or result of an operation
Constant = Callable[[Value], Any]  # the constant value of a value, or None
UnrollCount = Callable[[Operation, Mapping[str, Operation], Constant], int | None]


class OpenBlock:
    """A block whose operations are being added to a graph.

    Attributes:
        block: The block.
        rest: The operations that are not added yet.
        operation: The one that is being added.
        values: The values that operations of the block may use.
        function: The function whose call it replaces; empty if there is none.
    """

    __slots__ = ("block", "function", "operation", "rest", "values")

    def __init__(self, block: Block, values: dict[Value, GraphValue], function: str = "") -> None:
        self.block = block
        self.rest = iter(block.operations[:-1])
        self.operation: Operation | None = None
        self.values = values
        self.function = function

    def define(self, results: Sequence[GraphValue]) -> None:
        """Stores the results of the operation that was added."""
        assert self.operation is not None
        self.values.update(zip(self.operation.results, results, strict=True))

    def terminator_operands(self) -> tuple[GraphValue, ...]:
        """The operands of the terminator."""
        return tuple([self.values[operand] for operand in returned_values(self.block)])


class GraphBuilder:
    """Builds the graph of a function.

    Args:
        functions: All functions.
        unroll_count: Decides how many iterations of a loop replace the loop; None: no loop is
            unrolled.
        limits: How many operations the graph of a function may have.
    """

    def __init__(
        self,
        functions: Mapping[str, Operation],
        unroll_count: UnrollCount | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.functions = functions
        self.unroll_count = unroll_count
        self.limits = limits
        self.active: set[str] = set()  # the functions that are being inlined
        self.count = 0

    def new_tensor(self, value_type: Type, node: Node | None = None) -> Tensor:
        """Creates a tensor in memory, numbered in order of creation."""
        self.count += 1
        return Tensor(in_memory(value_type), node, self.count)

    def function(self, name: str) -> Graph:
        """Builds the graph of a function; users of values are not filled in yet.

        Tuples among its arguments and results are flattened, and tokens are dropped.
        """
        region = self.functions[name].regions[0]
        if not region.blocks:
            raise UnsupportedError(f"function @{name} has no body")
        self.check_size(name)
        self.active.add(name)
        block = region.block
        arguments: list[Tensor] = []
        values: dict[Value, GraphValue] = {}
        for argument in block.arguments:
            values[argument] = self.add_argument(argument.type, arguments)
        graph = Graph(tuple(arguments))
        results = list(flatten_tuples(self.add_operations(graph, block, values)))
        self.active.discard(name)
        graph.results = tuple([e for e in results if not isinstance(e.type, TokenType)])
        return graph

    def check_size(self, name: str) -> None:
        """Rejects a function whose calls, each by itself, become too many operations.

        Raises:
            UnsupportedError: They do.
        """
        most = self.limits.operations

        @cache
        def contents(function: str) -> Sequence[Operation]:
            return list(self.functions[function].walk())

        sizes = inlined_sizes(
            [name],
            lambda caller: callees(contents(caller), self.functions),
            lambda function: len(contents(function)),
            most,
        )
        if sizes[name] > most:
            message = f"the calls of @{name} become more than {most} operations"
            raise UnsupportedError(
                Diagnostic(message, "limits.operations", self.functions[name].span)
            )

    def add_argument(self, value_type: Type, tensors: list[Tensor]) -> GraphValue:
        """Creates the value of an argument and appends its tensors, except tokens, to a list."""
        if isinstance(value_type, TupleType):
            return tuple([self.add_argument(member, tensors) for member in value_type.types])
        tensor = self.new_tensor(value_type)
        if not isinstance(value_type, TokenType):
            tensors.append(tensor)
        return tensor

    def build_block(self, block: Block, values: dict[Value, GraphValue]) -> Graph:
        """Builds the graph of a block whose operations may also use values from outside.

        Args:
            block: The block.
            values: The values from outside; those of the block are added, and never looked up
                again.
        """
        graph = Graph(tuple(self.new_tensor(argument.type) for argument in block.arguments))
        values.update(zip(block.arguments, graph.arguments, strict=True))
        graph.results = require_tensors(self.add_operations(graph, block, values), block.terminator)
        return graph

    def add_operations(
        self,
        graph: Graph,
        block: Block,
        values: dict[Value, GraphValue],
    ) -> tuple[GraphValue, ...]:
        """Adds the operations of a block to a graph and returns the operands of its terminator.

        The operations of called functions are added in place of calls, however deep these are.
        """
        active = [OpenBlock(block, values)]
        while True:
            current = active[-1]
            operation = next(current.rest, None)
            if operation is None:
                returned = current.terminator_operands()
                active.pop()
                self.active.discard(current.function)
                if not active:
                    return returned
                active[-1].define(returned)
                continue
            current.operation = operation
            inlined = self.inlined_block(operation, current.values)
            if inlined is not None:
                active.append(inlined)
                continue
            current.define(self.add_operation(graph, operation, current.values))

    def inlined_block(
        self, operation: Operation, values: Mapping[Value, GraphValue]
    ) -> OpenBlock | None:
        """The block whose operations are added in place of an operation; None for most."""
        if operation.name in CALLS:
            name, block = self.callee(operation)
            self.active.add(name)
        elif operation.name == "sdy.named_computation":
            name, block = "", operation.regions[0].block
        else:
            return None
        operands = [values[operand] for operand in operation.operands]
        return OpenBlock(block, dict(zip(block.arguments, operands, strict=True)), name)

    def add_operation(
        self,
        graph: Graph,
        operation: Operation,
        values: dict[Value, GraphValue],
    ) -> Sequence[GraphValue]:
        """Adds an operation to a graph, unless it only renames values, and returns its results."""
        operands = tuple([values[operand] for operand in operation.operands])
        name = operation.name
        if has_trait(operation, Trait.IDENTITY) or is_annotation(operation):
            return operands
        if name in WITHOUT_EFFECT:
            return ()
        match name, operands:
            case "stablehlo.tuple", _:
                return (operands,)
            case "stablehlo.get_tuple_element", (tuple(members),):
                position = attribute_as(operation.attributes, "index", IntegerAttribute)
                return (members[position.value],)
            case "stablehlo.async_start", _:
                return (self.inline_async_start(graph, operation, operands),)
            case "stablehlo.async_done", (tuple(members),):
                return members
            case "stablehlo.while", _ if self.unroll_count is not None:
                iterations = self.unroll_count(
                    operation, self.functions, partial(constant_of, values)
                )
                if iterations is not None:
                    return self.unroll(graph, operation, iterations, operands, values)
            case _:
                pass
        if name == "stablehlo.custom_call":
            return self.add_custom_call(graph, operation, operands)
        node = Node(operation, require_tensors(operands, operation))
        node.results = tuple([self.new_tensor(result.type, node) for result in operation.results])
        node.regions = tuple(
            [
                self.build_block(region.block, values)
                for region in operation.regions
                if region.blocks
            ]
        )
        graph.nodes.append(node)
        return node.results

    def add_custom_call(
        self, graph: Graph, operation: Operation, operands: Sequence[GraphValue]
    ) -> Sequence[GraphValue]:
        """Adds a custom call, whose operands and results may be tuples."""
        node = Node(operation, tuple(flatten_tuples(operands)))
        graph.nodes.append(node)
        results: list[Tensor] = []

        def tensor_of(value_type: Type) -> GraphValue:
            if isinstance(value_type, TupleType):
                return tuple([tensor_of(member) for member in value_type.types])
            results.append(self.new_tensor(value_type, node))
            return results[-1]

        values = [tensor_of(result.type) for result in operation.results]
        node.results = tuple(results)
        return values

    def unroll(
        self,
        graph: Graph,
        operation: Operation,
        iterations: int,
        operands: Sequence[GraphValue],
        values: dict[Value, GraphValue],
    ) -> Sequence[GraphValue]:
        """Adds the body of a loop several times and returns the final state."""
        body = operation.regions[1].block
        for _ in range(iterations):
            values.update(zip(body.arguments, operands, strict=True))
            operands = self.add_operations(graph, body, values)
        return operands

    def callee(self, operation: Operation) -> tuple[str, Block]:
        """The name and the body of a called function.

        Raises:
            UnsupportedError: There is none, or it is being inlined.
        """
        name = callee_of(operation) or ""
        function = self.functions.get(name)
        if name in self.active or function is None or not function.regions[0].blocks:
            message = f"this call of @{name} cannot be inlined"
            raise UnsupportedError(Diagnostic(message, operation.name, operation.span))
        return name, function.regions[0].block

    def inline_async_start(
        self,
        graph: Graph,
        operation: Operation,
        operands: Sequence[GraphValue],
    ) -> tuple[GraphValue, ...]:
        """Adds the operations of ``async_start``; they finish before the next operation starts.

        Raises:
            UnsupportedError: An operation waits for other processes; what follows must not wait for
                it.
        """
        block = operation.regions[0].block
        if any(map(may_request, block.operations)):
            message = "native code does not start operations that wait for other processes"
            raise UnsupportedError(Diagnostic(message, operation.name, operation.span))
        values: dict[Value, GraphValue] = dict(zip(block.arguments, operands, strict=True))
        return self.add_operations(graph, block, values)


def callees(operations: Iterable[Operation], functions: Mapping[str, Operation]) -> Iterator[str]:
    """The functions that operations call, each as often as they do."""
    for operation in operations:
        callee = callee_of(operation)
        if callee is not None and callee in functions:
            yield callee


def is_annotation(operation: Operation) -> bool:
    """Whether this is a custom call that only annotates where values are stored or sharded."""
    if operation.name != "stablehlo.custom_call":
        return False
    target = attribute_as(operation.attributes, "call_target_name", StringAttribute)
    if target.value not in ANNOTATIONS or target.value in REGISTERED:
        return False
    types = [[in_memory(e.type) for e in v] for v in (operation.operands, operation.results)]
    return types[0] == types[1]


def flatten_tuples(values: Sequence[GraphValue]) -> Iterator[Tensor]:
    """The tensors that values consist of."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        else:
            yield from flatten_tuples(value)


def require_tensors(values: Sequence[GraphValue], consumer: Operation) -> tuple[Tensor, ...]:
    """The values, none of which may be a tuple.

    Raises:
        UnsupportedError: A value is a tuple, and its consumer is not compiled for tuples.
    """
    tensor_values = tuple([value for value in values if isinstance(value, Tensor)])
    if len(tensor_values) != len(values):
        message = "this operation is not compiled for tuples"
        raise UnsupportedError(Diagnostic(message, consumer.name, consumer.span))
    return tensor_values


def constant_of(values: Mapping[Value, GraphValue], value: Value[TensorType]) -> object:
    """The array of a value that is a constant; None if it is not."""
    tensor = values.get(value)
    node = tensor.node if isinstance(tensor, Tensor) else None
    definition: Any = None if node is None else node.operation
    if tensor is None and isinstance(value, OpResult):
        definition = value.operation
    return (
        definition.evaluate()
        if definition is not None and definition.name == "stablehlo.constant"
        else None
    )
