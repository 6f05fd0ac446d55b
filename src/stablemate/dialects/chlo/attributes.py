"""Attributes of CHLO: enumerations of its own, dimension numbers of ragged_dot, complex numbers.

Source: CHLO dialect, the operations that use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import ClassVar, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import struct_text
from stablemate.ir.attributes import FloatAttribute
from stablemate.ir.kinds import EnumKind, enum_kind, list_kind, struct_kind
from stablemate.ir.types import Attribute
from stablemate.numerics.elements import ComplexType


class Precision(Enum):
    """``precision_config`` of ragged_dot."""

    DEFAULT = "DEFAULT"
    HIGH = "HIGH"
    HIGHEST = "HIGHEST"


class ComparisonDirection(Enum):
    """``comparison_direction`` of broadcast_compare."""

    EQ = "EQ"
    NE = "NE"
    GE = "GE"
    GT = "GT"
    LE = "LE"
    LT = "LT"


class ComparisonType(Enum):
    """``compare_type`` of broadcast_compare."""

    NOTYPE = "NOTYPE"
    FLOAT = "FLOAT"
    TOTALORDER = "TOTALORDER"
    SIGNED = "SIGNED"
    UNSIGNED = "UNSIGNED"


PRECISION: Final = enum_kind(Precision, "chlo", "precision")
COMPARISON_DIRECTION: Final = enum_kind(ComparisonDirection, "chlo", "comparison_direction")
COMPARISON_TYPE: Final = enum_kind(ComparisonType, "chlo", "comparison_type")
PRECISION_CONFIG: Final = list_kind(PRECISION)

ENUMERATIONS: Final[Mapping[str, EnumKind[Enum]]] = {
    "precision": PRECISION,
    "comparison_direction": COMPARISON_DIRECTION,
    "comparison_type": COMPARISON_TYPE,
}


@dataclass(frozen=True)
class RaggedDotDimensionNumbers(Attribute):
    """``#chlo.ragged_dot<...>``."""

    lhs_batching_dimensions: tuple[int, ...] = ()
    rhs_batching_dimensions: tuple[int, ...] = ()
    lhs_contracting_dimensions: tuple[int, ...] = ()
    rhs_contracting_dimensions: tuple[int, ...] = ()
    lhs_ragged_dimensions: tuple[int, ...] = ()
    rhs_group_dimensions: tuple[int, ...] = ()
    SYNTAX: ClassVar[str] = "chlo.ragged_dot"

    def __str__(self) -> str:
        return f"#{self.SYNTAX}<{struct_text(self)}>"


RAGGED_DOT_DIMENSION_NUMBERS: Final = struct_kind(
    RaggedDotDimensionNumbers, "ragged dot dimension numbers"
)


@dataclass(frozen=True)
class ComplexNumber(Attribute):
    """``#complex.number<:f32 1.0, 2.0> : complex<f32>``, as in constant_like."""

    real: FloatAttribute
    imag: FloatAttribute
    SYNTAX: ClassVar[str] = "complex.number"

    @property
    def type(self) -> ComplexType:
        """The type of the number."""
        return ComplexType(self.real.type)

    def __str__(self) -> str:
        real, imag = (str(part).partition(" : ")[0] for part in (self.real, self.imag))
        return f"#{self.SYNTAX}<:{self.real.type} {real}, {imag}> : {self.type}"
