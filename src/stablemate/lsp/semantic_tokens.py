"""Semantic tokens: the kinds of all tokens, line by line."""

from __future__ import annotations

from functools import lru_cache

from lsprotocol import types

from stablemate.lsp.documents import Snapshot
from stablemate.lsp.positions import utf16_length
from stablemate.lsp.tokens import Language, line_tokens

KINDS = {
    "comment": "comment", "string": "string", "value": "variable", "symbol": "function",
    "alias": "macro", "block": "label", "type": "type", "number": "number",
    "operation": "operator", "word": "keyword",
}  # fmt: skip
LEGEND = types.SemanticTokensLegend(
    token_types=list(dict.fromkeys(KINDS.values())), token_modifiers=[]
)


@lru_cache(maxsize=1 << 16)
def tokens_in(line: str, language: Language) -> tuple[tuple[int, int, int], ...]:
    """Column, length and kind of the tokens of a line."""
    found: list[tuple[int, int, int]] = []
    column = end = 0
    for token in line_tokens(line, language):
        column += utf16_length(line[end : token.start])
        length, end = utf16_length(token.text), token.end
        if token.kind in KINDS:
            found.append((column, length, LEGEND.token_types.index(KINDS[token.kind])))
        column += length
    return tuple(found)


def semantic_tokens(snapshot: Snapshot) -> types.SemanticTokens:
    """All tokens, as differences from the token before."""
    data: list[int] = []
    previous_line = 0
    for number, line in enumerate(snapshot.text.split("\n")):
        previous_column = 0
        for column, length, kind in tokens_in(line, snapshot.language):
            data += (number - previous_line, column - previous_column, length, kind, 0)
            previous_line, previous_column = number, column
    return types.SemanticTokens(data=data)
