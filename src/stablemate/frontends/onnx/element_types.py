"""Element types of ONNX and of StableHLO.

Source: ONNX, onnx.proto, TensorProto.DataType.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.numerics.elements import COMPLEX64, COMPLEX128, SIMPLE_ELEMENTS, ElementType

STRING: Final = 8  # the number of strings, for which programs have numbers of a table

# By number: the name in ONNX, and the element type.
DATA_TYPES: Final[Mapping[int, tuple[str, ElementType | None]]] = {
    1: ("float", SIMPLE_ELEMENTS["f32"]),
    2: ("uint8", SIMPLE_ELEMENTS["ui8"]),
    3: ("int8", SIMPLE_ELEMENTS["i8"]),
    4: ("uint16", SIMPLE_ELEMENTS["ui16"]),
    5: ("int16", SIMPLE_ELEMENTS["i16"]),
    6: ("int32", SIMPLE_ELEMENTS["i32"]),
    7: ("int64", SIMPLE_ELEMENTS["i64"]),
    8: ("string", None),
    9: ("bool", SIMPLE_ELEMENTS["i1"]),
    10: ("float16", SIMPLE_ELEMENTS["f16"]),
    11: ("double", SIMPLE_ELEMENTS["f64"]),
    12: ("uint32", SIMPLE_ELEMENTS["ui32"]),
    13: ("uint64", SIMPLE_ELEMENTS["ui64"]),
    14: ("complex64", COMPLEX64),
    15: ("complex128", COMPLEX128),
    16: ("bfloat16", SIMPLE_ELEMENTS["bf16"]),
    17: ("float8e4m3fn", SIMPLE_ELEMENTS["f8E4M3FN"]),
    18: ("float8e4m3fnuz", SIMPLE_ELEMENTS["f8E4M3FNUZ"]),
    19: ("float8e5m2", SIMPLE_ELEMENTS["f8E5M2"]),
    20: ("float8e5m2fnuz", SIMPLE_ELEMENTS["f8E5M2FNUZ"]),
    21: ("uint4", SIMPLE_ELEMENTS["ui4"]),
    22: ("int4", SIMPLE_ELEMENTS["i4"]),
    23: ("float4e2m1", SIMPLE_ELEMENTS["f4E2M1FN"]),
    24: ("float8e8m0", SIMPLE_ELEMENTS["f8E8M0FNU"]),
    25: ("uint2", SIMPLE_ELEMENTS["ui2"]),
    26: ("int2", SIMPLE_ELEMENTS["i2"]),
    27: ("float6e2m3", SIMPLE_ELEMENTS["f6E2M3FN"]),
    28: ("float6e3m2", SIMPLE_ELEMENTS["f6E3M2FN"]),
}
NUMBERS: Final[Mapping[ElementType, int]] = {
    element: number for number, (_, element) in DATA_TYPES.items() if element is not None
}


def element_of(data_type: int, what: str) -> ElementType:
    """The element type of a number of ``TensorProto.DataType``.

    Args:
        data_type: The number.
        what: What messages call the value.

    Raises:
        UnsupportedError: StableHLO has none, as of strings.
    """
    name, element = DATA_TYPES.get(data_type, (f"of number {data_type}", None))
    if element is None:
        raise UnsupportedError(f"{what} has elements of type {name}, which no program has")
    return element


def known_element(data_type: int) -> ElementType | None:
    """The element type of a number of ``TensorProto.DataType``; None if StableHLO has none."""
    return DATA_TYPES.get(data_type, ("", None))[1]


def element_like(element: ElementType, data_type: int | None) -> ElementType:
    """The element type of a result: that of an operand, unless the attribute names one."""
    return element if data_type is None else element_of(data_type, "the result")


def type_name(element: ElementType) -> str:
    """ONNX's name of an element type: ``float`` in ``tensor(float)``."""
    number = NUMBERS.get(element)
    return str(element) if number is None else DATA_TYPES[number][0]
