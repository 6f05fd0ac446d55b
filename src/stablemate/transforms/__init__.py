"""Floor 6: passes, one per file, named after their flags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.transforms.legalization import legalized as legalized
    from stablemate.transforms.pipelines import refined as refined
    from stablemate.transforms.specialise import specialised as specialised

__getattr__ = names_on_demand(
    __name__,
    {
        "legalized": "legalization",
        "refined": "pipelines",
        "specialised": "specialise",
    },
)
