"""The outline: functions and computations with their values."""

from __future__ import annotations

from lsprotocol import types

from stablemate.lsp.documents import Document
from stablemate.lsp.values import types_by_offset

MOST_VALUES = 5000  # listed: completeness against the time of an answer


def outline(document: Document) -> list[types.DocumentSymbol]:
    """Functions and computations in order, each with the values that it defines."""
    snapshot = document.snapshot
    positions, names = snapshot.positions, snapshot.names
    type_texts = types_by_offset(document)
    functions = sorted(names.visible("function"), key=lambda symbol: symbol.definitions[0])
    starts = [symbol.definitions[0][0] for symbol in functions]
    ends = [*starts, len(snapshot.text)][1:]
    symbols: list[types.DocumentSymbol] = []
    values: dict[str, list[types.DocumentSymbol]] = {}
    for symbol, start, end in zip(functions, starts, ends, strict=True):
        end = start + len(snapshot.text[start:end].rstrip())
        entry = types.DocumentSymbol(
            name=symbol.name,
            kind=types.SymbolKind.Function,
            range=positions.range(start, end),
            selection_range=positions.range(*symbol.definitions[0]),
            children=values.setdefault(symbol.name, []),
        )
        symbols.append(entry)
    for symbol in list(names.visible("value"))[:MOST_VALUES]:
        place = symbol.definitions[0]
        entry = types.DocumentSymbol(
            name=symbol.name,
            detail=type_texts.get(place[0]),
            kind=types.SymbolKind.Variable,
            range=positions.range(*place),
            selection_range=positions.range(*place),
        )
        values.get(symbol.container, symbols).append(entry)
    return symbols
