"""The protocol of elementary operations, over which functions are written."""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeAlias, TypeVar


class Algebraic(Protocol):
    """What has sums, differences and products: arrays, too."""

    def __add__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...


class Number(Protocol):
    """A float, an integer of the width of a float, or a truth value; of any carrier.

    Integers and truth values have ``&``, ``|``, ``^``, ``~``; integers have ``<<`` and ``>>``,
    which brings in zeros.
    """

    def __add__(self, other: Self | float, /) -> Self: ...
    def __radd__(self, other: float, /) -> Self: ...
    def __sub__(self, other: Self | float, /) -> Self: ...
    def __rsub__(self, other: float, /) -> Self: ...
    def __mul__(self, other: Self | float, /) -> Self: ...
    def __rmul__(self, other: float, /) -> Self: ...
    def __truediv__(self, other: Self | float, /) -> Self: ...
    def __rtruediv__(self, other: float, /) -> Self: ...
    def __neg__(self) -> Self: ...
    def __abs__(self) -> Self: ...
    def __and__(self, other: Self | int, /) -> Self: ...
    def __or__(self, other: Self | int, /) -> Self: ...
    def __xor__(self, other: Self | int, /) -> Self: ...
    def __invert__(self) -> Self: ...
    def __lshift__(self, other: int, /) -> Self: ...
    def __rshift__(self, other: int, /) -> Self: ...

    @property
    def is_widened(self) -> bool:
        """Whether a function is rounded to a narrower format, so that last bits count little."""

    def lifted(self, other: Self | float, /) -> Self:
        """A number as one of the same type."""

    def less(self, other: Self | float, /) -> Self:
        """Whether it is less, false of NaN."""

    def equals(self, other: Self | float, /) -> Self:
        """Whether both are equal, false of NaN."""

    def differs(self, other: Self | float, /) -> Self:
        """Whether they are not equal, true of NaN."""

    def select(self, yes: Self, no: Self, /) -> Self:
        """One of two numbers, chosen by a truth value."""

    def rarely(self, rare: Self, usual: Self, /) -> Self:
        """The same where the truth value seldom holds."""

    def sqrt(self) -> Self:
        """The square root."""

    def sqrt_and_slope(self) -> tuple[Self, Self]:
        """The square root of a number in the range of ``f32``, and nearly half its inverse."""

    def floor(self) -> Self:
        """The largest integer that is not greater."""

    def round_even(self) -> Self:
        """The nearest integer, of two the even one."""

    def copysign(self, sign: Self, /) -> Self:
        """The magnitude with the sign of another number."""

    def multiply_add(self, factor: Self, addend: Self, /) -> Self:
        """``self * factor + addend``, rounded once where the target can."""

    def two_product(self, factor: Self, /) -> tuple[Self, Self]:
        """The rounded product, and what is lost by rounding; both factors far from overflow."""

    def residue(self, factor: Self, product: Self, /) -> Self:
        """``self * factor - product``, exact where the product is nearly that."""

    def bits(self) -> Self:
        """The bits of a float, as an integer."""

    def from_bits(self) -> Self:
        """The float that has the bits of an integer."""

    def shift_arithmetic(self, amount: int, /) -> Self:
        """An integer divided by a power of two, rounded down."""

    def to_float(self) -> Self:
        """The value of an integer as a float."""


A = TypeVar("A", bound=Algebraic)
N = TypeVar("N", bound=Number)
Pair: TypeAlias = tuple[N, N]  # a number in twice the precision: rounded, and the rest
