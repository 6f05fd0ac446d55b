"""MLIR element types as NumPy stores them, and dense literals read back into arrays."""

import re
from typing import Any, Final

import ml_dtypes
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

DTYPES: Final[dict[str, np.dtype[Any]]] = {
    name: np.dtype(dtype)
    for name, dtype in {
        "i1": np.bool_,
        "i2": ml_dtypes.int2,
        "i4": ml_dtypes.int4,
        "i8": np.int8,
        "i16": np.int16,
        "i32": np.int32,
        "i64": np.int64,
        "ui2": ml_dtypes.uint2,
        "ui4": ml_dtypes.uint4,
        "ui8": np.uint8,
        "ui16": np.uint16,
        "ui32": np.uint32,
        "ui64": np.uint64,
        "f4E2M1FN": ml_dtypes.float4_e2m1fn,
        "f6E2M3FN": ml_dtypes.float6_e2m3fn,
        "f6E3M2FN": ml_dtypes.float6_e3m2fn,
        "f8E3M4": ml_dtypes.float8_e3m4,
        "f8E4M3": ml_dtypes.float8_e4m3,
        "f8E4M3FN": ml_dtypes.float8_e4m3fn,
        "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
        "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
        "f8E5M2": ml_dtypes.float8_e5m2,
        "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
        "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
        "bf16": ml_dtypes.bfloat16,
        "f16": np.float16,
        "f32": np.float32,
        "f64": np.float64,
        "complex<f32>": np.complex64,
        "complex<f64>": np.complex128,
    }.items()
}
"""By MLIR name; an element of a narrow type takes a byte, as in MLIR's raw literals."""

ELEMENT_TYPES: Final[dict[np.dtype[Any], str]] = {dtype: name for name, dtype in DTYPES.items()}

_INTEGERS = {dtype for name, dtype in DTYPES.items() if name.lstrip("u").startswith("i")}
_LITERAL = re.compile(
    r"dense<(?P<body>.*)> : tensor<(?P<shape>(?:\d+x)*)(?P<element>[^\d].*)>", re.DOTALL
)
_NUMBER = re.compile(r"[^\s,\[\]()]+")


def read_literal(text: str) -> Array:
    """The array that a ``dense<...> : tensor<...>`` attribute denotes, bit for bit."""
    match = _LITERAL.fullmatch(text)
    if match is None or match["element"] not in DTYPES:
        raise ValueError(f"not a dense literal: {text[:80]}")
    shape = tuple(int(size) for size in match["shape"].split("x")[:-1])
    dtype, body = DTYPES[match["element"]], match["body"]
    if body.startswith('"0x'):
        values = np.frombuffer(bytes.fromhex(body[3:-1]), dtype)
    else:
        values = _read_numbers(_NUMBER.findall(body), dtype)
    if values.size == 1:  # a splat
        return np.broadcast_to(values.reshape(()), shape).copy()
    return values.reshape(shape)


def _read_numbers(numbers: list[str], dtype: np.dtype[Any]) -> Array:
    """Array of rank 1; a complex number is two ``numbers``."""
    if dtype.kind == "c":
        return _read_numbers(numbers, np.dtype(f"f{dtype.itemsize // 2}")).view(dtype)
    if dtype.kind == "b":
        return np.array([number == "true" for number in numbers], np.bool_)
    values = np.empty(len(numbers), dtype)
    bits = values.view(f"u{dtype.itemsize}")
    for i, number in enumerate(numbers):
        if number.startswith("0x"):  # NaN and infinities; integers are always decimal
            bits[i] = int(number, 16)
        elif dtype in _INTEGERS:
            values[i] = int(number)
        else:
            values[i] = float(number)
    return values
