"""Reads resources: data that attributes name by key, and external entries, kept as text.

Source: MLIR bytecode format, "Resource Section".
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from stablemate.formats.bytecode.container import SectionCursor
from stablemate.formats.bytecode.entries import SectionTables
from stablemate.ir.attributes import quote
from stablemate.ir.core import Module, Resource


class ResourceKind(IntEnum):
    """The kind of the value of a resource entry."""

    BLOB = 0
    BOOLEAN = 1
    STRING = 2


def string_of(cursor: SectionCursor, tables: SectionTables) -> str:
    """Reads the reference to a string."""
    number = cursor.varint()
    if number >= len(tables.strings):
        cursor.reject(f"string {number} of {len(tables.strings)}")
    return tables.strings[number]


def read_resources(
    offsets: SectionCursor,
    data: SectionCursor,
    dialects: int,
    tables: SectionTables,
    module: Module,
) -> None:
    """Reads both resource sections into a module; blobs are views of the file."""
    external = offsets.count("groups of external resources")
    group = 0
    while offsets.bytes_left() or group < external:
        owner = ""
        if group < external:
            owner = string_of(offsets, tables)
            module.external_resources.setdefault(owner, {})
        elif (dialect := offsets.varint()) >= dialects:
            offsets.reject(f"dialect {dialect} of {dialects}")
        for _ in range(offsets.count("resources")):
            key, size, kind = string_of(offsets, tables), offsets.varint(), offsets.byte()
            start, raw = data.start + data.position, data.take(size, "a resource")
            entry = SectionCursor(data.origin, data.title, raw, start)
            if group < external:
                module.external_resources[owner][key] = external_text(entry, kind, tables)
            else:
                tables.resources.append(key)
                if size:
                    module.resources[key] = read_blob(entry, kind)
        group += 1


def read_blob(entry: SectionCursor, kind: int) -> Resource:
    """Reads aligned data; a view of the file."""
    if kind != ResourceKind.BLOB:
        entry.reject(f"a resource of a dialect is a blob, not of kind {kind}")
    alignment, size = entry.varint(), entry.varint()
    if alignment > 1:
        entry.align(alignment)
    raw = np.frombuffer(entry.take(size, "data"), np.uint8)
    entry.finish()
    raw.flags.writeable = False
    return Resource(raw, alignment)


def external_text(entry: SectionCursor, kind: int, tables: SectionTables) -> str:
    """Returns an entry of an external group as MLIR text spells it."""
    match kind:
        case ResourceKind.BLOB if entry.bytes_left():
            blob = read_blob(entry, kind)
            return (
                f'"0x{(blob.alignment.to_bytes(4, "little") + blob.data.tobytes()).hex().upper()}"'
            )
        case ResourceKind.BLOB:
            return '"0x"'
        case ResourceKind.BOOLEAN:
            return "true" if entry.byte() else "false"
        case ResourceKind.STRING:
            return quote(string_of(entry, tables))
        case _:
            entry.reject(f"no resource is of kind {kind}")
