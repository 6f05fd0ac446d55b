"""sdy.mesh, and how meshes are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.sdy.attributes import MESH, Mesh, TensorSharding
from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, Op, constraint, define, fact_texts, holds, op
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
        return positive_sizes(self.mesh)

    @constraint("axes")
    def unique_axes(self) -> Check:
        """The axes have different names"""
        return unique_axes(self.mesh)

    @constraint("device_ids")
    def known_devices(self) -> Check:
        """device_ids are a permutation of 0, 1, ..., or one device without axes"""
        return known_devices(self.mesh)


def positive_sizes(mesh: Mesh) -> Check:
    """Whether the sizes of axes are positive."""
    sizes = [axis.size for axis in mesh.axes]
    return holds(all(size > 0 for size in sizes), sizes=sizes)


def unique_axes(mesh: Mesh) -> Check:
    """Whether no axis occurs twice."""
    names = [axis.name for axis in mesh.axes]
    return holds(len(mesh.sizes) == len(names), axes=names)


def known_devices(mesh: Mesh) -> Check:
    """Whether the device ids match the size of the mesh."""
    ids = mesh.device_ids
    if not mesh.axes:
        return holds(len(ids) <= 1 and all(device >= 0 for device in ids), device_ids=ids)
    fits = not ids or (len(ids) == mesh.size and sorted(ids) == list(range(mesh.size)))
    return holds(fits, device_ids=ids)


# The rules of sdy.mesh for its attribute: label, the constraint that has the formula, check.
MESH_RULES: Final[tuple[tuple[str, Callable[..., Check], Callable[[Mesh], Check]], ...]] = (
    ("axes", MeshOp.positive_sizes, positive_sizes),
    ("axes", MeshOp.unique_axes, unique_axes),
    ("device_ids", MeshOp.known_devices, known_devices),
)


def first_broken_rule(mesh: Mesh) -> tuple[str, str, dict[str, object]] | None:
    """The rule of sdy.mesh that an attribute breaks, with formula and values; None if it is valid.

    MLIR's parser applies these rules to each mesh that it reads.
    """
    for label, rule, check in MESH_RULES:
        violation = check(mesh)
        if violation is not None:
            return f"sdy.mesh {label}", str(rule.__doc__), fact_texts(violation)
    return None


def is_valid(mesh: Mesh) -> bool:
    """Whether an inlined mesh of a sharding obeys the rules of sdy.mesh."""
    return first_broken_rule(mesh) is None


def mesh_of(operation: Operation, sharding: TensorSharding) -> Mesh | None:
    """The mesh of a sharding; None if it is not defined or breaks a rule."""
    mesh = sharding.mesh
    if isinstance(mesh, Mesh):
        return mesh if is_valid(mesh) else None
    symbol = find_symbol(operation, mesh.root)
    if not isinstance(symbol, MeshOp) or not isinstance(symbol.attributes.get("mesh"), Mesh):
        return None
    return symbol.mesh if is_valid(symbol.mesh) else None
