"""Rules of kept operations that upstream's verifiers do not check: breaking one is a warning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.verification.upstream_leniency import Leniency

LENIENCIES: Final[Mapping[str, Leniency]] = {"mpmd.call operands": Leniency()}
