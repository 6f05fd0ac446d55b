"""Rules for pairs of a sender and a receiver.

Source: StableHLO specification, collective_permute, send and recv (C1 to C4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from stablemate.dialects.stablehlo.dimensions import is_unique
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, Op, constraint, holds

Pairs: TypeAlias = Sequence[Sequence[int]]


class WithSourceTargetPairs(Op):
    """An operation with the attribute ``source_target_pairs``."""

    __slots__ = ()

    @property
    def pairs(self) -> Pairs:
        """The attribute ``source_target_pairs``, which each operation declares."""
        pairs: Pairs = cast(Any, self).source_target_pairs
        return pairs

    @constraint
    def c1(self) -> Check:
        """dim(source_target_pairs, 1) = 2"""
        return have_two_columns(self)

    @constraint
    def c4(self) -> Check:
        """0 <= source_target_pairs < N"""
        return within_grid(self.pairs)

    @constraint
    def c2(self) -> Check:
        """is_unique(source_target_pairs[:, 0])"""
        return sources_are_unique(self.pairs)

    @constraint
    def c3(self) -> Check:
        """is_unique(source_target_pairs[:, 1])"""
        return targets_are_unique(self.pairs)


def have_two_columns(operation: Operation) -> Check:
    """Whether the attribute ``source_target_pairs`` consists of pairs, if it is there."""
    pairs = operation.attributes.get("source_target_pairs")
    shape = pairs.shape if isinstance(pairs, DenseElementsAttribute) else (0, 2)
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
