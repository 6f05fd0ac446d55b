"""Encodes CHLO; its other attributes are written as text.

Source: CHLO dialect, its bytecode encodings.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.chlo.attributes import (
    COMPARISON_DIRECTION,
    COMPARISON_TYPE,
    ComparisonDirection,
    ComparisonType,
)
from stablemate.formats.bytecode.rows import DialectEncoding, enumeration

CHLO: Final = DialectEncoding(
    "chlo",
    (
        enumeration(0, COMPARISON_DIRECTION, *ComparisonDirection),
        enumeration(1, COMPARISON_TYPE, *ComparisonType),
    ),
)
