"""The state of matrices on their way to real Schur form, one in each lane."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.library_calls.compact.text import LlvmFunctionBuilder
from stablemate.compiler.library_calls.compact.vectors import (
    IntegerVariable,
    LaneMatrix,
    Vector,
    Word,
    number,
)
from stablemate.deferred_dataclasses import dataclass

PRECISION: Final = {"s": 2.0**-23, "d": 2.0**-52}  # the distance from one to the next number
SMALLEST_NORMAL: Final = {"s": 2.0**-126, "d": 2.0**-1022}
NEGLIGIBLE_ORDER: Final = 16  # by which the smallest number that is not negligible is multiplied


@dataclass(frozen=True, slots=True)
class Schur:
    """Matrices on their way to Schur form.

    Attributes:
        n: Their order.
        h: The Hessenberg form. Zeros are before its first row, and in a row and a column after the
            last ones: so many that elements (-1, -2) and (n, n) are there.
        z: What is multiplied by the transformations, with a column after the last one.
    """

    n: Word
    h: LaneMatrix
    z: LaneMatrix

    @property
    def text(self) -> LlvmFunctionBuilder:
        """The function to which instructions are appended."""
        return self.h.text


@dataclass(frozen=True, slots=True)
class ActiveRows:
    """The rows on which the lanes work.

    Attributes:
        top: The first one.
        bottom: The last one; -1 if a matrix is done.
        sweeps: The number of sweeps since the last eigenvalue was found.
    """

    top: IntegerVariable
    bottom: IntegerVariable
    sweeps: IntegerVariable


def smallest_of(text: LlvmFunctionBuilder) -> float:
    """The largest number that is always negligible."""
    return SMALLEST_NORMAL[text.letter] / PRECISION[text.letter] * NEGLIGIBLE_ORDER


def eigenvalues(h: LaneMatrix, k: Word) -> tuple[Vector, Vector]:
    """The real and the imaginary part of the eigenvalue in row k of a Schur form.

    Of a pair, the first one has a positive imaginary part.
    """
    text, zero = h.text, number(h.text, 0)
    before, after = text.add(k, -1), text.add(k, 1)
    first = abs(h[k, after]).sqrt() * abs(h[after, k]).sqrt()
    second = -(abs(h[before, k]).sqrt() * abs(h[k, before]).sqrt())
    begins, ends = ~h[after, k].is_zero(), ~h[k, before].is_zero()
    return h[k, k], begins.choose(first, ends.choose(second, zero))
