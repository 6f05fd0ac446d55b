"""Formatting: the canonical form, or the indentation of the lines of a range.

The canonical form has no comments. A text with comments, or one that breaks a rule, is indented.
"""

from __future__ import annotations

from lsprotocol import types

from stablemate.api.loading import load
from stablemate.api.module import HloModule
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.lsp.documents import Snapshot
from stablemate.lsp.tokens import line_tokens

INDENT = "  "
OPENING, CLOSING = frozenset("({["), frozenset(")}]")


def format_text(snapshot: Snapshot) -> list[types.TextEdit]:
    """The edits that format a whole text."""
    canonical = None if has_comments(snapshot) else canonical_text(snapshot)
    if canonical is None:
        return indent_lines(snapshot, 0, snapshot.text.count("\n") + 1)
    if canonical == snapshot.text:
        return []
    return [types.TextEdit(snapshot.positions.whole(), canonical)]


def has_comments(snapshot: Snapshot) -> bool:
    """Whether a text has comments."""
    return any(
        token.kind == "comment"
        for line in snapshot.text.split("\n")
        for token in line_tokens(line, snapshot.language)
    )


def canonical_text(snapshot: Snapshot) -> str | None:
    """The text in canonical form; None if it is not valid."""
    try:
        module = load(snapshot.text.encode(), format=snapshot.language)
        module.verify()
        text = module.to_text()
    except (StablemateError, RecursionError):
        return None
    assert isinstance(module, HloModule) or snapshot.language == "mlir"
    return text.rstrip("\n") + "\n"


def indent_lines(snapshot: Snapshot, first: int, last: int) -> list[types.TextEdit]:
    """The edits that indent the lines from one to another by the brackets around them.

    What is nested more deeply than a text may be is not indented further.
    """
    edits: list[types.TextEdit] = []
    depths = [0]  # in each open bracket how many around it indent: one a line does
    for number, line in enumerate(snapshot.text.split("\n")):
        tokens = line_tokens(line, snapshot.language)
        leading = 0
        while leading < len(tokens) and tokens[leading].text in CLOSING:
            leading += 1
        depth = depths[max(0, len(depths) - 1 - leading)]
        wanted = INDENT * min(depth, DEFAULT_LIMITS.nesting) if tokens else ""
        blank = line[: len(line) - len(line.lstrip(" \t"))]
        is_label = bool(tokens) and tokens[0].kind == "block"
        if first <= number < last and blank != wanted and not is_label:
            edits.append(
                types.TextEdit(
                    types.Range(types.Position(number, 0), types.Position(number, len(blank))),
                    wanted,
                )
            )
        opened_here = 0
        for token in tokens:
            if token.text in OPENING:
                depths.append(depths[-1] + (opened_here == 0))
                opened_here += 1
            elif token.text in CLOSING and len(depths) > 1:
                depths.pop()
                opened_here = max(0, opened_here - 1)
    return edits
