"""The rules of VHLO that upstream does not check: operands that are ignored with a warning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.tolerated import Tolerated

TOLERATED: Final[Mapping[str, Tolerated]] = {
    "vhlo.reduce_v1": Tolerated(),
    "vhlo.reduce_window_v1": Tolerated(),
    "vhlo.scatter_v1": Tolerated(),
    "vhlo.scatter_v2": Tolerated(),
}
