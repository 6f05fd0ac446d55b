"""Inlay hints: types that the text leaves out, or that are far away from the name."""

from __future__ import annotations

import re

from lsprotocol import types

from stablemate.lsp.documents import Document
from stablemate.lsp.values import types_by_offset

LAYOUT = re.compile(r"\{[^{}]*\}")  # of HLO: it may be left out
FAR = 100  # characters from the name of a value to the end of its statement's line


def inlay_hints(document: Document, visible: types.Range) -> list[types.InlayHint]:
    """The types of values in a range of lines."""
    snapshot = document.snapshot
    positions = snapshot.positions
    first, last = positions.offset(visible.start), positions.offset(visible.end)
    type_texts = types_by_offset(document)
    hints: list[types.InlayHint] = []
    for symbol in snapshot.names.visible("value"):
        start, end = symbol.definitions[0]
        text = type_texts.get(start)
        if text and first <= start <= last and is_useful(snapshot.text, end, text):
            hints.append(
                types.InlayHint(positions.position(end), f": {text}", types.InlayHintKind.Type)
            )
    return hints


def is_useful(text: str, end: int, value_type: str) -> bool:
    """Whether a type does not follow soon after the name, which ends at an offset."""
    stop = text.find("\n", end)
    rest = text[end : stop if stop >= 0 else len(text)]
    if rest.lstrip().startswith(":"):
        return False
    return LAYOUT.sub("", value_type) not in LAYOUT.sub("", rest) or len(rest) > FAR
