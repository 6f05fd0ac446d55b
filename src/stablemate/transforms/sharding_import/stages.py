"""Divides the operations of a block into those on whole values and stages on shards.

Whole values become shards at boundaries, and shards whole values again. What is computed from
shards is in between, and so is what depends on the device alone (constants, ``partition_id``) and
is used there.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.core import Operation, OpResult, Value
from stablemate.ir.definition import Op
from stablemate.ir.types import Type
from stablemate.transforms.excerpt import values_from_outside
from stablemate.transforms.sharding_import.boundaries import (
    PARTNERS,
    Boundary,
    target_of,
    violation,
)

Item: TypeAlias = "Operation | ManualStage"


@dataclass(slots=True, eq=False)
class ManualStage:
    """Operations on shards: a manual computation.

    Attributes:
        manual_axes: The axes along which values are shards; None until a boundary says so.
        entries: The boundaries at which whole values become shards.
        operations: What is computed, boundaries inside included.
        exits: The boundaries at which shards become whole values.
    """

    manual_axes: tuple[str, ...] | None = None
    entries: list[Operation] = field(default_factory=list[Operation])
    operations: list[Operation] = field(default_factory=list[Operation])
    exits: list[Operation] = field(default_factory=list[Operation])


@dataclass(slots=True)
class Depths:
    """How many boundaries are around each value of a block.

    Attributes:
        boundaries: The boundaries among its operations.
        annotations: Operations that compute nothing, whatever they say of effects.
        values: The depth of each value; None where it depends on no value from outside.
        inputs: The values of the block that each operation uses, those in its regions included.
        needed_inside: Operations without inputs from outside whose results shards depend on.
        exits: Boundaries that depend on no value from outside, by what their operands come from.
    """

    boundaries: Mapping[Operation, Boundary]
    annotations: Container[Operation]
    values: dict[Value, int | None] = field(default_factory=dict[Value, "int | None"])
    inputs: dict[Operation, list[Value]] = field(default_factory=dict[Operation, list[Value]])
    needed_inside: set[Operation] = field(default_factory=set[Operation])
    exits: dict[Operation | None, list[Operation]] = field(
        default_factory=dict[Operation | None, list[Operation]]
    )

    def read(self, operations: Sequence[Operation]) -> None:
        """Computes the depths of the results of operations, which are in order."""
        for operation in operations:
            self.inputs[operation] = inputs_of(operation)
            depth = self.of(operation)
            boundary = self.boundaries.get(operation)
            if boundary is not None:
                depth = self.beyond(operation, boundary, depth)
            self.values.update(dict.fromkeys(operation.results, depth))
        for operation in reversed(operations):
            self.mark_needed(operation)

    def of(self, operation: Operation) -> int | None:
        """The depth of what an operation uses; None if it uses no value from outside."""
        depths = [self.values.get(value, 0) for value in self.inputs[operation]]
        known = [depth for depth in depths if depth is not None]
        return max(known, default=None)

    def beyond(self, operation: Operation, boundary: Boundary, depth: int | None) -> int | None:
        """The depth behind a boundary; None if shards without inputs become whole values.

        Raises:
            VerifyError: Whole values are to become whole values.
        """
        if boundary.enters:
            return (depth or 0) + 1
        if depth is None:
            return None
        if depth == 0:
            partner = PARTNERS[target_of(operation)]
            raise violation(
                operation, f"the operand is no shard: no @{partner} is on the way to it"
            )
        return depth - 1

    def mark_needed(self, operation: Operation) -> None:
        """Records which operations without inputs from outside an operation on shards needs."""
        boundary = self.boundaries.get(operation)
        leaves = boundary is not None and not boundary.enters
        inside = (self.of(operation) or 0) > 0 or leaves or operation in self.needed_inside
        if inside:
            self.needed_inside.update(
                value.operation
                for value in self.inputs[operation]
                if isinstance(value, OpResult) and self.is_free(value)
            )

    def is_free(self, value: Value[Type]) -> bool:
        """Whether a value of the block depends on no value from outside."""
        return self.values.get(value, 0) is None

    def is_on_demand(self, operation: Operation) -> bool:
        """Whether an operation stands where its results are needed, and as often."""
        if self.of(operation) is not None:
            return False
        boundary = self.boundaries.get(operation)
        if boundary is not None:
            return not boundary.enters
        return operation in self.needed_inside or not self.must_stay(operation)

    def without_inputs(self, leaving: Operation) -> list[Operation]:
        """A boundary and others at which results of the same operation become whole values.

        They depend on no value from outside.
        """
        if not self.exits:
            for operation in self.inputs:
                if operation in self.boundaries and self.is_on_demand(operation):
                    self.exits.setdefault(self.source_of(operation), []).append(operation)
        axes = self.boundaries[leaving].manual_axes
        exits = self.exits[self.source_of(leaving)]
        return [exit for exit in exits if self.boundaries[exit].manual_axes == axes]

    def source_of(self, leaving: Operation) -> Operation | None:
        """The operation whose result the first operand of a boundary is, annotations aside."""
        value = leaving.operands[0] if leaving.operands else None
        while isinstance(value, OpResult) and value.operation in self.annotations:
            value = value.operation.operands[value.index]
        return value.operation if isinstance(value, OpResult) else None

    def must_stay(self, operation: Operation) -> bool:
        """Whether an operation must stay even if nobody uses its results."""
        if operation.definition.terminator or not operation.results:
            return True
        return operation not in self.annotations and any(map(has_effects, operation.walk()))


def inputs_of(operation: Operation) -> list[Value[Type]]:
    """The values around an operation that it uses, or operations in its regions do."""
    if not operation.regions:
        return list(operation.operands)
    return list(dict.fromkeys(values_from_outside([operation], {*operation.walk()})))


def has_effects(operation: Operation) -> bool:
    """Whether an operation, without its regions, does more than compute results."""
    return not isinstance(operation, Op) or operation.has_effects


class Staging:
    """Divides operations at one depth.

    Attributes:
        depths: The depths of values.
        depth: That of the values that count as whole here.
        items: What has been divided.
        stage: The stage that is open.
        pending: Operations on whole values that depend on it.
        dependent: The values that depend on it.
        stage_of: The stage in which each shard is computed.
    """

    def __init__(self, depths: Depths, depth: int) -> None:
        self.depths = depths
        self.depth = depth
        self.items: list[Item] = []
        self.stage: ManualStage | None = None
        self.pending: list[Operation] = []
        self.dependent: set[Value[Type]] = set()
        self.stage_of: dict[Value[Type], ManualStage] = {}

    def divide(self, operations: Sequence[Operation]) -> list[Item]:
        """The operations and stages in an order in which they can run."""
        for operation in operations:
            if not self.depths.is_on_demand(operation):
                self.add(operation)
        self.close()
        return self.items

    def add(self, operation: Operation) -> None:
        """Adds an operation to the open stage or to those on whole values."""
        boundary = self.depths.boundaries.get(operation)
        inside = self.depths.of(operation)
        if boundary is not None and boundary.enters and (inside or 0) == self.depth:
            self.enter(operation, boundary)
        elif boundary is not None and not boundary.enters and inside == self.depth + 1:
            self.leave(operation, boundary)
        elif operation.definition.terminator:
            self.finish(operation)
        elif inside is not None and inside > self.depth:
            self.compute(operation)
        else:
            self.compute_whole(operation)

    def compute_whole(self, operation: Operation) -> None:
        """Adds an operation on whole values."""
        if self.depths.must_stay(operation) and operation not in self.depths.annotations:
            self.close()
        if self.depends(operation):
            self.pending.append(operation)
            self.dependent.update(operation.results)
        else:
            self.items.append(operation)

    def finish(self, terminator: Operation) -> None:
        """Adds the end of the block.

        Raises:
            VerifyError: It takes shards.
        """
        self.close()
        if (self.depths.of(terminator) or 0) > self.depth:
            stages = (item for item in self.items if isinstance(item, ManualStage))
            entry = next(entry for stage in stages for entry in stage.entries)
            partner = PARTNERS[target_of(entry)]
            raise violation(
                entry, f"shards leave as they are: no @{partner} makes whole values of them"
            )
        self.items.append(terminator)

    def depends(self, operation: Operation) -> bool:
        """Whether an operation uses a value that depends on the open stage."""
        return any(value in self.dependent for value in self.depths.inputs[operation])

    def enter(self, operation: Operation, boundary: Boundary) -> None:
        """Adds a boundary at which whole values become shards."""
        stage = self.stage
        if stage is not None and (
            stage.exits or stage.manual_axes != boundary.manual_axes or self.depends(operation)
        ):
            self.close()
        stage = self.open_stage(boundary.manual_axes)
        stage.entries.append(operation)
        self.stage_of.update(dict.fromkeys(operation.results, stage))

    def leave(self, operation: Operation, boundary: Boundary) -> None:
        """Adds a boundary at which shards become whole values."""
        axes = boundary.manual_axes or self.axes_of(operation)
        if self.stage is not None and axes not in (None, self.stage.manual_axes):
            self.close()
        self.open_stage(axes).exits.append(operation)
        self.dependent.update(operation.results)

    def compute(self, operation: Operation) -> None:
        """Adds an operation on shards."""
        if self.stage is not None and self.depends(operation):
            self.close()
        stage = self.open_stage(self.axes_of(operation))
        stage.operations.append(operation)
        self.stage_of.update(dict.fromkeys(operation.results, stage))

    def axes_of(self, operation: Operation) -> tuple[str, ...] | None:
        """The manual axes of the shards that an operation uses."""
        stages = (self.stage_of.get(value) for value in self.depths.inputs[operation])
        return next((stage.manual_axes for stage in stages if stage is not None), None)

    def open_stage(self, manual_axes: tuple[str, ...] | None) -> ManualStage:
        """The open stage, or a new one."""
        if self.stage is None:
            self.stage = ManualStage(manual_axes)
        return self.stage

    def close(self) -> None:
        """Ends the open stage; what depends on it follows."""
        if self.stage is None:
            return
        self.items.append(self.stage)
        self.items += self.pending
        self.stage = None
        self.pending = []
        self.dependent = set()
