"""Reads the output of ``jax.export.Exported.serialize``, in any of its versions.

Newer versions store each value, mesh and sharding once and refer to it by number. Older versions,
and for a while the newer ones too, store it inline at each use.

Source: JAX, serialization of Exported, versions 1 to 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

from stablemate.diagnostics.errors import ParseError
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source
from stablemate.formats.bytecode.container import MAGIC
from stablemate.formats.bytecode.origins import FileOrigin
from stablemate.formats.jax_export.dimensions import SymbolicDimension, parse_dimension
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
    SerializedSharding,
    Sharding,
)
from stablemate.formats.jax_export.fields import (
    AbstractValueFields,
    CheckField,
    DeviceField,
    MeshField,
    NamedShardingField,
    PartitionsField,
    Root,
    ShardingField,
    TreeField,
)
from stablemate.formats.jax_export.tables import I8, I16, U8, U16, U32, File, FlatBufferTable
from stablemate.formats.jax_export.trees import KINDS, Tree

T = TypeVar("T")

ROOT_BYTES: Final = 8  # of the smallest file that has a root table


def is_exported(data: Any) -> bool:
    """Whether bytes look like a container of jax.export: tables with a program inside."""
    view = memoryview(data).cast("B")
    if len(view) < ROOT_BYTES or not 0 < int.from_bytes(view[:4], "little") < len(view):
        return False  # decides for most texts and all bytecode without importing a library
    try:
        root = file_of(view, "<bytes>", DEFAULT_LIMITS).root()
        return bytes(root.data(Root.PAYLOAD)[: len(MAGIC)]) == MAGIC
    except ParseError:
        return False


def read_exported(data: Any, name: str = "<bytes>", limits: Limits = DEFAULT_LIMITS) -> Exported:
    """Returns the function that a container holds; its program is a view of the data.

    Args:
        data: The file: anything with the buffer protocol.
        name: Its name in messages.
        limits: The limits of reading.

    Raises:
        ParseError: The file breaks the format.
        LimitError: Its trees are nested too deeply.
    """
    return read_function(file_of(memoryview(data).cast("B").toreadonly(), name, limits).root(), 0)


def file_of(view: memoryview, name: str, limits: Limits) -> File:
    """Opens the file, without reading anything."""
    return File(view, FileOrigin(Source("", name, binary=True), limits), len(view))


def read_function(root: FlatBufferTable, depth: int) -> Exported:
    """Returns the function in a table."""
    values = [value(table) for table in root.tables(Root.UNIQUE_VALUES)]
    meshes = [mesh(table) for table in root.tables(Root.UNIQUE_MESHES)]
    named = [named_sharding(table, meshes) for table in root.tables(Root.UNIQUE_SHARDINGS)]
    in_values, out_values = (
        values_of(root, values, numbers, own)
        for numbers, own in (
            (Root.IN_VALUE_NUMBERS, Root.IN_VALUES),
            (Root.OUT_VALUE_NUMBERS, Root.OUT_VALUES),
        )
    )
    in_shardings, out_shardings = (
        shardings_of(root, named, meshes, numbers, own)
        for numbers, own in (
            (Root.IN_SHARDING_NUMBERS, Root.IN_SHARDINGS),
            (Root.OUT_SHARDING_NUMBERS, Root.OUT_SHARDINGS),
        )
    )
    vjp = root.table(Root.VJP)
    return check_exported(
        root,
        Exported(
            function_name=root.text(Root.FUNCTION_NAME) or "",
            in_tree=tree(require_table(root, Root.IN_TREE), 0),
            in_values=in_values,
            out_tree=tree(require_table(root, Root.OUT_TREE), 0),
            out_values=out_values,
            in_shardings=in_shardings,
            out_shardings=out_shardings,
            devices=root.number(Root.DEVICES, U32) or root.number(Root.DEVICES_SHORT, I16),
            platforms=root.texts(Root.PLATFORMS),
            ordered_effects=effects(root, Root.ORDERED_EFFECTS),
            unordered_effects=effects(root, Root.UNORDERED_EFFECTS),
            disabled_checks=tuple(check(table) for table in root.tables(Root.DISABLED_CHECKS)),
            calling_convention_version=root.number(Root.CALLING_CONVENTION_VERSION, U16),
            kept=root.numbers(Root.KEPT, U16),
            uses_global_constants=bool(root.number(Root.USES_GLOBAL_CONSTANTS, U8)),
            payload=root.data(Root.PAYLOAD),
            vjp=None if vjp is None else read_vjp(vjp, depth + 1),
            serialization_version=root.number(Root.SERIALIZATION_VERSION, U16),
            present=frozenset(field for field in Root if root.place(field) is not None),
        ),
    )


def read_vjp(root: FlatBufferTable, depth: int) -> Exported:
    """Returns the gradient of a function, which may have a gradient itself."""
    reject_deep(root, depth)
    return read_function(root, depth)


def check_exported(root: FlatBufferTable, exported: Exported) -> Exported:
    """Returns the function, and rejects it if its parts are inconsistent."""
    for tree_, values, what in (
        (exported.in_tree, exported.in_values, "arguments"),
        (exported.out_tree, exported.out_values, "results"),
    ):
        if tree_.leaves != len(values):
            root.reject(
                f"the tree of {what} has {tree_.leaves} leaves, but there are {len(values)}"
            )
    pair = [child.kind for child in exported.in_tree.children]
    if exported.in_tree.kind != "tuple" or pair != ["tuple", "dict"]:
        root.reject(f"the arguments are {exported.in_tree}, not a tuple of (args, kwargs)")
    if sorted(set(exported.kept)) != list(exported.kept) or exported.kept[-1:] >= (
        len(exported.in_values),
    ):
        root.reject(f"the program takes the arguments {list(exported.kept)}, which do not exist")
    return exported


def require_table(root: FlatBufferTable, field: Root) -> FlatBufferTable:
    """Returns a table that must be present."""
    table = root.table(field)
    if table is None:
        root.reject(f"{field.name.lower()} is missing")
        raise AssertionError
    return table


def reject_deep(table: FlatBufferTable, depth: int) -> None:
    """Rejects tables that are nested too deeply."""
    origin = table.file.origin
    if depth > origin.limits.nesting:
        origin.exceed("jax.export", table.position, f"nested deeper than {origin.limits.nesting}")


def item_at(table: FlatBufferTable, items: Sequence[T], number: int, what: str) -> T:
    """Returns the item with a number, and rejects other numbers."""
    if not 0 <= number < len(items):
        table.reject(f"there is no {what} of number {number}")
    return items[number]


# ---- trees


def tree(table: FlatBufferTable, depth: int) -> Tree:
    """Returns the tree structure in a table."""
    reject_deep(table, depth)
    kind = item_at(table, KINDS, table.number(TreeField.KIND, I8), "kind of a tree")
    children = tuple(tree(child, depth + 1) for child in table.tables(TreeField.CHILDREN))
    keys = table.texts(TreeField.KEYS)
    if kind == "dict" and len(keys) != len(children):
        table.reject(f"a dictionary has {len(children)} values and {len(keys)} keys")
    if kind in ("leaf", "none") and children:
        table.reject(f"a {kind} has {len(children)} children")
    has_data = table.place(TreeField.CUSTOM_DATA) is not None
    data = bytes(table.data(TreeField.CUSTOM_DATA)) if has_data else None
    return Tree(kind, children, keys, table.text(TreeField.CUSTOM_NAME), data)


# ---- values


def values_of(
    root: FlatBufferTable, values: Sequence[ExportedValue], numbers: Root, own: Root
) -> tuple[ExportedValue, ...]:
    """Returns the values of arguments or results: by number, or inline."""
    if chosen_numbers := root.numbers(numbers, U32):
        return tuple(
            item_at(root, values, chosen_number, "value") for chosen_number in chosen_numbers
        )
    return tuple(value(table) for table in root.tables(own))


def value(table: FlatBufferTable) -> ExportedValue:
    """Returns the value in a table."""
    kind = item_at(
        table, VALUE_KINDS, table.number(AbstractValueFields.ELEMENT, I8), "element type"
    )
    space = table.number(AbstractValueFields.MEMORY_SPACE, I8)
    return ExportedValue(
        tuple(dimension(table, text) for text in table.texts(AbstractValueFields.SHAPE)),
        kind,
        item_at(table, MEMORY_SPACES, space, "memory space"),
        table.number(AbstractValueFields.KIND, I8) == ABSTRACT_TOKEN,
    )


def dimension(table: FlatBufferTable, text: str) -> SymbolicDimension:
    """Returns the size in a text."""
    try:
        return parse_dimension(text)
    except ParseError as error:
        table.reject(error.diagnostics[0].message)
        raise


# ---- shardings


def shardings_of(
    root: FlatBufferTable,
    named: Sequence[ExportedSharding],
    meshes: Sequence[ExportedMesh],
    numbers: Root,
    own: Root,
) -> tuple[Sharding, ...]:
    """Returns the shardings of arguments or results: by number, 0 for none, or inline."""
    if chosen_numbers := root.numbers(numbers, U32):
        return tuple(
            item_at(root, [None, *named], chosen_number, "sharding")
            for chosen_number in chosen_numbers
        )
    return tuple(map(partial(sharding, meshes=meshes), root.tables(own)))


def sharding(table: FlatBufferTable, meshes: Sequence[ExportedMesh]) -> Sharding:
    """Returns the sharding in a table; None if it is unspecified."""
    has_proto = table.place(ShardingField.HLO) is not None
    proto = bytes(table.data(ShardingField.HLO)) if has_proto else None
    named = table.table(ShardingField.NAMED)
    if named is not None:
        return replace(named_sharding(named, meshes), proto=proto)
    return None if proto is None else SerializedSharding(proto)


def named_sharding(table: FlatBufferTable, meshes: Sequence[ExportedMesh]) -> ExportedSharding:
    """Returns the sharding in a table, on a mesh that is inline or referred to by number."""
    number, own = table.number(NamedShardingField.MESH_NUMBER, U32), None
    if not meshes:
        own = table.table(NamedShardingField.MESH)
    partitions = table.table(NamedShardingField.PARTITIONS)
    dimensions = [] if partitions is None else partitions.tables(PartitionsField.DIMENSIONS)
    return ExportedSharding(
        mesh(own) if own is not None else item_at(table, meshes, number, "mesh"),
        tuple(dimension.texts(0) for dimension in dimensions),
        () if partitions is None else partitions.texts(PartitionsField.REDUCED),
        () if partitions is None else partitions.texts(PartitionsField.UNREDUCED),
        table.text(NamedShardingField.MEMORY_KIND),
        number,
    )


def mesh(table: FlatBufferTable) -> ExportedMesh:
    """Returns the mesh in a table."""
    types = table.numbers(MeshField.TYPES, I8)
    mesh = ExportedMesh(
        table.texts(MeshField.AXES),
        table.numbers(MeshField.SIZES, U32),
        tuple(item_at(table, AXIS_TYPES, value_type, "type of an axis") for value_type in types),
        device(table.table(MeshField.DEVICE)),
    )
    if not len(mesh.axes) == len(mesh.sizes) == len(mesh.types):
        table.reject(
            f"a mesh has {len(mesh.axes)} axes, {len(mesh.sizes)} sizes, {len(types)} types"
        )
    return mesh


def device(table: FlatBufferTable | None) -> ExportedDevice | None:
    """Returns the device in a table."""
    if table is None:
        return None
    cores = table.number(DeviceField.CORES, U32)
    return ExportedDevice(
        table.text(DeviceField.KIND) or "", cores, table.text(DeviceField.PLATFORM)
    )


# ---- effects and checks


def effects(root: FlatBufferTable, field: Root) -> tuple[str, ...]:
    """Returns the names of effects: those of their Python classes."""
    return tuple(table.text(0) or "" for table in root.tables(field))


def check(table: FlatBufferTable) -> str:
    """Returns a check that was disabled."""
    kind = item_at(table, CHECKS, table.number(CheckField.KIND, I8), "check")
    target = table.text(CheckField.TARGET)
    return kind if target is None else f"{kind}:{target}"
