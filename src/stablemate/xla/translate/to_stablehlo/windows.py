"""Windows of HLO as the attributes that StableHLO has for them.

Source: XLA, ``Window``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from stablemate.xla.translate.to_stablehlo.step import TranslationStep
from stablemate.xla.values import WindowDimension

Windows = Sequence[WindowDimension]


class Moves(NamedTuple):
    """The window attributes of StableHLO, an entry for each dimension."""

    sizes: list[int]
    strides: list[int]
    padding: list[tuple[int, int]]
    base_dilations: list[int]
    dilations: list[int]
    reversal: list[bool]


def windows(step: TranslationStep, rank: int) -> Windows:
    """The window along each of so many dimensions; none moves nowhere.

    Raises:
        VerifyError: There is one for another number of dimensions.
    """
    windows: Windows = step.get("window", ())
    dimensions = windows or (WindowDimension(1),) * rank
    if len(dimensions) != rank:
        step.refuse("the window has one size for each dimension", window=len(dimensions), rank=rank)
    return dimensions


def fields_of(dimensions: Windows) -> Moves:
    """Transposes the dimensions of a window to one list per attribute."""
    return Moves(
        [dimension.size for dimension in dimensions],
        [dimension.stride for dimension in dimensions],
        [(dimension.low, dimension.high) for dimension in dimensions],
        [dimension.base_dilation for dimension in dimensions],
        [dimension.window_dilation for dimension in dimensions],
        [dimension.reversal for dimension in dimensions],
    )
