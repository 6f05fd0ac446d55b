"""Creates manual computations from stages on shards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.sdy.attributes import (
    AxisRef,
    DimensionSharding,
    ManualAxes,
    Mesh,
    TensorSharding,
    TensorShardingPerValue,
)
from stablemate.dialects.sdy.computations import ManualComputation, Return
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.ir.attributes import SymbolAttribute
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.types import TensorType, Type
from stablemate.transforms.sharding_import.boundaries import (
    Boundary,
    check_meshes,
    check_types,
    format_axis_sizes,
    open_sharding,
    sizes_of,
)
from stablemate.transforms.sharding_import.stages import Depths, ManualStage

ONE: Final = (1,)


class ManualBody:
    """A stage on shards with what passes its borders.

    Attributes:
        stage: Its operations.
        depths: The depths of the values around it.
        defined: The shards that it computes, or gets at its entries.
        captured: Values from outside that it uses as they are.
        crossing: Shards of earlier stages that it uses.
        mesh: The symbol of its mesh.
        manual_axes: The axes along which it computes on shards.
    """

    def __init__(self, stage: ManualStage, depths: Depths, meshes: Mapping[str, Mesh]) -> None:
        self.stage = stage
        self.depths = depths
        bounds = (*stage.entries, *stage.exits)
        self.mesh = mesh_symbol((depths.boundaries[o] for o in bounds), meshes)
        self.sizes = sizes_of(self.mesh, meshes)
        self.manual_axes = tuple(self.sizes) if stage.manual_axes is None else stage.manual_axes
        computing = (*stage.entries, *stage.operations)
        self.defined = dict.fromkeys(value for o in computing for value in o.results)
        self.captured: list[Value[Type]] = []
        self.crossing: list[Value[Type]] = []
        for operation in bounds:
            boundary = depths.boundaries[operation]
            check_meshes(operation, boundary, self.manual_axes, meshes)
            check_types(operation, boundary, self.manual_axes, self.sizes)

    def find_captures(self, computed: Mapping[Value[Type], tuple[str, ...]]) -> None:
        """Records the values from outside that the stage uses.

        Args:
            computed: The shards that this and other stages compute, with their manual axes.

        Raises:
            UnsupportedError: They are shards along other axes.
        """
        users = (*self.stage.operations, *self.stage.exits)
        used = dict.fromkeys(value for user in users for value in self.inputs(user))
        for value in used:
            if value in self.defined:
                continue
            axes = computed.get(value)
            if axes not in (None, self.manual_axes):
                raise self.unsupported_error(
                    "shards along some axes are used with shards along others",
                    manual_axes=format_axis_sizes(self.manual_axes, self.sizes),
                    others=format_axis_sizes(axes or (), self.sizes),
                )
            (self.captured if axes is None else self.crossing).append(value)

    def unsupported_error(self, text: str, **values: object) -> UnsupportedError:
        """An error at the place of the stage."""
        first = (*self.stage.entries, *self.stage.operations, *self.stage.exits)[0]
        return UnsupportedError(Diagnostic(text, first.name, first.span, values))

    def inputs(self, user: Operation) -> Iterator[Value]:
        """The values that an operation uses, directly or by operations on demand."""
        return (value for value in self.depths.inputs[user] if not self.depths.is_free(value))

    def has_results(self, crossing: Sequence[Value[Type]]) -> bool:
        """Whether somebody uses what the stage computes, or it has effects."""
        return bool(
            self.stage.exits or crossing or any(map(self.depths.must_stay, self.stage.operations))
        )

    def operands(self) -> Iterator[tuple[Value, TensorSharding]]:
        """The values that go in, with their shardings."""
        for entry in self.stage.entries:
            yield from zip(entry.operands, self.depths.boundaries[entry].shardings, strict=True)
        is_open = len(self.manual_axes) < len(self.sizes)
        for value in self.captured:
            yield value, open_sharding(self.mesh, value.type, is_open=is_open)
        for value in self.crossing:
            yield value, self.crossing_sharding(value)

    def crossing_sharding(self, value: Value[Type]) -> TensorSharding:
        """How devices share the concatenation of all shards of a value.

        Raises:
            UnsupportedError: It is no tensor.
        """
        rank = self.crossing_type(value).rank
        axes = tuple(map(AxisRef, self.manual_axes))
        rest = (DimensionSharding(),) * (rank - 1)
        return TensorSharding(self.mesh, (DimensionSharding(axes), *rest))

    def crossing_type(self, value: Value[Type]) -> TensorType:
        """The type of a shard that several stages use; of one number that of a vector.

        Raises:
            UnsupportedError: It is no tensor of known shape.
        """
        kind = value.type
        if not isinstance(kind, TensorType) or not kind.is_static:
            text = f"shards of {kind} are used before and after whole values that depend on them"
            raise self.unsupported_error(text)
        return kind if kind.rank else kind.with_shape(ONE)

    def block(self) -> Block:
        """The block of the body, without operations."""
        types = [value.type for entry in self.stage.entries for value in entry.results]
        types += [value.type for value in self.captured]
        types += [self.crossing_type(value) for value in self.crossing]
        return Block(types)

    def arguments(self, body: Block) -> Iterator[tuple[Value, Value]]:
        """The values that the arguments of the body stand for, with these."""
        entering = [value for entry in self.stage.entries for value in entry.results]
        values = (*entering, *self.captured, *self.crossing)
        builder = self.builder(body)
        for value, argument in zip(values, body.arguments, strict=True):
            yield value, with_type(builder, argument, value.type)

    def returned_values(self) -> list[Value[Type]]:
        """The shards that become whole values."""
        return [value for leaving in self.stage.exits for value in leaving.operands]

    def results(self) -> list[Value]:
        """The whole values that they become."""
        return [value for leaving in self.stage.exits for value in leaving.results]

    def builder(self, block: Block) -> Builder:
        """A builder at the place of the stage."""
        first = (*self.stage.entries, *self.stage.operations, *self.stage.exits)[0]
        return Builder(block, first.location, first.span)

    def create(
        self,
        block: Block,
        body: Block,
        operands: Sequence[Value],
        shards: Sequence[Value],
        crossing: Sequence[Value],
    ) -> Sequence[Value]:
        """Creates the computation; returns its results.

        Args:
            block: Where it stands.
            body: Its body, to which the terminator is added.
            operands: What goes in.
            shards: What the body returns, those that later stages use last.
            crossing: The shards that later stages use.
        """
        inner = self.builder(body)
        count = len(shards) - len(crossing)
        returned = list(shards[:count])
        for shard, value in zip(shards[count:], crossing, strict=True):
            returned.append(with_type(inner, shard, self.crossing_type(value)))
        inner.create(Return, values=returned)
        exits = [self.depths.boundaries[leaving] for leaving in self.stage.exits]
        shardings = [sharding for boundary in exits for sharding in boundary.shardings]
        shardings += [self.crossing_sharding(value) for value in crossing]
        types: list[Type] = [value.type for value in self.results()]
        types += [self.concatenation_type(value) for value in crossing]
        computation = self.builder(block).create(
            ManualComputation,
            operands=operands,
            in_shardings=TensorShardingPerValue(tuple(s for _, s in self.operands())),
            out_shardings=TensorShardingPerValue(tuple(shardings)),
            manual_axes=ManualAxes(self.manual_axes),
            regions=[Region([body])],
            results=types,
        )
        return computation.results

    def concatenation_type(self, value: Value[Type]) -> Type:
        """The type of the concatenation of all shards of a value."""
        kind = self.crossing_type(value)
        count = 1
        for axis in self.manual_axes:
            count *= self.sizes[axis]
        return kind.with_shape((kind.shape[0] * count, *kind.shape[1:]))


def with_type(builder: Builder, value: Value[Type], kind: Type) -> Value[Type]:
    """The value, reshaped if its type is another one."""
    if value.type == kind:
        return value
    return builder.create(Reshape, operand=value, results=[kind]).results[0]


def mesh_symbol(
    boundaries: Iterator[Boundary], meshes: Mapping[str, Mesh]
) -> Mesh | SymbolAttribute:
    """The mesh that the shardings of boundaries name; by default the first one."""
    shardings = (sharding for boundary in boundaries for sharding in boundary.shardings)
    first = next(shardings, None)
    return SymbolAttribute(next(iter(meshes))) if first is None else first.mesh
