"""Frames: the stack of blocks of a run, which an observer keeps as blocks begin and end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.analysis.operation_identity import Sites
from stablemate.analysis.tracing.event import EventScope
from stablemate.dialects.calls import callee_of
from stablemate.dialects.func import FuncOp
from stablemate.ir.core import Operation

REGIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "stablehlo.while": ("condition", "body"),
    "stablehlo.if": ("true", "false"),
}


class BlockFrame:
    """A block that is being run.

    Attributes:
        parent: The block around it; None of the outermost one, in which functions are run.
        operation: The operation whose block it is.
        region: Which of its regions.
        iteration: How often the block had been run before, there.
        last: The operation whose block was entered last inside, with region and iteration.
    """

    __slots__ = (
        "iteration",
        "last",
        "last_iteration",
        "last_region",
        "operation",
        "parent",
        "region",
    )

    def __init__(
        self, parent: BlockFrame | None, operation: Operation | None, region: int, iteration: int
    ) -> None:
        self.parent = parent
        self.operation = operation
        self.region = region
        self.iteration = iteration
        self.last: Operation | None = None  # until then the other two are not there

    def inside(self, operation: Operation, region: int) -> BlockFrame:
        """The frame of a block that begins in this one."""
        iteration = 0
        if self.last is operation:
            iteration = self.last_iteration
            if region <= self.last_region:
                iteration += 1
        else:
            self.last = operation
        self.last_region: int = region
        self.last_iteration: int = iteration
        return BlockFrame(self, operation, region, iteration)


class Scopes:
    """Maps frames to blocks."""

    def __init__(self, sites: Sites) -> None:
        self.sites = sites
        self.scopes: dict[BlockFrame | None, tuple[EventScope, ...]] = {None: ()}

    def of(self, frame: BlockFrame | None) -> tuple[EventScope, ...]:
        """The blocks that contain a frame, the outermost first, its own last."""
        pending: list[BlockFrame] = []
        while frame is not None and frame not in self.scopes:
            pending.append(frame)
            frame = frame.parent
        scopes = self.scopes[frame]
        for enclosing in reversed(pending):
            if enclosing.operation is not None:
                place = self.sites.of(enclosing.operation).place
                label = label_of(enclosing)
                scopes = (*scopes, EventScope(place, enclosing.region, enclosing.iteration, label))
            self.scopes[enclosing] = scopes
        return scopes


def label_of(frame: BlockFrame) -> str:
    """The label of a block: ``while body[3]``, ``if true``, ``@f``."""
    operation = frame.operation
    assert operation is not None
    if isinstance(operation, FuncOp):
        return f"@{operation.symbol}"
    callee = callee_of(operation)
    if callee is not None:
        return f"@{callee}"
    mnemonic = operation.name.partition(".")[2]
    names = REGIONS.get(operation.name)
    if names is None:
        return f"{mnemonic} {frame.region}" if len(operation.regions) > 1 else mnemonic
    iteration_text = f"[{frame.iteration}]" if operation.name == "stablehlo.while" else ""
    return f"{mnemonic} {names[frame.region]}{iteration_text}"
