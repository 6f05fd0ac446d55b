"""Definitions, references and highlights of names."""

from __future__ import annotations

from lsprotocol import types

from stablemate.lsp.documents import Document
from stablemate.lsp.names import Symbol


def symbol_at(document: Document, position: types.Position) -> Symbol | None:
    """The name at a position."""
    snapshot = document.snapshot
    return snapshot.names.at(snapshot.positions.offset(position))


def definition(document: Document, position: types.Position) -> list[types.Location]:
    """Where a name is defined."""
    symbol = symbol_at(document, position)
    return locations(document, symbol.definitions if symbol else [])


def references(
    document: Document, position: types.Position, *, declaration: bool
) -> list[types.Location]:
    """Where a name is used."""
    symbol = symbol_at(document, position)
    if symbol is None:
        return []
    return locations(document, symbol.places if declaration else symbol.uses)


def highlights(document: Document, position: types.Position) -> list[types.DocumentHighlight]:
    """All places of a name."""
    symbol = symbol_at(document, position)
    if symbol is None:
        return []
    positions, definitions = document.snapshot.positions, set(symbol.definitions)
    kinds = types.DocumentHighlightKind
    return [
        types.DocumentHighlight(
            positions.range(*place),
            kinds.Write if place in definitions else kinds.Read,
        )
        for place in symbol.places
    ]


def locations(document: Document, places: list[tuple[int, int]]) -> list[types.Location]:
    """Places in a text, as the protocol has them."""
    positions = document.snapshot.positions
    return [types.Location(document.uri, positions.range(*place)) for place in places]
