"""Between StableHLO and VHLO, and between the revisions of VHLO."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.transforms.vhlo.artifact import artifact_version as artifact_version
    from stablemate.transforms.vhlo.artifact import from_artifact as from_artifact
    from stablemate.transforms.vhlo.artifact import holds_vhlo as holds_vhlo
    from stablemate.transforms.vhlo.artifact import read_program as read_program
    from stablemate.transforms.vhlo.artifact import write_artifact as write_artifact
    from stablemate.transforms.vhlo.legality import minimum_version as minimum_version

__getattr__ = names_on_demand(
    __name__,
    {
        "artifact_version": "artifact",
        "from_artifact": "artifact",
        "holds_vhlo": "artifact",
        "minimum_version": "legality",
        "read_program": "artifact",
        "write_artifact": "artifact",
    },
)
