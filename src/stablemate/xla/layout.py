"""Layouts: how the elements of an array lie in memory.

Source: XLA, "Shapes and layout" and "Tiled layout"; ``LayoutProto``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from stablemate.xla.primitive_types import PrimitiveType

COMBINED: Final = -1  # ``*`` in a tile: merge this dimension with the next minor one

Tile = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """``SC(dimension:i,j)``: a dimension is split at these indices between memories."""

    dimension: int
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """``{1,0:T(8,128)(2,1)L(4)E(4)S(1)}``: the order of dimensions and what comes with it.

    Attributes:
        minor_to_major: Dimension numbers, the one that changes fastest first.
        tiles: Tiles, applied one after another; COMBINED where a tile has ``*``.
        tail_padding: The number of elements is rounded up to a multiple of this.
        index_type: Type of the indices of dynamic shapes; None if not stated.
        pointer_type: Type of pointers; None if not stated.
        element_bits: Bits of an element in memory; 0 is the natural size.
        memory_space: 0 is the default one, 1 on-chip vector memory, 5 the host's.
        splits: Dimensions that are split between memories.
        dynamic_prefix_bytes: Bytes of run-time sizes before the data.
    """

    minor_to_major: tuple[int, ...]
    tiles: tuple[Tile, ...] = ()
    tail_padding: int = 1
    index_type: PrimitiveType | None = None
    pointer_type: PrimitiveType | None = None
    element_bits: int = 0
    memory_space: int = 0
    splits: tuple[Split, ...] = ()
    dynamic_prefix_bytes: int = 0

    @classmethod
    def row_major(cls, rank: int) -> Layout:
        """The default layout: the last dimension changes fastest."""
        return ROW_MAJOR[rank] if rank < len(ROW_MAJOR) else cls(descending(rank))

    @property
    def is_default(self) -> bool:
        """Whether this is the row-major layout without anything else."""
        return self == Layout.row_major(len(self.minor_to_major))


def descending(rank: int) -> tuple[int, ...]:
    """``rank-1, ..., 1, 0``."""
    return tuple(range(rank - 1, -1, -1))


ROW_MAJOR: Final[Sequence[Layout]] = tuple(Layout(descending(rank)) for rank in range(9))
