"""The modules that define the operations of Shardy."""

from typing import Final

from stablemate.dialects.sdy import annotations, collectives, computations, discardable, mesh

MODULES: Final = (
    annotations,
    collectives,
    computations,
    discardable,
    mesh,
)
