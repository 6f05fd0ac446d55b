"""The text of attributes and types of dialects that nobody registered.

The language has two forms: ``#dialect.name<...>`` and ``#dialect<...>``. MLIR prints the first one
wherever it can (also, unreadably, ``#dialect.a<b>c<d>``, which is in the second form here).

Source: MLIR language reference, "Dialect Types", "Dialect Attribute Values".
"""

from __future__ import annotations

import re
from typing import Final

NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9._]*")
BRACKET: Final = re.compile(r'"(?:[^"\\]|\\.)*"|->|[<\[({>\])}]')
CLOSING: Final = {"<": ">", "[": "]", "(": ")", "{": "}"}


def dialect_text(name: str, body: str) -> str:
    """The text that MLIR prints for an attribute or type.

    Args:
        name: What precedes the brackets: ``#dialect.name``, ``!dialect``.
        body: ``<...>``, or nothing.
    """
    dialect, dot, rest = name.partition(".")
    symbol = f"{rest}{body}" if dot else body[1:-1]
    return f"{dialect}.{symbol}" if has_short_form(symbol) else f"{dialect}<{symbol}>"


def has_short_form(symbol: str) -> bool:
    """Whether a text is a name, or a name and one pair of brackets."""
    name = NAME.match(symbol)
    if name is None:
        return False
    body = symbol[name.end() :]
    return not body or (body[0] == "<" and body[-1] == ">" and is_one_pair(body))


def is_one_pair(body: str) -> bool:
    """Whether the bracket at the beginning is closed at the end, and all between are balanced."""
    closing: list[str] = []
    for match in BRACKET.finditer(body):
        bracket = match[0]
        if bracket in CLOSING:
            closing.append(CLOSING[bracket])
        elif bracket in CLOSING.values() and bracket != closing.pop():
            return False
        if not closing:
            return match.end() == len(body)
    return False
