"""All rules, by opcode."""

from __future__ import annotations

from typing import Final

from stablemate.xla.translate.to_stablehlo.rules import (
    asynchronous,
    bitcasts,
    collectives,
    contraction,
    control,
    custom_calls,
    dynamic,
    elementwise,
    expansions,
    linear,
    reduction,
    scatters,
    shaping,
    transfers,
    window_reductions,
)
from stablemate.xla.translate.to_stablehlo.step import Rules

RULES: Final[Rules] = {
    **elementwise.RULES,
    **shaping.RULES,
    **dynamic.RULES,
    **contraction.RULES,
    **reduction.RULES,
    **scatters.RULES,
    **linear.RULES,
    **collectives.RULES,
    **asynchronous.RULES,
    **expansions.RULES,
    **control.RULES,
    **transfers.RULES,
    **custom_calls.RULES,
    **bitcasts.RULES,
    **window_reductions.RULES,
}
