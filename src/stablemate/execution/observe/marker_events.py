"""Turns the markers of an instrumented program into notifications of a listener."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.execution.observe import listener as listening
from stablemate.execution.observe.listener import Listener
from stablemate.execution.observe.markers import BlockEntered, Computed
from stablemate.ir.core import Operation


class MarkerEvents:
    """Notifies the listener of one process.

    Attributes:
        listener: The listener.
        watched: What it wants to be told of operations, as far as it has been asked.
    """

    __slots__ = ("listener", "watched")

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.watched: dict[Operation, listening.Computed | None] = {}

    def tell(self, marker: Operation, values: Sequence[object]) -> None:
        """Notifies the listener of the event that a marker stands for."""
        match marker:
            case Computed():
                operation, count = marker.of.operation, marker.operands_told
                if operation not in self.watched:
                    self.watched[operation] = self.listener.watch(operation)
                computed = self.watched[operation]
                if computed is not None:
                    computed(values[:count], values[count:])
            case BlockEntered():
                self.listener.enter(marker.of.operation, marker.region, values)
            case _:
                self.listener.leave()
