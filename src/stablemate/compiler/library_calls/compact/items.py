"""The operations that routines use for both real and complex elements."""

from __future__ import annotations

from typing import Protocol, Self, TypeVar

from stablemate.compiler.library_calls.compact.text import LlvmFunctionBuilder
from stablemate.compiler.library_calls.compact.vectors import Mask, Vector, Word


class Element(Protocol):
    """A number in each lane."""

    def __sub__(self, other: Self) -> Self: ...

    def times(self, factor: Vector) -> Self:
        """The product with a real number."""
        ...

    def size(self) -> Vector:
        """The larger one of the magnitudes of the parts."""
        ...

    def sum_of_sizes(self) -> Vector:
        """The sum of the magnitudes of the parts."""
        ...

    def square_plus(self, summand: Vector) -> Vector:
        """The sum of the square of the magnitude and a number."""
        ...

    def where(self, lanes: Mask, other: Self) -> Self:
        """This number where a mask holds, ``other`` elsewhere."""
        ...

    def zero(self) -> Self:
        """Returns 0 in the function of this element."""
        ...


T = TypeVar("T", bound=Element)


class ElementRow(Protocol[T]):
    """A row or a column."""

    @property
    def text(self) -> LlvmFunctionBuilder:
        """The function to which instructions are appended."""
        ...

    def __getitem__(self, index: Word) -> T: ...

    def __setitem__(self, index: Word, value: T) -> None: ...


class ElementMatrix(Protocol[T]):
    """A matrix."""

    @property
    def text(self) -> LlvmFunctionBuilder:
        """The function to which instructions are appended."""
        ...

    def __getitem__(self, index: tuple[Word, Word]) -> T: ...

    def __setitem__(self, index: tuple[Word, Word], value: T) -> None: ...

    def row_of(self, number: Word) -> ElementRow[T]:
        """Returns a view of one row."""
        ...

    def column_of(self, number: Word) -> ElementRow[T]:
        """Returns a view of one column."""
        ...
