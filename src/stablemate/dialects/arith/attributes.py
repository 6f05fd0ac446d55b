"""Attributes of arith: flags that permit optimizations, rounding modes, predicates of comparisons.

Flags name results that a program does not rely on; evaluation ignores them.

Source: MLIR arith dialect, "Attributes".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from enum import Enum, Flag
from typing import Any, ClassVar, Final, TypeVar

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.attributes import IntegerAttribute
from stablemate.ir.kinds import AttributeKind, struct_kind
from stablemate.ir.types import Attribute
from stablemate.numerics.elements import I32, I64, IntegerType

FlagT = TypeVar("FlagT", bound=Flag)
CodeT = TypeVar("CodeT", bound="EnumerationCode")


class FastMath(Flag):
    """The fast-math flags: special values that floating-point operations may ignore."""

    none = 0
    reassoc = 1
    nnan = 2
    ninf = 4
    nsz = 8
    arcp = 16
    contract = 32
    afn = 64
    fast = 127


class Overflow(Flag):
    """The integer overflows that a program guarantees not to have."""

    none = 0
    nsw = 1
    nuw = 2


def flag_names(flags: Flag) -> list[str]:
    """The names of flags, in order of their bits; one name if there is one for all of them."""
    if flags.name in type(flags).__members__:
        return [str(flags.name)]
    return [str(flag.name) for flag in flags]


def flags_of(cls: type[FlagT], names: Iterable[str]) -> FlagT:
    """The flags of these names."""
    flags = cls(0)
    for name in names:
        flags |= cls[name]
    return flags


@dataclass(frozen=True)
class FastMathAttribute(Attribute):
    """``#arith.fastmath<nnan,nsz>``."""

    flags: FastMath = FastMath.none
    members: ClassVar[type[FastMath]] = FastMath

    @property
    def text(self) -> str:
        """The text between the angle brackets."""
        return ",".join(flag_names(self.flags))

    def __str__(self) -> str:
        return f"#arith.fastmath<{self.text}>"


@dataclass(frozen=True)
class OverflowAttribute(Attribute):
    """``#arith.overflow<nsw, nuw>``."""

    flags: Overflow = Overflow.none
    members: ClassVar[type[Overflow]] = Overflow

    @property
    def text(self) -> str:
        """The text between the angle brackets."""
        return ", ".join(flag_names(self.flags))

    def __str__(self) -> str:
        return f"#arith.overflow<{self.text}>"


FASTMATH: Final = struct_kind(FastMathAttribute, "fast-math flags")
OVERFLOW: Final = struct_kind(OverflowAttribute, "integer overflow flags")


class EnumerationCode(Enum):
    """An enumeration that is stored as integers: the positions of its members."""

    @property
    def number(self) -> int:
        """The position of the member."""
        return list(type(self)).index(self)


class RoundingMode(EnumerationCode):
    """To which neighboring float an exact result is rounded."""

    TO_NEAREST_EVEN = "to_nearest_even"
    DOWNWARD = "downward"
    UPWARD = "upward"
    TOWARD_ZERO = "toward_zero"
    TO_NEAREST_AWAY = "to_nearest_away"


class IntegerPredicate(EnumerationCode):
    """Comparisons of integers: equal or not, then signed ones, then unsigned ones."""

    EQ = "eq"
    NE = "ne"
    SLT = "slt"
    SLE = "sle"
    SGT = "sgt"
    SGE = "sge"
    ULT = "ult"
    ULE = "ule"
    UGT = "ugt"
    UGE = "uge"


class FloatPredicate(EnumerationCode):
    """Comparisons of floats: ordered ones are false of a NaN, unordered ones true."""

    FALSE = "false"
    OEQ = "oeq"
    OGT = "ogt"
    OGE = "oge"
    OLT = "olt"
    OLE = "ole"
    ONE = "one"
    ORD = "ord"
    UEQ = "ueq"
    UGT = "ugt"
    UGE = "uge"
    ULT = "ult"
    ULE = "ule"
    UNE = "une"
    UNO = "uno"
    TRUE = "true"


@dataclass(frozen=True, eq=False)
class CodeKind(AttributeKind[CodeT]):
    """Members of an enumeration, stored as integers and spelled as keywords in operations."""

    members: type[CodeT] = field(kw_only=True)


def code_kind(members: type[CodeT], integer_type: IntegerType, description: str) -> CodeKind[CodeT]:
    """The members of an enumeration as integers of a type."""
    listed: list[CodeT] = list(members)

    def accepts(attribute: Attribute) -> bool:
        return (
            isinstance(attribute, IntegerAttribute)
            and attribute.type == integer_type
            and 0 <= attribute.value < len(listed)
        )

    def member(attribute: Any) -> CodeT:
        return listed[int(attribute.value)]

    return CodeKind(
        description,
        accepts,
        member,
        lambda value: IntegerAttribute(value.number, integer_type),
        members=members,
    )


ROUNDING_MODE: Final = code_kind(RoundingMode, I32, "rounding mode")
INTEGER_PREDICATE: Final = code_kind(IntegerPredicate, I64, "predicate of integers")
FLOAT_PREDICATE: Final = code_kind(FloatPredicate, I64, "predicate of floats")
