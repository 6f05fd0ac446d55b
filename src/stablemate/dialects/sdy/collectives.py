"""Collective operations on global tensors: they change shardings, not values.

Source: Shardy dialect, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.sdy.attributes import (
    ALL_TO_ALL_PARAM_LIST,
    AXIS_REF_LIST,
    LIST_OF_AXIS_REF_LISTS,
    REDUCTION_OP,
    AxisRef,
    ReductionOp,
)
from stablemate.dialects.sdy.axes import (
    AxisRange,
    device_count,
    is_ordered,
    merged_axes,
    overlapping_axes,
    with_minor,
    without_minor,
)
from stablemate.dialects.sdy.mesh import mesh_of
from stablemate.dialects.sdy.resharding import (
    FromSharded,
    GatheringCollective,
    SameSharding,
    SlicingCollective,
    ToUnreduced,
    reduction_matches,
)
from stablemate.dialects.sdy.sharding import rank_of
from stablemate.dialects.sdy.sharding_lookup import sharding_of
from stablemate.ir.definition import Check, constraint, define, holds, op
from stablemate.ir.traits import Trait


@op("sdy.all_gather", traits=Trait.IDENTITY)
class AllGather(GatheringCollective, FromSharded):
    """Gathers the shards along axes, which then no longer divide the dimensions.

    Source: Shardy dialect, all_gather.
    """

    __slots__ = ()
    gathering_axes = define.attribute("", LIST_OF_AXIS_REF_LISTS)

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """The axes that are gathered, by dimension."""
        return self.gathering_axes.dimensions


@op("sdy.all_slice", traits=Trait.IDENTITY)
class AllSlice(SlicingCollective):
    """Divides dimensions along more axes.

    Source: Shardy dialect, all_slice.
    """

    __slots__ = ()
    slicing_axes = define.attribute("", LIST_OF_AXIS_REF_LISTS)

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """The axes that are sliced along, by dimension."""
        return self.slicing_axes.dimensions


@op("sdy.reduce_scatter", traits=Trait.IDENTITY)
class ReduceScatter(SlicingCollective):
    """Adds the shards along axes and divides dimensions along these axes.

    Source: Shardy dialect, reduce_scatter.
    """

    __slots__ = ()
    reduce_scatter_axes = define.attribute("", LIST_OF_AXIS_REF_LISTS)
    reduction_op = define.default_attribute("", REDUCTION_OP, ReductionOp.SUM)
    assembly = (
        "custom<Reduction> custom<MovedAxes> $tensor custom<OutSharding> attr-dict `:` result-type"
    )

    @constraint("reduction_op")
    def reduces_as_stated(self) -> Check:
        """Unreduced axes that vanish are combined by reduction_op"""
        return reduction_matches(self, self.reduction_op)

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """The axes that are reduced and scattered, by dimension."""
        return self.reduce_scatter_axes.dimensions


@op("sdy.all_to_all", traits=Trait.IDENTITY)
class AllToAll(FromSharded):
    """Moves axes from one dimension to another.

    Source: Shardy dialect, all_to_all.
    """

    __slots__ = ()
    params = define.attribute("", ALL_TO_ALL_PARAM_LIST)

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """The axes of all moves."""
        return [param.axes for param in self.params.params]

    @constraint("params")
    def some_move(self) -> Check:
        """There is a move"""
        return holds(bool(self.params.params), params=self.params.inner_text())

    @constraint("params")
    def dimensions_exist(self) -> Check:
        """0 <= source, target < rank(tensor)"""
        rank = rank_of(self.tensor.type) or 0
        dimensions = [d for param in self.params.params for d in (param.source, param.target)]
        return holds(all(0 <= d < rank for d in dimensions), dimensions=dimensions, rank=rank)

    @constraint("params")
    def sources_ascend(self) -> Check:
        """The source dimensions are in ascending order"""
        sources = [param.source for param in self.params.params]
        return holds(sources == sorted(sources), sources=sources)

    @constraint("params")
    def dimensions_differ(self) -> Check:
        """No dimension is source or target of two moves"""
        dimensions = [d for param in self.params.params for d in (param.source, param.target)]
        return holds(len(set(dimensions)) == len(dimensions), dimensions=dimensions)

    @constraint("out_sharding")
    def result_sharding(self) -> Check:
        """out_sharding is the sharding of the operand with the axes moved"""
        parts: list[list[AxisRange] | None] = [*self.operand_parts()]
        for param in self.params.params:
            axes = merged_axes(param.axes, self.sizes)
            parts[param.source] = without_minor(parts[param.source] or [], axes)
            parts[param.target] = with_minor(parts[param.target] or [], axes)
        pairs = enumerate(zip(parts, self.result_parts(), strict=False))
        broken = [d for d, (expected, actual) in pairs if expected != actual]
        return holds(not broken, dimensions=broken)


@op("sdy.all_reduce", traits=Trait.IDENTITY)
class AllReduce(SameSharding):
    """Adds the shards along axes.

    Source: Shardy dialect, all_reduce.
    """

    __slots__ = ()
    reduction_axes = define.attribute("", AXIS_REF_LIST)
    reduction_op = define.default_attribute("", REDUCTION_OP, ReductionOp.SUM)
    assembly = (
        "custom<Reduction> custom<MovedAxes> $tensor custom<OutSharding> attr-dict `:` result-type"
    )

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """The axes over which is reduced, of no dimension."""
        return [self.reduction_axes.axes]

    @constraint("reduction_axes")
    def axes_are_ordered(self) -> Check:
        """reduction_axes stand in the order of the mesh"""
        axes = self.reduction_axes.axes
        return holds(is_ordered(axes, self.sizes), axes=axes, mesh=list(self.sizes))

    @constraint("reduction_axes")
    def axes_are_reduced(self) -> Check:
        """reduction_axes are no unreduced axes of out_sharding"""
        axes = [*self.reduction_axes.axes, *self.out_sharding.unreduced]
        shared = overlapping_axes(axes, self.sizes)
        return holds(not shared, axes=shared)

    @constraint("reduction_op")
    def reduces_as_stated(self) -> Check:
        """Unreduced axes that vanish are combined by reduction_op"""
        return reduction_matches(self, self.reduction_op)

    @constraint("reduction_axes")
    def axes_do_not_divide(self) -> Check:
        """reduction_axes do not divide the operand"""
        sharding = sharding_of(self.tensor)
        divided = [a for d in sharding.dimensions for a in d.axes] if sharding else []
        axes = [*self.reduction_axes.axes, *divided, *(sharding.replicated if sharding else ())]
        shared = overlapping_axes(axes, self.sizes)
        return holds(not shared, axes=shared)


@op("sdy.replicated_to_unreduced", traits=Trait.IDENTITY)
class ReplicatedToUnreduced(SameSharding, ToUnreduced):
    """Marks axes of a replicated tensor as unreduced, so that it is a sum along them.

    Source: Shardy dialect, replicated_to_unreduced.
    """

    __slots__ = ()
    axes = define.attribute("", AXIS_REF_LIST)

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """The axes that become unreduced, of no dimension."""
        return [self.axes.axes]

    @constraint("axes")
    def some_axis(self) -> Check:
        """There is an axis, and the axes stand in the order of the mesh"""
        axes = self.axes.axes
        fits = bool(axes) and is_ordered(axes, self.sizes)
        return holds(fits, axes=axes, mesh=list(self.sizes))


@op("sdy.sharded_to_unreduced", traits=Trait.IDENTITY)
class ShardedToUnreduced(GatheringCollective, ToUnreduced):
    """Marks axes that divided a tensor as unreduced, so that it is a sum along them.

    Source: Shardy dialect, sharded_to_unreduced.
    """

    __slots__ = ()
    axes = define.attribute("", LIST_OF_AXIS_REF_LISTS)

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """The axes that become unreduced, by dimension."""
        return self.axes.dimensions


@op("sdy.collective_permute", traits=Trait.IDENTITY)
class CollectivePermute(FromSharded):
    """Exchanges shards between devices, so that other axes divide the dimensions.

    Source: Shardy dialect, collective_permute.
    """

    __slots__ = ()
    assembly = "$tensor custom<OutSharding> attr-dict `:` result-type"

    @constraint("mesh")
    def one_mesh(self) -> Check:
        """The operand is divided over the same mesh, or over one of another order of devices"""
        sharding = sharding_of(self.tensor)
        before = None if sharding is None else mesh_of(self, sharding)
        after = mesh_of(self, self.out_sharding)
        if sharding is None or before is None or after is None:
            return None  # another rule reports this
        fits = sharding.mesh == self.out_sharding.mesh or before.device_ids != after.device_ids
        fits = fits and before.axes == after.axes
        return holds(fits, operand=str(sharding.mesh), result=str(self.out_sharding.mesh))

    @constraint("out_sharding")
    def same_counts(self) -> Check:
        """Each dimension is divided into as many pieces as before"""
        sharding = sharding_of(self.tensor)
        assert sharding is not None
        before = [device_count(d.axes, self.sizes) for d in sharding.dimensions]
        after = [device_count(d.axes, self.sizes) for d in self.out_sharding.dimensions]
        return holds(before == after, operand=before, result=after)
