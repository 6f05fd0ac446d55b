"""Cholesky factors of which the unused triangle is cleared, and failed ones are not numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FinishedFactors:
    """A custom call of potrf with the selections that follow it; the compiler made it of them.

    Other attributes, as the place in the source, are those of the custom call.

    Attributes:
        originals: The custom call, and the selections.
        marks: Whether all elements of a matrix that is not positive definite are NaN.
        clears: Whether elements beside the triangle of the factor are zero.
    """

    originals: Sequence[Any]
    marks: bool
    clears: bool

    def __getattr__(self, name: str) -> object:
        return getattr(self.originals[0], name)

    @property
    def options(self) -> dict[str, bool]:
        """The steps of a routine besides the factorization."""
        return {"marks": self.marks, "clears": self.clears}
