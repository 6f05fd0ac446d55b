"""The total order of floats: -NaN < -inf < -1 < -0 < +0 < 1 < inf < NaN.

Source: StableHLO specification, compare (``TOTALORDER``); IEEE 754-2019, totalOrder.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stablemate.numerics.elements import Array


def total_order(values: Array) -> Any:
    """Signed integers of the same width that are in the total order of the floats."""
    bits = values.view(f"i{values.dtype.itemsize}")
    all_but_sign = np.iinfo(bits.dtype).max
    return bits ^ (bits >> bits.dtype.itemsize * 8 - 1 & all_but_sign)  # reverses negative ones
