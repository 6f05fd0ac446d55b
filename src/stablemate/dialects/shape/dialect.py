"""The modules that define the operations of shape."""

from __future__ import annotations

from typing import Final

from stablemate.dialects.shape import (
    reduce,
    shapes,
    sizes,
    witnesses,
)

MODULES: Final = (
    reduce,
    shapes,
    sizes,
    witnesses,
)
