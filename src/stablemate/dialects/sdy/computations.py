"""Computations in regions: with a name, or on the shards of tensors.

Source: Shardy dialect, the operations of the same names.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar

from stablemate.dialects.sdy.attributes import (
    MANUAL_AXES,
    SHARDING_PER_VALUE,
    Mesh,
    TensorSharding,
    TensorShardingPerValue,
)
from stablemate.dialects.sdy.axes import AxisRange, merged_axes
from stablemate.dialects.sdy.device_shards import DeviceShards
from stablemate.dialects.sdy.sharding import ResolvedSharding, Sharded
from stablemate.dialects.sdy.tensor_partition import TensorPartition, device_groups, shard_count
from stablemate.dialects.stablehlo.regions import function_type, require_one_shape, same_types
from stablemate.ir import request as requests
from stablemate.ir.core import Value, is_runtime_copy
from stablemate.ir.definition import (
    Check,
    Op,
    RegionFunction,
    RequestOp,
    TargetsFunction,
    constraint,
    define,
    holds,
    op,
    pack_results,
)
from stablemate.ir.exchange import WHOLE, CollectiveExchange, OperandPiece, Shape
from stablemate.ir.grid import Grid, ProcessGroup, ProcessId
from stablemate.ir.kinds import ANY_VALUE, STRING
from stablemate.ir.request import Process, ProcessFunction
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import DYNAMIC, FunctionType, TensorType, Type
from stablemate.numerics.elements import Array


class Computation(Sharded):
    """An operation that runs its region on its operands."""

    __slots__ = ()
    tensors = define.variadic("", ANY_VALUE).with_name("operands")
    body = define.region()
    outputs = define.variadic_result(ANY_VALUE).with_name("results")

    @abstractmethod
    def value_shardings(
        self,
    ) -> list[tuple[TensorShardingPerValue | None, Sequence[Value[Type]], str]]:
        """The lists of shardings, the values that they apply to, and their names."""

    def shardings(self) -> Sequence[tuple[TensorSharding, Type]]:
        """The shardings of operands and results."""
        return [
            (sharding, value.type)
            for attribute, values, _ in self.value_shardings()
            if attribute is not None
            for sharding, value in zip(attribute.shardings, values, strict=False)
        ]

    @constraint("shardings")
    def counts_fit(self) -> Check:
        """There is a sharding for each operand and each result"""
        counts = {
            name: (len(attribute.shardings), len(values))
            for attribute, values, name in self.value_shardings()
            if attribute is not None and len(attribute.shardings) != len(values)
        }
        return holds(not counts, **counts)

    @constraint("body")
    def body_returns(self) -> Check:
        """The body ends with sdy.return"""
        terminator = self.body.block.terminator
        return holds(isinstance(terminator, Return), terminator=terminator.name)

    def has_types(self, expected: Sequence[Type], actual: Sequence[Type]) -> bool:
        """Whether the body has these types; at run time its sizes may be dynamic."""
        if any(map(is_runtime_copy, self.operands)):
            return same_types(expected, actual)
        return list(expected) == list(actual)


@op("sdy.named_computation", isolated=True, family=Family.CONTROL, traits=Trait.STRUCTURED)
class NamedComputation(Computation):
    """A computation with a name.

    Source: Shardy dialect, named_computation.
    """

    __slots__ = ()
    label = define.attribute("", STRING).with_name("name")
    in_shardings = define.optional_attribute("", SHARDING_PER_VALUE)
    out_shardings = define.optional_attribute("", SHARDING_PER_VALUE)
    assembly = "custom<NamedComputation>"

    def value_shardings(
        self,
    ) -> list[tuple[TensorShardingPerValue | None, Sequence[Value[Type]], str]]:
        """The shardings of operands and results."""
        return [
            (self.in_shardings, self.operands, "in_shardings"),
            (self.out_shardings, self.results, "out_shardings"),
        ]

    @constraint("body")
    def body_type(self) -> Check:
        """The body has the types of operands and results"""
        actual = function_type(self.body)
        operands: list[Type] = [value.type for value in self.operands]
        results: list[Type] = [value.type for value in self.results]
        expected = FunctionType(tuple(operands), tuple(results))
        fits = self.has_types(operands, actual.inputs) and self.has_types(results, actual.results)
        return holds(fits, body=actual, expected=expected)

    def evaluate(self, *operands: object, regions: Sequence[RegionFunction] = ()) -> object:
        """The results of the body for the operands."""
        return pack_results(regions[0](*operands))

    def prepare_process(self, regions: Sequence[ProcessFunction]) -> ProcessFunction:
        """The same, if the body issues requests."""
        return computation(regions[0])


@op("sdy.manual_computation", isolated=True, family=Family.CONTROL, traits=Trait.STRUCTURED)
class ManualComputation(requests.WithoutReduction, Computation, RequestOp):
    """A computation on the shards into which ``manual_axes`` divide the operands.

    results[k] = whole(body(piece(operands[0], device), ...)[k] for device in mesh)

    A device is the process whose partition_id is its number. Devices that differ only in other axes
    of the mesh compute the same.

    Source: Shardy dialect, manual_computation.
    """

    __slots__ = ()
    uniform_results: ClassVar[bool] = False
    in_shardings = define.attribute("", SHARDING_PER_VALUE)
    out_shardings = define.attribute("", SHARDING_PER_VALUE)
    manual_axes = define.attribute("", MANUAL_AXES)
    assembly = "custom<ManualComputation>"

    def value_shardings(
        self,
    ) -> list[tuple[TensorShardingPerValue | None, Sequence[Value[Type]], str]]:
        """The shardings of operands and results."""
        return [
            (self.in_shardings, self.operands, "in_shardings"),
            (self.out_shardings, self.results, "out_shardings"),
        ]

    def own_axes(self) -> Sequence[str]:
        """The axes of the shardings, and the manual ones."""
        return [*super().own_axes(), *self.manual_axes.axes]

    def manual_parts(
        self, sharding: TensorSharding, sizes: Mapping[str, int]
    ) -> list[list[AxisRange]]:
        """The manual axes that divide each dimension."""
        manual = set(self.manual_axes.axes)
        return [
            [part for part in merged_axes(d.axes, sizes) if part.name in manual]
            for d in sharding.dimensions
        ]

    def sizes_with_parts(
        self, tensor: TensorType, resolved: ResolvedSharding
    ) -> Iterator[tuple[int, list[AxisRange]]]:
        """The size of each dimension with the manual axes that divide it."""
        parts = self.manual_parts(resolved.sharding, resolved.sizes)
        return zip(tensor.shape, parts, strict=False)  # a sharding on a single device has no axes

    @constraint("mesh")
    def one_mesh(self) -> Check:
        """The shardings are about one mesh, or about a mesh without axes"""
        meshes = dict.fromkeys(
            resolved.mesh for resolved in self.resolved_shardings() if resolved.mesh.axes
        )
        fits = len(meshes) == 1 or not (self.manual_axes.axes and self.resolved_shardings())
        return holds(fits, meshes=[mesh.inner_text() for mesh in meshes])

    @constraint("manual_axes")
    def manual_axes_exist(self) -> Check:
        """manual_axes are axes of the mesh"""
        mesh, axes = self.mesh, self.manual_axes.axes
        known = {} if mesh is None else mesh.sizes
        unknown = [] if mesh is None else [axis for axis in axes if axis not in known]
        return holds(not unknown, axes=unknown)

    @constraint("manual_axes")
    def manual_axes_first(self) -> Check:
        """The manual axes that divide a dimension stand before the others"""
        manual = set(self.manual_axes.axes)
        flags = [
            [axis.name not in manual for axis in d.axes]
            for sharding, _ in self.shardings()
            for d in sharding.dimensions
        ]
        broken = any(row != sorted(row) for row in flags)
        return holds(not broken, manual_axes=self.manual_axes.inner_text())

    @constraint("manual_axes")
    def divisible(self) -> Check:
        """The manual axes divide the sizes of the dimensions evenly"""
        broken: dict[str, str] = {}  # the types, and what they are to be padded to
        for resolved in self.resolved_shardings():
            if isinstance(resolved.type, TensorType):
                padded = self.padded_type(resolved.type, resolved)
                if padded != resolved.type:
                    broken[str(resolved.type)] = str(padded)
        axes = self.manual_axes.inner_text()
        return holds(not broken, types=list(broken), manual_axes=axes, pad_to=list(broken.values()))

    def padded_type(self, tensor: TensorType, resolved: ResolvedSharding) -> TensorType:
        """The smallest type whose sizes the manual axes divide evenly."""
        shape = list(tensor.shape)
        for number, (size, parts) in enumerate(self.sizes_with_parts(tensor, resolved)):
            if size != DYNAMIC:
                shape[number] = -(-size // shard_count(parts)) * shard_count(parts)
        return tensor.with_shape(shape)

    @constraint("body")
    def body_type(self) -> Check:
        """The body has the types of the pieces of operands and results"""
        actual = function_type(self.body)
        expected = [self.piece_type(resolved) for resolved in self.resolved_shardings()]
        count = len(self.operands)
        fits = self.has_types(expected[:count], actual.inputs)
        fits = fits and self.has_types(expected[count:], actual.results)
        return holds(fits, body=actual, expected=expected)

    def piece_type(self, resolved: ResolvedSharding) -> Type:
        """The type of a shard."""
        if not isinstance(resolved.type, TensorType) or resolved.mesh.is_maximal:
            return resolved.type
        pairs = self.sizes_with_parts(resolved.type, resolved)
        shape = [size if size == DYNAMIC else size // shard_count(parts) for size, parts in pairs]
        return resolved.type.with_shape(shape)

    @property
    def mesh(self) -> Mesh | None:
        """The mesh that the shardings share; None if none of them has axes."""
        return next(
            (resolved.mesh for resolved in self.resolved_shardings() if resolved.mesh.axes), None
        )

    def partitions_of(
        self, attribute: TensorShardingPerValue, sizes: Mapping[str, int]
    ) -> list[TensorPartition]:
        """How the manual axes partition each of these values."""
        axes = frozenset(self.manual_axes.axes)
        manual = {name: size for name, size in sizes.items() if name in axes}
        return [
            TensorPartition(manual, self.manual_parts(sharding, sizes))
            for sharding in attribute.shardings
        ]

    def prepare(self, regions: Sequence[RegionFunction]) -> ProcessFunction:
        """A process in any case, because the devices issue requests."""
        return self.prepare_process([as_process(region) for region in regions])

    def prepare_process(self, regions: Sequence[ProcessFunction]) -> ProcessFunction:
        """The body, run by each device on its pieces.

        A process that is a device runs it for itself and gathers the results. One that represents
        all devices runs each of them in a process of its own.
        """
        (body,) = regions
        shares = self.shares()
        if shares is None:
            return computation(body)
        return lambda *operands: self.compute_results(shares, body, operands, None)

    def prepare_with_targets(self, regions: Sequence[ProcessFunction]) -> TargetsFunction | None:
        """The same, with memory for the results."""
        (body,) = regions
        shares = self.shares()
        return None if shares is None else partial(self.compute_results, shares, body)

    def shares(self) -> DeviceShards | None:
        """How the devices share operands and results; None if nothing is shared."""
        mesh, axes = self.mesh, self.manual_axes.axes
        if mesh is None or mesh.size == 1 or not axes:
            return None
        operands = self.partitions_of(self.in_shardings, mesh.sizes)
        return DeviceShards(
            self, mesh, axes, operands, self.partitions_of(self.out_shardings, mesh.sizes)
        )

    def compute_results(
        self,
        shares: DeviceShards,
        body: ProcessFunction,
        operands: Sequence[object],
        targets: Sequence[Array] | None,
    ) -> Process:
        """The results of all devices; ``IN_TARGETS`` if they are in the targets."""
        devices = len(shares.members)
        device = yield requests.DeviceRequest(self, devices)
        if device is not None:
            results = yield from body(*shares.shards_on(operands, device))
            return (yield requests.CollectiveRequest(self, results, (), targets))
        arguments = [shares.shards_on(operands, device) for device in range(devices)]
        places = None
        if targets is not None:
            places = [shares.result_places(targets, device) for device in range(devices)]
        answers = yield requests.DevicesRequest(self, arguments, places)
        if places is not None and shares.is_in_place(answers, places):
            return requests.IN_TARGETS
        gathered = shares.gather([answers[device] for device in shares.groups[0]], targets)
        return pack_results(gathered) if targets is None else requests.IN_TARGETS

    def group_of(self, process: ProcessId, grid: Grid) -> ProcessGroup:
        """The devices that differ only in their places along the manual axes."""
        assert self.mesh is not None
        replica, device = process
        groups = device_groups(self.mesh, self.manual_axes.axes)
        return next(
            tuple((replica, partition) for partition in group)
            for group in groups
            if device in group
        )

    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[RegionFunction] = (),
    ) -> object:
        """The results, assembled from the shards that all devices of a group hold."""
        assert self.mesh is not None
        results: list[object] = []
        divisions = self.partitions_of(self.out_shardings, self.mesh.sizes)
        for division, shards in zip(divisions, zip(*operands, strict=True), strict=True):
            require_one_shape(self, "results", shards)
            results.append(division.assemble(shards, position))
        return pack_results(results)

    @property
    def routing_operand(self) -> int | None:
        """The data movement does not depend on operands."""
        return None

    def exchange(
        self, shapes: Sequence[Shape], size: int, routing: Sequence[Array] = ()
    ) -> CollectiveExchange:
        """Shards are put at their places; of equal shards a member needs one."""
        assert self.mesh is not None
        divisions = self.partitions_of(self.out_shardings, self.mesh.sizes)
        results = [
            division.whole_shape(shape) for division, shape in zip(divisions, shapes, strict=True)
        ]

        def pieces(sender: int, receiver: int) -> Sequence[OperandPiece]:
            return [
                OperandPiece(
                    k, target=WHOLE if division.is_whole else division.place(result, sender)
                )
                for k, (division, result) in enumerate(zip(divisions, results, strict=True))
                if sender in division.holders(receiver)
            ]

        return CollectiveExchange(size, shapes, results, pieces)

    def evaluate_ungrouped(self, operands: Sequence[Array]) -> object:
        """The operands: every device belongs to a group, which may be only itself."""
        return pack_results(operands)


def as_process(function: RegionFunction) -> ProcessFunction:
    """A region without requests, as a process."""

    def run(*values: object) -> Process:
        yield from ()
        return function(*values)

    return run


def computation(body: ProcessFunction) -> ProcessFunction:
    """The function that runs a body on the operands themselves."""

    def compute(*operands: object) -> Process:
        return pack_results((yield from body(*operands)))

    return compute


@op("sdy.return", terminator=True)
class Return(Op):
    """Ends the body of a computation.

    Source: Shardy dialect, return.
    """

    __slots__ = ()
    values = define.variadic("", ANY_VALUE)
    assembly = "attr-dict ($values)? custom<OptionalTypes>"

    @constraint("parent")
    def ends_a_computation(self) -> Check:
        """It ends a computation of this dialect"""
        parent = self.parent_operation()
        name = parent.name if parent else "nothing"
        return holds(name.startswith("sdy."), parent=name)
