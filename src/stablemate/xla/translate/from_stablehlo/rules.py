"""How each operation is translated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.xla.translate.from_stablehlo import (
    calls,
    contraction,
    control,
    dynamic,
    einsum,
    elementwise,
    mhlo,
    processes,
    reduction,
    shaping,
)
from stablemate.xla.translate.from_stablehlo.program import Rule

RULES: Final[Mapping[str, Rule]] = {
    **elementwise.RULES,
    **shaping.RULES,
    **dynamic.RULES,
    **contraction.RULES,
    **einsum.RULES,
    **reduction.RULES,
    **control.RULES,
    **calls.RULES,
    **processes.RULES,
    **mhlo.RULES,
}
