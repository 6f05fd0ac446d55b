"""Literals: the values of constants.

Source: XLA, ``LiteralProto``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import Array
from stablemate.xla.shape import Shape

MOST_EMPTY_ROWS: Final = 1 << 22  # pairs of braces around no elements that a text may hold


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """The value of a constant.

    Two literals are equal when shapes and all bits are: not-a-numbers by their payload, zeros by
    their sign.

    Attributes:
        shape: Its shape; the layout says only how a protocol stores the elements.
        array: The elements in logical order, of the type's NumPy storage (``bool`` for ``pred``);
            None for tuples and elided literals. Not to be written to.
        elements: The parts of a tuple.
        dynamic_sizes: The actual sizes of dynamic dimensions; empty if none was stored.
    """

    shape: Shape
    array: Array | None = None
    elements: tuple[Literal, ...] = ()
    dynamic_sizes: tuple[int, ...] = ()

    @property
    def is_elided(self) -> bool:
        """Whether the text had ``{...}`` in place of the values."""
        if self.shape.is_tuple:
            return any(element.is_elided for element in self.elements)
        return self.array is None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Literal):
            return NotImplemented
        same = self.shape == other.shape and self.dynamic_sizes == other.dynamic_sizes
        if not same or self.elements != other.elements:
            return False
        if self.array is None or other.array is None:
            return self.array is other.array
        return self.array.dtype == other.array.dtype and self.bits() == other.bits()

    def __hash__(self) -> int:
        return hash((self.shape, self.elements))

    def bits(self) -> bytes:
        """The elements' bytes in logical order; empty for tuples."""
        return b"" if self.array is None else np.ascontiguousarray(self.array).tobytes()


def has_many_empty_rows(dimensions: Sequence[int]) -> bool:
    """Whether a literal has no elements, but more rows than its text may hold."""
    return 0 in dimensions and prod(dimensions[:-1]) > MOST_EMPTY_ROWS
