"""``ctypes`` structures of the PJRT C API, built from the declared table."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.pjrt.interface.table import (
    FUNCTIONS,
    LAST_COUNTED_FIELDS,
    OLDEST_VERSION,
    STRUCTURES,
)

NAMED_VALUE_INT64_LIST, NAMED_VALUE_FLOAT = 2, 3  # PJRT_NamedValue_Type
TILED_LAYOUT: Final = 0  # of the two kinds of PJRT_Buffer_MemoryLayout


class Structure(ctypes.Structure):
    """A structure whose fields a table declares: numbers, and pointers as addresses."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> int: ...
        def __setattr__(self, name: str, value: int | ctypes.Structure | None) -> None: ...


class TiledLayout(ctypes.Structure):
    """``PJRT_Buffer_MemoryLayout_Tiled``."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("extension_start", ctypes.c_void_p),
        ("minor_to_major", ctypes.c_void_p),
        ("minor_to_major_size", ctypes.c_size_t),
        ("tile_dims", ctypes.c_void_p),
        ("tile_dim_sizes", ctypes.c_void_p),
        ("num_tiles", ctypes.c_size_t),
    )


class MemoryLayout(ctypes.Structure):
    """``PJRT_Buffer_MemoryLayout``, with the larger member of its union."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("extension_start", ctypes.c_void_p),
        ("tiled", TiledLayout),
        ("type", ctypes.c_uint32),
    )


FieldType: TypeAlias = type[
    ctypes.c_void_p
    | ctypes.c_size_t
    | ctypes.c_int64
    | ctypes.c_uint64
    | ctypes.c_int32
    | ctypes.c_uint32
    | ctypes.c_bool
    | MemoryLayout
]
KINDS: Final[Mapping[str, FieldType]] = {
    "ptr": ctypes.c_void_p,
    "size": ctypes.c_size_t,
    "i64": ctypes.c_int64,
    "u64": ctypes.c_uint64,
    "i32": ctypes.c_int32,
    "u32": ctypes.c_uint32,
    "bool": ctypes.c_bool,
    "layout": MemoryLayout,
}
HEADER: Final = (("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p))


@dataclass(frozen=True, slots=True)
class InterfaceFunction:
    """A function of the interface.

    Attributes:
        name: Its name without the prefix ``PJRT_``.
        slot: Its place in ``PJRT_Api``.
        since: The minor version that first had it.
        arguments: Its argument structure.
        size: The end of its last field; the header counts no padding behind it.
        least_size: The same for the fields of the oldest version, which every caller has.
        counted_size: The least ``struct_size`` that callers state.
    """

    name: str
    slot: int
    since: int
    arguments: type[Structure]
    size: int
    least_size: int
    counted_size: int


def rows(table: str) -> Iterator[list[str]]:
    """The rows of a table as words; an indented line continues the row above it."""
    for row in table.strip().replace("\n    ", " ").splitlines():
        yield row.split()


def structure(name: str, fields: list[str], *, header: bool) -> tuple[type[Structure], int]:
    """A structure, and where the last field of its oldest version ends."""
    members: list[tuple[str, FieldType]] = list(HEADER) if header else []
    first = len(members)
    for field in fields:
        member, _, kind = field.partition(":")
        base, _, since = kind.partition("@")
        members.append((member, KINDS[base]))
        if not since or int(since) <= OLDEST_VERSION:
            first = len(members)
    structure_type = structure_of(name, members)
    return structure_type, end_of(structure_type, members[first - 1][0])


def structure_of(name: str, members: Sequence[tuple[str, FieldType]]) -> type[Structure]:
    """A structure with fields of given names and types."""

    class Declared(Structure):
        _fields_ = members

    Declared.__name__ = Declared.__qualname__ = name
    return Declared


def end_of(structure_type: type[Structure], member: str) -> int:
    """The offset in bytes behind a field, which is the least size of a structure that has it."""
    field = getattr(structure_type, member)
    return int(field.offset + field.size)


def declared_functions() -> Iterator[InterfaceFunction]:
    """The functions of the table, in the order of ``PJRT_Api``."""
    for slot, (name, since, *fields) in enumerate(rows(FUNCTIONS)):
        arguments, least_size = structure(f"PJRT_{name}_Args", fields, header=True)
        size = end_of(arguments, arguments._fields_[-1][0])
        last_counted = LAST_COUNTED_FIELDS.get(name)
        counted_size = end_of(arguments, last_counted) if last_counted else least_size
        yield InterfaceFunction(name, slot, int(since), arguments, size, least_size, counted_size)


BY_NAME: Final[Mapping[str, InterfaceFunction]] = {
    declared_function.name: declared_function for declared_function in declared_functions()
}
STRUCTURE: Final[Mapping[str, type[Structure]]] = {
    name: structure(name, fields, header=False)[0] for name, *fields in rows(STRUCTURES)
}


class PjrtApi(ctypes.Structure):
    """``PJRT_Api``."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("extension_start", ctypes.c_void_p),
        ("version", STRUCTURE["Api_Version"]),
        ("functions", ctypes.c_void_p * len(BY_NAME)),
    )
