"""Renames values, functions, computations and aliases."""

from __future__ import annotations

import re

from lsprotocol import types

from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.lsp.documents import Document
from stablemate.lsp.names import Symbol
from stablemate.lsp.navigation import symbol_at

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.$-]*|[0-9]+")
SIGILS = "%@#!^"


def prepare(document: Document, position: types.Position) -> types.Range | None:
    """The name at a position that can be renamed."""
    symbol = symbol_at(document, position)
    snapshot = document.snapshot
    offset = snapshot.positions.offset(position)
    for start, end in symbol.places if symbol and symbol.definitions else ():
        if start <= offset <= end:
            return snapshot.positions.range(start + len(sigil(symbol)), end)
    return None


def sigil(symbol: Symbol | None) -> str:
    """The character before the name, if it has one."""
    return symbol.name[0] if symbol and symbol.name[0] in SIGILS else ""


def rename(document: Document, position: types.Position, name: str) -> types.WorkspaceEdit | None:
    """The edits that rename what is at a position.

    Raises:
        ArgumentValueError: It is no name, or one that is in use.
    """
    symbol = symbol_at(document, position)
    if symbol is None or not symbol.definitions:
        return None
    bare = name[len(sigil(symbol)) :] if name.startswith(sigil(symbol)) else name
    if not NAME.fullmatch(bare):
        raise ArgumentValueError(f"{name!r} is not a name: letters, digits, '_', '.', '-' and '$'")
    new = sigil(symbol) + bare
    names = document.snapshot.names
    if any(
        other is not symbol
        and other.name == new
        and other.kind == symbol.kind
        and other.container == symbol.container
        for other in names.symbols
    ):
        raise ArgumentValueError(f"the name {new} is in use already")
    positions = document.snapshot.positions
    edits = [types.TextEdit(positions.range(*place), new) for place in symbol.places]
    return types.WorkspaceEdit(changes={document.uri: edits})
