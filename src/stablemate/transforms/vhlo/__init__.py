"""Between StableHLO and VHLO, and between the revisions of VHLO."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.transforms.vhlo.artifact import from_artifact as from_artifact
    from stablemate.transforms.vhlo.artifact import write_artifact as write_artifact
    from stablemate.transforms.vhlo.artifact_reader import artifact_version as artifact_version
    from stablemate.transforms.vhlo.artifact_reader import holds_vhlo as holds_vhlo
    from stablemate.transforms.vhlo.artifact_reader import read_program as read_program
    from stablemate.transforms.vhlo.legality import minimum_version as minimum_version

__getattr__ = names_on_demand(
    __name__,
    {
        "artifact_version": "artifact_reader",
        "from_artifact": "artifact",
        "holds_vhlo": "artifact_reader",
        "minimum_version": "legality",
        "read_program": "artifact_reader",
        "write_artifact": "artifact",
    },
)
