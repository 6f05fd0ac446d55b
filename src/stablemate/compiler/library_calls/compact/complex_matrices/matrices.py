"""Complex matrices of vectors in memory."""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.complex_vectors import ComplexElement, choose
from stablemate.compiler.library_calls.compact.text import (
    WORD,
    LlvmFunctionBuilder,
    VectorElements,
    function,
)
from stablemate.compiler.library_calls.compact.vectors import (
    Mask,
    Vector,
    Word,
    integers,
    number,
    power_of_two,
)
from stablemate.deferred_dataclasses import dataclass


def complex_function(routine: str, elements: VectorElements, arguments: str) -> LlvmFunctionBuilder:
    """The function of a routine for complex matrices, whose ``count`` is loaded."""
    return function(routine, elements, arguments, is_complex=True)


@dataclass(frozen=True, slots=True)
class ComplexArray:
    """Complex numbers in memory.

    Attributes:
        text: The function.
        memory: Where the first element is.
        stride: How many elements are from one to the next.
    """

    text: LlvmFunctionBuilder
    memory: str
    stride: Word = 1

    def parts(self, index: Word) -> list[str]:
        """Where both parts of an element are."""
        first = self.text.multiply(self.text.multiply(index, self.stride), 2)
        return [first, self.text.add(first, 1)]

    def __getitem__(self, index: Word) -> ComplexElement:
        text = self.text
        real, imaginary = (Vector(text, text.load(self.memory, p)) for p in self.parts(index))
        return ComplexElement(real, imaginary)

    def __setitem__(self, index: Word, value: ComplexElement) -> None:
        for place, part in zip(self.parts(index), (value.real, value.imaginary), strict=True):
            self.text.store(self.memory, place, part.name)


@dataclass(frozen=True, slots=True)
class ComplexMatrix:
    """A complex matrix in memory.

    Attributes:
        text: The function.
        memory: Where the first element is.
        row: How many elements are from one row to the next.
        column: How many elements are from one column to the next.
    """

    text: LlvmFunctionBuilder
    memory: str
    row: Word
    column: Word

    def place(self, index: tuple[Word, Word]) -> str:
        """How many elements are before one."""
        return self.text.place((index[0], self.row), (index[1], self.column))

    def __getitem__(self, index: tuple[Word, Word]) -> ComplexElement:
        return ComplexArray(self.text, self.memory)[self.place(index)]

    def __setitem__(self, index: tuple[Word, Word], value: ComplexElement) -> None:
        ComplexArray(self.text, self.memory)[self.place(index)] = value

    def part(self, row: Word, column: Word) -> ComplexMatrix:
        """The matrix from an element on."""
        start = self.text.multiply(self.place((row, column)), 2)
        return ComplexMatrix(
            self.text, self.text.element(self.memory, start), self.row, self.column
        )

    def column_of(self, number: Word) -> ComplexArray:
        """Returns a view of one column."""
        return ComplexArray(self.text, self.part(0, number).memory, self.row)

    def row_of(self, number: Word) -> ComplexArray:
        """Returns a view of one row."""
        return ComplexArray(self.text, self.part(number, 0).memory, self.column)


def load_matrices(t: LlvmFunctionBuilder, memory: str, source: str, elements: Word) -> None:
    """Loads complex matrices, each of which has so many elements."""
    t.interleave(memory, source, t.multiply(elements, 2))


def store_matrices(t: LlvmFunctionBuilder, target: str, memory: str, elements: Word) -> None:
    """Stores complex matrices, each of which has so many elements."""
    t.separate(target, memory, t.multiply(elements, 2))


def after_matrix(t: LlvmFunctionBuilder, memory: str, elements: Word) -> str:
    """The memory after so many elements."""
    return t.element(memory, t.multiply(elements, 2))


def constant(t: LlvmFunctionBuilder, value: float) -> ComplexElement:
    """A real number in all lanes."""
    return ComplexElement(number(t, value), number(t, 0))


@dataclass(frozen=True, slots=True)
class Divisor:
    """A number by which others are divided; its square neither overflows nor vanishes.

    Attributes:
        reciprocal: The reciprocal of the scaled number.
        scale: The power of two by which it was scaled.
    """

    reciprocal: ComplexElement
    scale: Vector

    def divide(self, value: ComplexElement) -> ComplexElement:
        """Divides a value, by multiplication with the scaled reciprocal."""
        return (value * self.reciprocal).times(self.scale)


def divisor(value: ComplexElement) -> Divisor:
    """The divisor that a number is; a finite number divided by an infinite one is zero."""
    size = value.size()
    text = size.text
    scale, _ = power_of_two(size)
    scaled = value.times(scale)
    reciprocal = scaled.conjugate().times(number(text, 1) / scaled.square())
    is_infinite = size.compare("oeq", number(text, float("inf")))
    return Divisor(choose(is_infinite, constant(text, 0), reciprocal), scale)


def conjugate_if(t: LlvmFunctionBuilder, flag: Word, memory: str, elements: Word) -> None:
    """Conjugates so many numbers in memory if a word is not zero."""
    numbers = ComplexArray(t, memory)
    with t.when(t.value(f"icmp ne {WORD} {flag}, 0")), t.loop(0, elements) as e:
        numbers[e] = numbers[e].conjugate()


def first_failure(t: LlvmFunctionBuilder, info: str, fails: Mask, order: Word) -> None:
    """Stores an order where something fails for the first time."""
    first = t.get(info, t.integers)
    is_first = t.value(f"icmp eq {t.integers} {first}, zeroinitializer")
    lanes = (fails & Mask(t, is_first)).name
    t.set(info, t.integers, t.select(lanes, t.integers, integers(t, order).name, first))


def status(t: LlvmFunctionBuilder) -> str:
    """A variable for statuses, which are zeros."""
    info = t.variable(t.integers)
    t.set(info, t.integers, "zeroinitializer")
    return info
