"""The table of all lowerings."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.lowering import (
    arith,
    bits,
    complex,
    conversions,
    dynamic,
    elements,
    elementwise,
    movement,
    quantized,
    tables,
)
from stablemate.compiler.lowering.functions import table as functions

MODULES: Final = (
    arith, bits, complex, conversions, dynamic, elementwise, functions, movement, quantized,
    tables,
)  # fmt: skip
LOWERINGS: Final = elements.LOWERINGS
