"""Random quantized types and stored values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import ml_dtypes
import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from tests.properties.quantized.formulas import Quantized

Array = npt.NDArray[Any]

SIGNED: Final = ("i2", "i4", "i8", "i16", "i32")
UNSIGNED: Final = ("u2", "u4", "u8", "u16", "u32")
STORAGE: Final = (*SIGNED, *UNSIGNED, *(f"ui{name[1:]}" for name in UNSIGNED))
EXPRESSED: Final = ("f16", "bf16", "f32", "f64")
DTYPES: Final[dict[str, Any]] = {
    "i2": ml_dtypes.int2,
    "i4": ml_dtypes.int4,
    "u2": ml_dtypes.uint2,
    "u4": ml_dtypes.uint4,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}
POWERS_OF_TWO: Final = tuple(2.0**exponent for exponent in range(-4, 3))
SCALES: Final = (*POWERS_OF_TWO, 0.1, 0.3, 0.007, 1.7, 3.0, 1 / 3)


def dtype_of(name: str) -> np.dtype[Any]:
    """NumPy's type for arrays of a storage or expressed type."""
    name = name.replace("ui", "u")
    if name in DTYPES:
        return np.dtype(DTYPES[name])
    return np.dtype(f"{'uint' if name.startswith('u') else 'int'}{name.strip('ui')}")


@st.composite
def quantized_types(
    draw: st.DrawFn,
    shape: Sequence[int] = (),
    *,
    granularity: str = "tensor",
    storage: Sequence[str] = STORAGE,
    expressed: Sequence[str] = EXPRESSED,
    scales: Sequence[float] = SCALES,
    axis: int | None = None,
) -> Quantized:
    """An element type for tensors of a shape.

    Args:
        draw: Draws from a strategy.
        shape: The tensor's; of rank above 0 unless quantized per tensor.
        granularity: ``tensor``, ``axis`` or ``blocks``.
        storage: Names to choose from.
        expressed: Names to choose from.
        scales: Numbers to choose from.
        axis: The dimension of the slices; any if None.
    """
    name = draw(st.sampled_from(storage))
    low, high = limits_of(name)
    if draw(st.booleans()) and name.strip("ui") != "2":
        low, high = low + 1, high - 1
    blocks: tuple[int, ...] = ()
    grid: tuple[int, ...] = ()
    count, dimension = 1, None
    match granularity:
        case "axis":
            dimension = draw(st.integers(0, len(shape) - 1)) if axis is None else axis
            count = shape[dimension]
        case "blocks":
            blocks = tuple(draw(st.sampled_from([0, *divisors(size)])) for size in shape)
            if not any(blocks):
                blocks = (1, *blocks[1:])
            pairs = zip(blocks, shape, strict=True)
            grid = tuple(size // block if block else 1 for block, size in pairs)
            count = math.prod(grid)
        case _:
            pass
    near = st.integers(max(low, -9), min(high, 9))
    return Quantized(
        name,
        draw(st.sampled_from(expressed)),
        tuple(draw(st.sampled_from(scales)) for _ in range(count)),
        tuple(draw(near if draw(st.booleans()) else st.integers(low, high)) for _ in range(count)),
        low,
        high,
        dimension,
        blocks,
        grid,
    )


def limits_of(storage: str) -> tuple[int, int]:
    """The range of a storage type."""
    return Quantized(storage, "f32", (), (), 0, 0).limits


def divisors(size: int) -> list[int]:
    """The sizes into which a dimension can be divided."""
    return [block for block in range(1, size + 1) if size % block == 0]


def stored_values(element: Quantized, shape: Sequence[int], seed: int) -> Array:
    """Random stored values: half of them near the zero point, half from the whole range."""
    rng = np.random.default_rng(seed)
    wide = rng.integers(element.low, element.high, tuple(shape), np.int64, endpoint=True)
    near = np.clip(
        element.zero_points[0] + rng.integers(-9, 10, tuple(shape)), element.low, element.high
    )
    chosen = np.where(rng.random(tuple(shape)) < 0.5, wide, near)
    return chosen.astype(dtype_of(element.storage))
