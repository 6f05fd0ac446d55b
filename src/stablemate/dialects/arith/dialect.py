"""The modules that define the operations of arith."""

from __future__ import annotations

from typing import Final

from stablemate.dialects.arith import (
    arithmetic,
    casts,
    comparison,
    constant,
)

MODULES: Final = (
    arithmetic,
    casts,
    comparison,
    constant,
)
