"""Writes a container of jax.export.

A container of JAX's newest version is written byte for byte as JAX wrote it: the same library adds
the same fields in the same order. An older container keeps its fields.

Source: JAX, serialization of Exported, version 11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from stablemate.formats.jax_export.exported import (
    ABSTRACT_TOKEN,
    AXIS_TYPES,
    CHECKS,
    MEMORY_SPACES,
    VALUE_KINDS,
    Exported,
    ExportedDevice,
    ExportedMesh,
    ExportedSharding,
    ExportedValue,
    Sharding,
)
from stablemate.formats.jax_export.fields import Root
from stablemate.formats.jax_export.trees import KINDS, Tree

if TYPE_CHECKING:
    from flatbuffers import Builder

T = TypeVar("T")

FIRST_BYTES: Final = 65536  # initial size of the buffer, which grows


def write_exported(exported: Exported) -> bytes:
    """Returns the container of a function."""
    from flatbuffers import Builder

    writer = ExportWriter(Builder(FIRST_BYTES))
    writer.builder.Finish(writer.function_table(exported))
    return bytes(writer.builder.Output())


class ExportWriter:
    """Writes tables into a buffer, children first; each method returns the offset."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    # ---- vectors

    def offsets(self, offsets: Sequence[int]) -> int:
        """Writes a vector of offsets."""
        self.builder.StartVector(4, len(offsets), 4)
        for offset in reversed(offsets):
            self.builder.PrependUOffsetTRelative(offset)
        return self.builder.EndVector()

    def vector(self, write: Callable[[T], int], items: Iterable[T]) -> int:
        """Writes a vector of tables or strings."""
        return self.offsets([write(item) for item in items])

    def text(self, text: str) -> int:
        """Writes a string and returns its offset."""
        return self.builder.CreateString(text)

    def numbers(self, numbers: Sequence[int], dtype: str) -> int:
        """Writes a vector of numbers."""
        return self.builder.CreateNumpyVector(np.array(numbers, dtype))

    # ---- the function

    def function_table(self, exported: Exported) -> int:
        """Writes the table of a function."""
        present = exported.present
        values = unique([*exported.in_values, *exported.out_values])
        named = unique(
            in_sharding
            for in_sharding in (*exported.in_shardings, *exported.out_shardings)
            if isinstance(in_sharding, ExportedSharding)
        )
        meshes = unique(sharding.mesh for sharding in named)
        makers: dict[Root, Callable[[], int]] = {
            Root.FUNCTION_NAME: lambda: self.text(exported.function_name),
            Root.IN_TREE: lambda: self.tree(exported.in_tree),
            Root.IN_VALUES: lambda: self.vector(self.value, exported.in_values),
            Root.OUT_TREE: lambda: self.tree(exported.out_tree),
            Root.OUT_VALUES: lambda: self.vector(self.value, exported.out_values),
            Root.IN_SHARDINGS: lambda: self.vector(self.sharding, exported.in_shardings),
            Root.OUT_SHARDINGS: lambda: self.vector(self.sharding, exported.out_shardings),
            Root.ORDERED_EFFECTS: lambda: self.vector(self.effect, exported.ordered_effects),
            Root.UNORDERED_EFFECTS: lambda: self.vector(self.effect, exported.unordered_effects),
            Root.DISABLED_CHECKS: lambda: self.vector(self.check, exported.disabled_checks),
            Root.PLATFORMS: lambda: self.vector(self.text, exported.platforms),
            Root.PAYLOAD: lambda: self.builder.CreateByteVector(bytes(exported.payload)),
            Root.KEPT: lambda: self.numbers(exported.kept, "u2"),
            Root.VJP: lambda: self.function_table(exported.vjp) if exported.vjp else 0,
            Root.UNIQUE_VALUES: lambda: self.vector(self.value, values),
            Root.UNIQUE_MESHES: lambda: self.vector(self.mesh, meshes),
            Root.UNIQUE_SHARDINGS: lambda: self.vector(self.named_sharding, named),
            Root.IN_VALUE_NUMBERS: lambda: self.numbers_of(exported.in_values, values),
            Root.OUT_VALUE_NUMBERS: lambda: self.numbers_of(exported.out_values, values),
            Root.IN_SHARDING_NUMBERS: lambda: self.numbers_of(
                exported.in_shardings, [None, *named]
            ),
            Root.OUT_SHARDING_NUMBERS: lambda: self.numbers_of(
                exported.out_shardings, [None, *named]
            ),
        }
        offsets = {field: make() for field, make in makers.items() if field in present}
        builder = self.builder
        builder.StartObject(len(Root))
        builder.PrependUint16Slot(Root.SERIALIZATION_VERSION, exported.serialization_version, 0)
        for field in FIELD_ORDER:
            if field in offsets:
                builder.PrependUOffsetTRelativeSlot(field, offsets[field], 0)
            elif field is Root.DEVICES_SHORT and field in present:
                builder.PrependInt16Slot(field, exported.devices, 0)
            elif field is Root.DEVICES and field in present:
                builder.PrependUint32Slot(field, exported.devices, 0)
            elif field is Root.CALLING_CONVENTION_VERSION:
                builder.PrependUint16Slot(field, exported.calling_convention_version, 0)
            elif field is Root.USES_GLOBAL_CONSTANTS:
                builder.PrependBoolSlot(field, exported.uses_global_constants, False)
        return builder.EndObject()

    def numbers_of(self, items: Sequence[T], distinct: Sequence[T]) -> int:
        """Writes the number of each item among the distinct ones."""
        numbers = {item: number for number, item in enumerate(distinct)}
        return self.numbers([numbers[item] for item in items], "u4")

    # ---- its parts

    def tree(self, tree: Tree) -> int:
        """Writes the table of a tree."""
        builder = self.builder
        children = self.vector(self.tree, tree.children) if tree.children else 0
        keys = self.vector(self.text, tree.keys) if tree.kind == "dict" else 0
        name = 0 if tree.custom_name is None else self.text(tree.custom_name)
        data = 0 if tree.custom_data is None else builder.CreateByteVector(tree.custom_data)
        builder.StartObject(5)
        builder.PrependInt8Slot(0, KINDS.index(tree.kind), 0)
        for slot, offset in enumerate((children, keys, name, data), 1):
            builder.PrependUOffsetTRelativeSlot(slot, offset, 0)
        return builder.EndObject()

    def value(self, value: ExportedValue) -> int:
        """Writes the table of a value."""
        builder = self.builder
        shape = self.vector(self.text, [dimension.text for dimension in value.shape])
        builder.StartObject(4)
        builder.PrependInt8Slot(0, ABSTRACT_TOKEN if value.is_token else 0, 0)
        builder.PrependUOffsetTRelativeSlot(1, shape, 0)
        builder.PrependInt8Slot(2, VALUE_KINDS.index(value.kind), 0)
        builder.PrependInt8Slot(3, MEMORY_SPACES.index(value.memory_space), 0)
        return builder.EndObject()

    def sharding(self, sharding: Sharding) -> int:
        """Writes the table of a sharding."""
        builder = self.builder
        named = self.named_sharding(sharding) if isinstance(sharding, ExportedSharding) else 0
        proto = None if sharding is None else sharding.proto
        hlo = 0 if proto is None else builder.CreateByteVector(proto)
        builder.StartObject(3)
        builder.PrependInt8Slot(0, 1 if hlo else 0, 0)
        builder.PrependUOffsetTRelativeSlot(1, hlo, 0)
        builder.PrependUOffsetTRelativeSlot(2, named, 0)
        return builder.EndObject()

    def named_sharding(self, sharding: ExportedSharding) -> int:
        """Writes the table of a sharding on a mesh."""
        builder = self.builder
        mesh, partitions = self.mesh(sharding.mesh), self.partitions(sharding)
        memory_kind = 0 if sharding.memory_kind is None else self.text(sharding.memory_kind)
        builder.StartObject(4)
        for slot, offset in enumerate((mesh, partitions, memory_kind)):
            builder.PrependUOffsetTRelativeSlot(slot, offset, 0)
        builder.PrependUint32Slot(3, sharding.mesh_number, 0)
        return builder.EndObject()

    def partitions(self, sharding: ExportedSharding) -> int:
        """Writes the table of the axes that divide each dimension."""
        builder = self.builder
        dimensions = self.vector(self.axes, sharding.partitions)
        reduced = self.vector(self.text, sharding.reduced)
        unreduced = self.vector(self.text, sharding.unreduced)
        builder.StartObject(3)
        for slot, offset in enumerate((dimensions, reduced, unreduced)):
            builder.PrependUOffsetTRelativeSlot(slot, offset, 0)
        return builder.EndObject()

    def axes(self, axes: Sequence[str]) -> int:
        """Writes the table of the axes that divide one dimension."""
        return self.single(self.vector(self.text, axes))

    def single(self, offset: int) -> int:
        """Writes a table of one field."""
        self.builder.StartObject(1)
        self.builder.PrependUOffsetTRelativeSlot(0, offset, 0)
        return self.builder.EndObject()

    def mesh(self, mesh: ExportedMesh) -> int:
        """Writes the table of a mesh."""
        builder = self.builder
        builder.StartVector(4, len(mesh.sizes), 4)
        for size in reversed(mesh.sizes):
            builder.PrependUint32(size)
        sizes = builder.EndVector()
        axes = self.vector(self.text, mesh.axes)
        builder.StartVector(1, len(mesh.types), 1)
        for value_type in reversed(mesh.types):
            builder.PrependByte(AXIS_TYPES.index(value_type))
        types = builder.EndVector()
        device = 0 if mesh.device is None else self.device(mesh.device)
        builder.StartObject(4)
        for slot, offset in enumerate((sizes, axes, types, device)):
            builder.PrependUOffsetTRelativeSlot(slot, offset, 0)
        return builder.EndObject()

    def device(self, device: ExportedDevice) -> int:
        """Writes the table of a device."""
        builder = self.builder
        kind = self.text(device.kind)
        platform = 0 if device.platform is None else self.text(device.platform)
        builder.StartObject(3)
        builder.PrependUOffsetTRelativeSlot(0, kind, 0)
        builder.PrependUint32Slot(1, device.cores, 0)
        builder.PrependUOffsetTRelativeSlot(2, platform, 0)
        return builder.EndObject()

    def effect(self, name: str) -> int:
        """Writes the table of an effect."""
        return self.single(self.text(name))

    def check(self, check: str) -> int:
        """Writes the table of a check that was disabled."""
        kind, _, target = check.partition(":")
        offset = self.text(target) if target else 0
        self.builder.StartObject(2)
        self.builder.PrependInt8Slot(0, CHECKS.index(kind), 0)
        self.builder.PrependUOffsetTRelativeSlot(1, offset, 0)
        return self.builder.EndObject()


# The order in which JAX adds the fields: those of later versions last.
FIELD_ORDER: Final = (
    *(field for field in Root if Root.FUNCTION_NAME <= field <= Root.OUT_VALUES),
    Root.DEVICES,
    Root.DEVICES_SHORT,
    *(field for field in Root if Root.IN_SHARDINGS <= field <= Root.VJP),
    *(field for field in Root if field > Root.DEVICES),
)


def unique(items: Iterable[T]) -> list[T]:
    """Returns the distinct items, in the order of their first occurrence."""
    return list(dict.fromkeys(items))
