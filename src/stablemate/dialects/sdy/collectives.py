"""Collective operations on global tensors: how they are divided changes, their values do not.

Source: Shardy dialect, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stablemate.dialects.func import FuncOp
from stablemate.dialects.sdy.attributes import (
    ALL_TO_ALL_PARAM_LIST,
    AXIS_REF_LIST,
    LIST_OF_AXIS_REF_LISTS,
    SHARDING,
    AxisRef,
    TensorSharding,
    TensorShardingPerValue,
)
from stablemate.dialects.sdy.axes import (
    Part,
    device_count,
    merged,
    overlapping_axes,
    unfit_parts,
    unknown_axes,
    with_minor,
    without_minor,
)
from stablemate.dialects.sdy.mesh import mesh_of
from stablemate.dialects.sdy.sharding import Sharded
from stablemate.ir.core import BlockArgument, OpResult, Value
from stablemate.ir.definition import Check, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR
from stablemate.ir.types import Type


class Collective(Sharded):
    """An operation between the sharding of its operand and ``out_sharding``."""

    __slots__ = ()
    tensor = define.operand("", ANY_TENSOR)
    out_sharding = define.attribute("", SHARDING)
    result = define.result(ANY_TENSOR, element_type="type", shape="type")

    def shardings(self) -> Sequence[tuple[TensorSharding, Type]]:
        """The sharding of the result."""
        return [(self.out_sharding, self.tensor.type)]

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """The axes that it works along, in lists."""
        return []

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes of the axes of its mesh."""
        mesh = mesh_of(self, self.out_sharding)
        assert mesh is not None
        return mesh.sizes

    def operand_parts(self) -> list[list[Part]]:
        """The parts that divide each dimension of the operand."""
        found = sharding_of(self.tensor)
        if found is None:
            return [[] for _ in self.out_sharding.dimensions]
        return [merged(dimension.axes, self.sizes) for dimension in found.dimensions]

    def result_parts(self) -> list[list[Part]]:
        """The parts that divide each dimension of the result."""
        return [merged(dimension.axes, self.sizes) for dimension in self.out_sharding.dimensions]

    @constraint("axes")
    def moved_axes_exist(self) -> Check:
        """The axes are axes of the mesh, each used once"""
        axes = [axis for each in self.moved_axes() for axis in each]
        unknown = unknown_axes(axes, self.sizes) or unfit_parts(axes, self.sizes)
        return holds(not unknown and not overlapping_axes(axes, self.sizes), axes=axes)

    @constraint("mesh")
    def one_mesh(self) -> Check:
        """The operand is divided over the same mesh"""
        found = sharding_of(self.tensor)
        same = found is None or mesh_of(self, found) == mesh_of(self, self.out_sharding)
        return holds(same, operand=found and str(found.mesh), result=str(self.out_sharding.mesh))

    def infer(self) -> Type:
        """The type of the operand."""
        return self.tensor.type

    def evaluate(self, *operands: Any, **_: Any) -> Any:
        """The operand: of the global tensor only the division changes."""
        return operands[0]


def sharding_of(value: Value[Any]) -> TensorSharding | None:
    """What a program states of the sharding of a value; None if it states nothing."""
    match value:
        case OpResult():
            attributes = {**value.operation.discardable, **value.operation.attributes}
            for name in ("sdy.sharding", "out_sharding", "sharding", "out_shardings"):
                stated = attributes.get(name)
                if isinstance(stated, TensorSharding):
                    return stated
                if isinstance(stated, TensorShardingPerValue) and value.index < len(
                    stated.shardings
                ):
                    return stated.shardings[value.index]
        case BlockArgument():
            region = value.block.parent
            function = region.parent if region else None
            if isinstance(function, FuncOp):
                stated = function.argument_attributes[value.index].get("sdy.sharding")
                return stated if isinstance(stated, TensorSharding) else None
        case _:
            pass
    return None


class FromSharded(Collective):
    """A collective that starts from a stated sharding."""

    __slots__ = ()

    @constraint("operand")
    def operand_is_sharded(self) -> Check:
        """The sharding of the operand is stated"""
        return holds(sharding_of(self.tensor) is not None, operand=self.tensor.type)


class AlongDimensions(Collective):
    """A collective with a list of axes for each dimension."""

    __slots__ = ()

    def expected_parts(self, operand: list[Part], axes: list[Part]) -> list[Part] | None:
        """What divides a dimension of the result; None if the axes do not fit the operand."""
        raise NotImplementedError

    @constraint("axes")
    def lists_fit(self) -> Check:
        """There is a list of axes for each dimension"""
        lists, rank = len(self.moved_axes()), self.tensor.type.rank
        return holds(lists == rank, lists=lists, rank=rank)

    @constraint("out_sharding")
    def result_sharding(self) -> Check:
        """out_sharding is the sharding of the operand with the axes moved"""
        operand, result = self.operand_parts(), self.result_parts()
        axes = [merged(each, self.sizes) for each in self.moved_axes()]
        broken = [
            d
            for d, (old, moved, new) in enumerate(zip(operand, axes, result, strict=False))
            if self.expected_parts(old, moved) != new
        ]
        return holds(not broken, dimensions=broken)


@op("sdy.all_gather")
class AllGather(AlongDimensions, FromSharded):
    """Gathers the pieces along axes, so that they no longer divide the dimensions.

    Source: Shardy dialect, all_gather.
    """

    __slots__ = ()
    gathering_axes = define.attribute("", LIST_OF_AXIS_REF_LISTS)
    assembly = "custom<MovedAxes> $tensor custom<OutSharding> attr-dict `:` result-type"

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """gathering_axes."""
        return self.gathering_axes.dimensions

    def expected_parts(self, operand: list[Part], axes: list[Part]) -> list[Part] | None:
        """The axes of the operand without these at the minor end."""
        return without_minor(operand, axes)


class Dividing(AlongDimensions):
    """A collective that divides dimensions by more axes."""

    __slots__ = ()

    def expected_parts(self, operand: list[Part], axes: list[Part]) -> list[Part] | None:
        """The axes of the operand, then these."""
        return with_minor(operand, axes)


@op("sdy.all_slice")
class AllSlice(Dividing):
    """Divides dimensions by more axes.

    Source: Shardy dialect, all_slice.
    """

    __slots__ = ()
    slicing_axes = define.attribute("", LIST_OF_AXIS_REF_LISTS)
    assembly = "custom<MovedAxes> $tensor custom<OutSharding> attr-dict `:` result-type"

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """slicing_axes."""
        return self.slicing_axes.dimensions


@op("sdy.reduce_scatter")
class ReduceScatter(Dividing):
    """Adds the pieces along axes and divides dimensions by these axes.

    Source: Shardy dialect, reduce_scatter.
    """

    __slots__ = ()
    reduce_scatter_axes = define.attribute("", LIST_OF_AXIS_REF_LISTS)
    assembly = "custom<MovedAxes> $tensor custom<OutSharding> attr-dict `:` result-type"

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """reduce_scatter_axes."""
        return self.reduce_scatter_axes.dimensions


@op("sdy.all_to_all")
class AllToAll(FromSharded):
    """Moves axes from one dimension to another.

    Source: Shardy dialect, all_to_all.
    """

    __slots__ = ()
    params = define.attribute("", ALL_TO_ALL_PARAM_LIST)
    assembly = "custom<MovedAxes> $tensor custom<OutSharding> attr-dict `:` result-type"

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """The axes of all moves."""
        return [each.axes for each in self.params.params]

    @constraint("params")
    def some_move(self) -> Check:
        """There is a move"""
        return holds(bool(self.params.params), params=self.params.inner_text())

    @constraint("params")
    def dimensions_exist(self) -> Check:
        """0 <= source, target < rank(tensor)"""
        rank = self.tensor.type.rank
        dimensions = [d for each in self.params.params for d in (each.source, each.target)]
        return holds(all(0 <= d < rank for d in dimensions), dimensions=dimensions, rank=rank)

    @constraint("params")
    def dimensions_differ(self) -> Check:
        """No dimension is source or target of two moves"""
        dimensions = [d for each in self.params.params for d in (each.source, each.target)]
        return holds(len(set(dimensions)) == len(dimensions), dimensions=dimensions)

    @constraint("out_sharding")
    def result_sharding(self) -> Check:
        """out_sharding is the sharding of the operand with the axes moved"""
        parts: list[list[Part] | None] = [*self.operand_parts()]
        for each in self.params.params:
            axes = merged(each.axes, self.sizes)
            parts[each.source] = without_minor(parts[each.source] or [], axes)
            parts[each.target] = with_minor(parts[each.target] or [], axes)
        pairs = enumerate(zip(parts, self.result_parts(), strict=False))
        broken = [d for d, (expected, actual) in pairs if expected != actual]
        return holds(not broken, dimensions=broken)


class SameSharding(Collective):
    """A collective that leaves the division of the dimensions as it is."""

    __slots__ = ()

    @constraint("out_sharding")
    def result_sharding(self) -> Check:
        """out_sharding divides the dimensions like the sharding of the operand"""
        pairs = enumerate(zip(self.operand_parts(), self.result_parts(), strict=False))
        broken = [d for d, (expected, actual) in pairs if expected != actual]
        return holds(not broken, dimensions=broken)


@op("sdy.all_reduce")
class AllReduce(SameSharding):
    """Adds the pieces along axes.

    Source: Shardy dialect, all_reduce.
    """

    __slots__ = ()
    reduction_axes = define.attribute("", AXIS_REF_LIST)
    assembly = "custom<MovedAxes> $tensor custom<OutSharding> attr-dict `:` result-type"

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """reduction_axes."""
        return [self.reduction_axes.axes]

    @constraint("reduction_axes")
    def axes_do_not_divide(self) -> Check:
        """reduction_axes do not divide the operand"""
        found = sharding_of(self.tensor)
        divided = [a for d in found.dimensions for a in d.axes] if found else []
        axes = [*self.reduction_axes.axes, *divided, *(found.replicated if found else ())]
        shared = overlapping_axes(axes, self.sizes)
        return holds(not shared, axes=shared)


@op("sdy.replicated_to_unreduced")
class ReplicatedToUnreduced(SameSharding):
    """Makes a tensor a sum along axes along which it was replicated.

    Source: Shardy dialect, replicated_to_unreduced.
    """

    __slots__ = ()
    axes = define.attribute("", AXIS_REF_LIST)
    assembly = "custom<MovedAxes> $tensor custom<OutSharding> attr-dict `:` result-type"

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """The axes."""
        return [self.axes.axes]


@op("sdy.sharded_to_unreduced")
class ShardedToUnreduced(AlongDimensions, FromSharded):
    """Makes a tensor a sum along axes that divided its dimensions.

    Source: Shardy dialect, sharded_to_unreduced.
    """

    __slots__ = ()
    axes = define.attribute("", LIST_OF_AXIS_REF_LISTS)
    assembly = "custom<MovedAxes> $tensor custom<OutSharding> attr-dict `:` result-type"

    def moved_axes(self) -> Sequence[Sequence[AxisRef]]:
        """The axes."""
        return self.axes.dimensions

    def expected_parts(self, operand: list[Part], axes: list[Part]) -> list[Part] | None:
        """The axes of the operand without these at the minor end."""
        return without_minor(operand, axes)


@op("sdy.collective_permute")
class CollectivePermute(FromSharded):
    """Exchanges pieces between devices, so that other axes divide the dimensions.

    Source: Shardy dialect, collective_permute.
    """

    __slots__ = ()
    assembly = "$tensor custom<OutSharding> attr-dict `:` result-type"

    @constraint("out_sharding")
    def same_counts(self) -> Check:
        """Each dimension is divided into as many pieces as before"""
        found = sharding_of(self.tensor)
        assert found is not None
        before = [device_count(d.axes, self.sizes) for d in found.dimensions]
        after = [device_count(d.axes, self.sizes) for d in self.out_sharding.dimensions]
        return holds(before == after, operand=before, result=after)
