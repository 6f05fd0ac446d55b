"""Rules of MHLO that upstream's verifier does not check: breaking one is a warning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.verification.upstream_leniency import Leniency

LENIENCIES: Final[Mapping[str, Leniency]] = {
    "mhlo.fusion arguments": Leniency(),
    "mhlo.fusion results": Leniency(),
}
