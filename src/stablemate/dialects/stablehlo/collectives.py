"""Base classes of collective operations: how they divide the grid, and rules for replica groups.

Source: StableHLO specification, "Collective ops".
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Final, TypeAlias, cast

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import EvaluationError
from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.stablehlo.attributes import (
    REPLICA_GROUPS,
    ChannelHandle,
    Mesh,
    ReplicaGroupMeshAxes,
)
from stablemate.dialects.stablehlo.dimensions import is_unique
from stablemate.dialects.stablehlo.reducers import monoid
from stablemate.dialects.stablehlo.regions import (
    UFUNCS,
    accumulator_elements,
    on_arrays,
    reduces,
    to_destination_type,
)
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir import request as requests
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import Region, Value
from stablemate.ir.definition import Check, RegionFunction, RequestOp, TargetsFunction, holds
from stablemate.ir.exchange import CollectiveExchange, Combiner, Shape, all_operands_to_all
from stablemate.ir.grid import (
    PADDING_ID,
    AxisPart,
    Grid,
    IdGroups,
    ProcessGroup,
    ProcessId,
    Strategy,
    mesh_axes_groups,
    nonempty_groups,
)
from stablemate.ir.request import Process
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array, ElementType, FloatType, IntegerType, QuantizedType
from stablemate.numerics.quantization import quantize

Combination: TypeAlias = Callable[..., Array]  # of two arrays; writes to out=

PART: Final = 1 << 17  # bytes: blocks of a few members stay in the L2 cache

COMPLETE: Final = "replica_groups hold every id once"
ALLOWED: Final = "replica_groups hold ids of the grid"


class Collective(requests.WithoutReduction, RequestOp):
    """An operation that the processes of a group execute together.

    A process backend determines the group of a process, collects the operands of its members, and
    passes them to ``evaluate_group``. Without a group, ``evaluate_ungrouped`` has the results.
    """

    __slots__ = ()
    size_rule: ClassVar[str] = ""  # the constraint on the number of ids
    covers_grid: ClassVar[bool] = True  # whether every process must belong to a group
    uniform_results: ClassVar[bool] = False  # whether all members of a group have the same results

    def request(
        self, operands: Sequence[object], regions: Sequence[RegionFunction]
    ) -> requests.CollectiveRequest:
        """Requests the results, which need the operands of other processes; they are arrays."""
        return requests.CollectiveRequest(self, cast("Sequence[Array]", operands), regions)

    def prepare_with_targets(self, regions: Sequence[Callable[..., Any]]) -> TargetsFunction:
        """A process of one request, which lends its memory."""

        def ask(operands: Sequence[Array], targets: Sequence[Array]) -> Process:
            answer = yield requests.CollectiveRequest(self, operands, regions, targets)
            return answer

        return ask

    @property
    def channel_id(self) -> int:
        """The id of the channel; 0 where there is none."""
        handle = self.attributes.get("channel_handle")
        return handle.handle if isinstance(handle, ChannelHandle) else 0

    @property
    def uses_global_device_ids(self) -> bool:
        """Whether the ids are those of processes."""
        return "use_global_device_ids" in self.attributes

    @property
    def strategy(self) -> Strategy:
        """How replica groups become process groups."""
        if self.channel_id <= 0:
            return Strategy.CROSS_REPLICA
        if self.uses_global_device_ids:
            return Strategy.FLATTENED_IDS
        return Strategy.CROSS_REPLICA_AND_PARTITION

    @property
    def id_groups(self) -> IdGroups | ReplicaGroupMeshAxes:
        """Groups of ids, or the mesh axes that define them."""
        return REPLICA_GROUPS.value(self.attributes["replica_groups"])

    def process_groups(self, grid: Grid) -> list[ProcessGroup]:
        """The groups into which the operation divides the processes.

        Raises:
            EvaluationError: The groups do not fit this grid.
        """
        groups, count = self.id_groups, self.strategy.ids(grid)
        if isinstance(groups, ReplicaGroupMeshAxes):
            groups = self.mesh_groups(groups, count)
        ids = sorted(process_id for group in nonempty_groups(groups) for process_id in group)
        if self.covers_grid:
            fits, message = not ids or ids == list(range(count)), COMPLETE
        else:
            fits, message = not ids or 0 <= ids[0] <= ids[-1] < count, ALLOWED
        require(self, fits, self.size_rule, message, replica_groups=groups, size=count)
        return self.strategy.process_groups(groups, grid)

    def mesh_groups(self, groups: ReplicaGroupMeshAxes, count: int) -> IdGroups:
        """The groups along the axes of a mesh of ``count`` devices."""
        mesh = mesh_of(self, groups)
        require(self, mesh is not None, "", "the mesh is defined", mesh=groups.mesh)
        axes = axis_sizes(mesh)
        size = math.prod(axes.values())
        require(
            self, size == count, self.size_rule, "size(mesh) = size(grid)", mesh=size, grid=count
        )
        try:
            return mesh_axes_groups(axes, axis_parts(groups), device_ids(mesh))
        except ValueError as error:
            rule = f"{self.name} {self.size_rule}"
            raise EvaluationError(Diagnostic(str(error), rule=rule, span=self.span)) from None

    def group_of(self, process: ProcessId, grid: Grid) -> ProcessGroup | None:
        """The group that a process belongs to; None if it belongs to none."""
        return next((group for group in self.process_groups(grid) if process in group), None)

    @abstractmethod
    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[RegionFunction] = (),
    ) -> object:
        """The results of one member of a group: one as itself, several as a tuple. Pure.

        Args:
            operands: The operands of each member, in the order of the group.
            position: The member that the results are for.
            regions: The operation's regions as functions.
        """

    @property
    def routing_operand(self) -> int | None:
        """The operand whose values determine which member sends what to which, or None."""
        return None

    @abstractmethod
    def exchange(
        self, shapes: Sequence[Shape], size: int, routing: Sequence[Array] = ()
    ) -> CollectiveExchange:
        """The data that members of a group send one another for the results of ``evaluate_group``.

        Args:
            shapes: The shapes of the operands.
            size: Number of members.
            routing: The routing operand of each member, if there is one.

        Raises:
            EvaluationError: The shapes, or the values of the routing operand, break a rule.
        """

    def evaluate_ungrouped(self, operands: Sequence[Array]) -> object:
        """The results of a process that belongs to no group, if the operation permits that.

        Raises:
            EvaluationError: Its groups must contain every process.
        """
        raise EvaluationError(
            Diagnostic(f"a process is left out: {COMPLETE}", self.name, self.span)
        )


class ReducingCollective(Collective):
    """A collective operation whose one region combines the elements of the members' operands."""

    __slots__ = ()

    def region_executions(self) -> Sequence[int]:
        """Once for each element of each operand: what one process adds to the others."""
        return (sum(operand.type.size for operand in self.operands),)

    @property
    def element(self) -> ElementType:
        """The element type in which the region combines."""
        return accumulator_elements(self.regions[0])[0]

    def combines(self, operands: Sequence[Value[TensorType]]) -> Check:
        """Whether the region combines the elements of each of these operands."""
        checks = (
            reduces(self.regions[0], [operand.type.element_type], name="computation")
            for operand in operands
        )
        return next((violation for violation in checks if violation is not None), None)

    def reduced_types(self, operands: Sequence[Value[TensorType]]) -> list[TensorType]:
        """The types of these operands with the elements of the region."""
        return [operand.type.with_element(self.element) for operand in operands]

    def reduce_operand(
        self,
        index: int,
        operands: Sequence[Sequence[Array]],
        regions: Sequence[RegionFunction],
    ) -> Array:
        """Operand number ``index`` of all members, combined in the order of the group."""
        return self.combiner(index, 0, regions)([values[index] for values in operands])

    def combiner(
        self, index: int, position: int, regions: Sequence[RegionFunction] = ()
    ) -> Combiner:
        """The pieces of all members, combined in the order of the group."""
        source, target = self.operands[index].type.element_type, self.element
        combine = elementwise_combiner(self.regions[0], regions[0])

        def combine_pieces(pieces: Sequence[Array], out: Array | None = None) -> Array:
            if source != target:
                pieces = [to_destination_type(piece, source, target) for piece in pieces]
            return reduce_in_order(combine, pieces, out)

        return combine_pieces

    def reduction_ufunc(self, index: int) -> str | None:
        """The region's ufunc, if it is one and the elements need no conversion."""
        is_same = self.operands[index].type.element_type == self.element
        is_plain = is_same and ufunc_of(self.regions[0]) is not None
        return monoid(self.regions[0]) if is_plain else None

    def reduction_steps(
        self,
        index: int,
        position: int,
        regions: Sequence[RegionFunction],
        pieces: Sequence[Array],
        out: Array,
    ) -> Sequence[Callable[[], object]]:
        """The calls that combine arrays at fixed addresses, block by block."""
        ufunc = ufunc_of(self.regions[0])
        is_same = self.operands[index].type.element_type == self.element
        if ufunc is None or not is_same or len(pieces) < 2 or not are_contiguous(pieces, out):
            return super().reduction_steps(index, position, regions, pieces, out)
        return list(
            sequential_steps(ufunc, [piece.reshape(-1) for piece in pieces], out.reshape(-1))
        )

    def whole_exchange(self, shapes: Sequence[Shape], size: int) -> CollectiveExchange:
        """Every member needs all operands of all, combined."""
        pieces = all_operands_to_all(len(shapes))
        return CollectiveExchange(size, shapes, shapes, pieces, is_elementwise=True)


def are_contiguous(pieces: Sequence[Array], out: Array) -> bool:
    """Whether all arrays are contiguous."""
    return all(array.flags.c_contiguous for array in (*pieces, out))


def sequential_steps(
    combine: np.ufunc, pieces: Sequence[Array], out: Array
) -> Iterator[Callable[[], object]]:
    """The calls that combine flat arrays in the order of ``reduce_in_order``, in cache blocks."""
    size = max(1, PART // out.itemsize)
    is_late = is_read_late(pieces, out)
    scratch = np.empty_like(out[:size]) if is_late else out
    for start in range(0, out.size, size):
        first, *rest = [piece[start : start + size] for piece in pieces]
        place = out[start : start + size]
        target = scratch[: place.size] if is_late else place
        for block in rest[:-1]:
            yield partial(combine, first, block, out=target)
            first = target
        yield partial(combine, first, rest[-1], out=place)


def ufunc_of(region: Region) -> np.ufunc | None:
    """The name of the ufunc that computes a region exactly as its operation does."""
    name = monoid(region)
    if name is None:
        return None
    match accumulator_elements(region)[0]:
        case IntegerType(bits=bits) if bits >= 8:
            return UFUNCS[name]
        case FloatType(bits=bits) if bits >= 32 and name in ("add", "multiply"):
            return UFUNCS[name]
        case _:
            return None


def elementwise_combiner(region: Region, function: RegionFunction) -> Combination:
    """The function of a region on scalars, applied to two arrays of one shape; supports ``out``."""
    ufunc = ufunc_of(region)
    if ufunc is not None:
        return ufunc
    body = on_arrays(region, function)

    def combine_pair(x: Array, y: Array, out: Array | None = None) -> Array:
        total = body(x, y)[0]
        if out is None:
            return total
        out[...] = total
        return out

    return combine_pair


def reduce_in_order(
    combine: Combination, pieces: Sequence[Array], out: Array | None = None
) -> Array:
    """Combines arrays of one shape, one after another, as the reference interpreter does.

    Args:
        combine: Combines two of them.
        pieces: At least one.
        out: An array for the result, which is then returned; it may be one of the pieces.
    """
    result = pieces[0]
    place = np.empty_like(out) if out is not None and is_read_late(pieces, out) else out
    for piece in pieces[1:]:
        result = combine(result, piece, out=place)
    if out is None or result is out:
        return result
    out[...] = result
    return out


def is_read_late(pieces: Sequence[Array], out: Array) -> bool:
    """Whether a piece after the first two may lie in the memory of the result."""
    return any(np.may_share_memory(piece, out) for piece in pieces[2:])


def mesh_of(op: Collective, groups: ReplicaGroupMeshAxes) -> Any:
    """The mesh itself; a symbol names an operation with a ``mesh``. None if undefined."""
    if isinstance(groups.mesh, Mesh):
        return groups.mesh
    definition = find_symbol(op, groups.mesh.root)
    mesh = None if definition is None else definition.attributes.get("mesh")
    return mesh if hasattr(mesh, "axes") and hasattr(mesh, "device_ids") else None


def axis_sizes(mesh: Any) -> dict[str, int]:
    """The sizes of the axes of a mesh, of this dialect or Shardy's."""
    return {axis.name: axis.size for axis in mesh.axes}


def device_ids(mesh: Any) -> Sequence[int] | None:
    """The devices of a mesh in row-major order; None if they are numbered in that order."""
    ids = mesh.device_ids
    if isinstance(ids, DenseElementsAttribute):
        return [int(number) for number in ids.array.reshape(-1)]
    return ids or None


def axis_parts(groups: ReplicaGroupMeshAxes) -> list[AxisPart]:
    """The axes in which members of a group differ."""
    parts = ((axis.name, axis.sub_axis_info) for axis in groups.axes)
    return [AxisPart(name, p.pre_size, p.size) if p else AxisPart(name) for name, p in parts]


def group_size(op: Collective) -> int | None:
    """Number of ids in each group; None if it is not known or there are no groups."""
    groups = op.id_groups
    if not isinstance(groups, ReplicaGroupMeshAxes):
        return len(groups[0]) if groups and groups[0] else None
    mesh = mesh_of(op, groups)
    if mesh is None:
        return None
    axes = axis_sizes(mesh)
    size = math.prod(part.size or axes.get(part.axis, 1) for part in axis_parts(groups))
    return size if size > 0 else None


def known_group_size(op: Collective) -> int | None:
    """The number of processes in each group, for the shape of one result; None if unknown."""
    needs_partitions = "channel_handle" in op.attributes and not op.uses_global_device_ids
    return None if len(op.operands) != 1 or needs_partitions else group_size(op)


def scale_dimension(op: Collective, dimension: int, change: Callable[[int], int]) -> Sequence[int]:
    """The shape of the only operand, with one size changed if it is known."""
    shape = op.operands[0].type.shape
    size = shape[dimension]
    changed = DYNAMIC if size == DYNAMIC else change(size)
    return (*shape[:dimension], changed, *shape[dimension + 1 :])


def ids_of(op: Collective) -> list[int]:
    """All ids of the groups; none if a mesh defines them."""
    groups = op.id_groups
    return [] if isinstance(groups, ReplicaGroupMeshAxes) else [i for row in groups for i in row]


def mesh_is_defined(op: Collective) -> Check:
    """Whether the mesh of the groups is defined and has their axes."""
    groups = op.id_groups
    if not isinstance(groups, ReplicaGroupMeshAxes):
        return None
    mesh = mesh_of(op, groups)
    if not isinstance(groups.mesh, Mesh):
        return holds(find_symbol(op, groups.mesh.root) is not None, mesh=groups.mesh)
    axes = axis_sizes(mesh)
    unknown = [part.axis for part in axis_parts(groups) if part.axis not in axes]
    return holds(not unknown, axes=list(axes), unknown=unknown)


def ids_are_unique(op: Collective) -> Check:
    """Whether no id occurs twice, padding aside."""
    ids = [process_id for process_id in ids_of(op) if process_id != PADDING_ID]
    return holds(is_unique(ids), replica_groups=op.id_groups)


def ids_are_consecutive(op: Collective, *, filled: bool = False) -> Check:
    """Whether the ids are 0, 1, ..., n - 1 in some order.

    Args:
        op: The operation.
        filled: Whether -1 may pad groups.
    """
    ids = ids_of(op)
    counted = [process_id for process_id in ids if not filled or process_id != PADDING_ID]
    fits = sorted(counted) == list(range(len(counted)))
    return holds(fits, replica_groups=op.id_groups)


def global_ids_have_groups(op: Collective) -> Check:
    """Whether groups are given if they consist of global ids."""
    empty = not isinstance(op.id_groups, ReplicaGroupMeshAxes) and not ids_of(op)
    fits = not (op.uses_global_device_ids and empty)
    return holds(fits, replica_groups=op.id_groups, use_global_device_ids=True)


def global_ids_have_channel(op: Collective) -> Check:
    """Whether ids of processes come with a channel.

    More lenient verifiers exist: they permit all_gather with channel 0.
    """
    fits = op.channel_id > 0 or not op.uses_global_device_ids
    return holds(fits, channel_id=op.channel_id)


def zeros(shape: tuple[int, ...], result: TensorType) -> Array:
    """The result of a process that receives nothing: zeros of the result's element type."""
    element = result.element_type
    if isinstance(element, QuantizedType):
        return np.asarray(quantize(np.zeros(shape, element.expressed.dtype), element))
    return np.zeros(shape, element.dtype)  # f8E8M0FNU has no zero: its smallest number, as in MLIR
