"""Rules for pairs of a sender and a receiver.

Source: StableHLO specification, collective_permute, send and recv (C1 to C4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from stablemate.dialects.stablehlo.dimensions import is_unique
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, holds

Pairs: TypeAlias = Sequence[Sequence[int]]


def have_two_columns(operation: Operation) -> Check:
    """Whether the attribute ``source_target_pairs`` consists of pairs, if it is there."""
    pairs = operation.attributes.get("source_target_pairs")
    shape = pairs.type.shape if isinstance(pairs, DenseElementsAttribute) else (0, 2)
    return holds(shape[1] == 2, source_target_pairs=shape)


def within_grid(pairs: Pairs, name: str = "source_target_pairs") -> Check:
    """Whether all ids are valid; their number is known only at run time."""
    return holds(all(process_id >= 0 for pair in pairs for process_id in pair), **{name: pairs})


def sources_are_unique(pairs: Pairs) -> Check:
    """Whether no process sends twice."""
    return holds(is_unique([pair[0] for pair in pairs]), source_target_pairs=pairs)


def targets_are_unique(pairs: Pairs) -> Check:
    """Whether no process receives twice."""
    return holds(is_unique([pair[1] for pair in pairs]), source_target_pairs=pairs)
