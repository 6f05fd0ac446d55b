"""Shared by plans of tiled routines: the memory of matrices, and estimates of times."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.config.target import host
from stablemate.compiler.library_calls.blocked.panels import PANEL
from stablemate.compiler.library_calls.blocked.reflectors import work_elements
from stablemate.compiler.library_calls.blocked.tiles import RegisterTile, shape_of
from stablemate.compiler.library_calls.calls import (
    CallSequence,
    OwnRoutine,
    Reference,
    SequenceBuilder,
)
from stablemate.compiler.library_calls.compact.text import BYTES
from stablemate.deferred_dataclasses import dataclass

PRODUCT_SECONDS: Final = {"s": 2e-11, "d": 4e-11}  # of a multiplication and an addition
CALL_SECONDS: Final = 1e-6  # of a call, by which chunks of a batch are sized
LINE_BYTES: Final = 64  # of caches
INDEX_BYTES: Final = 4  # of LAPACK's integers


class Tiled(OwnRoutine):
    """A routine that works by tiles."""

    __slots__ = ()

    @property
    def shape(self) -> RegisterTile:
        """The shape of register tiles for this element type on this machine."""
        return shape_of(self.letter, host())

    def sequence(self, builder: SequenceBuilder, iterations: int, products: float) -> CallSequence:
        """The calls for a number of iterations, each of which takes so many products."""
        seconds = CALL_SECONDS + products * PRODUCT_SECONDS[self.letter]
        return builder.sequence(iterations, seconds, concurrent=True)


@dataclass(frozen=True, slots=True)
class Reflected:
    """The memory of a matrix to which reflectors are applied.

    Attributes:
        padded: Its rows.
        stride: The elements from one to the next.
        matrix: Where it is.
        work: Memory for blocks of reflectors.
    """

    padded: int
    stride: int
    matrix: Reference
    work: Reference


def matrix_memory(
    tiled: Tiled, builder: SequenceBuilder, rows: int, columns: int, before: int = 0
) -> Reflected:
    """The memory for a matrix of so many rows and columns, with some rows before.

    Rows are an odd number of cache lines apart, so that those of a panel share no cache sets.
    """
    size, shape = BYTES[tiled.letter], tiled.shape
    padded = round_up(rows, shape.rows)
    stride = odd(-(-round_up(columns, PANEL) * size // LINE_BYTES)) * LINE_BYTES // size
    matrix = builder.scratch((before + padded) * stride * size)
    work = builder.scratch(work_elements(shape, padded) * size)
    return Reflected(padded, stride, matrix, work)


def stride_of(columns: int, size: int) -> int:
    """The elements between rows of so many elements and some more: an odd number of lines."""
    return odd(columns * size // LINE_BYTES + 1) * LINE_BYTES // size


def odd(number: int) -> int:
    """The least odd number that is not below a number."""
    return number // 2 * 2 + 1


def round_up(number: int, step: int) -> int:
    """The least multiple of ``step`` that is not below a number."""
    return -(-number // step) * step
