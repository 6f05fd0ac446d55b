"""Which operations run a function of the module, and the attribute that names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CALLS: Final[Mapping[str, str]] = {
    "func.call": "callee",
    "stablehlo.composite": "decomposition",
}
