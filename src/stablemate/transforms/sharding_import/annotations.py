"""Annotations: custom calls that compute nothing, as operations of Shardy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.annotations import (
    PropagationBarrier,
    ShardingConstraint,
    ShardingGroup,
)
from stablemate.dialects.sdy.attributes import PropagationDirection, TensorSharding
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value


@dataclass(frozen=True, slots=True)
class CallAnnotation:
    """The annotation of a custom call, whose results are its operands.

    Attributes:
        shardings: How each operand is shared; empty if nothing is said of it.
        direction: In which direction shardings are propagated through them; None for both.
        group: The number of the group of values that are shared alike.
    """

    shardings: tuple[TensorSharding, ...] = ()
    direction: PropagationDirection | None = None
    group: int | None = None

    def place(self, builder: Builder, operands: Sequence[Value]) -> Sequence[Value]:
        """Creates the operations of Shardy; returns what stands for the results."""
        values = list(operands)
        for i, sharding in enumerate(self.shardings):
            values[i] = builder.create(
                ShardingConstraint, input=values[i], sharding=sharding
            ).results[0]
        if self.direction not in (None, PropagationDirection.BOTH):
            values = [
                builder.create(
                    PropagationBarrier, input=value, allowed_direction=self.direction
                ).results[0]
                for value in values
            ]
        if self.group is not None:
            for value in values:
                builder.create(ShardingGroup, input=value, group_id=self.group)
        return values


IDENTITY: Final = CallAnnotation()
