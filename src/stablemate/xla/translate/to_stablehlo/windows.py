"""Windows of HLO as the attributes that StableHLO has for them.

Source: XLA, ``Window``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from stablemate.xla.translate.to_stablehlo.step import Step
from stablemate.xla.values import WindowDimension

Windows = Sequence[WindowDimension]


class Moves(NamedTuple):
    """What StableHLO's attributes say of windows, an entry for each dimension."""

    sizes: list[int]
    strides: list[int]
    padding: list[tuple[int, int]]
    base_dilations: list[int]
    dilations: list[int]
    reversal: list[bool]


def windows(step: Step, rank: int) -> Windows:
    """The window along each of so many dimensions; none moves nowhere.

    Raises:
        VerifyError: There is one for another number of dimensions.
    """
    stated: Windows = step.get("window", ())
    found = stated or (WindowDimension(1),) * rank
    if len(found) != rank:
        step.refuse("the window has one size for each dimension", window=len(found), rank=rank)
    return found


def fields_of(dimensions: Windows) -> Moves:
    """Windows, attribute by attribute."""
    return Moves(
        [each.size for each in dimensions],
        [each.stride for each in dimensions],
        [(each.low, each.high) for each in dimensions],
        [each.base_dilation for each in dimensions],
        [each.window_dilation for each in dimensions],
        [each.reversal for each in dimensions],
    )
