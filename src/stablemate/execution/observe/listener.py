"""Listeners: tracers, debuggers and profilers that are notified of what a run computes.

A listener follows one process. It is told when a block of control flow or of a called function is
entered and left, and what every operation that it watches took and gave, in the order of the
program. Between ``enter`` and its ``leave`` stands what happened inside; the operation itself is
told behind that. A constant is never told: its value is that of the operation.

Blocks of control flow are those of functions, ``while`` (condition and body, each iteration),
``if`` and ``case``, calls and composites, ``sdy.named_computation`` and
``sdy.manual_computation``. Regions of reductions, sorts, scatters and the like are computations on
scalars: nothing inside them is told, and neither is what ``async_start`` begins, which gives
its results as those of ``async_done``.

Where the run fails, nothing is left any more: a listener still knows where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeAlias

from stablemate.ir.core import Operation
from stablemate.ir.grid import ProcessId

# Takes the operands and the results of an operation, each as many as it has.
Computed: TypeAlias = Callable[[Sequence[object], Sequence[object]], object]

# Operations whose regions are control flow; those of all others are computations on scalars.
CONTROL_FLOW: Final = frozenset(
    {
        "sdy.manual_computation",
        "sdy.named_computation",
        "stablehlo.case",
        "stablehlo.if",
        "stablehlo.while",
    }
)
# What makes nothing that is worth marker_events: constants are known, markers only end blocks.
UNOBSERVED_OPERATIONS: Final = frozenset({"stablehlo.constant"})


class ListAppender:
    """Notifies by appending to two lists, which costs a tenth of a call: of one result.

    Attributes:
        marks: Gets the mark.
        mark: Says which operation it is.
        values: Gets the result.
    """

    __slots__ = ("mark", "marks", "values")

    def __init__(self, marks: list[Any], mark: object, values: list[Any]) -> None:
        self.marks = marks
        self.mark = mark
        self.values = values

    def __call__(self, operands: Sequence[object], results: Sequence[object]) -> None:
        """Appends; where there are many to tell, others do this in place of a call."""
        self.marks.append(self.mark)
        self.values.extend(results)


class GridListener(Protocol):
    """Follows the processes of a grid: it has a listener for each."""

    def process(self, process: ProcessId) -> Listener:
        """The listener of a process."""
        ...


class Listener(GridListener, Protocol):
    """Follows one process of a run, and the grids inside it.

    Operations are those of the program in the form in which it runs: legalized, not yet
    specialized. A value is an array or, of rank 0, a NumPy scalar; of a quantized tensor its
    stored integers; of a tuple a tuple; of a token None. Values may be kept, but not changed.
    """

    def watch(self, operation: Operation) -> Computed | None:
        """The listener that is notified after each operation; None if there is none.

        Asked once for every operation before it first runs. ``ListAppender`` is the fastest.
        """
        ...

    def enter(self, operation: Operation, region: int, arguments: Sequence[object]) -> None:
        """A block begins: a region of an operation, a called function, or the function.

        Args:
            operation: An operation of control flow, a call, or the ``func.func`` that is run.
            region: Which of its regions; 0 for a function.
            arguments: What the block is given.
        """
        ...

    def leave(self) -> None:
        """The block that was entered last has ended."""
        ...


class NullListener:
    """A listener that watches nothing."""

    def watch(self, operation: Operation) -> Computed | None:
        """None: no operation is watched, whatever it computes."""
        return None

    def enter(self, operation: Operation, region: int, arguments: Sequence[object]) -> None:
        """Ignores that a block of a region begins with these arguments."""

    def leave(self) -> None:
        """Ignores that the block that was entered last has ended."""

    def process(self, process: ProcessId) -> Listener:
        """The listener of a process of a grid: itself, which watches none."""
        return self
