"""``PJRT_Buffer_Type``: the interface's numbers for element types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import ml_dtypes
import numpy as np

from stablemate.numerics.elements import DType

NAMES: Final = (
    "invalid", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "bfloat16", "complex64", "complex128", "float8_e5m2",
    "float8_e4m3fn", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "float8_e4m3fnuz", "int4", "uint4",
    "token", "int2", "uint2", "float8_e4m3", "float8_e3m4", "float8_e8m0fnu", "float4_e2m1fn",
    "int1", "uint1", "float6_e2m3fn", "float6_e3m2fn",
)  # fmt: skip
TOKEN: Final = NAMES.index("token")
BOOLEAN: Final = np.dtype(bool)


def known_dtypes() -> Iterator[tuple[int, DType]]:
    """The types that NumPy has; a token is kept as one Boolean."""
    yield TOKEN, BOOLEAN
    for number, name in enumerate(NAMES):
        dtype = getattr(ml_dtypes, name, None) or getattr(np, name, None)
        if dtype is not None and number != TOKEN:
            yield number, np.dtype(dtype)


DTYPES: Final[Mapping[int, DType]] = dict(known_dtypes()) | {1: BOOLEAN}
NUMBERS: Final[Mapping[DType, int]] = {
    dtype: number for number, dtype in DTYPES.items() if number != TOKEN
}
