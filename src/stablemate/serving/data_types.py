"""The element types of the protocol.

Source: Open Inference Protocol, tensor data types; the binary tensor data extension (BF16).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import ml_dtypes
import numpy as np

from stablemate.numerics.elements import DType

DTYPES: Final[Mapping[str, DType]] = {
    "BOOL": np.dtype(np.bool_),
    **{f"UINT{bits}": np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)},
    **{f"INT{bits}": np.dtype(f"int{bits}") for bits in (8, 16, 32, 64)},
    "FP16": np.dtype(np.float16),
    "FP32": np.dtype(np.float32),
    "FP64": np.dtype(np.float64),
    "BF16": np.dtype(ml_dtypes.bfloat16),
}
NAMES: Final[Mapping[DType, str]] = {dtype: name for name, dtype in DTYPES.items()}
# What the elements of a tensor may be in JSON, by the kind of its element type.
JSON_TYPES: Final[Mapping[str, frozenset[type]]] = {
    "b": frozenset({bool}),
    "u": frozenset({int}),
    "i": frozenset({int}),
    "f": frozenset({int, float}),
}


def json_types(dtype: DType) -> frozenset[type]:
    """The types of JSON that elements of a tensor may have."""
    return JSON_TYPES.get(dtype.kind, JSON_TYPES["f"])  # NumPy calls the kind of bfloat16 "V"
