"""Reads the shardings that a program requests, of Shardy or of HLO, and the mesh they are on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.builtin import stated_grid
from stablemate.dialects.func import FuncOp
from stablemate.dialects.sdy.attributes import (
    AxisRef,
    Mesh,
    ReductionOp,
    TensorSharding,
    TensorShardingPerValue,
)
from stablemate.dialects.sdy.axes import merged_axes
from stablemate.dialects.sdy.mesh import mesh_of
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.core import Module, Operation
from stablemate.ir.types import Attribute, TensorType, Type
from stablemate.transforms.partitioning import tiles
from stablemate.transforms.partitioning.devices import MeshDevices
from stablemate.transforms.partitioning.placement import (
    Axes,
    TensorPlacement,
    join_axes,
    replicated_placement,
)
from stablemate.transforms.sharding_import.device_tiles import DeviceTiles
from stablemate.transforms.sharding_import.hlo_shardings import StatedSharding, stated_shardings

SHARDING: Final = "sdy.sharding"
CONSTRAINT_TARGET: Final = "Sharding"  # HLO's custom call that states a sharding
SHARDINGS: Final = (SHARDING, tiles.ATTRIBUTE)
MONOIDS: Final = {
    ReductionOp.SUM: "add",
    ReductionOp.MAX: "maximum",
    ReductionOp.MIN: "minimum",
}


@dataclass(frozen=True, slots=True)
class RequestedSharding:
    """The sharding that a program requests for a value.

    Attributes:
        placement: The axes that divide each dimension.
        is_open: For each dimension whether further axes may divide it.
        replicated: Axes that must not divide it.
    """

    placement: TensorPlacement
    is_open: tuple[bool, ...]
    replicated: Axes = ()


@dataclass(frozen=True, slots=True)
class ProgramShardings:
    """Reads the shardings of a program.

    If they are on several meshes of the same devices, the mesh here is a finer one: each axis of
    these consists of some of its axes.

    Attributes:
        devices: The mesh.
        operation: The operation from which symbols of meshes are resolved.
        has_several_meshes: Whether the shardings are on several meshes.
    """

    devices: MeshDevices
    operation: Operation
    has_several_meshes: bool = False

    def of_value(
        self, attributes: Mapping[str, Attribute], value_type: Type
    ) -> RequestedSharding | None:
        """Returns the sharding of an argument or result; None if it has none."""
        attribute = attributes.get(SHARDING)
        if isinstance(attribute, TensorSharding):
            return self.of_sharding(attribute, value_type)
        text = attributes.get(tiles.ATTRIBUTE)
        return self.of_text(text.value, value_type) if isinstance(text, StringAttribute) else None

    def of_results(self, operation: Operation) -> list[RequestedSharding | None]:
        """Returns the shardings that an operation of another dialect has for its results."""
        shardings = operation.discardable.get(SHARDING)
        types: list[Type] = [value.type for value in operation.results]
        text = operation.discardable.get(tiles.ATTRIBUTE)
        is_constraint = getattr(operation, "call_target_name", None) == CONSTRAINT_TARGET
        if is_constraint and isinstance(text, StringAttribute):
            return [self.of_text(text.value, types[0])]
        if not isinstance(shardings, TensorShardingPerValue) or not types:
            return [None] * len(types)
        pairs = zip(shardings.shardings, types, strict=True)
        return [self.of_sharding(sharding, value_type) for sharding, value_type in pairs]

    def of_sharding(self, sharding: TensorSharding, value_type: Type) -> RequestedSharding | None:
        """Returns the requested sharding of a Shardy attribute."""
        if not isinstance(value_type, TensorType):
            return None
        mesh = mesh_of(self.operation, sharding)
        if mesh is None or mesh.size == 1:
            is_open = tuple(not dimension.is_closed for dimension in sharding.dimensions)
            if not is_open:  # one device has the whole
                is_open = (False,) * value_type.rank
            return RequestedSharding(replicated_placement(value_type.rank), is_open)
        *axes, terms, whole = (
            self.ranges(listed, mesh)
            for listed in (
                *(dimension.axes for dimension in sharding.dimensions),
                sharding.unreduced,
                sharding.replicated,
            )
        )
        placement = TensorPlacement(
            tuple(axes), terms, MONOIDS[sharding.reduction] if terms else "add"
        )
        return RequestedSharding(
            placement, tuple(not dimension.is_closed for dimension in sharding.dimensions), whole
        )

    def ranges(self, axes: Sequence[AxisRef], mesh: Mesh) -> Axes:
        """Returns axes of a mesh as axes of the devices."""
        parts = [part for part in merged_axes(axes, mesh.sizes) if part.size > 1]
        if not self.has_several_meshes:
            return tuple(parts)
        if any(part.size != mesh.sizes[part.name] for part in parts):
            message = "shardings on several meshes divide an axis: whole axes are known"
            raise UnsupportedError(message)
        placement = tiles.placement_on(self.devices, tiles_of_mesh(mesh), len(mesh.axes))
        rows = dict(zip(mesh.sizes, placement.dimensions, strict=True))
        return join_axes(*(rows[part.name] for part in parts))

    def of_text(self, text: str, value_type: Type) -> RequestedSharding | None:
        """Returns the requested sharding of an HLO sharding."""
        if not isinstance(value_type, TensorType):
            return None
        placement = tiles.placement_on(
            self.devices, tiles.read_tiles(StatedSharding(text, self.operation)), value_type.rank
        )
        return RequestedSharding(placement, (False,) * value_type.rank)


def program_shardings(
    module: Module, function: FuncOp, replicas: int = 1
) -> ProgramShardings | None:
    """Returns the shardings of a program; None if it has none.

    Args:
        module: The program.
        function: The function that is run.
        replicas: The number of replicas of its mesh.

    Raises:
        UnsupportedError: Its shardings are on different meshes, or on none that can be derived.
    """
    meshes = meshes_of(module)
    if meshes:
        if len({(mesh.axes, devices_in_order(mesh)) for mesh in meshes}) > 1:
            assignments = [tiles_of_mesh(mesh) for mesh in meshes]
            devices = tiles.devices_of(assignments, next(iter(meshes)).size, replicas)
            return ProgramShardings(devices, function, has_several_meshes=True)
        mesh = next(iter(meshes))
        devices = MeshDevices(mesh.sizes, devices_in_order(mesh), replicas)
        return ProgramShardings(devices, function)
    texts = {stated.text: stated for stated in stated_shardings(module.operation)}
    parsed = [tiles.read_tiles(stated) for stated in texts.values()]
    if not parsed:
        return None
    assignments = [assignment for assignment in parsed if assignment is not None]
    count = max(
        [assignment.devices.size for assignment in assignments],
        default=stated_grid(module.operation).num_partitions,
    )
    return ProgramShardings(tiles.devices_of(assignments, count, replicas), function)


def meshes_of(module: Module) -> list[Mesh]:
    """Returns the meshes of a program; those of one device only if there are no others.

    A sharding over one device divides nothing, whatever the number of devices is.
    """
    meshes = list(dict.fromkeys(mesh for mesh in meshes_in(module.operation) if mesh.axes))
    return [mesh for mesh in meshes if mesh.size > 1] or meshes


def devices_in_order(mesh: Mesh) -> tuple[int, ...]:
    """Returns the devices of a mesh in row-major order."""
    return mesh.device_ids or tuple(range(mesh.size))


def tiles_of_mesh(mesh: Mesh) -> DeviceTiles:
    """Returns the devices of a mesh by their places along its axes."""
    return DeviceTiles(np.array(devices_in_order(mesh)).reshape([axis.size for axis in mesh.axes]))


def meshes_in(operation: Operation) -> Iterator[Mesh]:
    """Yields the mesh of each sharding in a program."""
    for nested in operation.walk():
        for sharding in shardings_of(nested):
            mesh = mesh_of(nested, sharding)
            if mesh is not None:
                yield mesh


def shardings_of(operation: Operation) -> Iterator[TensorSharding]:
    """Yields the Shardy shardings of one operation."""
    for attribute in chain.from_iterable(
        attributes.values() for attributes in attributes_at(operation)
    ):
        match attribute:
            case TensorSharding():
                yield attribute
            case TensorShardingPerValue():
                yield from attribute.shardings
            case _:
                pass


def divides(operation: Operation) -> bool:
    """Whether a program has a sharding that divides a tensor."""
    for nested in operation.walk():
        if any(d.axes for sharding in shardings_of(nested) for d in sharding.dimensions):
            return True
    texts = (stated.text for stated in stated_shardings(operation))
    return any("devices=" in text or "mesh[" in text for text in texts)


def attributes_at(operation: Operation) -> list[Mapping[str, Attribute]]:
    """Returns the attributes of an operation, and of the arguments and results of a function."""
    dictionaries: list[Mapping[str, Attribute]] = [operation.attributes, operation.discardable]
    if isinstance(operation, FuncOp):
        dictionaries += operation.stored_attributes
    return dictionaries
