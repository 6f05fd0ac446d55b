"""The rules of the shape dialect that upstream's verifier does not check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.tolerated import Tolerated

TOLERATED: Final[Mapping[str, Tolerated]] = {"shape.reduce results": Tolerated()}
