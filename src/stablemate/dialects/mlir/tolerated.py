"""Rules of kept operations that upstream's verifiers do not check: breaking one is a warning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.tolerated import Tolerated

TOLERATED: Final[Mapping[str, Tolerated]] = {"mpmd.call operands": Tolerated()}
