"""Operations that are partitioned by windows where their sharding rule does not allow it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from stablemate.transforms.partitioning.partitioner import BY_RULE
from stablemate.transforms.partitioning.windowed import (
    by_rule,
    concatenation,
    convolutions,
    copies,
    dynamic_slices,
    reductions_of_windows,
    selections,
    slices,
)

if TYPE_CHECKING:
    pass

WINDOWED_HANDLERS: Final[Mapping[str, Any]] = {
    BY_RULE: by_rule.by_rule,
    "stablehlo.concatenate": concatenation.concatenate,
    "stablehlo.convolution": convolutions.convolution,
    "stablehlo.dynamic_slice": dynamic_slices.dynamic_slice,
    "stablehlo.dynamic_update_slice": dynamic_slices.dynamic_update_slice,
    "stablehlo.pad": slices.pad,
    "stablehlo.reduce_window": reductions_of_windows.reduce_window,
    "stablehlo.reshape": copies.reshape,
    "stablehlo.reverse": slices.reverse,
    "stablehlo.select_and_scatter": selections.select_and_scatter,
    "stablehlo.slice": slices.slice_,
}
