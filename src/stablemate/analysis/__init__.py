"""Floor 8, analysis: what can be said about a program; the command line only renders it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.analysis.contents import Contents as Contents
    from stablemate.analysis.contents import contents_of as contents_of
    from stablemate.analysis.hlo_contents import hlo_contents_of as hlo_contents_of

__getattr__ = names_on_demand(
    __name__,
    {
        "Contents": "contents",
        "contents_of": "contents",
        "hlo_contents_of": "hlo_contents",
    },
)
