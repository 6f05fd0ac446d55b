"""Rules of MHLO that upstream's verifier does not check: breaking one is a warning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.tolerated import Tolerated

TOLERATED: Final[Mapping[str, Tolerated]] = {
    "mhlo.fusion arguments": Tolerated(),
    "mhlo.fusion results": Tolerated(),
}
