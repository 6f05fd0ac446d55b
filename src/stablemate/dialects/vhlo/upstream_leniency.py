"""The rules of VHLO that upstream does not check: operands that are ignored with a warning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.verification.upstream_leniency import Leniency

LENIENCIES: Final[Mapping[str, Leniency]] = {
    "vhlo.reduce_v1": Leniency(),
    "vhlo.reduce_window_v1": Leniency(),
    "vhlo.scatter_v1": Leniency(),
    "vhlo.scatter_v2": Leniency(),
}
