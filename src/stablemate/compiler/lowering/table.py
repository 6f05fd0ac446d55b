"""All lowerings: the modules that register them, and their table."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.lowering import elements, elementwise, movement

MODULES: Final = (elementwise, movement)
LOWERINGS: Final = elements.LOWERINGS
