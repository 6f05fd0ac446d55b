"""The rules for every sharding of a program.

Source: Shardy dialect, the verification of a tensor sharding.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.attributes import AxisRef, Mesh, TensorSharding
from stablemate.dialects.sdy.axes import (
    invalid_sub_axes,
    is_ordered,
    mergeable_axes,
    overlapping_axes,
    unknown_axes,
)
from stablemate.dialects.sdy.mesh import mesh_of
from stablemate.dialects.vhlo.types import TensorV1Type
from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, Op, constraint, holds
from stablemate.ir.types import (
    MemRefType,
    TensorType,
    TupleType,
    Type,
    UnrankedTensorType,
    VectorType,
)

SHAPED: Final = (TensorType, VectorType, MemRefType, TupleType)


@dataclass(frozen=True, slots=True)
class ResolvedSharding:
    """A sharding of an operation with its mesh, and the type that it applies to."""

    sharding: TensorSharding
    type: Type
    mesh: Mesh

    @property
    def sizes(self) -> dict[str, int]:
        """The size of each axis of the mesh."""
        return self.mesh.sizes

    def axis_lists(self) -> Iterator[Sequence[AxisRef]]:
        """The axes of each dimension, then the replicated and the unreduced ones."""
        yield from (dimension.axes for dimension in self.sharding.dimensions)
        yield self.sharding.replicated
        yield self.sharding.unreduced


class OperationSharding:
    """The shardings of an operation, with the rules for them."""

    __slots__ = ()

    @property
    @abstractmethod
    def operation(self) -> Operation:
        """The operation that has them."""

    @abstractmethod
    def shardings(self) -> Sequence[tuple[TensorSharding, Type]]:
        """The shardings, each with the type that it applies to."""

    def resolved_shardings(self) -> list[ResolvedSharding]:
        """The shardings whose meshes exist."""
        at = self.operation
        resolved = [(sharding, kind, mesh_of(at, sharding)) for sharding, kind in self.shardings()]
        return [
            ResolvedSharding(sharding, kind, mesh)
            for sharding, kind, mesh in resolved
            if mesh is not None
        ]

    def own_axes(self) -> Sequence[str]:
        """Names of the axes that it divides along."""
        return [axis.name for sharding, _ in self.shardings() for axis in sharding.axes]

    @constraint("mesh")
    def mesh_exists(self) -> Check:
        """The mesh of a sharding is defined"""
        at = self.operation
        missing = [str(s.mesh) for s, _ in self.shardings() if mesh_of(at, s) is None]
        return holds(not missing, mesh=missing)

    @constraint("mesh")
    def maximal_mesh(self) -> Check:
        """A sharding on one device names no dimensions and no axes"""
        broken = [
            s.sharding
            for s in self.resolved_shardings()
            if s.mesh.is_maximal and names_axes(s.sharding)
        ]
        return holds(not broken, shardings=[sharding.inner_text() for sharding in broken])

    @constraint("rank")
    def rank_fits(self) -> Check:
        """A sharding has as many dimensions as its tensor"""
        pairs = [(s.sharding, s.type) for s in self.resolved_shardings() if not s.mesh.is_maximal]
        broken = [(s, t) for s, t in pairs if len(s.dimensions) != rank_of(t)]
        return holds(
            not broken,
            shardings=[sharding.inner_text() for sharding, _ in broken],
            types=[str(kind) for _, kind in broken],
        )

    @constraint("rank")
    def others_are_whole(self) -> Check:
        """A value that is no tensor is neither divided nor replicated along axes"""
        listed = [(s, t) for s, t in self.shardings() if not isinstance(t, SHAPED) and s.axes]
        return holds(
            not listed,
            shardings=[sharding.inner_text() for sharding, _ in listed],
            types=[str(kind) for _, kind in listed],
        )

    @constraint("priority")
    def priorities_say_something(self) -> Check:
        """A dimension that is closed and not divided has no priority"""
        broken = [
            str(dimension)
            for sharding, _ in self.shardings()
            for dimension in sharding.dimensions
            if dimension.priority is not None and dimension.is_closed and not dimension.axes
        ]
        return holds(not broken, dimensions=broken)

    @constraint("axes")
    def axes_exist(self) -> Check:
        """The axes of a sharding are axes of its mesh"""
        unknown = [
            name
            for s in self.resolved_shardings()
            for name in unknown_axes(s.sharding.axes, s.sizes)
        ]
        return holds(not unknown, axes=unknown)

    @constraint("axes")
    def parts_fit(self) -> Check:
        """A part (pre)size: 0 < pre, 1 < size < size(axis), size(axis) % (pre * size) = 0"""
        unfit = [
            name
            for s in self.resolved_shardings()
            for name in invalid_sub_axes(s.sharding.axes, s.sizes)
        ]
        return holds(not unfit, axes=unfit)

    @constraint("axes")
    def axes_used_once(self) -> Check:
        """A sharding uses an axis, or a part of one, once"""
        twice = [
            a for s in self.resolved_shardings() for a in overlapping_axes(s.sharding.axes, s.sizes)
        ]
        return holds(not twice, axes=twice)

    @constraint("axes")
    def parts_are_merged(self) -> Check:
        """Adjacent parts of an axis are written as one"""
        mergeable = [
            a
            for s in self.resolved_shardings()
            for axes in s.axis_lists()
            for a in mergeable_axes(axes)
        ]
        return holds(not mergeable, axes=mergeable)

    @constraint("axes")
    def lists_are_ordered(self) -> Check:
        """Replicated and unreduced axes stand in the order of the mesh"""
        lists = [
            (axes, s)
            for s in self.resolved_shardings()
            for axes in (s.sharding.replicated, s.sharding.unreduced)
        ]
        broken = [str(axis) for axes, s in lists if not is_ordered(axes, s.sizes) for axis in axes]
        return holds(not broken, axes=broken)

    @constraint("axes")
    def axes_are_free(self) -> Check:
        """No axis is manual in an operation around this one"""
        bound = set(bound_axes(self.operation))
        manual = [name for name in self.own_axes() if name in bound]
        return holds(not manual, axes=manual)


class Sharded(OperationSharding, Op):
    """An operation that has shardings among its own attributes."""

    __slots__ = ()

    @property
    def operation(self) -> Operation:
        """The operation that carries the shardings, itself."""
        return self


def names_axes(sharding: TensorSharding) -> bool:
    """Whether it has dimensions or lists of axes."""
    return bool(sharding.dimensions or sharding.replicated or sharding.unreduced)


def rank_of(kind: Type) -> int | None:
    """The number of dimensions of a sharding; None if values of this type have no sharding."""
    match kind:
        case TensorType() | VectorType() | MemRefType(shape=tuple()):
            return len(kind.shape or ())
        case TupleType():
            return rank_of(kind.types[0]) if len(kind.types) == 1 else None
        case TensorV1Type(shape=shape):  # a custom call in a portable artifact
            return len(shape)
        case UnrankedTensorType() | MemRefType():
            return None
        case _:
            return 0


def bound_axes(operation: Operation) -> Iterator[str]:
    """The axes that are manual in the operations around this one."""
    parent = operation.parent_operation()
    while parent is not None:
        manual = parent.attributes.get("manual_axes")
        names: Sequence[str] = getattr(manual, "axes", ())
        yield from names
        parent = parent.parent_operation()
