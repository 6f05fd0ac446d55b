"""sdy-partition: a program of global tensors with shardings as the program of one device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.dialects.func import FuncOp
from stablemate.dialects.func import Return as FuncReturn
from stablemate.dialects.registry import names_with
from stablemate.dialects.sdy.axes import AxisRange
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.attributes import (
    ArrayAttribute,
    DictionaryAttribute,
    StringAttribute,
    SymbolAttribute,
)
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, Region, Value
from stablemate.ir.grid import Grid
from stablemate.ir.kinds import FUNCTION_TYPE
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.traits import Trait
from stablemate.ir.types import Attribute, FunctionType, TensorType, Type
from stablemate.transforms.canonicalize import canonicalize_module
from stablemate.transforms.collective_combining import with_combined_collectives
from stablemate.transforms.dead_code import without_dead_code
from stablemate.transforms.legalization import legalize_module
from stablemate.transforms.partitioned_programs import partition_attributes
from stablemate.transforms.partitioning import tiles
from stablemate.transforms.partitioning.custom_partitioners import CUSTOM_PARTITIONERS
from stablemate.transforms.partitioning.devices import MeshDevices
from stablemate.transforms.partitioning.handlers import HANDLERS
from stablemate.transforms.partitioning.movement.resharding import Resharder
from stablemate.transforms.partitioning.partitioned_values import PartitionedValue
from stablemate.transforms.partitioning.partitioner import Partitioner, local_type, rank_of
from stablemate.transforms.partitioning.placement import Axes, TensorPlacement, replicated_placement
from stablemate.transforms.partitioning.requested_shardings import (
    SHARDINGS,
    ProgramShardings,
    program_shardings,
)
from stablemate.transforms.partitioning.windowed.handlers import WINDOWED_HANDLERS
from stablemate.transforms.propagation.propagation import propagate_shardings
from stablemate.transforms.shardy_form import in_shardy_form
from stablemate.transforms.simplification.movement import BRANCHES
from stablemate.transforms.stablehlo_decompose import decompose_module

MANUAL: Final = "{manual}"


def divisible_operations() -> tuple[str, ...]:
    """The operations of CHLO that executors know, and that can be divided as they are."""
    return (*names_with(Trait.ELEMENTWISE, "chlo"), "chlo.top_k")


@dataclass(frozen=True, slots=True)
class Partitioned:
    """A program as its devices run it.

    Attributes:
        module: The program of one device.
        devices: The devices.
        arguments: How they share each argument.
        results: How they share each result.
        inspections: The calls of ``InspectSharding`` in the program of global tensors, with the
            shardings of their operands as XLA spells them.
    """

    module: Module
    devices: MeshDevices
    arguments: Sequence[TensorPlacement]
    results: Sequence[TensorPlacement]
    inspections: Sequence[tuple[CustomCall, str]] = ()


def without_untaken_branches(module: Module) -> Module:
    """The module with the operations of branches that are always taken in their place.

    What only another branch would read, as the zeros that ``jax.grad`` keeps, is not computed.
    """
    if not any(operation.name in BRANCHES for operation in module.operation.walk()):
        return module
    return canonicalize_module(module, BRANCHES)


def partition(module: Module, replicas: int = 1) -> Module:
    """The program of one device, for as many partitions as the mesh has devices."""
    functions = functions_of(module)
    public = [function for function in functions if function.sym_visibility in (None, "public")]
    entry = next((function for function in functions if function.symbol == "main"), None)
    if entry is None and len(public) != 1:
        raise ArgumentValueError("a program is partitioned from its main function, or its only one")
    return partition_program(module, (entry or public[0]).symbol, replicas).module


def partition_program(
    module: Module, entry: str, replicas: int = 1, *, gathers: bool = False
) -> Partitioned:
    """The program of one device.

    Every operation computes on the pieces that a device holds. What it needs of others comes by
    collective operations, whose groups are those of the mesh. Shardings are propagated forward,
    from arguments, constraints and results; a result without one stays as it has been computed.

    Args:
        module: A program of global tensors, whose shardings are those of Shardy, or those of HLO
            (``mhlo.sharding``), of which a mesh is recovered.
        entry: The function that is partitioned.
        replicas: How many replicas there are; each has as many partitions as there are devices.
        gathers: Whether operands are gathered where an operation cannot be divided as they are, and
            arguments and results without a sharding get the one that Shardy propagates to them.

    Raises:
        ArgumentValueError: The program has no shardings.
        UnsupportedError: An operation cannot be divided as its operands are; it is named.
    """
    shardy = without_untaken_branches(without_dead_code(in_shardy_form(module, hlo=True)))
    legal = decompose_module(legalize_module(shardy, keep=divisible_operations()))
    entry_function = next(function for function in functions_of(legal) if function.symbol == entry)
    shardings = program_shardings(legal, entry_function, replicas)
    if shardings is None:
        raise ArgumentValueError("the program has no shardings: it cannot be partitioned")
    grid = Grid(replicas, shardings.devices.count)
    return Partition(legal, entry_function, shardings, grid, gathers=gathers).run()


class Partition:
    """The partitioning of one function."""

    def __init__(
        self,
        module: Module,
        function: FuncOp,
        shardings: ProgramShardings,
        grid: Grid,
        *,
        gathers: bool,
    ) -> None:
        self.module = module
        self.function = function
        self.shardings = shardings
        self.grid = grid
        self.prologue = Block()
        self.resharder = Resharder(shardings.devices, Builder(self.prologue))
        functions = {function.symbol: function for function in functions_of(module)}
        self.propagated = propagate_shardings(function, shardings, functions) if gathers else None
        self.partitioner = Partitioner(
            shardings,
            functions,
            self.resharder,
            HANDLERS,
            targets=CUSTOM_PARTITIONERS,
            windowed=WINDOWED_HANDLERS,
            gathers=gathers,
            propagated=None if self.propagated is None else self.propagated_placement,
        )

    def run(self) -> Partitioned:
        """The program of one device."""
        arguments = self.arguments()
        source = self.function.body.block
        pairs = list(zip(source.arguments, arguments, strict=True))
        types = [local_type(argument.type, placement) for argument, placement in pairs]
        body = Block(types, [argument.location for argument in source.arguments])
        for (argument, placement), local in zip(pairs, body.arguments, strict=True):
            is_unreduced = bool(placement.terms)
            self.partitioner.record(argument, local, placement, is_unreduced=is_unreduced)
        results = self.results(self.partitioner.block(source, Builder(body)), body)
        placed = [result.placement for result in results]
        values = [result.value for result in results]
        Builder(body).at(source.terminator).create(FuncReturn, values=values)
        for operation in self.prologue.operations:
            operation.parent = body
        body.operations[:0] = self.prologue.operations
        function = self.local_function(body, arguments, placed)
        whole = self.local_module(function, arguments, placed)
        live = without_dead_code(whole, same_on_all=True)
        module = with_combined_collectives(live)
        return Partitioned(module, self.shardings.devices, arguments, placed, self.inspections())

    def inspections(self) -> list[tuple[CustomCall, str]]:
        """The calls that ask for a sharding, with it."""
        asked = self.propagated.inspections if self.propagated is not None else ()
        return [
            (operation, MANUAL if placement is None else self.texts([placement])[0])
            for operation, placement in asked
        ]

    def arguments(self) -> list[TensorPlacement]:
        """The placements of the arguments; replicated by default."""
        placements: list[TensorPlacement] = []
        pairs = zip(self.function.argument_attributes, self.function.type.inputs, strict=True)
        for number, (attributes, value_type) in enumerate(pairs):
            requested = self.shardings.of_value(attributes, value_type)
            if requested is not None:
                placement = requested.placement
            elif self.propagated is not None:
                placement = self.expressible(self.propagated.arguments[number], value_type)
            else:
                placement = replicated_placement(rank_of(value_type))
            self.partitioner.check_divisible(self.function, value_type, placement)
            placements.append(placement)
        return placements

    def results(self, values: Sequence[PartitionedValue], body: Block) -> list[PartitionedValue]:
        """The results by the requested placements; by default as they are."""
        results: list[PartitionedValue] = []
        builder = Builder(body).at(self.function.body.block.terminator)
        attributes = self.function.result_attributes
        for number, (partitioned_value, attribute) in enumerate(
            zip(values, attributes, strict=True)
        ):
            requested = self.shardings.of_value(attribute, partitioned_value.type)
            if requested is not None:
                placement = requested.placement
            elif self.propagated is not None:
                propagated_placement = self.propagated.results[number]
                placement = self.expressible(propagated_placement, partitioned_value.type)
            else:
                placement = partitioned_value.placement.reduced
            self.partitioner.check_divisible(self.function, partitioned_value.type, placement)
            value = self.partitioner.shard(builder, partitioned_value, placement)
            results.append(PartitionedValue(partitioned_value.type, placement, value))
        return results

    def propagated_placement(
        self, path: Sequence[Operation], value: Value[Type]
    ) -> TensorPlacement | None:
        """How propagation divides a value of a call, as far as that can be expressed."""
        assert self.propagated is not None
        placement = self.propagated.placement(path, value)
        return None if placement is None else self.expressible(placement, value.type)

    def expressible(self, placement: TensorPlacement, value_type: Type) -> TensorPlacement:
        """A propagated placement as far as a sharding of whole axes expresses it.

        No axis is divided among dimensions, and shards of a dimension are equal. On several meshes
        a dimension is divided by all devices in order, or not at all.
        """
        sizes = self.shardings.devices.sizes
        if self.shardings.has_several_meshes:
            every = tuple(AxisRange(name, 1, size) for name, size in sizes.items())
            return placement.with_dimensions(
                tuple(axes if axes == every else () for axes in placement.dimensions)
            )
        shape = value_type.shape if isinstance(value_type, TensorType) else ()
        pairs = zip(placement.dimensions, shape, strict=True)
        return placement.with_dimensions(
            tuple(even_prefix(whole_axes(axes, sizes), size) for axes, size in pairs)
        )

    def local_function(
        self, body: Block, arguments: Sequence[TensorPlacement], results: Sequence[TensorPlacement]
    ) -> FuncOp:
        """The function of one device."""
        function = self.function
        terminator = body.terminator
        types = FunctionType(
            tuple(argument.type for argument in body.arguments),
            tuple(operand.type for operand in terminator.operands),
        )
        attributes = {
            **function.attributes,
            "function_type": FUNCTION_TYPE.attribute(types),
            "arg_attrs": self.sharded_attributes(function.argument_attributes, arguments),
            "res_attrs": self.sharded_attributes(function.result_attributes, results),
        }
        return FuncOp(
            (),
            (),
            attributes,
            [Region([body])],
            discardable=function.discardable,
            location=function.location,
            span=function.span,
            parts=function.parts,
        )

    def sharded_attributes(
        self, attributes: Sequence[Mapping[str, Attribute]], placements: Sequence[TensorPlacement]
    ) -> ArrayAttribute:
        """The attributes of arguments or results, with shardings in XLA's form."""
        rows: list[Attribute] = []
        for attribute, text in zip(attributes, self.texts(placements), strict=True):
            kept = {name: value for name, value in attribute.items() if name not in SHARDINGS}
            rows.append(DictionaryAttribute({**kept, tiles.ATTRIBUTE: StringAttribute(text)}))
        return ArrayAttribute(tuple(rows))

    def texts(self, placements: Sequence[TensorPlacement]) -> list[str]:
        """Placements as XLA spells them."""
        return [tiles.sharding_text(self.shardings.devices, placement) for placement in placements]

    def local_module(
        self,
        function: FuncOp,
        arguments: Sequence[TensorPlacement],
        results: Sequence[TensorPlacement],
    ) -> Module:
        """The module of one device, with the functions that it still calls."""
        source = self.module.operation
        rewriting = Rewriting({})
        needed = callees(function, self.partitioner.functions)
        block = Block()
        for operation in self.module.body.operations:
            if operation is self.function:
                block.append(function)
            elif not isinstance(operation, FuncOp) or operation.symbol in needed:
                rewriting.place(operation, block)
        attributes = partition_attributes(self.grid, self.texts(arguments), self.texts(results))
        top = type(source)(
            (),
            (),
            source.attributes,
            [Region([block])],
            discardable={**source.discardable, **attributes},
            location=source.location,
            span=source.span,
        )
        module = self.module
        return module.with_operation(top)


def whole_axes(axes: Axes, sizes: Mapping[str, int]) -> Axes:
    """The axes up to the first that is a part of an axis of the mesh."""
    return tuple(takewhile(lambda part: part.size == sizes[part.name], axes))


def even_prefix(axes: Axes, size: int) -> Axes:
    """The axes up to the first that would make shards of different sizes."""
    kept: Axes = ()
    for part in axes:
        if size % shard_count((*kept, part)):
            break
        kept = (*kept, part)
    return kept


def functions_of(module: Module) -> list[FuncOp]:
    """The functions of a module."""
    return [operation for operation in module.body.operations if isinstance(operation, FuncOp)]


def callees(function: FuncOp, functions: Mapping[str, FuncOp]) -> set[str]:
    """The names of the functions that a function needs, directly or not."""
    names: set[str] = set()
    pending: list[Operation] = [function]
    while pending:
        for operation in pending.pop().walk():
            for name in symbols_in(operation):
                if name in functions and name not in names:
                    names.add(name)
                    pending.append(functions[name])
    return names


def symbols_in(operation: Operation) -> list[str]:
    """The symbols that an operation names."""
    names: list[str] = []
    pending: list[object] = list(operation.attributes.values())
    while pending:
        attribute = pending.pop()
        if isinstance(attribute, SymbolAttribute):
            names.append(attribute.root)
        elif isinstance(attribute, ArrayAttribute):
            pending += attribute.items
    return names
