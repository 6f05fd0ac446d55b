"""Visits the operations of a program once, in order, and emits the program of one device.

The placement of each value is propagated forward.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Generator,
    Hashable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.func import FuncOp
from stablemate.dialects.sdy.attributes import OpShardingRule
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Operation, OpResult, Region, Value
from stablemate.ir.definition import Op, has_trait
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.traits import Trait
from stablemate.ir.types import Attribute, TensorType, Type
from stablemate.numerics.elements import QuantizedType
from stablemate.transforms.partitioning.division import (
    FactorAxes,
    divide_as_result,
    divide_factors,
    gathers_less,
)
from stablemate.transforms.partitioning.factors import shape_of
from stablemate.transforms.partitioning.local_attributes import LOCAL, local_marks
from stablemate.transforms.partitioning.movement.redistribution import accepted_placements
from stablemate.transforms.partitioning.movement.resharding import Resharder
from stablemate.transforms.partitioning.movement.splats import splat_constant
from stablemate.transforms.partitioning.partitioned_values import (
    NeededPart,
    PartitionedValue,
    heaviest_reader,
)
from stablemate.transforms.partitioning.placement import (
    Axes,
    TensorPlacement,
    are_disjoint,
    axes_after,
    join_axes,
    replicated_placement,
    starts_with,
)
from stablemate.transforms.partitioning.requested_shardings import (
    SHARDINGS,
    ProgramShardings,
    RequestedSharding,
)
from stablemate.transforms.partitioning.rules import rule_by_name, user_rule
from stablemate.transforms.partitioning.windowed.reading import read_window

Handler: TypeAlias = Callable[["Partitioner", Any, Builder], None]
WindowedHandler: TypeAlias = Callable[["Partitioner", Any, Builder], bool]  # whether it did it
BY_RULE: Final = "by rule"  # the name of the handler of all operations on windows
NO_HANDLERS: Final[Mapping[str, WindowedHandler]] = {}

PropagatedPlacement: TypeAlias = Callable[[Sequence[Operation], Value], TensorPlacement | None]
BROADCAST: Final = "stablehlo.broadcast_in_dim"
CONCATENATE: Final = "stablehlo.concatenate"
RESHAPE: Final = "stablehlo.reshape"
LONGEST_CHAIN: Final = 64  # operations that are emitted together

# What may be done to the terms of a sum as well as to the sum.
MOVES: Final = ("stablehlo.reshape", "stablehlo.transpose")
LINEAR: Final = (*MOVES, "stablehlo.add", "stablehlo.negate", "stablehlo.subtract")


@dataclass(frozen=True, slots=True)
class UnreducedOperands:
    """The operands of a linear operation that stay unreduced.

    Attributes:
        positions: Their positions.
        terms: The axes along which devices hold terms.
        monoid: How the terms are combined.
    """

    positions: tuple[int, ...]
    terms: Axes
    monoid: str

    def of_operands(self, placements: Sequence[TensorPlacement]) -> list[TensorPlacement]:
        """The placements of the operands, with the terms of those that have them."""
        return [
            TensorPlacement(placement.dimensions, self.terms, self.monoid)
            if i in self.positions
            else placement
            for i, placement in enumerate(placements)
        ]

    def of_results(self, placements: Sequence[TensorPlacement]) -> list[TensorPlacement]:
        """The placements of the results, with these terms and those of the operation itself."""
        return [
            TensorPlacement(
                placement.dimensions, join_axes(self.terms, placement.terms), self.monoid
            )
            for placement in placements
        ]


class Partitioner:
    """One pass over one program.

    Attributes:
        shardings: The shardings that the program requests.
        functions: Its functions by name.
        mover: Emits what moves pieces.
        partitioned: The local counterpart of each value.
        resharded: The values that have been resharded, for each region around the current place.
        calls: The functions that are being partitioned.
        targets: The targets of custom calls that say themselves what each device computes.
        windowed: How operations are partitioned whose devices need rows of their neighbors.
        is_manual: Whether this is the body of a manual computation.
        gathers: Whether operands are gathered where an operation cannot be divided as they are, as
            XLA does; otherwise it is rejected.
        propagated: How propagation divides a value of a call, given the calls that lead to it; None
            if shardings are only propagated forward.
        path: The calls that lead to the current place.
    """

    def __init__(
        self,
        shardings: ProgramShardings,
        functions: Mapping[str, FuncOp],
        resharder: Resharder,
        special: Mapping[str, Handler],
        *,
        targets: Collection[str] = (),
        windowed: Mapping[str, WindowedHandler] = NO_HANDLERS,
        gathers: bool = False,
        propagated: PropagatedPlacement | None = None,
    ) -> None:
        self.shardings = shardings
        self.functions = functions
        self.resharder = resharder
        self.special = special
        self.partitioned: dict[Value[TensorType], PartitionedValue] = {}
        self.resharded: list[dict[tuple[PartitionedValue, Hashable], Value[TensorType]]] = [{}]
        self.calls: list[str] = []
        self.is_manual = False
        self.targets = targets
        self.windowed = windowed
        self.gathers = gathers
        self.propagated = propagated
        self.path: list[Operation] = []

    # ---- values

    def record(
        self,
        value: Value[TensorType],
        local: Value[TensorType] | None,
        placement: TensorPlacement,
        *,
        is_unreduced: bool = False,
    ) -> PartitionedValue:
        """Records the local counterpart of a value."""
        partitioned_value = self.partitioned[value] = PartitionedValue(
            value.type, placement, local, is_unreduced=is_unreduced
        )
        return partitioned_value

    def shard(
        self, builder: Builder, partitioned_value: PartitionedValue, placement: TensorPlacement
    ) -> Value:
        """Returns the shard of a value by a placement; resharded once."""
        if partitioned_value.value is not None and partitioned_value.placement == placement:
            return partitioned_value.value
        known = self.emitted_value(partitioned_value, placement)
        if known is not None:
            return known
        if partitioned_value.materialize is not None and not placement.terms:
            resharded = partitioned_value.materialize(builder, placement)
        elif is_free(partitioned_value):
            reduced = placement.reduced
            resharded = self.shard(builder, partitioned_value, reduced)
            if partitioned_value.number is None or partitioned_value.number != 0:
                resharded = self.resharder.reshard(builder, resharded, reduced, placement)
        else:
            assert partitioned_value.value is not None
            resharded = self.resharder.reshard(
                builder, partitioned_value.value, partitioned_value.placement, placement
            )
        self.remember(partitioned_value, placement, resharded)
        return resharded

    def emitted_value(self, partitioned_value: PartitionedValue, key: Hashable) -> Value | None:
        """Returns a shard or a window of a value that has been emitted before."""
        found = (cache.get((partitioned_value, key)) for cache in self.resharded)
        return next((value for value in found if value is not None), None)

    def remember(
        self, partitioned_value: PartitionedValue, key: Hashable, value: Value[TensorType]
    ) -> None:
        """Records a shard or a window of a value, which has been emitted in the current region."""
        self.resharded[-1][partitioned_value, key] = value

    def replicate(self, builder: Builder, partitioned_value: PartitionedValue) -> Value[TensorType]:
        """Gathers all shards, so that every device holds the whole value."""
        return self.shard(
            builder,
            partitioned_value,
            replicated_placement(len(partitioned_value.placement.dimensions)),
        )

    def require(
        self,
        builder: Builder,
        operation: Operation,
        result: int,
        requested: RequestedSharding | None,
    ) -> None:
        """Reshards a result as requested, if a sharding is requested."""
        if requested is not None:
            self.divide(builder, operation, operation.results[result], requested)

    def divide(
        self,
        builder: Builder,
        operation: Operation,
        value: Value[TensorType],
        requested: RequestedSharding,
    ) -> None:
        """Reshards a value as an operation requests."""
        try:
            self.check_divisible(operation, value.type, requested.placement)
        except UnsupportedError:
            if self.gathers:
                return  # a constraint that needs shards of different sizes is only a hint
            raise
        partitioned_value = self.partitioned[value]
        target = with_open_axes(requested, partitioned_value)
        resharded_value = self.shard(builder, partitioned_value, target)
        self.partitioned[value] = PartitionedValue(
            value.type,
            target,
            resharded_value,
            partitioned_value.materialize,
            partitioned_value.number,
            bool(requested.placement.terms),
        )

    def check_divisible(
        self, operation: Operation, value_type: Type, placement: TensorPlacement
    ) -> None:
        """Rejects a placement that divides a dimension into shards of different sizes.

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
        return [self.partitioned[value] for value in block.terminator.operands]

    def operation(self, operation: Operation, builder: Builder) -> None:
        """Partitions an operation.

        Raises:
            UnsupportedError: It cannot be partitioned, or not as its operands are divided.
        """
        if is_empty(operation):
            for value in operation.results:
                self.record_empty(value)
        elif (operand := forwarded_operand(operation)) is not None:
            self.partitioned[operation.results[0]] = self.partitioned[operand]
        elif not (self.has_windowed_operand(operation) and self.by_windows(operation, builder)):
            try:
                self.partition_by_operands(operation, builder)
            except UnsupportedError:
                if not self.gathers or not self.divided_otherwise(operation, builder):
                    raise
        for i, requested in enumerate(self.shardings.of_results(operation)):
            self.require(builder, operation, i, requested)

    def record_empty(self, value: Value[TensorType]) -> None:
        """Records a value without elements: a constant, whatever it is computed from."""

        def materialize(at: Builder, placement: TensorPlacement) -> Value[TensorType]:
            return splat_constant(at, placement.local(value.type), 0)

        placement = replicated_placement(value.type.rank)
        self.partitioned[value] = PartitionedValue(value.type, placement, None, materialize)

    def partition_by_operands(self, operation: Operation, builder: Builder) -> None:
        """Partitions an operation as its operands are divided."""
        special = self.special.get(operation.name)
        if special is not None and (user_rule(operation) is None or self.asks_target(operation)):
            special(self, operation, builder)
        else:
            self.by_rule(operation, builder, self.rule(operation))

    def divided_otherwise(self, operation: Operation, builder: Builder) -> bool:
        """Partitions an operation that cannot be divided as its operands are; returns whether.

        Operands are divided along other dimensions if possible; else they are gathered.
        """
        if self.by_windows(operation, builder):
            return True
        before = {value: self.partitioned[value] for value in operation.operands}
        operands = before.values()
        if all(o.settled.is_whole and not o.placement.terms for o in operands):
            return False
        for placements in self.other_placements(operation):
            self.reshard_operands(operation, builder, placements)
            try:
                self.partition_by_operands(operation, builder)
            except UnsupportedError:
                continue
            finally:
                self.partitioned.update(before)  # for the operations that follow
            return True
        return False

    def has_windowed_operand(self, operation: Operation) -> bool:
        """Whether devices compute windows only of an operand."""
        return any(self.partitioned[value].is_windowed for value in operation.operands)

    def by_windows(self, operation: Operation, builder: Builder) -> bool:
        """Partitions an operation of which devices need rows of their neighbors; returns whether.

        It is not if these rows are as many as those that gathering or dividing otherwise brings, or
        if there are none.
        """
        if not self.gathers or self.is_manual:
            return False
        if not all(is_static(value.type) for value in operation.results):
            return False
        if any(0 in shape_of(v) for v in (*operation.operands, *operation.results)):
            return False
        handler = self.windowed.get(operation.name)
        if handler is not None and handler(self, operation, builder):
            return True
        return self.has_windowed_operand(operation) and self.windowed[BY_RULE](
            self, operation, builder
        )

    def other_placements(self, operation: Operation) -> Iterator[Sequence[TensorPlacement]]:
        """Placements of the operands by which an operation may be divided; at last whole ones."""
        placements = [self.partitioned[value].settled for value in operation.operands]
        with suppress(UnsupportedError):
            accepted = accepted_placements(operation, self.rule(operation), placements)
            if not all(placement.is_whole for placement in accepted):
                yield accepted
        yield [replicated_placement(len(placement.dimensions)) for placement in placements]

    def reshard_operands(
        self, operation: Operation, builder: Builder, placements: Sequence[TensorPlacement]
    ) -> None:
        """Reshards the operands of an operation."""
        for value, placement in zip(operation.operands, placements, strict=True):
            operand = self.partitioned[value]
            if operand.is_windowed or operand.placement != placement:
                shard = self.shard(builder, operand, placement)
                self.partitioned[value] = PartitionedValue(
                    operand.type, placement, shard, operand.materialize
                )

    def asks_target(self, operation: Operation) -> bool:
        """Whether the target of a custom call says what each device computes."""
        return getattr(operation, "call_target_name", None) in self.targets

    def rule(self, operation: Operation) -> OpShardingRule:
        """Returns the sharding rule of an operation.

        Raises:
            UnsupportedError: It has none.
        """
        own = user_rule(operation)
        if own is not None:
            return own
        dynamic = next((v for v in operation.results if not is_static(v.type)), None)
        rule = rule_by_name(operation)
        if rule is None or dynamic is not None:
            text = "there is no rule by which the operation is divided over devices"
            raise UnsupportedError(Diagnostic(text, operation.name, operation.span))
        return rule(operation)

    def axes(self, operation: Operation, rule: OpShardingRule) -> FactorAxes:
        """Returns the axes that divide each factor of an operation."""
        operands = [self.partitioned[value] for value in operation.operands]
        placements = [operand.settled for operand in operands]
        axes = divide_factors(operation, rule, placements)
        keeps_all = all(map(axes.keeps, range(len(placements)), placements))
        target = None if keeps_all and not axes.terms else self.propagated_result(operation)
        if target is None:
            return axes
        if not keeps_all:
            axes = divide_as_result(
                axes,
                placements,
                target,
                lambda i, own: self.emitted_value(operands[i], own) is not None,
            )
        if axes.terms:
            axes.divide_further(target)
        return axes

    def propagated_result(self, operation: Operation) -> TensorPlacement | None:
        """How propagation divides the only result of an operation."""
        if self.propagated is None or self.is_manual or len(operation.results) != 1:
            return None
        return self.propagated(self.path, operation.results[0])

    def by_rule(self, operation: Operation, builder: Builder, rule: OpShardingRule) -> None:
        """Partitions an operation by its sharding rule: it is executed on shards."""
        if self.propagated is not None and self.has_free_operands(operation):
            self.postpone(operation)
            return
        axes = self.axes(operation, rule)
        if axes.terms:
            axes = self.without_terms(operation, axes) or axes
        results = [axes.placement(result) for result in rule.results]
        if axes.terms:
            results = [TensorPlacement(result.dimensions, axes.terms) for result in results]
        operands = [axes.placement(operand) for operand in rule.operands]
        unreduced = self.unreduced_operands(operation, axes)
        terms = self.shared_terms(operation)
        if unreduced is not None:
            operands, results = unreduced.of_operands(operands), unreduced.of_results(results)
        elif terms is not None:
            operands, results = (
                [
                    TensorPlacement(placement.dimensions, terms.terms, terms.monoid)
                    for placement in row
                ]
                for row in (operands, results)
            )
        values = self.shards(operation, builder, operands)
        self.emit(operation, builder, values, operands, results, is_unreduced=unreduced is not None)

    def without_terms(self, operation: Operation, axes: FactorAxes) -> FactorAxes | None:
        """Other axes of an operation with terms, if an operand may rather be gathered.

        That is so if it moves less than an all_reduce of the result, which propagation divides by
        the axes of the terms, and if all other operands cost nothing to divide otherwise.
        """
        operands = [self.partitioned[value] for value in operation.operands]
        held = [i for i, operand in enumerate(operands) if not is_free(operand)]
        target = self.propagated_result(operation)
        if target is None or len(held) != 1 or operands[held[0]].is_unreduced:
            return None
        rule, result = axes.rule, operation.results[0]
        opinions = [operand.placement.reduced for operand in operands]
        for d, factors in enumerate(rule.operands[held[0]]):
            if {*factors} & {*rule.reduction}:
                opinions[held[0]] = opinions[held[0]].with_axes(d, ())
        gathered = opinions[held[0]].local(operation.operands[held[0]].type)
        if not gathers_less(gathered, axes.placement(rule.results[0]).local(result.type)):
            return None
        other = divide_factors(operation, rule, opinions)
        for factors, own in zip(rule.results[0], target.dimensions, strict=True):
            if len(factors) == 1:
                other.divide(factors[0], own)
        return None if are_disjoint(axes.terms, other.used) else other

    def has_free_operands(self, operation: Operation) -> bool:
        """Whether each device can compute its shards of the operands of an elementwise operation.

        Such operands are constants, what is counted or broadcast, and elementwise functions of
        them.
        """
        operands = [self.partitioned[value] for value in operation.operands]
        return (
            has_trait(operation, Trait.ELEMENTWISE)
            and not operation.regions
            and not self.is_manual
            and rank_of(operation.results[0].type) > 0
            and any(operand.materialize is not None for operand in operands)
            and all(
                (operand.materialize is not None or self.has_windowed_operand(operation))
                and operand.placement.is_whole
                and operand.depth < LONGEST_CHAIN
                and is_static(operand.type)
                for operand in operands
            )
        )

    def postpone(self, operation: Operation) -> None:
        """Lets each device compute its shard of an operation where the placement is known."""
        result = operation.results[0]
        operands = [self.partitioned[value] for value in operation.operands]

        def materialize(at: Builder, placement: TensorPlacement) -> Value[TensorType]:
            rank = len(placement.dimensions)
            placements = [
                placement if rank_of(operand.type) == rank else replicated_placement(0)
                for operand in operands
            ]
            pairs = zip(operands, placements, strict=True)
            values = [self.shard(at, operand, own) for operand, own in pairs]
            return self.copy(operation, at, values, placements, [placement]).results[0]

        def read(at: Builder, window: NeededPart) -> Value[TensorType]:
            local = window.local(result.type)
            values = [
                read_window(self, at, operand, window)
                if rank_of(operand.type) == local.rank
                else self.replicate(at, operand)
                for operand in operands
            ]
            return self.copy_as(operation, at, values, [local]).results[0]

        heaviest = heaviest_reader(operands)
        reader = replace(heaviest, read=read, view=None) if heaviest is not None else None
        self.partitioned[result] = PartitionedValue(
            result.type,
            replicated_placement(rank_of(result.type)),
            None,
            materialize,
            depth=1 + max(operand.depth for operand in operands),
            reader=reader,
        )

    def free_placement(
        self, operand: PartitionedValue, value: Value[TensorType]
    ) -> TensorPlacement | None:
        """How propagation divides a value that starts as one that costs no messages to divide."""
        if self.propagated is None or self.is_manual or not operand.placement.is_whole:
            return None
        placement = self.propagated(self.path, value)
        return None if placement is None or placement.is_whole else placement

    def shards(
        self, operation: Operation, builder: Builder, placements: Sequence[TensorPlacement]
    ) -> list[Value[TensorType]]:
        """Returns the shards of the operands of an operation."""
        pairs = zip(operation.operands, placements, strict=True)
        return [
            self.shard(builder, self.partitioned[value], placement) for value, placement in pairs
        ]

    def unreduced_operands(
        self, operation: Operation, axes: FactorAxes
    ) -> UnreducedOperands | None:
        """Returns the operands whose terms the operation keeps, as the program asks for them.

        None if there are none, or if the operation is not linear in them.
        """
        values = [self.partitioned[value] for value in operation.operands]
        terms = next((value.placement for value in values if value.is_unreduced), None)
        if terms is None or not are_disjoint(terms.terms, axes.used):
            return None
        if not isinstance(operation, Op):
            return None
        if any(values[i].number is None or values[i].number != 0 for i in operation.terms_once()):
            return None
        for positions in operation.linear_operands(terms.monoid):
            others = [value for i, value in enumerate(values) if i not in positions]
            is_shared = all(values[i].placement.has_terms_of(terms) for i in positions)
            if is_shared and not any(value.is_unreduced for value in others):
                return UnreducedOperands(tuple(positions), terms.terms, terms.monoid)
        return None

    def shared_terms(self, operation: Operation) -> TensorPlacement | None:
        """Returns the terms that all operands share if the operation is linear; else None."""
        if operation.name not in LINEAR:
            return None
        partitioned_operands = [self.partitioned[value] for value in operation.operands]
        first = partitioned_operands[0].placement
        same = all(
            (operand.placement.terms, operand.placement.monoid) == (first.terms, first.monoid)
            and operand.placement.dimensions == first.dimensions
            for operand in partitioned_operands
        )
        allowed = operation.name in MOVES or first.monoid == "add"
        return first if first.terms and same and allowed else None

    def emit(
        self,
        operation: Operation,
        builder: Builder,
        values: Sequence[Value],
        operands: Sequence[TensorPlacement],
        results: Sequence[TensorPlacement],
        *,
        is_unreduced: bool = False,
    ) -> Operation:
        """Emits the operation on shards.

        Raises:
            UnsupportedError: Its quantized elements cannot be divided.
        """
        copy = self.copy(operation, builder, values, operands, results)
        for value, result, placement in zip(operation.results, copy.results, results, strict=True):
            self.record(value, result, placement, is_unreduced=is_unreduced)
        return copy

    def copy(
        self,
        operation: Operation,
        builder: Builder,
        values: Sequence[Value],
        operands: Sequence[TensorPlacement],
        results: Sequence[TensorPlacement],
    ) -> Operation:
        """Emits the operation on shards, and records nothing.

        Raises:
            UnsupportedError: Its quantized elements cannot be divided.
        """
        self.check_quantized(operation, [*operands, *results])
        pairs = zip(operation.results, results, strict=True)
        types = [local_type(value.type, placement) for value, placement in pairs]
        return self.copy_as(operation, builder, values, types)

    def copy_as(
        self,
        operation: Operation,
        builder: Builder,
        values: Sequence[Value],
        types: Sequence[Type],
        attributes: Mapping[str, Attribute] | None = None,
    ) -> Operation:
        """Emits the operation on local values, and records nothing.

        Args:
            operation: The operation.
            builder: Where it is emitted.
            values: The operands.
            types: The types of the results.
            attributes: The attributes; by default those that its local operands need.
        """
        local = LOCAL.get(operation.name) if attributes is None else None
        changed = local(operation, values, types) if local else attributes or operation.attributes
        kept = {k: v for k, v in operation.discardable.items() if k not in SHARDINGS}
        copy = type(operation)(
            values,
            types,
            changed,
            [self.copy_region(region, builder) for region in operation.regions],
            discardable={**kept, **local_marks(operation, values)},
            location=operation.location,
            span=operation.span,
            parts=operation.parts,
        )
        builder.block.append(copy)
        return copy

    def check_quantized(self, operation: Operation, placements: Sequence[TensorPlacement]) -> None:
        """Rejects divided tensors with per-axis quantization, and quantized terms."""
        values: list[Value] = [*operation.operands, *operation.results]
        for value, placement in zip(values, placements, strict=True):
            element = getattr(value.type, "element_type", None)
            if not isinstance(element, QuantizedType) or placement.is_whole:
                continue
            if placement.terms or element.quantization_dimension is not None:
                text = "terms and slices of quantized tensors are not divided over devices"
                raise UnsupportedError(Diagnostic(text, operation.name, operation.span))

    def copy_region(self, region: Region, builder: Builder) -> Region:
        """Copies a region that is not divided; captured values are replicated in it."""
        rewriting = Rewriting({})
        for block in region.blocks:
            for operation in (o for top in block.operations for o in top.walk()):
                for value in operation.operands:
                    if value in self.partitioned and value not in rewriting.values:
                        rewriting.values[value] = self.replicate(builder, self.partitioned[value])
        return rewriting.copied_region(region)

    # ---- regions

    @contextmanager
    def region_scope(self) -> Generator[None]:
        """Enters a region: values that are resharded in it are not visible outside."""
        self.resharded.append({})
        try:
            yield
        finally:
            self.resharded.pop()

    @contextmanager
    def attempt(self) -> Generator[None]:
        """Enters a region that is discarded."""
        state = self.resharder.state()
        with self.region_scope():
            yield
        self.resharder.restore(state)


def with_open_axes(
    requested: RequestedSharding, partitioned_value: PartitionedValue
) -> TensorPlacement:
    """Returns the requested placement; open dimensions keep further axes that they have."""
    used = [part for axes in requested.placement.dimensions for part in axes]
    used += requested.placement.terms
    placement = requested.placement
    for d, is_open in enumerate(requested.is_open):
        own, requested_axes = partitioned_value.placement.dimensions[d], placement.dimensions[d]
        if is_open and own != requested_axes and starts_with(own, requested_axes):
            rest = axes_after(own, requested_axes)
            if not {part.name for part in rest} & {part.name for part in used}:
                placement = placement.with_axes(d, own)
    return placement


def local_type(value_type: Type, placement: TensorPlacement) -> Type:
    """Returns the type of a shard."""
    return placement.local(value_type) if isinstance(value_type, TensorType) else value_type


def is_free(operand: PartitionedValue) -> bool:
    """Whether devices can compute any shard of a value, which is not divided."""
    return operand.materialize is not None and operand.placement.is_whole


def is_empty(operation: Operation) -> bool:
    """Whether an operation only makes tensors that are known to have no elements."""
    types = [value.type for value in operation.results]
    return (
        bool(types)
        and isinstance(operation, Op)
        and not operation.has_effects
        and all(isinstance(own, TensorType) and own.is_static and not own.size for own in types)
    )


def forwarded_operand(operation: Operation) -> Value[TensorType] | None:
    """The value that an operation only returns; None for operations that compute another one.

    That is a concatenation with empty tensors, or a reshape without the dimensions of size 1 that
    an operation before it has added, as ``jnp.pad`` and ``jnp.repeat`` make them.
    """
    operands = [value for value in operation.operands if 0 not in shape_of(value)]
    if operation.name not in (CONCATENATE, RESHAPE) or len(operands) != 1:
        return None
    (source,) = operands
    if operation.name == RESHAPE:
        before = source.operation if isinstance(source, OpResult) else None
        if before is None or before.name not in (RESHAPE, BROADCAST) or not is_reshape(before):
            return None
        (source,) = before.operands
    return source if source.type == operation.results[0].type else None


def is_reshape(operation: Operation) -> bool:
    """Whether an operation with one operand has its elements in their order."""
    operand, result = operation.operands[0].type, operation.results[0].type
    if not (operand.is_static and result.is_static and operand.size == result.size):
        return False
    dimensions = getattr(operation, "broadcast_dimensions", ())
    return list(dimensions) == sorted(dimensions)


def is_static(value_type: Type) -> bool:
    """Whether the shape is static."""
    return not isinstance(value_type, TensorType) or value_type.is_static


def rank_of(value_type: Type) -> int:
    """The number of dimensions; what is no tensor has none."""
    return value_type.rank if isinstance(value_type, TensorType) else 0
