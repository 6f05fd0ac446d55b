"""Elements of collective operations are copied and combined by native code as by NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stablemate.compiler.executable import kept_object, runtime
from stablemate.compiler.runtime.grid.native_data_movement import MIN_NATIVE_BYTES, NativeMover
from stablemate.dialects.stablehlo.collectives import reduce_in_order
from stablemate.dialects.stablehlo.regions import UFUNCS

MOVER = NativeMover(runtime(), 2, kept_object)
CUTS = {  # shape, and where the other array lies in one of this shape
    "whole": ((300, 200), ...),
    "rows": ((300, 200), (slice(17, 290),)),
    "columns": ((300, 200), (slice(None), slice(30, 130))),
    "narrow": ((30000, 8), (slice(None), slice(1, 4))),
    "middle": ((40, 8, 300), (slice(None), slice(2, 7))),
    "nested": ((7, 6, 50, 64), (slice(1, 6), slice(0, 6, 2), slice(3, 49), slice(0, 33))),
    "back": ((300, 200), (slice(None, None, -1),)),
    "one": ((1, 300, 1, 200), (slice(None), slice(5, 250))),
}  # fmt: skip


def numbers(dtype: Any, *shape: int) -> Any:
    """Numbers of which no two arrays are the same."""
    rng = np.random.default_rng(len(shape) + shape[0])
    if np.dtype(dtype).kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    return rng.integers(0, 256, (*shape, np.dtype(dtype).itemsize), np.uint8).view(dtype)[..., 0]


@pytest.mark.parametrize("name", CUTS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8])
def test_copies(name: str, dtype: Any) -> None:
    shape, cut = CUTS[name]
    whole = numbers(dtype, *shape)
    pieces = [np.array(whole[cut]), np.zeros_like(whole[cut])]
    MOVER.copy([(pieces[1], whole[cut])])
    np.testing.assert_array_equal(pieces[1], pieces[0])
    target, expected = np.zeros_like(whole), np.zeros_like(whole)
    expected[cut] = pieces[0]
    MOVER.copy([(target[cut], pieces[0]), (np.empty(3), np.ones(3))])
    np.testing.assert_array_equal(target, expected)


KINDS = [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
FOLDS = [(name, kind) for name in UFUNCS for kind in KINDS] + [
    (name, kind) for name in ("add", "multiply") for kind in ("float32", "float64")
]


@pytest.mark.parametrize(("name", "kind"), FOLDS)
@pytest.mark.parametrize("count", [2, 3, 7, 11])
def test_folds(name: str, kind: str, count: int) -> None:
    size = 3 * MIN_NATIVE_BYTES // np.dtype(kind).itemsize + 5
    pieces = list(numbers(kind, count, size))
    before = [piece.copy() for piece in pieces]
    expected = reduce_in_order(UFUNCS[name], pieces)
    targets = [np.zeros(size, kind) for _ in range(3)]
    assert MOVER.reduce(name, pieces, targets)
    for target in targets:
        np.testing.assert_array_equal(target, expected)
    np.testing.assert_array_equal(pieces, before)


def test_what_is_not_folded() -> None:
    large, small = np.ones(MIN_NATIVE_BYTES, np.float32), np.ones(4, np.float32)
    assert not MOVER.reduce("maximum", [large, large], [large.copy()])  # NumPy has its own NaNs
    assert not MOVER.reduce("add", [small, small], [small.copy()])
    assert not MOVER.reduce("add", [large[::2], large[::2]], [large[::2].copy()])
    assert not MOVER.reduce("add", [large], [large.copy()])
