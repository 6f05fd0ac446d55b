"""Primitive types: what an element of an HLO shape is, and the shapes that are no arrays.

Source: ``PrimitiveType`` of XLA's ``xla_data.proto``; the names are those of HLO text.
"""

from __future__ import annotations

from dataclasses import field
from typing import Final, Literal

import numpy as np
from numpy.typing import DTypeLike

from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import ComplexType, DType, ElementType, FloatType, IntegerType

BYTES: Final[dict[str, DTypeLike]] = {"s1": np.int8, "u1": np.uint8}

Family = Literal["pred", "signed", "unsigned", "float", "complex", "other"]


@dataclass(frozen=True)
class PrimitiveType:
    """A row of XLA's table of types.

    Attributes:
        name: As HLO text spells it, ``f32``.
        number: Its value in the enumeration of the protocol.
        family: What kind of numbers it holds; ``other`` for tuples, tokens, opaque values, buffers.
        element: The same type in StableHLO; None where there is none (``s1``, and no arrays).
        bits: Bits of a value; zero for what is no array.
    """

    name: str
    number: int
    family: Family = "other"
    element: ElementType | None = field(default=None, repr=False)
    bits: int = 0

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return primitive_type, (self.name,)

    @property
    def is_array(self) -> bool:
        """Whether shapes of this type have dimensions."""
        return self.family != "other"

    @property
    def is_integral(self) -> bool:
        """Whether it holds whole numbers; not ``pred``."""
        return self.family in ("signed", "unsigned")

    @property
    def dtype(self) -> DType:
        """NumPy's type for arrays of it; a byte each where StableHLO has no such type.

        Raises:
            KeyError: It is no type of elements.
        """
        return np.dtype(BYTES[self.name]) if self.element is None else self.element.dtype

    @property
    def comparison(self) -> str:
        """The default ``type`` of compare for its values."""
        return {"signed": "SIGNED", "float": "FLOAT", "complex": "FLOAT"}.get(
            self.family, "UNSIGNED"
        )


def integers(name: str, number: int, width: int) -> PrimitiveType:
    """A row of integers; ``u1`` is not ``pred``, and StableHLO has no ``s1``."""
    signed = name.startswith("s")
    element = IntegerType(width) if signed else IntegerType(width, "unsigned")
    family: Family = "signed" if signed else "unsigned"
    return PrimitiveType(name, number, family, None if width == 1 else element, width)


def floats(name: str, number: int, bits: int, element: str) -> PrimitiveType:
    """A row of floating-point numbers."""
    return PrimitiveType(name, number, "float", FloatType(element), bits)


PRED: Final = PrimitiveType("pred", 1, "pred", IntegerType(1), 8)
S1: Final = integers("s1", 30, 1)
S2: Final = integers("s2", 26, 2)
S4: Final = integers("s4", 21, 4)
S8: Final = integers("s8", 2, 8)
S16: Final = integers("s16", 3, 16)
S32: Final = integers("s32", 4, 32)
S64: Final = integers("s64", 5, 64)
U1: Final = integers("u1", 31, 1)
U2: Final = integers("u2", 27, 2)
U4: Final = integers("u4", 22, 4)
U8: Final = integers("u8", 6, 8)
U16: Final = integers("u16", 7, 16)
U32: Final = integers("u32", 8, 32)
U64: Final = integers("u64", 9, 64)
F16: Final = floats("f16", 10, 16, "f16")
BF16: Final = floats("bf16", 16, 16, "bf16")
F32: Final = floats("f32", 11, 32, "f32")
F64: Final = floats("f64", 12, 64, "f64")
F8E5M2: Final = floats("f8e5m2", 19, 8, "f8E5M2")
F8E4M3: Final = floats("f8e4m3", 28, 8, "f8E4M3")
F8E4M3FN: Final = floats("f8e4m3fn", 20, 8, "f8E4M3FN")
F8E4M3B11FNUZ: Final = floats("f8e4m3b11fnuz", 23, 8, "f8E4M3B11FNUZ")
F8E3M4: Final = floats("f8e3m4", 29, 8, "f8E3M4")
F8E5M2FNUZ: Final = floats("f8e5m2fnuz", 24, 8, "f8E5M2FNUZ")
F8E4M3FNUZ: Final = floats("f8e4m3fnuz", 25, 8, "f8E4M3FNUZ")
F8E8M0FNU: Final = floats("f8e8m0fnu", 33, 8, "f8E8M0FNU")
F4E2M1FN: Final = floats("f4e2m1fn", 32, 4, "f4E2M1FN")
F6E2M3FN: Final = floats("f6e2m3fn", 36, 6, "f6E2M3FN")
F6E3M2FN: Final = floats("f6e3m2fn", 35, 6, "f6E3M2FN")
C64: Final = PrimitiveType("c64", 15, "complex", ComplexType(FloatType("f32")), 64)
C128: Final = PrimitiveType("c128", 18, "complex", ComplexType(FloatType("f64")), 128)
TUPLE: Final = PrimitiveType("tuple", 13)
OPAQUE: Final = PrimitiveType("opaque", 14)
TOKEN: Final = PrimitiveType("token", 17)
BUFFER: Final = PrimitiveType("buffer", 34)

ARRAY_TYPES: Final = (
    *(PRED, S1, S2, S4, S8, S16, S32, S64, U1, U2, U4, U8, U16, U32, U64),
    *(F16, BF16, F32, F64, F8E5M2, F8E4M3, F8E4M3FN, F8E4M3B11FNUZ, F8E3M4),
    *(F8E5M2FNUZ, F8E4M3FNUZ, F4E2M1FN, F8E8M0FNU, F6E2M3FN, F6E3M2FN, C64, C128),
)
PRIMITIVE_TYPES: Final = {
    primitive_type.name: primitive_type
    for primitive_type in (*ARRAY_TYPES, TUPLE, OPAQUE, TOKEN, BUFFER)
}
BY_NUMBER: Final = {
    primitive_type.number: primitive_type for primitive_type in PRIMITIVE_TYPES.values()
}
BY_ELEMENT: Final = {
    primitive_type.element: primitive_type
    for primitive_type in ARRAY_TYPES
    if primitive_type.element is not None
}
# Names that text uses for types; tuples and buffers are spelled by brackets.
NAMES_IN_TEXT: Final = frozenset(PRIMITIVE_TYPES) - {"tuple", "buffer"}


def primitive_type(name: str) -> PrimitiveType:
    """The type of a name.

    Raises:
        KeyError: There is none.
    """
    return PRIMITIVE_TYPES[name]
