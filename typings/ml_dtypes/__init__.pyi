"""What stablemate uses of ml_dtypes, typed."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

class finfo:
    bits: int
    nmant: int
    nexp: int
    iexp: int
    minexp: int
    maxexp: int
    min: Any
    max: Any
    eps: Any
    tiny: Any
    smallest_normal: Any
    smallest_subnormal: Any
    dtype: np.dtype[Any]
    def __init__(self, dtype: DTypeLike, /) -> None: ...

class iinfo:
    bits: int
    min: int
    max: int
    dtype: np.dtype[Any]
    def __init__(self, dtype: DTypeLike, /) -> None: ...

bfloat16: DTypeLike
float4_e2m1fn: DTypeLike
float6_e2m3fn: DTypeLike
float6_e3m2fn: DTypeLike
float8_e3m4: DTypeLike
float8_e4m3: DTypeLike
float8_e4m3b11fnuz: DTypeLike
float8_e4m3fn: DTypeLike
float8_e4m3fnuz: DTypeLike
float8_e5m2: DTypeLike
float8_e5m2fnuz: DTypeLike
float8_e8m0fnu: DTypeLike
int2: DTypeLike
int4: DTypeLike
uint1: DTypeLike
uint2: DTypeLike
uint4: DTypeLike
