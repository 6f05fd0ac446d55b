"""The grid that a program is written for: processes, meshes, and groups of processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import StablemateError
from stablemate.dialects.builtin import stated_counts
from stablemate.dialects.sdy.attributes import Mesh
from stablemate.dialects.sdy.mesh import MeshOp
from stablemate.dialects.stablehlo.attributes import ReplicaGroupMeshAxes
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.ir.core import Module, Operation
from stablemate.ir.grid import Grid, ProcessGroup, Strategy, nonempty_groups
from stablemate.transforms.partitioning import requested_shardings
from stablemate.transforms.shardy_form import in_shardy_form

Kind = Literal["manual", "annotated", "of one device", ""]
MANUAL: Final = "sdy.manual_computation"
OF_ONE_DEVICE: Final = ("stablehlo.partition_id", "stablehlo.replica_id")


@dataclass(frozen=True, slots=True)
class CollectivesByGroup:
    """Collective operations of one kind that have the same groups.

    Attributes:
        operation: Their name.
        groups: The groups of processes, by ``replica_id * num_partitions + partition_id``.
        number: How many there are.
    """

    operation: str
    groups: Sequence[Sequence[int]]
    number: int


@dataclass(frozen=True, slots=True)
class ExpectedGrid:
    """The grid that a program is written for.

    Attributes:
        grid: Its processes.
        kind: ``annotated``: global tensors with shardings; ``manual``: global tensors, with
            computations on pieces; ``of one device``: it asks others, or which one it is.
        meshes: The axes of the meshes by name, the major axis first.
        meetings: The collective operations.
    """

    grid: Grid
    kind: Kind
    meshes: Mapping[str, Mapping[str, int]]
    meetings: Sequence[CollectivesByGroup]


def expected_grid(module: Module) -> ExpectedGrid | None:
    """The grid that a valid module is written for; None if that is one process."""
    return expected_grid_in_shardy_form(where_readable(module))


def expected_grid_in_shardy_form(module: Module) -> ExpectedGrid | None:
    """The same of a module that is in Shardy's form."""
    operations = list(module.operation.walk())
    meshes = {
        operation.sym_name: operation.mesh
        for operation in operations
        if isinstance(operation, MeshOp)
    }
    collectives = [operation for operation in operations if isinstance(operation, Collective)]
    grid = grid_of(module, list(meshes.values()), collectives)
    kind = kind_of(operations, module.operation)
    if grid.size == 1 and not kind:
        return None
    counter = Counter((collective.name, groups_of(collective, grid)) for collective in collectives)
    return ExpectedGrid(
        grid,
        kind,
        {name: mesh.sizes for name, mesh in meshes.items()},
        [CollectivesByGroup(name, groups, number) for (name, groups), number in counter.items()],
    )


def where_readable(module: Module) -> Module:
    """The module in Shardy's form; itself if its shardings are wrong."""
    try:
        return in_shardy_form(module)
    except StablemateError:
        return module


def grid_of(module: Module, meshes: Sequence[Mesh], collectives: Sequence[Collective]) -> Grid:
    """The stated numbers of replicas and partitions; else those of the mesh and of groups.

    One replica of one partition states nothing: JAX writes it beside an abstract mesh.
    """
    replicas, partitions = stated_counts(module.operation)
    if (replicas or 1) * (partitions or 1) == 1:
        replicas = partitions = None
    devices = max([1, *(mesh.size for mesh in meshes)])
    copies = 1
    for collective in collectives:
        ids, strategy = ids_in(collective), collective.strategy
        if strategy in (Strategy.CROSS_REPLICA, Strategy.CROSS_REPLICA_AND_PARTITION):
            copies = max(copies, ids)
        else:
            devices = max(devices, ids)
    return Grid(replicas or copies, partitions or devices)


def ids_in(operation: Collective) -> int:
    """How many ids an operation speaks of."""
    groups = operation.id_groups
    if isinstance(groups, ReplicaGroupMeshAxes):
        return 1  # its mesh says more
    return 1 + max((device for group in nonempty_groups(groups) for device in group), default=0)


def kind_of(operations: Sequence[Operation], top: Operation) -> Kind:
    """How a program refers to devices."""
    names = {operation.name for operation in operations}
    if MANUAL in names:
        return "manual"
    if any(isinstance(operation, Collective) for operation in operations) or names & set(
        OF_ONE_DEVICE
    ):
        return "of one device"
    return "annotated" if requested_shardings.divides(top) else ""


def groups_of(operation: Collective, grid: Grid) -> tuple[tuple[int, ...], ...]:
    """The groups of an operation; none if they are not made for the grid."""
    try:
        groups: list[ProcessGroup] = operation.process_groups(grid)
    except StablemateError:
        return ()
    return tuple(tuple(map(grid.flattened_id, group)) for group in groups)
