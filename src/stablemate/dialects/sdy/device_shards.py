"""How the devices of a mesh share operands and results of a manual computation; computed once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stablemate.dialects.sdy.attributes import Mesh
from stablemate.dialects.sdy.tensor_partition import TensorPartition, device_groups
from stablemate.dialects.stablehlo.regions import require_one_shape
from stablemate.ir.core import Operation
from stablemate.ir.exchange import Index


class DeviceShards:
    """The shards that each device holds.

    Attributes:
        groups: The devices that differ only in their places along the manual axes.
        members: The position of each device in its group.
    """

    def __init__(
        self,
        operation: Operation,
        mesh: Mesh,
        axes: Sequence[str],
        operands: Sequence[TensorPartition],
        results: Sequence[TensorPartition],
    ) -> None:
        self.operation = operation
        self.groups = device_groups(mesh, axes)
        self.members = {device: i for group in self.groups for i, device in enumerate(group)}
        self.operands = operands
        self.results = results
        self.places: dict[tuple[int, int, tuple[int, ...]], Index] = {}

    def shards_on(self, operands: Sequence[Any], device: int) -> list[object]:
        """The shards of operands that a device holds: views."""
        member = self.members[device]
        arrays: list[Any] = []
        for k, value in enumerate(operands):
            shape = np.shape(value)
            place = self.places.get((k, member, shape))
            if place is None:
                division = self.operands[k]
                place = () if division.is_whole else division.place(shape, member)
                self.places[k, member, shape] = place
            arrays.append(value[place] if place else value)
        return arrays

    def result_places(self, targets: Sequence[object], device: int) -> list[object]:
        """The places of a device's results in the memory for results; None where it has none."""
        member = self.members[device]
        if self.groups[0][member] != device:
            return [None] * len(targets)
        return [
            d.piece(target, member) if member in d.holders(0) else None
            for d, target in zip(self.results, targets, strict=True)
        ]

    def is_in_place(
        self, answers: Sequence[Sequence[object]], places: Sequence[Sequence[object]]
    ) -> bool:
        """Whether the results of devices are already in these places.

        Args:
            answers: For each device, its shard of each result.
            places: The place of each, or None.
        """
        return all(
            place is None or result is place
            for device in self.groups[0]
            for result, place in zip(answers[device], places[device], strict=True)
        )

    def gather(
        self, answers: Sequence[Sequence[object]], targets: Sequence[object] | None = None
    ) -> list[object]:
        """The results for the first device of a group.

        Args:
            answers: For each device of the group, its shard of each result.
            targets: Memory for the results; by default they are new.

        Raises:
            EvaluationError: The shards of a result have different shapes.
        """
        results: list[object] = []
        for k, shards in enumerate(zip(*answers, strict=True)):
            require_one_shape(self.operation, "results", shards)
            results.append(
                self.results[k].assemble(shards, 0, None if targets is None else targets[k])
            )
        return results
