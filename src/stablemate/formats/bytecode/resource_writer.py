"""Writes resources.

Source: MLIR bytecode format, "Resource Section".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from stablemate.formats.bytecode.emitter import ByteEmitter
from stablemate.formats.bytecode.numbering import BUILTIN, ModuleNumbering
from stablemate.formats.bytecode.resources import ResourceKind
from stablemate.ir.core import Module, Resource

Entry = tuple[str, int, ResourceKind]  # key, size, kind
ESCAPE: Final = re.compile(rb"\\([0-9A-F]{2})")


def write_resources(
    module: Module, numbering: ModuleNumbering, string: Callable[[str], int]
) -> tuple[ByteEmitter, ByteEmitter]:
    """Writes both resource sections: the data, and the offsets.

    Args:
        module: The module.
        numbering: Which resources are named, in order.
        string: Numbers a string.
    """
    data, offsets = ByteEmitter(), ByteEmitter()

    def write_group(owner: int, entries: list[Entry]) -> None:
        offsets.varint(owner)
        offsets.varint(len(entries))
        for key, size, kind in entries:
            offsets.varint(string(key))
            offsets.varint(size)
            offsets.data.append(kind)

    offsets.varint(len(module.external_resources))
    for group, texts in module.external_resources.items():
        entries: list[Entry] = []
        for key, text in texts.items():
            start = data.size
            kind = write_external(data, text, string)
            entries.append((key, data.size - start, kind))
        write_group(string(group), entries)
    if numbering.resources:
        named: list[Entry] = []
        for key in numbering.resources:
            start = data.size
            if key in module.resources:
                write_blob(data, module.resources[key])
            named.append((key, data.size - start, ResourceKind.BLOB))
        write_group(numbering.dialects[BUILTIN], named)
    return data, offsets


def write_blob(data: ByteEmitter, resource: Resource) -> None:
    """Writes alignment, size and the aligned bytes of a resource."""
    data.varint(resource.alignment)
    data.varint(resource.data.size)
    data.align(resource.alignment)
    data.blob(resource.data.data)


def write_external(data: ByteEmitter, text: str, string: Callable[[str], int]) -> ResourceKind:
    """Writes an entry of an external group, whose value is kept as text."""
    if text in ("true", "false"):
        data.data.append(text == "true")
        return ResourceKind.BOOLEAN
    if text.startswith('"0x'):
        raw = bytes.fromhex(text[3:-1])
        if raw:
            data.varint(int.from_bytes(raw[:4], "little"))
            data.varint(len(raw) - 4)
            data.align(int.from_bytes(raw[:4], "little"))
            data.data += raw[4:]
        return ResourceKind.BLOB
    inner = text[1:-1].encode("utf-8", "surrogateescape")
    plain = ESCAPE.sub(lambda match: bytes.fromhex(match[1].decode()), inner)
    data.varint(string(plain.decode("utf-8", "surrogateescape")))
    return ResourceKind.STRING
