"""All kernels: the modules that register them, and their table."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.kernels import (
    convolution,
    dot,
    drafts,
    fourier,
    random_bits,
    reduce,
    sort,
    updates,
    windows,
)

MODULES: Final = (
    convolution,
    dot,
    fourier,
    random_bits,
    reduce,
    sort,
    updates,
    windows,
)
BUILDERS: Final = drafts.BUILDERS
