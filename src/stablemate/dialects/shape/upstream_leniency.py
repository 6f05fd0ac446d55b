"""The rules of the shape dialect that upstream's verifier does not check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.verification.upstream_leniency import Leniency

LENIENCIES: Final[Mapping[str, Leniency]] = {"shape.reduce results": Leniency()}
