"""Attributes of the dialect MHLO that are texts here: prefetches and original values.

Source: XLA, ``HloModuleProto.CrossProgramPrefetch``, ``OriginalValueProto``; the spellings of MHLO.
"""

from __future__ import annotations

import re
from typing import Final

from stablemate.ir.attributes import quote
from stablemate.xla.values import CrossProgramPrefetch, Index, OriginalArray, OriginalValue

NUMBERS: Final = r"\[([\d,\s]*)\]"
PREFETCH: Final = re.compile(
    rf"#mhlo\.cross_program_prefetch<\s*parameter\s*=\s*(\d+),\s*indices\s*=\s*{NUMBERS},"
    r"\s*offset\s*=\s*(-?\d+)\s*>"
)
STRING: Final = r'"((?:[^"\\]|\\.)*)"'
LEAF: Final = re.compile(rf"<\s*{NUMBERS},\s*(?:none|<\s*{STRING},\s*{NUMBERS}\s*>)\s*>,?\s*")
ORIGIN: Final = re.compile(r"#mhlo\.original_value<\s*(true|false),\s*\[(.*)\]\s*>", re.DOTALL)
ESCAPE: Final = re.compile(rb"\\([0-9A-Fa-f]{2}|.)")


def prefetch_text(prefetch: CrossProgramPrefetch) -> str:
    """``#mhlo.cross_program_prefetch<parameter = 0, indices = [], offset = 0>``."""
    return (
        f"#mhlo.cross_program_prefetch<parameter = {prefetch.parameter}, "
        f"indices = {index_text(prefetch.index)}, offset = {prefetch.offset}>"
    )


def prefetch_of_text(text: str) -> CrossProgramPrefetch | None:
    """The prefetch in the text of an attribute; None if it is none."""
    match = PREFETCH.fullmatch(text)
    if match is None:
        return None
    return CrossProgramPrefetch(int(match[1]), index_of(match[2]), int(match[3]))


def origin_text(origin: OriginalValue) -> str:
    """``#mhlo.original_value<false, [<[], <"name", [0]>>]>``."""
    leaves = ", ".join(
        f"<{index_text(index)}, {'none' if array is None else array_text(array)}>"
        for index, array in origin.leaves
    )
    return f"#mhlo.original_value<{str(origin.synthetic_call).lower()}, [{leaves}]>"


def origin_of_text(text: str) -> OriginalValue | None:
    """The original value in the text of an attribute; None if it is none."""
    match = ORIGIN.fullmatch(text)
    if match is None:
        return None
    leaves: list[tuple[Index, OriginalArray | None]] = []
    position, end = match.span(2)
    while position < end:
        leaf = LEAF.match(text, position, end)
        if leaf is None:
            return None
        name, inner = leaf[2], leaf[3]
        array = None if name is None else OriginalArray(unescape(name), index_of(inner))
        leaves.append((index_of(leaf[1]), array))
        position = leaf.end()
    return OriginalValue(tuple(leaves), match[1] == "true")


def array_text(array: OriginalArray) -> str:
    """``<"name", [0]>``."""
    return f"<{quote(array.instruction)}, {index_text(array.index)}>"


def index_text(index: Index) -> str:
    """``[0, 2]``."""
    return f"[{', '.join(map(str, index))}]"


def index_of(text: str) -> Index:
    """The numbers in a text, with commas between them."""
    return tuple(int(number) for number in text.replace(",", " ").split())


def unescape(text: str) -> str:
    """The text of a string in quotes: MLIR writes other characters by two digits."""

    def character(match: re.Match[bytes]) -> bytes:
        code = match[1]
        return bytes([int(code, 16)]) if len(code) == 2 else code

    return ESCAPE.sub(character, text.encode()).decode("utf-8", "surrogateescape")
