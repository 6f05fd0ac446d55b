"""Verifies kernels whose extents are symbolic.

An access is proven for all sizes by the bounds of its index, or stands under a condition, which is
the last part of a dimension; else all its values for the typical sizes are tried. What is written
for all sizes, such as types and the indices of loops, is checked as in any kernel.
"""

from __future__ import annotations

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.index_bounds import bounds_of
from stablemate.compiler.loops.statements import Kernel, Loop, When
from stablemate.compiler.loops.verifier import Verifier, extent_of
from stablemate.numerics.symbolic_sizes import surely_at_most, typical_of


def verify_sized(kernel: Kernel) -> None:
    """Checks a kernel with symbolic extents; nothing is assumed.

    Raises:
        CompileError: See ``verifier.verify``.
    """
    SizedVerifier(kernel).verify()


class SizedVerifier(Verifier):
    """Checks one kernel."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel)
        self.conditions = 0  # that stand around a statement

    def under_condition(self, statement: When) -> None:
        """Checks the statements under a condition."""
        self.conditions += 1
        super().under_condition(statement)
        self.conditions -= 1

    def has_index_of_extent(self, loop: Loop) -> bool:
        """Whether the index of a loop reaches its last iteration; there may be none."""
        return loop.atom.low == 0 and surely_at_most(loop.extent - 1, loop.atom.high)

    def check_place(self, buffer: Buffer, place: Expression) -> None:
        """Checks that a place is inside a buffer."""
        extent = extent_of(buffer)
        is_proven = surely_at_most(0, place.low) and surely_at_most(place.high, extent - 1)
        if is_proven or self.conditions:
            return
        low, high = bounds_of(place)
        is_inside = low >= 0 and high < typical_of(extent)
        self.hold(is_inside, f"{low} ... {high} is not inside {buffer} for the typical sizes")
