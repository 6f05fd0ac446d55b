"""Hover: types, values, rules and explanations."""

from __future__ import annotations

from functools import lru_cache

from lsprotocol import types

from stablemate.analysis.explain.page import Explanation
from stablemate.analysis.explain.subjects import explanation_of
from stablemate.diagnostics.errors import StablemateError
from stablemate.lsp.attributes import attribute_text
from stablemate.lsp.documents import Document
from stablemate.lsp.names import Symbol
from stablemate.lsp.tokens import token_at
from stablemate.lsp.values import constant_text, types_by_offset, value_of

SHORT_NAMES = {"return": "func.return", "call": "func.call", "module": "builtin.module"}
UNEXPLAINED = frozenset({"comment", "number", "punctuation"})


def hover(document: Document, position: types.Position) -> types.Hover | None:
    """Describes the symbol at a position."""
    snapshot = document.snapshot
    offset = snapshot.positions.offset(position)
    token = token_at(snapshot.text, snapshot.language, offset)
    if token is None:
        return None
    symbol = snapshot.names.at(offset)
    if symbol:
        text = describe_name(document, symbol)
    else:
        word = "" if token.kind in UNEXPLAINED else token.text
        texts = (attribute_text(document, token), explained(word))
        text = "\n\n".join(filter(None, texts))
    place = snapshot.positions.range(token.start, token.end)
    content = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(content, place) if text else None


def describe_name(document: Document, symbol: Symbol) -> str:
    """A name: its type, its definition, and what it holds if it is a constant."""
    if not symbol.definitions:
        return f"`{symbol.name}` has no definition"
    start = symbol.definitions[0][0]
    value_type = types_by_offset(document).get(start)
    text = document.snapshot.text
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", start)
    line = text[first : last if last >= 0 else len(text)].strip()
    parts = [f"`{symbol.name}: {value_type}`"] if value_type else []
    parts.append(f"```{document.snapshot.language}\n{line}\n```")
    if constant := constant_text(value_of(document, symbol)):
        parts.append(f"value: `{constant}`")
    return "\n\n".join(parts)


@lru_cache(maxsize=1 << 12)
def explained(word: str) -> str:
    """The page of an operation, an attribute or a type; empty if there is none."""
    if not word:
        return ""
    try:
        page = explanation_of(SHORT_NAMES.get(word, word.strip('"')))
    except StablemateError:
        return ""
    return markdown(page)


def markdown(page: Explanation) -> str:
    """Renders a page of ``explain`` as Markdown."""
    lines = [f"**{page.subject}** ({page.kind})", "", page.summary]
    for section in page.sections:
        lines += ["", f"**{section.title}**", ""]
        if section.text:
            lines += [f"```text\n{section.text}\n```" if section.verbatim else section.text]
        lines += [f"* `{row.name}` {row.text}" for row in section.rows]
    return "\n".join([*lines, *(["", page.source] if page.source else [])])
