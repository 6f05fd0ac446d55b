"""Element types of PyTorch and of StableHLO."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.numerics.elements import COMPLEX64, COMPLEX128, SIMPLE_ELEMENTS, ElementType

# By the name after ``torch.``; those that PyTorch only stores (``bits8``, ``qint8``) have none.
ELEMENTS: Final[Mapping[str, ElementType]] = {
    **{
        name: SIMPLE_ELEMENTS[text]
        for name, text in {
            "bool": "i1",
            "uint8": "ui8",
            "uint16": "ui16",
            "uint32": "ui32",
            "uint64": "ui64",
            "int8": "i8",
            "int16": "i16",
            "int32": "i32",
            "int64": "i64",
            "float16": "f16",
            "bfloat16": "bf16",
            "float32": "f32",
            "float64": "f64",
            "float8_e4m3fn": "f8E4M3FN",
            "float8_e4m3fnuz": "f8E4M3FNUZ",
            "float8_e5m2": "f8E5M2",
            "float8_e5m2fnuz": "f8E5M2FNUZ",
            "float8_e8m0fnu": "f8E8M0FNU",
        }.items()
    },
    "complex64": COMPLEX64,
    "complex128": COMPLEX128,
}
# Types that are computed in others: complex numbers of 16-bit floats.
COMPUTED: Final[Mapping[str, ElementType]] = {"complex32": COMPLEX64}
NAMES: Final[Mapping[ElementType, str]] = {element: name for name, element in ELEMENTS.items()}


def is_known(dtype: object) -> bool:
    """Whether elements of a ``torch.dtype`` have a type in StableHLO, or are computed in one."""
    name = str(dtype).removeprefix("torch.")
    return name in ELEMENTS or name in COMPUTED


def element_of(dtype: object) -> ElementType:
    """The element type of a ``torch.dtype``; that in which it is computed if StableHLO has none.

    Raises:
        UnsupportedError: StableHLO has neither.
    """
    name = str(dtype).removeprefix("torch.")
    element = ELEMENTS.get(name) or COMPUTED.get(name)
    if element is None:
        raise UnsupportedError(f"StableHLO has no element type like torch.{name}")
    return element
