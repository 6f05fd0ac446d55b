"""Arithmetic on vectors of matrices, as expressions of Python that write LLVM text."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from stablemate.compiler.library_calls.compact.text import BYTES, LlvmFunctionBuilder
from stablemate.deferred_dataclasses import dataclass

Word = str | int  # a name of the text, or a number


@dataclass(frozen=True, slots=True)
class Mask:
    """A truth value in each lane."""

    text: LlvmFunctionBuilder
    name: str

    def __and__(self, other: Mask) -> Mask:
        return self.combine("and", other.name)

    def __or__(self, other: Mask) -> Mask:
        return self.combine("or", other.name)

    def __invert__(self) -> Mask:
        return self.combine("xor", self.text.all_lanes())

    def combine(self, operation: str, other: str) -> Mask:
        """The result of an operation of LLVM on two masks."""
        name = self.text.value(f"{operation} {self.text.mask} {self.name}, {other}")
        return Mask(self.text, name)

    def any(self) -> str:
        """Whether it holds in a lane."""
        return self.text.any(self.name)

    def choose(self, one: Vector, other: Vector) -> Vector:
        """``one`` where it holds, ``other`` elsewhere."""
        text = self.text
        return Vector(text, text.select(self.name, text.vector, one.name, other.name))

    def choose_integers(self, one: Integers, other: Integers) -> Integers:
        """``one`` where it holds, ``other`` elsewhere."""
        text = self.text
        return Integers(text, text.select(self.name, text.integers, one.name, other.name))


@dataclass(frozen=True, slots=True)
class Integers:
    """An i32 in each lane."""

    text: LlvmFunctionBuilder
    name: str

    def __add__(self, other: Integers) -> Integers:
        text = self.text
        return Integers(text, text.value(f"add {text.integers} {self.name}, {other.name}"))

    def remainder(self, divisor: int) -> Integers:
        """The remainder of the division of numbers that are not negative."""
        text = self.text
        constant = text.splat("i32", str(divisor))
        return Integers(text, text.value(f"urem {text.integers} {self.name}, {constant}"))

    def compare(self, condition: str, other: Integers) -> Mask:
        """Where a condition of LLVM's ``icmp`` holds."""
        text = self.text
        name = text.value(f"icmp {condition} {text.integers} {self.name}, {other.name}")
        return Mask(text, name)


@dataclass(frozen=True, slots=True)
class Vector:
    """A number in each lane."""

    text: LlvmFunctionBuilder
    name: str

    def __add__(self, other: Vector) -> Vector:
        return self.combine("fadd", other)

    def __sub__(self, other: Vector) -> Vector:
        return self.combine("fsub", other)

    def __mul__(self, other: Vector) -> Vector:
        return self.combine("fmul", other)

    def __truediv__(self, other: Vector) -> Vector:
        return self.combine("fdiv", other)

    def __neg__(self) -> Vector:
        return Vector(self.text, self.text.value(f"fneg {self.text.vector} {self.name}"))

    def __abs__(self) -> Vector:
        return Vector(self.text, self.text.intrinsic("fabs", self.name))

    def combine(self, operation: str, other: Vector) -> Vector:
        """The result of an operation of LLVM on two vectors."""
        name = self.text.value(f"{operation} {self.text.vector} {self.name}, {other.name}")
        return Vector(self.text, name)

    def times(self, factor: Vector) -> Vector:
        """Multiplies by a real vector, lane by lane."""
        return self * factor

    def size(self) -> Vector:
        """The magnitude of each lane."""
        return abs(self)

    def sum_of_sizes(self) -> Vector:
        """The sum of the magnitudes of the parts: of a real number, its magnitude."""
        return abs(self)

    def square_plus(self, summand: Vector) -> Vector:
        """The sum of the square and a number, rounded once."""
        return self.times_plus(self, summand)

    def where(self, lanes: Mask, other: Vector) -> Vector:
        """This number where a mask holds, ``other`` elsewhere."""
        return lanes.choose(self, other)

    def zero(self) -> Vector:
        """Returns 0 in all lanes."""
        return number(self.text, 0)

    def sqrt(self) -> Vector:
        """The square root of each lane."""
        return Vector(self.text, self.text.intrinsic("sqrt", self.name))

    def times_plus(self, factor: Vector, summand: Vector) -> Vector:
        """``self * factor + summand``, rounded once."""
        names = self.name, factor.name, summand.name
        return Vector(self.text, self.text.intrinsic("fma", *names))

    def minus_product(self, one: Vector, other: Vector) -> Vector:
        """``self - one * other``, rounded once."""
        return (-one).times_plus(other, self)

    def with_sign_of(self, other: Vector) -> Vector:
        """This magnitude with the sign of another number."""
        return Vector(self.text, self.text.intrinsic("copysign", self.name, other.name))

    def compare(self, condition: str, other: Vector) -> Mask:
        """Where a condition of LLVM's ``fcmp`` holds."""
        return Mask(self.text, self.text.compare(condition, self.name, other.name))

    def is_zero(self) -> Mask:
        """Masks the lanes that are zero."""
        return Mask(self.text, self.text.compare("oeq", self.name))


@dataclass(frozen=True, slots=True)
class Variable:
    """A vector that changes."""

    text: LlvmFunctionBuilder
    name: str

    def set(self, value: Vector) -> None:
        """Emits an assignment of ``value``."""
        self.text.set(self.name, self.text.vector, value.name)

    def get(self) -> Vector:
        """Emits a load of the current value."""
        return Vector(self.text, self.text.get(self.name, self.text.vector))


@dataclass(frozen=True, slots=True)
class IntegerVariable:
    """Integers that change."""

    text: LlvmFunctionBuilder
    name: str

    def set(self, value: Integers) -> None:
        """Emits an assignment of ``value``."""
        self.text.set(self.name, self.text.integers, value.name)

    def get(self) -> Integers:
        """Emits a load of the current value."""
        return Integers(self.text, self.text.get(self.name, self.text.integers))


@dataclass(frozen=True, slots=True)
class LaneArray:
    """Vectors in memory, one element of all matrices each.

    Attributes:
        text: The function.
        memory: Where the first element is.
        stride: How many vectors are from one element to the next.
    """

    text: LlvmFunctionBuilder
    memory: str
    stride: Word = 1

    def place(self, index: Word) -> str:
        """Emits the offset of an element."""
        return self.text.multiply(index, self.stride)

    def __getitem__(self, index: Word) -> Vector:
        return Vector(self.text, self.text.load(self.memory, self.place(index)))

    def __setitem__(self, index: Word, value: Vector) -> None:
        self.text.store(self.memory, self.place(index), value.name)


@dataclass(frozen=True, slots=True)
class LaneMatrix:
    """A matrix of vectors in memory.

    Attributes:
        text: The function.
        memory: Where the first element is.
        row: How many vectors are from one row to the next.
        column: How many vectors are from one column to the next.
    """

    text: LlvmFunctionBuilder
    memory: str
    row: Word
    column: Word

    def place(self, index: tuple[Word, Word]) -> str:
        """How many vectors are before an element."""
        return self.text.place((index[0], self.row), (index[1], self.column))

    def __getitem__(self, index: tuple[Word, Word]) -> Vector:
        return Vector(self.text, self.text.load(self.memory, self.place(index)))

    def __setitem__(self, index: tuple[Word, Word], value: Vector) -> None:
        self.text.store(self.memory, self.place(index), value.name)

    def part(self, row: Word, column: Word) -> LaneMatrix:
        """The matrix from an element on."""
        memory = self.text.element(self.memory, self.place((row, column)))
        return LaneMatrix(self.text, memory, self.row, self.column)

    def column_of(self, number: Word) -> LaneArray:
        """Returns a view of one column."""
        memory = self.text.element(self.memory, self.text.multiply(number, self.column))
        return LaneArray(self.text, memory, self.row)

    def row_of(self, number: Word) -> LaneArray:
        """Returns a view of one row."""
        return self.transpose().column_of(number)

    def transpose(self) -> LaneMatrix:
        """Its transpose, in the same memory."""
        return LaneMatrix(self.text, self.memory, self.column, self.row)


def number(text: LlvmFunctionBuilder, value: float) -> Vector:
    """A number in all lanes."""
    return Vector(text, text.constant(value))


def integers(text: LlvmFunctionBuilder, value: Word) -> Integers:
    """A word as an i32 in all lanes."""
    return Integers(text, text.integer(str(value)))


def variable(text: LlvmFunctionBuilder, value: Vector) -> Variable:
    """A variable with its first value."""
    new = Variable(text, text.variable(text.vector))
    new.set(value)
    return new


def integer_variable(text: LlvmFunctionBuilder, value: Integers) -> IntegerVariable:
    """A variable of integers with its first value."""
    new = IntegerVariable(text, text.variable(text.integers))
    new.set(value)
    return new


@dataclass(frozen=True, slots=True)
class LaneIntegers:
    """Integers in memory, each of which has the room of a vector.

    Attributes:
        text: The function.
        memory: Where the first one is.
    """

    text: LlvmFunctionBuilder
    memory: str

    def __getitem__(self, index: Word) -> Integers:
        text = self.text
        return Integers(text, text.get(text.element(self.memory, str(index)), text.integers))

    def __setitem__(self, index: Word, value: Integers) -> None:
        text = self.text
        text.set(text.element(self.memory, str(index)), text.integers, value.name)


@contextmanager
def downwards(text: LlvmFunctionBuilder, start: Word, stop: Word) -> Generator[str]:
    """A loop over the numbers below ``stop`` down to ``start``."""
    last = text.add(stop, -1)
    with text.loop(0, text.subtract(stop, start)) as step:
        yield text.subtract(last, step)


# The lowest bit of the exponent, and how many exponents there are.
EXPONENTS: Final = {"s": (23, 255), "d": (52, 2047)}


def power_of_two(largest: Vector) -> tuple[Vector, Vector]:
    """A power of two that takes a number near to one, and its inverse.

    Both are normal numbers, for zero and infinity too.
    """
    text = largest.text
    low_bit, exponents = EXPONENTS[text.letter]
    kind = f"<{text.lanes} x i{8 * BYTES[text.letter]}>"

    def constant(value: int) -> str:
        return text.splat(f"i{8 * BYTES[text.letter]}", str(value << low_bit))

    bits = text.value(f"bitcast {text.vector} {largest.name} to {kind}")
    exponent = text.value(f"and {kind} {bits}, {constant(exponents)}")
    inverse = text.value(f"sub {kind} {constant(exponents - 1)}, {exponent}")
    for condition, limit in (("sgt", 1), ("slt", exponents - 2)):
        fits = text.value(f"icmp {condition} {kind} {inverse}, {constant(limit)}")
        inverse = text.value(
            f"select {text.mask} {fits}, {kind} {inverse}, {kind} {constant(limit)}"
        )
    back = text.value(f"sub {kind} {constant(exponents - 1)}, {inverse}")
    scales = [text.value(f"bitcast {kind} {name} to {text.vector}") for name in (inverse, back)]
    return Vector(text, scales[0]), Vector(text, scales[1])


def larger(one: Vector, other: Vector) -> Vector:
    """The larger one of two numbers; ``other`` if ``one`` is no number."""
    return one.compare("ogt", other).choose(one, other)


def smaller(one: Vector, other: Vector) -> Vector:
    """The smaller one of two numbers; ``other`` if ``one`` is no number."""
    return one.compare("olt", other).choose(one, other)


def hypotenuse(one: Vector, other: Vector) -> Vector:
    """The root of the sum of the squares, which may be neither too large nor too small."""
    return one.times_plus(one, other * other).sqrt()


def fill(matrix: LaneMatrix, rows: Word, columns: Word, value: Vector, diagonal: Vector) -> None:
    """Gives a matrix one value on its diagonal, and another one elsewhere."""
    text = matrix.text
    with text.loop(0, rows) as i, text.loop(0, columns) as j:
        matrix[i, j] = value
    with text.loop(0, text.least(rows, columns)) as i:
        matrix[i, i] = diagonal
