"""The modules that define the operations of CHLO."""

from __future__ import annotations

from typing import Final

from stablemate.dialects.chlo import (
    broadcasting,
    constant,
    elementwise,
    ragged_dot,
    scan,
    top_k,
)

MODULES: Final = (
    broadcasting,
    constant,
    elementwise,
    ragged_dot,
    scan,
    top_k,
)
