"""Meshes whose devices are in any order, as meshes in the order of the devices.

Where shardings of a program are on several meshes, a mesh whose devices are in no regular order is
replaced by one of the same axes in the usual order. Its arguments and results are then passed by
other devices: the process at a place of the mesh gets the argument of the device at that place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.func import FuncOp
from stablemate.dialects.sdy.attributes import Mesh, TensorSharding
from stablemate.dialects.sdy.mesh import MeshOp, mesh_of
from stablemate.ir.core import Module, Operation
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import Attribute
from stablemate.transforms.partitioning import tiles
from stablemate.transforms.partitioning.requested_shardings import (
    SHARDING,
    devices_in_order,
    meshes_of,
    tiles_of_mesh,
)
from stablemate.transforms.sharding_import.device_tiles import DeviceTiles

Order: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OrderedProgram:
    """A program whose meshes are in regular orders.

    Attributes:
        module: The program.
        arguments: For each argument, the device that has it for each process; None: its own.
        results: The same for results.
    """

    module: Module
    arguments: Sequence[Order | None]
    results: Sequence[Order | None]


def with_ordered_meshes(module: Module, function: FuncOp) -> OrderedProgram:
    """The program with meshes in regular orders.

    Args:
        module: A program for one replica.
        function: The function that is run.
    """
    meshes = meshes_of(module)
    orders: dict[Mesh, Order] = {}
    if len({(mesh.axes, devices_in_order(mesh)) for mesh in meshes}) > 1:
        orders = {mesh: mesh.device_ids for mesh in irregular(meshes)}
    sides = function.argument_attributes, function.result_attributes
    arguments, results = ([*orders_of(function, side, orders)] for side in sides)
    if not orders:
        return OrderedProgram(module, arguments, results)
    ordered = module.with_operation(WithOrderedMeshes(orders).copy_operation(module.operation))
    return OrderedProgram(ordered, arguments, results)


def irregular(meshes: Sequence[Mesh]) -> Iterator[Mesh]:
    """The meshes that have no common division with those before them.

    Those in the order of the devices come first.
    """
    regular: list[DeviceTiles] = []
    for mesh in sorted(meshes, key=lambda mesh: bool(mesh.device_ids)):
        assignment = tiles_of_mesh(mesh)
        try:
            tiles.devices_of([*regular, assignment], mesh.size)
        except UnsupportedError:
            if mesh.device_ids:
                yield mesh
        else:
            regular.append(assignment)


def orders_of(
    function: FuncOp, side: Sequence[Mapping[str, Attribute]], orders: Mapping[Mesh, Order]
) -> Iterator[Order | None]:
    """The order of the devices of each argument or result whose mesh is replaced."""
    for attributes in side:
        sharding = attributes.get(SHARDING)
        mesh = mesh_of(function, sharding) if isinstance(sharding, TensorSharding) else None
        yield None if mesh is None else orders.get(mesh)


class WithOrderedMeshes(Rewriting):
    """Copies a module; some meshes are in the order of the devices."""

    def __init__(self, orders: Mapping[Mesh, Order]) -> None:
        super().__init__({})
        self.orders = orders

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy of an operation; that of a mesh names no devices."""
        copy = super().copy_operation(operation)
        if not isinstance(copy, MeshOp) or copy.mesh not in self.orders:
            return copy
        attributes = {**copy.attributes, "mesh": replace(copy.mesh, device_ids=())}
        return type(copy)((), (), attributes, (), discardable=copy.discardable, span=copy.span)
