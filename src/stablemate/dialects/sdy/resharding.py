"""Base classes of collective operations on global tensors, with the rules for their shardings.

Source: Shardy dialect, CollectiveOpInterface and the verification of its operations.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.dialects.sdy.attributes import (
    SHARDING,
    AxisRef,
    ReductionOp,
    TensorSharding,
)
from stablemate.dialects.sdy.axes import (
    AxisRange,
    axis_range,
    invalid_sub_axes,
    mergeable_axes,
    merged_axes,
    merged_ranges,
    overlapping_axes,
    positions,
    unknown_axes,
    with_minor,
    without_minor,
)
from stablemate.dialects.sdy.mesh import mesh_of
from stablemate.dialects.sdy.sharding import Sharded, rank_of
from stablemate.dialects.sdy.sharding_lookup import sharding_of
from stablemate.ir.definition import Check, constraint, define, holds
from stablemate.ir.kinds import ANY_TENSOR, TypeConstraint
from stablemate.ir.types import MemRefType, Type, VectorType

SHAPED: Final[TypeConstraint[Type]] = TypeConstraint(
    "a tensor, a vector or a buffer",
    lambda candidate: (
        ANY_TENSOR.accepts(candidate) or isinstance(candidate, VectorType | MemRefType)
    ),
)


class ReshardingCollective(Sharded):
    """An operation that changes the sharding of its operand to ``out_sharding``."""

    __slots__ = ()
    exact = True
    tensor = define.operand("", SHAPED)
    out_sharding = define.attribute("", SHARDING)
    result = define.result(SHAPED, element_type="type", shape="type")
    assembly = "custom<MovedAxes> $tensor custom<OutSharding> attr-dict `:` result-type"

    def shardings(self) -> Sequence[tuple[TensorSharding, Type]]:
        """The sharding of the result."""
        return [(self.out_sharding, self.tensor.type)]

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """Lists of the axes that it works along."""
        return []

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes of the axes of its mesh."""
        mesh = mesh_of(self, self.out_sharding)
        assert mesh is not None
        return mesh.sizes

    def operand_parts(self) -> list[list[AxisRange]]:
        """The parts that divide each dimension of the operand."""
        sharding = sharding_of(self.tensor)
        if sharding is None:
            return [[] for _ in self.out_sharding.dimensions]
        return [merged_axes(dimension.axes, self.sizes) for dimension in sharding.dimensions]

    def result_parts(self) -> list[list[AxisRange]]:
        """The parts that divide each dimension of the result."""
        return [
            merged_axes(dimension.axes, self.sizes) for dimension in self.out_sharding.dimensions
        ]

    @constraint("axes")
    def moved_axes_exist(self) -> Check:
        """The axes are axes of the mesh, each used once"""
        axes = [axis for axis_list in self.moved_axes() for axis in axis_list]
        unknown = unknown_axes(axes, self.sizes) or invalid_sub_axes(axes, self.sizes)
        return holds(not unknown and not overlapping_axes(axes, self.sizes), axes=axes)

    @constraint("axes")
    def moved_parts_are_merged(self) -> Check:
        """Adjacent parts of an axis are written as one"""
        mergeable = [pair for axis_list in self.moved_axes() for pair in mergeable_axes(axis_list)]
        return holds(not mergeable, axes=mergeable)

    @constraint("operand")
    def operand_sharding(self) -> Check:
        """The sharding of the operand names axes of its mesh"""
        sharding = sharding_of(self.tensor)
        mesh = None if sharding is None else mesh_of(self, sharding)
        if sharding is None or mesh is None:
            return holds(sharding is None, mesh=sharding and str(sharding.mesh))
        unknown = unknown_axes(sharding.axes, mesh.sizes) or invalid_sub_axes(
            sharding.axes, mesh.sizes
        )
        return holds(not unknown, axes=unknown)

    @constraint("mesh")
    def one_mesh(self) -> Check:
        """The operand is divided over the same mesh"""
        sharding = sharding_of(self.tensor)
        same = sharding is None or mesh_of(self, sharding) == mesh_of(self, self.out_sharding)
        return holds(
            same, operand=sharding and str(sharding.mesh), result=str(self.out_sharding.mesh)
        )

    def infer(self) -> Type:
        """The type of the operand."""
        return self.tensor.type

    def evaluate(self, *operands: object, **_: object) -> object:
        """The operand: only the sharding of the global tensor changes."""
        return operands[0]


class FromSharded(ReshardingCollective):
    """A collective whose operand must have a sharding."""

    __slots__ = ()

    @constraint("operand")
    def operand_is_sharded(self) -> Check:
        """The sharding of the operand is stated"""
        return holds(sharding_of(self.tensor) is not None, operand=self.tensor.type)


class PerDimensionCollective(ReshardingCollective):
    """A collective with a list of axes for each dimension."""

    __slots__ = ()

    @abstractmethod
    def expected_parts(
        self, operand: list[AxisRange], axes: list[AxisRange]
    ) -> list[AxisRange] | None:
        """The ranges that divide a result dimension; None if the axes do not fit the operand."""

    @constraint("axes")
    def lists_fit(self) -> Check:
        """There is a list of axes for each dimension"""
        lists, rank = len(self.moved_axes()), rank_of(self.tensor.type) or 0
        return holds(lists == rank, lists=lists, rank=rank)

    @constraint("out_sharding")
    def result_sharding(self) -> Check:
        """out_sharding is the sharding of the operand with the axes moved"""
        operand, result = self.operand_parts(), self.result_parts()
        axes = [merged_axes(axis_list, self.sizes) for axis_list in self.moved_axes()]
        broken = [
            d
            for d, (old, moved, new) in enumerate(zip(operand, axes, result, strict=False))
            if self.expected_parts(old, moved) != new
        ]
        return holds(not broken, dimensions=broken)


class SlicingCollective(PerDimensionCollective):
    """A collective that divides dimensions along more axes."""

    __slots__ = ()

    def expected_parts(
        self, operand: list[AxisRange], axes: list[AxisRange]
    ) -> list[AxisRange] | None:
        """The axes of the operand, then these."""
        return with_minor(operand, axes)


class GatheringCollective(PerDimensionCollective):
    """A collective after which axes no longer divide dimensions."""

    __slots__ = ()

    def expected_parts(
        self, operand: list[AxisRange], axes: list[AxisRange]
    ) -> list[AxisRange] | None:
        """The axes of the operand without these at the minor end."""
        return without_minor(operand, axes)


def reduction_matches(collective: ReshardingCollective, reduction: ReductionOp) -> Check:
    """Whether axes that stop being unreduced are combined by this reduction."""
    sharding = sharding_of(collective.tensor)
    if sharding is None:
        return None
    left = frozenset(unreduced_parts(collective.out_sharding, collective.sizes))
    vanishing = [p for p in unreduced_parts(sharding, collective.sizes) if p not in left]
    fits = not vanishing or sharding.reduction is reduction
    return holds(fits, operand=sharding.reduction.value, reduction_op=reduction.value)


def unreduced_parts(sharding: TensorSharding, sizes: Mapping[str, int]) -> list[AxisRange]:
    """The ranges along which a tensor is unreduced, with adjacent ones merged."""
    parts = [axis_range(axis, sizes) for axis in sharding.unreduced]
    order = positions(sizes)
    return merged_ranges(sorted(parts, key=lambda part: (order[part.name], part.start)))


class ToUnreduced(FromSharded):
    """A collective after which a tensor is a sum along more axes."""

    __slots__ = ()

    @constraint("out_sharding")
    def result_is_a_sum(self) -> Check:
        """out_sharding combines pieces by sum"""
        reduction = self.out_sharding.reduction
        return holds(reduction is ReductionOp.SUM, reduction=reduction.value)

    @constraint("out_sharding")
    def unreduced_axes(self) -> Check:
        """The unreduced axes of out_sharding are those of the operand and these axes"""
        sharding = sharding_of(self.tensor)
        assert sharding is not None
        moved = [axis for axis_list in self.moved_axes() for axis in axis_list]
        joined = TensorSharding(sharding.mesh, unreduced=(*sharding.unreduced, *moved))
        expected = unreduced_parts(joined, self.sizes)
        actual = unreduced_parts(self.out_sharding, self.sizes)
        axes = [str(axis) for axis in self.out_sharding.unreduced]
        return holds(expected == actual, unreduced=axes, moved=[str(axis) for axis in moved])


class SameSharding(ReshardingCollective):
    """A collective that does not change how the dimensions are divided."""

    __slots__ = ()

    @constraint("out_sharding")
    def result_sharding(self) -> Check:
        """out_sharding divides the dimensions like the sharding of the operand"""
        pairs = enumerate(zip(self.operand_parts(), self.result_parts(), strict=False))
        broken = [d for d, (expected, actual) in pairs if expected != actual]
        return holds(not broken, dimensions=broken)
