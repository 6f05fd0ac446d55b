"""Reads the resource section at the end of a file: ``{-# ... #-}``.

Source: MLIR language reference, "External resources".
"""

from __future__ import annotations

import numpy as np

from stablemate.formats.mlir.attribute_reader import AttributeReader
from stablemate.ir.attributes import ELIDED
from stablemate.ir.core import Module, Resource


def read_resources(reader: AttributeReader, module: Module) -> None:
    """Reads the section into the module's resources."""
    reader.expect("{-#")
    while not reader.at("#-}"):
        kind, place = reader.token, (reader.start, reader.end)
        reader.advance()
        reader.expect(":")
        if kind == "dialect_resources":
            reader.read_enclosed("{", lambda: read_dialect(reader, module))
        elif kind == "external_resources":
            reader.read_enclosed("{", lambda: read_external(reader, module))
        else:
            reader.error("expected 'dialect_resources' or 'external_resources'", place)
        if not reader.accept(","):
            break
    reader.expect("#-}")


def read_key(reader: AttributeReader) -> str:
    """Reads the key of an entry and the colon after it."""
    key = reader.string() if reader.kind == "string" else reader.keyword("a key")
    reader.expect(":")
    return key


def read_dialect(reader: AttributeReader, module: Module) -> None:
    """Reads ``builtin: { key: "0x..." }``."""
    read_key(reader)

    def entry() -> None:
        key = read_key(reader)
        blob = read_blob(reader)
        if key != ELIDED:  # a placeholder, without data and with an impossible alignment
            module.resources[key] = blob

    reader.read_enclosed("{", entry)


def read_blob(reader: AttributeReader) -> Resource:
    """Reads a hex string: four bytes of alignment, then the data."""
    place = (reader.start, min(reader.end, reader.start + 40))
    if reader.kind != "string" or not reader.text.startswith('"0x', reader.start):
        reader.reject_unexpected('a blob such as "0x04000000..."')
    digits = reader.text[reader.start + 3 : reader.end - 1]
    try:
        raw = bytes.fromhex(digits)
    except ValueError:
        raw = b""
    if 2 * len(raw) != len(digits) or len(raw) < 4:
        reader.error("expected four bytes of alignment and the data, in hexadecimal digits", place)
    reader.advance()
    alignment = int.from_bytes(raw[:4], "little")
    return Resource(np.frombuffer(raw, np.uint8, offset=4), alignment)


def read_external(reader: AttributeReader, module: Module) -> None:
    """Reads ``name: { key: value }``; the values are kept as they are."""
    group = module.external_resources.setdefault(read_key(reader), {})

    def entry() -> None:
        key = read_key(reader)
        if reader.kind not in ("string", "bare", "integer", "float"):  # a token, as MLIR has it
            reader.reject_unexpected("a value")
        group[key] = reader.text[reader.start : reader.end]
        reader.advance()

    reader.read_enclosed("{", entry)
