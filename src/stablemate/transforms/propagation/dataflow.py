"""The data flow of a program: its values, their shardings, and what shardings pass through.

Each call has values of its own for the function that it calls, as if it were inlined. Constants,
what is computed from them alone, and scalars that are broadcast have a value for each use, so that
their uses do not share a sharding.

Source: Shardy, import passes (constant splitting, data-flow edges, sharding constraints).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.func import Call, FuncOp
from stablemate.dialects.sdy.annotations import (
    PropagationBarrier,
    Resharded,
    ShardingConstraint,
    ShardingGroup,
)
from stablemate.dialects.sdy.attributes import OpShardingRule, TensorSharding
from stablemate.dialects.sdy.computations import ManualComputation, NamedComputation
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.while_ import While
from stablemate.ir.core import Block, Operation, OpResult, Value
from stablemate.ir.types import TensorType, Type
from stablemate.transforms.partitioning.placement import Axes, join_axes
from stablemate.transforms.partitioning.requested_shardings import (
    ProgramShardings,
    RequestedSharding,
)
from stablemate.transforms.propagation.factor_propagation import PropagationDirections
from stablemate.transforms.propagation.factor_shardings import ValueSharding
from stablemate.transforms.propagation.registry import CONSTRAINT, is_elementwise, rule_of
from stablemate.transforms.propagation.rule_builder import identity_rule

Use: TypeAlias = "tuple[CallScope, Value]"  # a value of a call
# The axes of one sharding as a function of those of another.
Link: TypeAlias = tuple[ValueSharding, Callable[[Sequence[Axes]], list[Axes]]]

DEEPEST: Final = 64  # calls inside calls
CONSTANTS: Final = ("stablehlo.constant", "sdy.constant", "stablehlo.iota")
BROADCAST: Final = "stablehlo.broadcast_in_dim"
KEEP_CONSTANTS: Final = (BROADCAST, "stablehlo.reshape", "stablehlo.slice")
INSPECT: Final = "InspectSharding"


@dataclass(eq=False, slots=True)
class PropagationNode:
    """An operation that shardings pass through, or an edge between values of equal sharding.

    Attributes:
        rule: Its sharding rule.
        operands: The shardings of its operands, or of the sources of the edge.
        results: The shardings of its results, or of the targets of the edge.
        operation: The operation; None for an edge.
        uses: The values that it reads, but for scalars and constants.
        barrier: The directions that a barrier allows; None if it is no barrier.
    """

    rule: OpShardingRule
    operands: Sequence[ValueSharding]
    results: Sequence[ValueSharding]
    operation: Operation | None = None
    uses: Sequence[Use] = ()
    barrier: PropagationDirections | None = None


@dataclass(eq=False, slots=True)
class CallScope:
    """The values of one call of a function.

    Attributes:
        values: The sharding of each value.
        targets: Values that share their sharding with others along an edge.
        aliases: What is read in the place of a value, and its scope: the operand of a call for an
            argument, what a function returns for the result of a call, the result of a constraint.
        constants: The operations whose results have a sharding for each use.
        requests: The shardings that constraints request for a value.
        groups: The groups that a value belongs to.
        is_manual: Whether this is the body of a manual computation.
        path: The calls that lead to it.
    """

    values: dict[Value, ValueSharding] = field(default_factory=dict[Value, ValueSharding])
    targets: set[Value[Type]] = field(default_factory=set[Value])
    aliases: dict[Value[Type], tuple[CallScope, Value[Type]]] = field(
        default_factory=lambda: dict[Value, "tuple[CallScope, Value]"]()
    )
    constants: set[Operation] = field(default_factory=set[Operation])
    requests: defaultdict[Value, set[TensorSharding]] = field(
        default_factory=lambda: defaultdict[Value, set[TensorSharding]](set)
    )
    groups: defaultdict[Value, list[int]] = field(
        default_factory=lambda: defaultdict[Value, list[int]](list)
    )
    is_manual: bool = False
    path: tuple[Operation, ...] = ()


class DataFlow:
    """The data flow of the entry function of a program.

    Attributes:
        nodes: What shardings pass through, in the order of the program.
        ends: The edges from what the function returns to its results.
        uses: How often each value is read.
        links: The shardings that each sharding decides, and how.
        groups: The first member of each group of values that must have the same sharding.
        inspections: The calls that ask for the sharding of their operand, with it; None in the body
            of a manual computation.
        arguments: The shardings of the arguments.
        results: The shardings of the results.
        scopes: The scopes by the calls that lead to them.
    """

    def __init__(
        self, function: FuncOp, shardings: ProgramShardings, functions: Mapping[str, FuncOp]
    ) -> None:
        self.shardings = shardings
        self.functions = functions
        self.nodes: list[PropagationNode] = []
        self.uses: Counter[Use] = Counter()
        self.links: defaultdict[ValueSharding, list[Link]] = defaultdict(list)
        self.groups: dict[object, ValueSharding] = {}
        self.inspections: list[tuple[CustomCall, ValueSharding | None]] = []
        self.depth = 0
        scope, block = CallScope(), function.body.block
        self.scopes: dict[tuple[Operation, ...], CallScope] = {(): scope}
        self.arguments = self.declared_shardings(function.argument_attributes, block.arguments)
        scope.values.update(zip(block.arguments, self.arguments, strict=True))
        returned = self.block(block, scope)
        values = block.terminator.operands
        self.results = self.declared_shardings(function.result_attributes, values)
        self.ends = [
            PropagationNode(identity_of(value.type), [sharding], [result])
            for value, sharding, result in zip(values, returned, self.results, strict=True)
        ]

    # ---- shardings

    def declared_shardings(
        self, attributes: Sequence[Mapping[str, Any]], values: Sequence[Value]
    ) -> list[ValueSharding]:
        """The shardings of arguments or results, as a function declares them."""
        pairs = zip(attributes, values, strict=True)
        return [
            fresh(value.type, self.shardings.of_value(attribute, value.type))
            for attribute, value in pairs
        ]

    def requested_sharding(
        self, sharding: TensorSharding | None, value_type: Type
    ) -> RequestedSharding | None:
        """The sharding that an attribute requests."""
        return self.shardings.of_sharding(sharding, value_type) if sharding else None

    def of_results(self, operation: Operation) -> list[ValueSharding]:
        """New shardings of the results of an operation, as it requests them."""
        requests = self.shardings.of_results(operation)
        if isinstance(operation, Resharded):
            requests = [self.requested_sharding(operation.sharding, operation.results[0].type)]
        pairs = zip(operation.results, requests, strict=True)
        return [fresh(value.type, requested) for value, requested in pairs]

    # ---- values

    def read(self, value: Value[Type], scope: CallScope) -> ValueSharding:
        """The sharding of a value that an operation reads."""
        scope, value = resolve_value(scope, value)
        if is_copied(value, scope):
            return self.copy_sharding(value, scope)
        self.uses[scope, value] += 1
        return scope.values[value]

    def copy_sharding(self, value: Value[Type], scope: CallScope) -> ValueSharding:
        """The sharding of a copy of a constant, and of all that it is computed from."""
        assert isinstance(value, OpResult)
        operation = value.operation
        results = self.of_results(operation)
        rule = rule_of(operation)
        if rule is not None and not is_scalar_expansion(operation):
            operands = [self.read(operand, scope) for operand in operation.operands]
            self.nodes.append(PropagationNode(rule, operands, results, operation))
        for group in scope.groups[value]:
            self.join_group(group, results[value.index])
        return results[value.index]

    def join_group(self, group: int, sharding: ValueSharding) -> None:
        """Makes a sharding that of a group of values, whose first member decides."""
        first = self.groups.setdefault(group, sharding)
        if sharding is first:
            return
        if sharding.is_requested and not first.is_requested:
            first.dimensions, first.is_closed = list(sharding.dimensions), sharding.is_closed
        sharding.dimensions, sharding.is_closed = list(first.dimensions), first.is_closed
        self.links[first].append((sharding, list))
        self.links[sharding].append((first, list))

    def edge(self, sources: Sequence[ValueSharding], target: ValueSharding, of: Type) -> None:
        """Adds an edge from values to one that has their sharding."""
        if isinstance(of, TensorType) and of.is_static:
            self.nodes.append(PropagationNode(identity_of(of, len(sources)), sources, [target]))

    def inside(self, outer: ValueSharding, manual: frozenset[str]) -> ValueSharding:
        """The sharding of a value in a manual computation, which has the free axes alone."""
        fixed = [tuple(a for a in axes if a.name in manual) for axes in outer.dimensions]

        def free(dimensions: Sequence[Axes]) -> list[Axes]:
            return [tuple(a for a in axes if a.name not in manual) for axes in dimensions]

        def whole(dimensions: Sequence[Axes]) -> list[Axes]:
            return [join_axes(*pair) for pair in zip(fixed, dimensions, strict=True)]

        inner = ValueSharding(free(outer.dimensions), list(outer.is_closed))
        (inner.replicated,) = free([outer.replicated])
        self.links[outer].append((inner, free))
        self.links[inner].append((outer, whole))
        return inner

    # ---- operations

    def block(self, block: Block, scope: CallScope) -> list[ValueSharding]:
        """Adds the operations of a block; returns the shardings of what it returns."""
        self.operations(block, scope)
        return [self.read(value, scope) for value in block.terminator.operands]

    def operations(self, block: Block, scope: CallScope) -> None:
        """Adds the operations of a block."""
        for operation in block.operations:
            for value, sharding in constraints_in(operation):
                scope.requests[value].add(sharding)
            if isinstance(operation, ShardingGroup):
                home, value = resolve_value(scope, operation.operands[0])
                home.groups[value].append(operation.group_id)
        for operation in block.operations[:-1]:
            if is_constant(operation, scope) or is_scalar_expansion(operation):
                scope.constants.add(operation)
            else:
                FLOWS.get(operation.name, add_operation)(self, operation, scope)

    def apply(self, value: Value[Type], sharding: TensorSharding, scope: CallScope) -> bool:
        """Requests for a value what a constraint requests for its copy.

        Returns:
            False if all that reads the value should read the copy, because others share the
            sharding of the value.
        """
        requested = self.requested_sharding(sharding, value.type)
        others = scope.requests[value] - {sharding}
        scope, value = resolve_value(scope, value)
        own = scope.values.get(value)
        if own is None or requested is None or own.is_requested or any(requested.is_open):
            return True
        if others:
            return True
        if value in scope.targets:
            return False
        own.request(requested)
        return True

    def inline_block(
        self,
        operation: Operation,
        block: Block,
        entering: Sequence[ValueSharding],
        leaving: Sequence[ValueSharding],
        scope: CallScope,
    ) -> None:
        """Adds the operations of a block that an operation calls.

        Args:
            operation: The operation.
            block: What it calls.
            entering: The shardings of the arguments; where none is requested, the argument is the
                operand.
            leaving: The same for the results.
            scope: Where the operation is.
        """
        inner = CallScope(is_manual=scope.is_manual, path=(*scope.path, operation))
        self.scopes[inner.path] = inner
        for value, target, argument in zip(
            operation.operands, entering, block.arguments, strict=True
        ):
            if target.is_requested:
                self.edge([self.read(value, scope)], target, argument.type)
                inner.values[argument] = target
                inner.targets.add(argument)
            else:
                inner.aliases[argument] = scope, value
        self.depth += 1
        self.operations(block, inner)
        self.depth -= 1
        for value, target, result in zip(
            block.terminator.operands, leaving, operation.results, strict=True
        ):
            if target.is_requested:
                self.edge([self.read(value, inner)], target, result.type)
                scope.values[result] = target
                scope.targets.add(result)
            else:
                scope.aliases[result] = inner, value


Flow: TypeAlias = Callable[[DataFlow, Any, CallScope], None]


def add_operation(self: DataFlow, operation: Operation, scope: CallScope) -> None:
    """Adds an operation with a rule of its own; without one, shardings stop."""
    operands = [self.read(value, scope) for value in operation.operands]
    results = self.of_results(operation)
    scope.values.update(zip(operation.results, results, strict=True))
    rule = rule_of(operation)
    if rule is not None:
        uses = [
            resolve_value(scope, value)
            for value in operation.operands
            if getattr(value.type, "shape", ())
        ]
        self.nodes.append(PropagationNode(rule, operands, results, operation, uses))


def constraint(self: DataFlow, operation: ShardingConstraint, scope: CallScope) -> None:
    """Adds a constraint, which its operand follows where nothing else is requested."""
    value = operation.operands[0]
    applied = self.apply(value, operation.sharding, scope)
    add_operation(self, operation, scope)
    if not applied:
        home, value = resolve_value(scope, value)
        home.aliases[value] = scope, operation.results[0]


def while_(self: DataFlow, operation: While, scope: CallScope) -> None:
    """Adds a loop: first values, what the body returns and the state have one sharding."""
    states = self.of_results(operation)
    first = [self.read(value, scope) for value in operation.operands]
    for region in (operation.cond, operation.body):
        scope.values.update(zip(region.block.arguments, states, strict=True))
        scope.targets.update(region.block.arguments)
    scope.values.update(zip(operation.results, states, strict=True))
    scope.targets.update(operation.results)
    self.block(operation.cond.block, scope)
    returned = self.block(operation.body.block, scope)
    triples = zip(first, returned, states, operation.results, strict=True)
    for source, last, state, result in triples:
        self.edge([source, last], state, result.type)


def branches(self: DataFlow, operation: Operation, scope: CallScope) -> None:
    """Adds branches: what they return has one sharding."""
    for value in operation.operands:
        self.read(value, scope)
    results = self.of_results(operation)
    returned = [self.block(region.block, scope) for region in operation.regions]
    for sources, target, result in zip(
        zip(*returned, strict=True), results, operation.results, strict=True
    ):
        self.edge(sources, target, result.type)
        scope.values[result] = target
        scope.targets.add(result)


def barrier(self: DataFlow, operation: Operation, scope: CallScope) -> None:
    """Adds an optimization barrier, an edge for each operand."""
    results = self.of_results(operation)
    for value, target, result in zip(operation.operands, results, operation.results, strict=True):
        self.edge([self.read(value, scope)], target, result.type)
        scope.values[result] = target
        scope.targets.add(result)


def propagation_barrier(self: DataFlow, operation: PropagationBarrier, scope: CallScope) -> None:
    """Adds a barrier, which lets shardings pass in one direction or in none."""
    operand = self.read(operation.operands[0], scope)
    (result,) = self.of_results(operation)
    scope.values[operation.results[0]] = result
    allowed = PropagationDirections[operation.allowed_direction.name]
    rule = identity_of(operation.results[0].type)
    self.nodes.append(PropagationNode(rule, [operand], [result], operation, barrier=allowed))


def call(self: DataFlow, operation: Call, scope: CallScope) -> None:
    """Adds the operations of a function, with values of their own."""
    function = self.functions.get(operation.callee)
    if function is None or len(function.body.blocks) != 1 or self.depth >= DEEPEST:
        add_operation(self, operation, scope)
        return
    block = function.body.block
    entering = self.declared_shardings(function.argument_attributes, block.arguments)
    leaving = self.declared_shardings(function.result_attributes, operation.results)
    self.inline_block(operation, block, entering, leaving, scope)


def named_computation(self: DataFlow, operation: NamedComputation, scope: CallScope) -> None:
    """Adds the operations of a computation."""
    block: Block = operation.body.block
    entering, leaving = (
        [
            fresh(value.type, self.requested_sharding(sharding, value.type))
            for sharding, value in pairs
        ]
        for pairs in (
            zip(
                optional_shardings(operation.in_shardings, operation.operands),
                block.arguments,
                strict=True,
            ),
            zip(
                optional_shardings(operation.out_shardings, operation.results),
                operation.results,
                strict=True,
            ),
        )
    )
    self.inline_block(operation, block, entering, leaving, scope)


def manual_computation(self: DataFlow, operation: ManualComputation, scope: CallScope) -> None:
    """Adds a manual computation: its body has the free axes of the shardings that it states."""
    manual, block = frozenset(operation.manual_axes.axes), operation.body.block
    inner = CallScope(is_manual=True)
    shardings = operation.in_shardings.shardings
    for value, sharding, argument in zip(
        operation.operands, shardings, block.arguments, strict=True
    ):
        self.apply(value, sharding, scope)
        target = fresh(value.type, self.requested_sharding(sharding, value.type))
        self.edge([self.read(value, scope)], target, value.type)
        inner.values[argument] = self.inside(target, manual)
        inner.targets.add(argument)
    returned = self.block(block, inner)
    shardings = operation.out_shardings.shardings
    for source, result, sharding in zip(returned, operation.results, shardings, strict=True):
        target = fresh(result.type, self.requested_sharding(sharding, result.type))
        self.edge([source], self.inside(target, manual), result.type)
        scope.values[result] = target
        scope.targets.add(result)


def custom_call(self: DataFlow, operation: CustomCall, scope: CallScope) -> None:
    """Adds a custom call, or notes that it asks for the sharding of its operand."""
    if operation.call_target_name != INSPECT:
        add_operation(self, operation, scope)
        return
    sharding = self.read(operation.operands[0], scope)
    self.inspections.append((operation, None if scope.is_manual else sharding))


def sharding_group(self: DataFlow, operation: ShardingGroup, scope: CallScope) -> None:
    """Adds a value to a group of values that have one sharding; copies of constants join later."""
    scope, value = resolve_value(scope, operation.operands[0])
    own = scope.values.get(value)
    if own is not None:
        self.join_group(operation.group_id, own)


FLOWS: Final[Mapping[str, Flow]] = {
    CONSTRAINT: constraint,
    "func.call": call,
    "sdy.manual_computation": manual_computation,
    "sdy.named_computation": named_computation,
    "sdy.propagation_barrier": propagation_barrier,
    "sdy.sharding_group": sharding_group,
    "stablehlo.case": branches,
    "stablehlo.custom_call": custom_call,
    "stablehlo.if": branches,
    "stablehlo.optimization_barrier": barrier,
    "stablehlo.while": while_,
}


def fresh(value_type: Type, requested: RequestedSharding | None) -> ValueSharding:
    """The sharding of a value before propagation."""
    sharding = ValueSharding.unknown(len(getattr(value_type, "shape", ())))
    if requested is not None:
        sharding.request(requested)
    return sharding


def identity_of(value_type: object, operands: int = 1) -> OpShardingRule:
    """The rule of an edge between values of a type."""
    return identity_rule(getattr(value_type, "shape", ()), operands)


def optional_shardings(shardings: Any, values: Sequence[Value]) -> Sequence[TensorSharding | None]:
    """The shardings of an optional list."""
    return shardings.shardings if shardings is not None else [None] * len(values)


def constraints_in(operation: Operation) -> Sequence[tuple[Value, TensorSharding]]:
    """The values for which an operation requests a sharding."""
    match operation:
        case ShardingConstraint():
            return [(operation.operands[0], operation.sharding)]
        case ManualComputation():
            return list(zip(operation.operands, operation.in_shardings.shardings, strict=True))
        case _:
            return []


def resolve_value(scope: CallScope, value: Value[Type]) -> Use:
    """The value that is read in the place of a value, and its scope."""
    while value in scope.aliases:
        scope, value = scope.aliases[value]
    return scope, value


def is_copied(value: Value[Type], scope: CallScope) -> bool:
    """Whether each use of a value has a sharding of its own."""
    return isinstance(value, OpResult) and value.operation in scope.constants


def is_constant(operation: Operation, scope: CallScope) -> bool:
    """Whether an operation computes a constant."""
    if operation.name in CONSTANTS:
        return True
    keeps = operation.name in KEEP_CONSTANTS or is_elementwise(operation)
    sources = [resolve_value(scope, value) for value in operation.operands]
    return keeps and all(is_copied(value, origin) for origin, value in sources)


def is_scalar_expansion(operation: Operation) -> bool:
    """Whether an operation broadcasts a scalar."""
    return operation.name == BROADCAST and not getattr(operation.operands[0].type, "shape", (1,))
