"""Folding: what lies between brackets on different lines, and groups of comments."""

from __future__ import annotations

from lsprotocol import types

from stablemate.lsp.documents import Snapshot
from stablemate.lsp.tokens import line_tokens


def folding_ranges(snapshot: Snapshot) -> list[types.FoldingRange]:
    """The ranges that can be folded."""
    ranges: list[types.FoldingRange] = []
    opened: list[int] = []
    comment = -1
    for number, line in enumerate([*snapshot.text.split("\n"), ""]):
        tokens = line_tokens(line, snapshot.language)
        is_comment = bool(tokens) and tokens[0].kind == "comment"
        if is_comment and comment < 0:
            comment = number
        elif not is_comment and comment >= 0:
            if number - 1 > comment:
                kind = types.FoldingRangeKind.Comment
                ranges.append(types.FoldingRange(comment, number - 1, kind=kind))
            comment = -1
        for token in tokens:
            if token.text in ("{", "("):
                opened.append(number)
            elif token.text in ("}", ")") and opened:
                first = opened.pop()
                if number - 1 > first:
                    ranges.append(types.FoldingRange(first, number - 1))
    return ranges
