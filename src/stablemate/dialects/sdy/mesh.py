"""sdy.mesh, and how meshes are found."""

from __future__ import annotations

from collections.abc import Callable

from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.sdy.attributes import MESH, Mesh, TensorSharding
from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, Op, constraint, define, fact_text, holds, op
from stablemate.ir.kinds import STRING


@op("sdy.mesh")
class MeshOp(Op):
    """A mesh of devices with a name.

    Source: Shardy dialect, mesh.
    """

    __slots__ = ()
    sym_name = define.attribute("", STRING)
    mesh = define.attribute("", MESH)
    assembly = "custom<Mesh>"

    @constraint("parent")
    def stands_in_a_module(self) -> Check:
        """It stands in a module"""
        parent = self.parent_operation()
        name = parent.name if parent else "nothing"
        return holds(name == "builtin.module", parent=name)

    @constraint("axes")
    def positive_sizes(self) -> Check:
        """The size of an axis is positive"""
        sizes = [axis.size for axis in self.mesh.axes]
        return holds(all(size > 0 for size in sizes), sizes=sizes)

    @constraint("axes")
    def unique_axes(self) -> Check:
        """The axes have different names"""
        return holds(has_unique_axes(self.mesh), axes=[axis.name for axis in self.mesh.axes])

    @constraint("device_ids")
    def known_devices(self) -> Check:
        """device_ids are a permutation of 0, 1, ..., or one device without axes"""
        return holds(has_known_devices(self.mesh), device_ids=self.mesh.device_ids)


def has_unique_axes(mesh: Mesh) -> bool:
    """Whether no axis occurs twice."""
    return len(mesh.sizes) == len(mesh.axes)


def has_known_devices(mesh: Mesh) -> bool:
    """Whether the device ids match the size of the mesh."""
    ids = mesh.device_ids
    if not mesh.axes:
        return len(ids) <= 1 and all(device >= 0 for device in ids)
    return not ids or (len(ids) == mesh.size and sorted(ids) == list(range(mesh.size)))


def first_broken_rule(mesh: Mesh) -> tuple[str, str, dict[str, object]] | None:
    """The rule of sdy.mesh that an attribute breaks, with formula and values; None if it is valid.

    MLIR's parser applies these rules to each mesh that it reads.
    """
    sizes, names = [axis.size for axis in mesh.axes], [axis.name for axis in mesh.axes]
    rules: tuple[tuple[str, bool, Callable[..., Check], dict[str, object]], ...] = (
        ("axes", all(size > 0 for size in sizes), MeshOp.positive_sizes, {"sizes": sizes}),
        ("axes", has_unique_axes(mesh), MeshOp.unique_axes, {"axes": names}),
        (
            "device_ids",
            has_known_devices(mesh),
            MeshOp.known_devices,
            {"device_ids": mesh.device_ids},
        ),
    )
    for label, is_kept, rule, values in rules:
        if not is_kept:
            shown = {name: fact_text(value) for name, value in values.items()}
            return f"sdy.mesh {label}", str(rule.__doc__), shown
    return None


def is_valid(mesh: Mesh) -> bool:
    """Whether an inlined mesh of a sharding obeys the rules of sdy.mesh."""
    positive = all(axis.size > 0 for axis in mesh.axes)
    return positive and has_unique_axes(mesh) and has_known_devices(mesh)


def mesh_of(operation: Operation, sharding: TensorSharding) -> Mesh | None:
    """The mesh of a sharding; None if it is not defined or breaks a rule."""
    mesh = sharding.mesh
    if isinstance(mesh, Mesh):
        return mesh if is_valid(mesh) else None
    symbol = find_symbol(operation, mesh.root)
    if not isinstance(symbol, MeshOp) or not isinstance(symbol.attributes.get("mesh"), Mesh):
        return None
    return symbol.mesh if is_valid(symbol.mesh) else None
