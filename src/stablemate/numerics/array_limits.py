"""The limits of NumPy arrays: how many dimensions and elements they may have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError
from stablemate.numerics.elements import MOST_DIMENSIONS, Array

MOST_ITERATED: Final = 32  # dimensions of arrays that NumPy brings together
MAX_ELEMENTS: Final = 1 << 59  # of 16 bytes, in 2^63; NumPy counts as if no size were 0


def array_excess(shape: Sequence[int]) -> Diagnostic | None:
    """Why no array has a shape; None if one may. Sizes that are not known, -1, count as 1."""
    if len(shape) > MOST_DIMENSIONS:
        message = f"a tensor that is computed has at most {MOST_DIMENSIONS} dimensions"
        return Diagnostic(message, "limits.rank", None, {"rank": len(shape)})
    if math.prod([size for size in shape if size > 0]) >= MAX_ELEMENTS:
        message = "the sizes of a tensor, those that are 0 aside, multiply to less than 2^59"
        values = {"shape": f"[{', '.join(map(str, shape))}]"}
        return Diagnostic(message, "limits.tensor_bytes", None, values)
    return None


def broadcast_together(*arrays: Any) -> Sequence[Array]:
    """Views of arrays and scalars in one shape, also of more dimensions than NumPy iterates over.

    NumPy itself brings arrays of 32 dimensions at most together; of more, each has the shape of the
    largest or is a scalar.
    """
    largest = max(map(np.shape, arrays), key=len)
    if len(largest) <= MOST_ITERATED:
        return np.broadcast_arrays(*arrays)
    return [np.broadcast_to(array, largest) for array in arrays]


def require_array(shape: Sequence[int]) -> None:
    """Rejects a shape that no array has.

    Raises:
        LimitError: It has too many dimensions or elements.
    """
    diagnostic = array_excess(shape)
    if diagnostic is not None:
        raise LimitError(diagnostic)
