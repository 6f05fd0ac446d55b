"""All kernels: the modules that register them, and their table."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.kernels import dot, drafts, reduce

MODULES: Final = (dot, reduce,)
BUILDERS: Final = drafts.BUILDERS
