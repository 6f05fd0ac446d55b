"""How elements are stored in memory, and the register types they are computed in.

=============================  ===================  =================================
element type                   a buffer holds       registers hold
=============================  ===================  =================================
``i1``                         a byte, 0 or 1       ``i1``
``i2 i4 ui2 ui4``              a byte, extended     ``i8``
``i8 ... i64``, ``ui...``      themselves           themselves
``f32 f64``                    themselves           themselves
``bf16 f16``                   two bytes            ``f32`` that the format holds
``f8E4M3FN`` and others        a byte               ``f32`` that the format holds
``complex``                    two elements         two values
``!quant.uniform``             its integers         its integers
=============================  ===================  =================================

A type that is not here has no representation: operations on it are requests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.operators import NARROW
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import (
    ComplexType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
)

Change = Callable[[Expression], Expression]
Parts = tuple[Expression, ...]  # one value, or the real and the imaginary part


def same(value: Expression) -> Expression:
    """Returns the value unchanged: its registers have the type of its memory."""
    return value


@dataclass(frozen=True, slots=True)
class Representation:
    """How the elements of one type are stored and computed with.

    Attributes:
        storage: The element of a buffer.
        register: The type of a value.
        parts: Values per element.
        widen: An element of a buffer as a value.
        narrow: A value as an element of a buffer.
        round: What a computed value is rounded to.
    """

    storage: str
    register: str
    parts: int = 1
    widen: Change = same
    narrow: Change = same
    round: Change = same

    def load(self, table: Expressions, buffer: Buffer, index: Sequence[Expression]) -> Parts:
        """The value of an element."""
        if self.parts == 1:
            return (self.widen(table.load(buffer, index)),)
        return tuple([table.load(buffer, (*index, table.sum(i, ()))) for i in range(self.parts)])

    def shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of a buffer for a tensor of this shape."""
        return tuple(shape) if self.parts == 1 else (*shape, self.parts)


def from_byte(value: Expression) -> Expression:
    """A truth value that a byte holds."""
    return value.table.apply("ne", value, value.table.bits(0, "i8"))


def to_byte(value: Expression) -> Expression:
    """A truth value as a byte."""
    return value.table.convert("zext", value, "i8")


def extend_low_bits(bits: int, signed: bool) -> Change:
    """A byte whose low bits count, extended."""
    shift = 8 - bits

    def change(value: Expression) -> Expression:
        table = value.table
        amount = table.bits(shift, "i8")
        return table.apply("ashr" if signed else "lshr", table.apply("shl", value, amount), amount)

    return change


def narrow_float(name: str) -> Representation:
    """Floats of fewer bits than registers hold: rounded to the nearest, ties to even."""

    def widen(value: Expression) -> Expression:
        return value.table.decode(value, name)

    def narrow(value: Expression) -> Expression:
        return value.table.encode(value, name)

    return Representation(NARROW[name], "f32", 1, widen, narrow, lambda x: widen(narrow(x)))


@lru_cache(maxsize=256)
def representation(element: ElementType) -> Representation | None:
    """How elements of a type are stored and computed with; None if they are not."""
    match element:
        case IntegerType(1, "signless"):
            return Representation("i8", "i1", 1, from_byte, to_byte)
        case IntegerType(width) if width in (8, 16, 32, 64):
            return Representation(f"i{width}", f"i{width}")
        case IntegerType(width) if width in (2, 4):
            wrap = extend_low_bits(width, not element.is_unsigned)
            return Representation("i8", "i8", 1, wrap, same, wrap)
        case IndexType():
            return Representation("i64", "i64")
        case FloatType("f32" | "f64" as name):
            return Representation(name, name)
        case FloatType(name) if name in NARROW:
            return narrow_float(name)
        case QuantizedType():
            return representation(element.storage)
        case ComplexType(FloatType(name)) if name in ("f32", "f64"):
            return Representation(name, name, 2)
        case _:
            return None


def representation_of(element: ElementType) -> Representation:
    """How elements of a type are stored and computed with; only for those that are."""
    element_representation = representation(element)
    assert element_representation is not None
    return element_representation
