"""The partitioner: goes through a program once, operation by operation, with the placement of each
value, and emits what one device does.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.func import FuncOp
from stablemate.dialects.sdy.attributes import OpShardingRule
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import QuantizedType
from stablemate.transforms.partitioning.division import FactorAxes, divided
from stablemate.transforms.partitioning.local_attributes import LOCAL
from stablemate.transforms.partitioning.moving import Mover
from stablemate.transforms.partitioning.placement import (
    Placement,
    axes_after,
    replicated,
    starts_with,
)
from stablemate.transforms.partitioning.rules import RULES, user_rule
from stablemate.transforms.partitioning.stated import SHARDINGS, RequestedSharding, Statements

Maker: TypeAlias = Callable[[Builder, Placement], Value[Any]]
Handler: TypeAlias = Callable[["Partitioner", Any, Builder], None]

# What may be done to the terms of a sum as well as to the sum.
MOVES: Final = ("stablehlo.reshape", "stablehlo.transpose")
LINEAR: Final = (*MOVES, "stablehlo.add", "stablehlo.negate", "stablehlo.subtract")


@dataclass(eq=False, slots=True)
class PartitionedValue:
    """A value of the program and its local counterpart on a device.

    Attributes:
        type: The type of the value.
        placement: How devices share it; what is no tensor is whole everywhere.
        value: What a device holds; None if nothing has been made of it yet.
        make: Makes a device's piece by any placement, where that is better than moving one.
        number: The number that fills it, if there is one.
    """

    type: Type
    placement: Placement
    value: Value[Any] | None = None
    make: Maker | None = None
    number: Any = None


class Partitioner:
    """One pass over one program.

    Attributes:
        statements: What the program says of shardings.
        functions: Its functions by name.
        mover: Emits what moves pieces.
        held: What stands for each value.
        moved: What has been moved already, for each region around the current place.
        calls: The functions that are being partitioned.
        gathers: Whether operands are gathered where an operation cannot be divided as they are, as
            XLA does; otherwise it is rejected.
    """

    def __init__(
        self,
        statements: Statements,
        functions: Mapping[str, FuncOp],
        mover: Mover,
        special: Mapping[str, Handler],
        *,
        gathers: bool = False,
    ) -> None:
        self.statements = statements
        self.functions = functions
        self.mover = mover
        self.special = special
        self.held: dict[Value[Any], PartitionedValue] = {}
        self.moved: list[dict[tuple[PartitionedValue, Placement], Value[Any]]] = [{}]
        self.calls: list[str] = []
        self.gathers = gathers

    # ---- values

    def holds(
        self, value: Value[Any], local: Value[Any] | None, placement: Placement
    ) -> PartitionedValue:
        """Records the local counterpart of a value."""
        held = self.held[value] = PartitionedValue(value.type, placement, local)
        return held

    def piece(self, builder: Builder, held: PartitionedValue, placement: Placement) -> Value[Any]:
        """A device's piece of a value by a placement; moved there once."""
        if held.value is not None and held.placement == placement:
            return held.value
        key = held, placement
        for cache in self.moved:
            if key in cache:
                return cache[key]
        if held.make is not None:
            moved = held.make(builder, placement)
        else:
            assert held.value is not None
            moved = self.mover.moved(builder, held.value, held.placement, placement)
        self.moved[-1][key] = moved
        return moved

    def replicated(self, builder: Builder, held: PartitionedValue) -> Value[Any]:
        """A value as every device holds all of it."""
        return self.piece(builder, held, replicated(len(held.placement.dimensions)))

    def require(
        self, builder: Builder, operation: Operation, result: int, wanted: RequestedSharding | None
    ) -> None:
        """Divides a result as it is stated, if it is."""
        if wanted is not None:
            self.divide(builder, operation, operation.results[result], wanted)

    def divide(
        self, builder: Builder, operation: Operation, value: Value[Any], wanted: RequestedSharding
    ) -> None:
        """Divides a value as it is stated at an operation."""
        try:
            self.fits(operation, value.type, wanted.placement)
        except UnsupportedError:
            if self.gathers:
                return  # a constraint that no pieces of one size satisfy is a wish
            raise
        held = self.held[value]
        target = with_open_axes(wanted, held)
        moved_value = self.piece(builder, held, target)
        self.held[value] = PartitionedValue(value.type, target, moved_value, held.make, held.number)

    def fits(self, operation: Operation, value_type: Type, placement: Placement) -> None:
        """Refuses to divide a dimension into pieces of different sizes.

        Raises:
            UnsupportedError: A count does not divide the size.
        """
        shape = value_type.shape if isinstance(value_type, TensorType) else ()
        for d, (size, count) in enumerate(zip(shape, placement.counts, strict=True)):
            if size % count:
                values = {"dimension": d, "size": size, "axes": str(placement)}
                text = f"{count} pieces of a dimension of {size} elements differ in size"
                raise UnsupportedError(Diagnostic(text, operation.name, operation.span, values))

    # ---- operations

    def block(self, block: Block, builder: Builder) -> list[PartitionedValue]:
        """Partitions the operations of a block; returns the partitioned terminator operands."""
        for operation in block.operations[:-1]:
            self.operation(operation, builder.at(operation))
        return [self.held[value] for value in block.terminator.operands]

    def operation(self, operation: Operation, builder: Builder) -> None:
        """Partitions an operation.

        Raises:
            UnsupportedError: It cannot be partitioned, or not as its operands are divided.
        """
        try:
            self.divided(operation, builder)
        except UnsupportedError:
            if not self.gathers or not self.gather(operation, builder):
                raise
            self.divided(operation, builder)
        for i, wanted in enumerate(self.statements.of_results(operation)):
            self.require(builder, operation, i, wanted)

    def divided(self, operation: Operation, builder: Builder) -> None:
        """Partitions an operation as its operands are divided."""
        special = self.special.get(operation.name)
        if special is not None and user_rule(operation) is None:
            special(self, operation, builder)
        else:
            self.by_rule(operation, builder, self.rule(operation))

    def gather(self, operation: Operation, builder: Builder) -> bool:
        """Gathers the operands of an operation on every device; whether any was divided."""
        held = [(value, self.held[value]) for value in operation.operands]
        divided = [
            (value, held_value) for value, held_value in held if not held_value.placement.is_whole
        ]
        for value, held_value in divided:
            target = replicated(len(held_value.placement.dimensions))
            self.held[value] = PartitionedValue(
                held_value.type, target, self.replicated(builder, held_value), held_value.make
            )
        return bool(divided)

    def rule(self, operation: Operation) -> OpShardingRule:
        """Along what an operation can be divided.

        Raises:
            UnsupportedError: Nobody says.
        """
        own = user_rule(operation)
        if own is not None:
            return own
        dynamic = next((v for v in operation.results if not is_static(v.type)), None)
        if operation.name not in RULES or dynamic is not None:
            text = "there is no rule by which the operation is divided over devices"
            raise UnsupportedError(Diagnostic(text, operation.name, operation.span))
        return RULES[operation.name](operation)

    def axes(self, operation: Operation, rule: OpShardingRule) -> FactorAxes:
        """Which axes divide which factors of an operation."""
        held = [self.held[value] for value in operation.operands]
        return divided(operation, rule, [held_value.placement.reduced for held_value in held])

    def by_rule(self, operation: Operation, builder: Builder, rule: OpShardingRule) -> None:
        """Divides an operation by its rule; it computes on pieces what it computes on the whole."""
        axes = self.axes(operation, rule)
        results = [axes.placement(result) for result in rule.results]
        if axes.terms:
            results = [Placement(result.dimensions, axes.terms) for result in results]
        operands = [axes.placement(operand) for operand in rule.operands]
        terms = self.kept_terms(operation)
        if terms is not None:
            operands, results = (
                [Placement(placement.dimensions, terms.terms, terms.monoid) for placement in row]
                for row in (operands, results)
            )
        values = self.pieces(operation, builder, operands)
        self.emit(operation, builder, values, operands, results)

    def pieces(
        self, operation: Operation, builder: Builder, placements: Sequence[Placement]
    ) -> list[Value[Any]]:
        """A device's pieces of the operands of an operation."""
        pairs = zip(operation.operands, placements, strict=True)
        return [self.piece(builder, self.held[value], placement) for value, placement in pairs]

    def kept_terms(self, operation: Operation) -> Placement | None:
        """The terms that all operands are in, if the operation may be done to each of them."""
        if operation.name not in LINEAR:
            return None
        held = [self.held[value] for value in operation.operands]
        first = held[0].placement
        same = all(
            (held_value.placement.terms, held_value.placement.monoid) == (first.terms, first.monoid)
            and held_value.placement.dimensions == first.dimensions
            for held_value in held
        )
        allowed = operation.name in MOVES or first.monoid == "add"
        return first if first.terms and same and allowed else None

    def emit(
        self,
        operation: Operation,
        builder: Builder,
        values: Sequence[Value[Any]],
        operands: Sequence[Placement],
        results: Sequence[Placement],
    ) -> Operation:
        """The operation on pieces.

        Raises:
            UnsupportedError: Its quantized elements cannot be divided.
        """
        self.check_quantized(operation, [*operands, *results])
        pairs = zip(operation.results, results, strict=True)
        types = [local_type(value.type, placement) for value, placement in pairs]
        local = LOCAL.get(operation.name)
        changed = local(operation, values, types) if local else operation.attributes
        copy = type(operation)(
            values,
            types,
            changed,
            [self.copied(region, builder) for region in operation.regions],
            discardable={k: v for k, v in operation.discardable.items() if k not in SHARDINGS},
            location=operation.location,
            span=operation.span,
            parts=operation.parts,
        )
        builder.block.append(copy)
        for value, result, placement in zip(operation.results, copy.results, results, strict=True):
            self.holds(value, result, placement)
        return copy

    def check_quantized(self, operation: Operation, placements: Sequence[Placement]) -> None:
        """Refuses to divide what is quantized slice by slice, and to add quantized terms."""
        values: list[Value[Any]] = [*operation.operands, *operation.results]
        for value, placement in zip(values, placements, strict=True):
            element = getattr(value.type, "element_type", None)
            if not isinstance(element, QuantizedType) or placement.is_whole:
                continue
            if placement.terms or element.quantization_dimension is not None:
                text = "terms and slices of quantized tensors are not divided over devices"
                raise UnsupportedError(Diagnostic(text, operation.name, operation.span))

    def copied(self, region: Region, builder: Builder) -> Region:
        """A copy of a region that computes on its own; values from outside are whole in it."""
        rewriting = Rewriting({})
        for block in region.blocks:
            for operation in (o for top in block.operations for o in top.walk()):
                for value in operation.operands:
                    if value in self.held and value not in rewriting.values:
                        rewriting.values[value] = self.replicated(builder, self.held[value])
        return rewriting.copied_region(region)

    # ---- regions

    @contextmanager
    def inside(self) -> Generator[None]:
        """A region: what is moved in it is not seen outside."""
        self.moved.append({})
        try:
            yield
        finally:
            self.moved.pop()

    @contextmanager
    def attempt(self) -> Generator[None]:
        """A region that is thrown away."""
        state = self.mover.state()
        with self.inside():
            yield
        self.mover.restore(state)


def with_open_axes(wanted: RequestedSharding, held: PartitionedValue) -> Placement:
    """The placement that is wanted; open dimensions keep further axes that they have."""
    used = [part for axes in wanted.placement.dimensions for part in axes]
    placement = wanted.placement
    for d, is_open in enumerate(wanted.is_open):
        own, stated_axes = held.placement.dimensions[d], placement.dimensions[d]
        if is_open and own != stated_axes and starts_with(own, stated_axes):
            rest = axes_after(own, stated_axes)
            if not {part.name for part in rest} & {part.name for part in used}:
                placement = placement.with_axes(d, own)
    return placement


def local_type(value_type: Type, placement: Placement) -> Type:
    """The type of a device's piece."""
    return placement.local(value_type) if isinstance(value_type, TensorType) else value_type


def is_static(value_type: Type) -> bool:
    """Whether all sizes are known."""
    return not isinstance(value_type, TensorType) or value_type.is_static


def rank_of(value_type: Type) -> int:
    """The number of dimensions; what is no tensor has none."""
    return value_type.rank if isinstance(value_type, TensorType) else 0
