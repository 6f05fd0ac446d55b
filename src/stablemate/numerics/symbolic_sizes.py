"""Symbolic sizes: polynomials over sizes that are known when a program is called.

A size stands where an ``int`` stands in shapes, and follows the rules of integers. What is compared
is decided by bounds if they decide it, else for the typical sizes; then it is an assumption, which
every other combination of sizes must fulfill. The value of a size is never available: what needs
it, such as ``range`` or an array of NumPy, raises ``SizeValueError``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from math import gcd, prod
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias, overload

from stablemate.deferred_dataclasses import dataclass
from stablemate.fork_safety import cached_property

SMALLEST: Final = 2  # a variable: what a size of 0 or 1 means is decided when it is known
LARGEST: Final = (1 << 31) - 1  # a size of a dimension fits into an index of 32 bits

Number: TypeAlias = int | float
Monomial: TypeAlias = tuple[int, ...]  # the numbers of its atoms, in order
Terms: TypeAlias = Mapping[Monomial, Any]
Key: TypeAlias = Hashable  # equal for sizes of the same terms; nothing is assumed to compare it
SizeLike: TypeAlias = "int | SymbolicSize"


class SizeValueError(Exception):
    """The value of a symbolic size is needed."""


class NoSymbolicSizeError(Exception):
    """All sizes of a program are numbers."""


@dataclass(frozen=True, slots=True)
class Atom:
    """The atom of a polynomial: a variable, a quotient, or the result of a function.

    Attributes:
        low: A lower bound.
        high: An upper bound.
        typical: The value for the typical sizes.
        dividend: Of a quotient; else None.
        divisor: Of a quotient, greater than zero.
        function: The name of a function; empty: a variable or a quotient.
        arguments: Those of the function.
    """

    low: int
    high: int
    typical: int
    dividend: SizeLike | None = None
    divisor: SizeLike = 1
    function: str = ""
    arguments: tuple[SizeLike | str, ...] = ()


class Range(NamedTuple):
    """The bounds of a number, and its value for the typical sizes."""

    low: int
    high: int
    typical: int


@dataclass(eq=False)
class Assumptions:
    """The variables of one program, and what is assumed of them.

    Attributes:
        atoms: The variables, quotients and results of functions, by number.
        variables: How many of them are variables.
        nonnegative: Polynomials, and whether they are assumed to be 0 or greater.
        zero: Polynomials, and whether they are assumed to be 0.
        proven: Polynomials whose sign follows from bounds and from what was assumed before.
        equal: Called when two variables, or a variable and a number, are assumed to be equal.
        quotients: The atoms of quotients, by dividend and divisor.
        results: The atoms of results of functions, by function and arguments.
        ranges: The ranges of monomials that were asked for.
    """

    atoms: list[Atom] = field(default_factory=list[Atom])
    variables: int = 0
    nonnegative: dict[Key, tuple[SymbolicSize, bool]] = field(default_factory=lambda: {})
    zero: dict[Key, tuple[SymbolicSize, bool]] = field(default_factory=lambda: {})
    proven: set[Key] = field(default_factory=set[Key])
    equal: Callable[[SymbolicSize], None] | None = None
    quotients: dict[tuple[Key, Key], int] = field(default_factory=dict[tuple[Key, Key], int])
    results: dict[Key, int] = field(default_factory=dict[Key, int])
    ranges: dict[Monomial, Range] = field(default_factory=dict[Monomial, Range])

    def range_of(self, monomial: Monomial) -> Range:
        """The range of a product of atoms, which do not change."""
        known = self.ranges.get(monomial)
        if known is None:
            low = high = typical = 1
            for number in monomial:
                atom = self.atoms[number]
                ends = low * atom.low, low * atom.high, high * atom.low, high * atom.high
                low, high = min(ends), max(ends)
                typical *= atom.typical
            known = self.ranges[monomial] = Range(low, high, typical)
        return known

    def variable(self, typical: int) -> SymbolicSize:
        """Creates a variable that may be any size; estimates assume the typical one."""
        assert self.variables == len(self.atoms), "variables come first"
        self.atoms.append(Atom(SMALLEST, LARGEST, typical))
        self.variables += 1
        return SymbolicSize(self, {(len(self.atoms) - 1,): 1})

    def symbol(self, typical: int, low: int = SMALLEST, high: int = LARGEST) -> SymbolicSize:
        """A variable that may come after quotients: of sizes whose values only a program knows.

        Args:
            typical: Its typical value.
            low: Its lower bound, negative for numbers that are no sizes.
            high: Its upper bound.
        """
        self.atoms.append(Atom(low, high, typical))
        return SymbolicSize(self, {(len(self.atoms) - 1,): 1})

    def is_counted(self, size: SizeLike) -> bool:
        """Whether a size depends on one that only a run knows, so that nothing can be assumed."""
        if isinstance(size, int):
            return False
        for number in {number for monomial in size.terms for number in monomial}:
            atom = self.atoms[number]
            parts = [p for p in (atom.dividend, atom.divisor, *atom.arguments) if p is not None]
            if atom.dividend is None and not atom.function:
                if number >= self.variables:
                    return True
            elif any(isinstance(part, SymbolicSize) and self.is_counted(part) for part in parts):
                return True
        return False

    def size(self, terms: Terms) -> SizeLike:
        """The polynomial with these terms: a number if no other is left."""
        kept = terms
        if not all(terms.values()):
            kept = {monomial: coefficient for monomial, coefficient in terms.items() if coefficient}
        if not kept:
            return 0
        if len(kept) == 1 and () in kept:
            constant: int = kept[()]
            return constant
        return SymbolicSize(self, kept)

    def quotient(self, dividend: SymbolicSize, divisor: SizeLike) -> SizeLike:
        """The rounded-down quotient of a dividend of which no part is divided exactly."""
        key = dividend.key, divisor.key if isinstance(divisor, SymbolicSize) else divisor
        number = self.quotients.get(key)
        if number is None:
            low = min(floor_bounds(dividend, divisor))
            high = max(floor_bounds(dividend, divisor))
            typical = typical_of(dividend) // typical_of(divisor)
            number = self.quotients[key] = len(self.atoms)
            self.atoms.append(Atom(low, high, typical, dividend, divisor))
        return SymbolicSize(self, {(number,): 1})

    def result_of(
        self, function: str, arguments: tuple[SizeLike | str, ...], typical: int
    ) -> SymbolicSize:  # fmt: skip
        """The result, 1 or greater, of a function that is called when the sizes are known.

        Args:
            function: Its name.
            arguments: Its arguments.
            typical: The result for the typical sizes.
        """
        key = function, tuple([a.key if isinstance(a, SymbolicSize) else a for a in arguments])
        number = self.results.get(key)
        if number is None:
            number = self.results[key] = len(self.atoms)
            atom = Atom(1, LARGEST, typical, function=function, arguments=arguments)
            self.atoms.append(atom)
        return SymbolicSize(self, {(number,): 1})


def floor_bounds(dividend: SymbolicSize, divisor: SizeLike) -> list[int]:
    """The quotients at the ends of the ranges of both."""
    divisors = (divisor,) if isinstance(divisor, int) else (max(divisor.low, 1), divisor.high)
    return [number // d for number in (dividend.low, dividend.high) for d in divisors]


class SymbolicSize:
    """A polynomial over atoms.

    Attributes:
        assumptions: What its variables are, and what is assumed of them.
        terms: The coefficient of each monomial.
    """

    def __init__(self, assumptions: Assumptions, terms: Terms) -> None:
        self.assumptions = assumptions
        self.terms = terms

    # Most sizes are differences that are asked one thing, and computed a thousand times.

    @cached_property
    def key(self) -> Key:
        """Equal for sizes of the same terms; nothing is assumed to compare it."""
        return frozenset(self.terms.items())

    @cached_property
    def code(self) -> int:
        """The hash of the terms; sizes of other assumptions are other sizes."""
        terms = frozenset((monomial, 2 * c + 5) for monomial, c in self.terms.items())
        return hash((id(self.assumptions), terms))

    @cached_property
    def range(self) -> Range:
        """The bounds, and the value for the typical sizes."""
        low = high = typical = 0
        range_of = self.assumptions.range_of
        for monomial, coefficient in self.terms.items():
            term = range_of(monomial)
            low += coefficient * (term.low if coefficient > 0 else term.high)
            high += coefficient * (term.high if coefficient > 0 else term.low)
            typical += coefficient * term.typical
        return Range(low, high, typical)

    @property
    def low(self) -> int:
        """The least value for all sizes that the variables may have, or less."""
        return self.range.low

    @property
    def high(self) -> int:
        """The greatest value for all sizes that the variables may have, or more."""
        return self.range.high

    @property
    def typical(self) -> int:
        """The value for the typical sizes."""
        return self.range.typical

    # arithmetic

    def plus(self, terms: Terms, factor: int) -> SizeLike:
        """The sum with a multiple of a polynomial."""
        total = dict(self.terms)
        for monomial, coefficient in terms.items():
            total[monomial] = total.get(monomial, 0) + factor * coefficient
        return self.assumptions.size(total)

    def __add__(self, other: object) -> SizeLike:
        if type(other) is int and other == 0:
            return self
        terms = terms_of_size(other)
        return NotImplemented if terms is None else self.plus(terms, 1)

    __radd__ = __add__

    def __neg__(self) -> SymbolicSize:
        return SymbolicSize(
            self.assumptions, {m: -coefficient for m, coefficient in self.terms.items()}
        )

    def __pos__(self) -> SymbolicSize:
        return self

    def __sub__(self, other: SizeLike) -> SizeLike:
        if type(other) is int and other == 0:
            return self
        terms = terms_of_size(other)
        return NotImplemented if terms is None else self.plus(terms, -1)

    def __rsub__(self, other: object) -> SizeLike:
        return -self + other

    def __mul__(self, other: object) -> SizeLike:
        if type(other) is int and other:
            if other == 1:
                return self
            return SymbolicSize(self.assumptions, {m: other * c for m, c in self.terms.items()})
        terms = terms_of_size(other)
        if terms is None:
            return NotImplemented
        total: dict[Monomial, Any] = {}
        for one, factor in self.terms.items():
            for more, coefficient in terms.items():
                monomial = tuple(sorted(one + more))
                total[monomial] = total.get(monomial, 0) + factor * coefficient
        return self.assumptions.size(total)

    __rmul__ = __mul__

    def __truediv__(self, other: Number) -> SizeLike:
        """An estimate: a polynomial whose coefficients are no integers."""
        return self * (1 / other)

    def __pow__(self, exponent: int) -> SizeLike:
        return prod([self] * exponent)

    def __floordiv__(self, other: SizeLike) -> SizeLike:
        return floor_divide(self, other)

    def __rfloordiv__(self, other: int) -> SizeLike:
        return floor_divide(other, self)

    def __mod__(self, other: SizeLike) -> SizeLike:
        return self - floor_divide(self, other) * other

    def __rmod__(self, other: int) -> SizeLike:
        return other - floor_divide(other, self) * self

    def __divmod__(self, other: SizeLike) -> tuple[SizeLike, SizeLike]:
        quotient = floor_divide(self, other)
        return quotient, self - quotient * other

    def __rdivmod__(self, other: int) -> tuple[SizeLike, SizeLike]:
        quotient = floor_divide(other, self)
        return quotient, other - quotient * self

    def __rshift__(self, bits: int) -> SizeLike:
        return floor_divide(self, 1 << bits)

    def __lshift__(self, bits: int) -> SizeLike:
        return self * (1 << bits)

    def __abs__(self) -> SizeLike:
        return self if self >= 0 else -self

    # decisions

    def __bool__(self) -> bool:
        return not is_zero(self)

    def __hash__(self) -> int:
        return self.code

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, SymbolicSize):
            if self.assumptions is not other.assumptions:
                return False
            if self.key == other.key:
                return True
        elif not isinstance(other, int) or self.low > other or self.high < other:
            return False
        return is_zero(self - other)

    def __ge__(self, other: SizeLike) -> bool:
        return is_below(other, self, 0)

    def __gt__(self, other: SizeLike) -> bool:
        return is_below(other, self, 1)

    def __le__(self, other: SizeLike) -> bool:
        return is_below(self, other, 0)

    def __lt__(self, other: SizeLike) -> bool:
        return is_below(self, other, 1)

    # what is not available

    def __index__(self) -> NoReturn:
        raise SizeValueError(f"the value of the size {self} is needed")

    __int__ = __float__ = __round__ = __trunc__ = __index__

    def __repr__(self) -> str:
        return " + ".join(
            "*".join([*([] if coefficient == 1 and m else [str(coefficient)]), *map(self.name, m)])
            for m, coefficient in self.terms.items()
        )

    def name(self, number: int) -> str:
        """The text of an atom."""
        atom = self.assumptions.atoms[number]
        if atom.function:
            return f"{atom.function}({', '.join(map(str, atom.arguments))})"
        return f"n{number}" if atom.dividend is None else f"(({atom.dividend}) / ({atom.divisor}))"


def terms_of_size(value: object) -> Terms | None:
    """The terms of a number or a size; None of anything else."""
    if isinstance(value, SymbolicSize):
        return value.terms
    return {(): value} if isinstance(value, int | float) else None


def typical_of(value: SizeLike) -> int:
    """A number, or the typical value of a size."""
    return value.typical if isinstance(value, SymbolicSize) else value


def leading_term(terms: Terms) -> tuple[Monomial, Any]:
    """The term of the highest degree; the first in the order of its atoms."""
    monomial = max(terms, key=lambda monomial: (len(monomial), monomial))
    return monomial, terms[monomial]


def without(monomial: Monomial, other: Monomial) -> Monomial | None:
    """A monomial divided by another one; None if that does not divide it."""
    rest = list(monomial)
    for number in other:
        if number not in rest:
            return None
        rest.remove(number)
    return tuple(rest)


def floor_divide(dividend: SizeLike, divisor: SizeLike) -> SizeLike:
    """The quotient, rounded down: a polynomial, and a quotient of what that leaves."""
    if not divisor > 0:
        raise SizeValueError(f"the divisor {divisor} is not positive")
    by, left = terms_of_size(divisor), terms_of_size(dividend)
    assert by is not None
    assert left is not None
    assumptions = assumptions_of(dividend, divisor)
    whole, rest = divided_terms(dict(left), by)
    quotient = assumptions.size(whole)
    return quotient + divided_rest(assumptions, assumptions.size(rest), divisor)


def assumptions_of(*values: SizeLike) -> Assumptions:
    """The assumptions of the sizes among some values."""
    return next(value.assumptions for value in values if isinstance(value, SymbolicSize))


def divided_terms(left: dict[Monomial, int], by: Terms) -> tuple[Terms, Terms]:
    """Quotient and remainder of a division of polynomials."""
    whole: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    head, factor = leading_term(by)
    while left:
        monomial, coefficient = leading_term(left)
        del left[monomial]
        quotient = without(monomial, head)
        times = 0
        if quotient is not None:
            times = coefficient // factor if not monomial else whole_part(coefficient, factor)
        if coefficient != times * factor:
            rest[monomial] = coefficient - times * factor
        if quotient is None or not times:
            continue
        whole[quotient] = whole.get(quotient, 0) + times
        for other, weight in by.items():
            if other != head:
                key = tuple(sorted(quotient + other))
                left[key] = left.get(key, 0) - times * weight
                if not left[key]:
                    del left[key]
    return whole, rest


def whole_part(dividend: int, divisor: int) -> int:
    """The quotient, rounded towards zero."""
    return dividend // divisor if dividend * divisor >= 0 else -(-dividend // divisor)


def divided_rest(assumptions: Assumptions, rest: SizeLike, divisor: SizeLike) -> SizeLike:
    """The quotient of what is not divided exactly."""
    if isinstance(rest, int) and isinstance(divisor, int):
        return rest // divisor
    if proven_nonnegative(rest) and proven_nonnegative(divisor - 1 - rest):
        return 0
    if not isinstance(rest, SymbolicSize):
        rest_terms: Terms = {(): rest}
        rest = SymbolicSize(assumptions, rest_terms)
    if leading_term(rest.terms)[1] < 0:
        return -floor_divide(-rest + divisor - 1, divisor)
    return assumptions.quotient(rest, divisor)


# ---- decisions


def is_below(one: SizeLike, other: SizeLike, least: int) -> bool:
    """Whether a value is less than another by at least a number."""
    if not isinstance(one, float) and not isinstance(other, float):
        (low, high), (other_low, other_high) = bounds_of(one), bounds_of(other)
        if high + least <= other_low:
            return True
        if low + least > other_high:
            return False
    return is_nonnegative(other - one - least)


def is_nonnegative(value: SizeLike) -> bool:
    """Whether a value is 0 or greater: by its bounds, or as is assumed.

    The outcome is that for the typical sizes, which fulfill all that is assumed.
    """
    if not isinstance(value, SymbolicSize):
        return value >= 0
    low, high, typical = value.range
    if low >= 0 or high < 0:
        return low >= 0
    outcome, assumptions = typical >= 0, value.assumptions
    if value.key in assumptions.nonnegative or value.key in assumptions.proven:
        return outcome
    if proven_nonnegative(value if outcome else -value - 1):
        assumptions.proven.add(value.key)
        return outcome
    assumptions.nonnegative[value.key] = value, outcome
    return outcome


def is_zero(value: SizeLike) -> bool:
    """Whether a value is 0: by its bounds, or as is assumed."""
    if not isinstance(value, SymbolicSize):
        return value == 0
    if value.low > 0 or value.high < 0:
        return False
    assumptions = value.assumptions
    outcome = value.typical == 0
    if value.key not in assumptions.zero:
        if not outcome and proven_nonnegative((value if value.typical > 0 else -value) - 1):
            return False
        assumptions.zero[value.key] = value, outcome
    if outcome and assumptions.equal is not None:
        assumptions.equal(value)
    return outcome


def proven_nonnegative(value: SizeLike) -> bool:
    """Whether a value is 0 or greater by its bounds, or by what was assumed before."""
    if not isinstance(value, SymbolicSize):
        return value >= 0
    if value.low >= 0:
        return True
    if value.high < 0 or value.typical < 0:
        return False
    return shifted_nonnegative(value) or is_assumed(value) or nonnegative_by_quotients(value)


def is_assumed(value: SymbolicSize) -> bool:
    """Whether it was assumed that a value is 0 or greater."""
    assumed = value.assumptions.nonnegative
    _, outcome = assumed.get(value.key, (value, False))
    if outcome:
        return True
    opposite = -value - 1
    return isinstance(opposite, SymbolicSize) and not assumed.get(opposite.key, (value, True))[1]


def shifted_nonnegative(value: SymbolicSize) -> bool:
    """The same by the terms of the polynomial over what atoms exceed their lower bounds by."""
    atoms = value.assumptions.atoms
    total: dict[Monomial, int] = {}
    for monomial, coefficient in value.terms.items():
        expanded: dict[Monomial, int] = {(): coefficient}
        for number in monomial:
            low = atoms[number].low
            more: dict[Monomial, int] = {}
            for one, factor in expanded.items():
                more[one] = more.get(one, 0) + factor * low
                longer = tuple(sorted((*one, number)))
                more[longer] = more.get(longer, 0) + factor
            expanded = more
        for one, factor in expanded.items():
            total[one] = total.get(one, 0) + factor
    return all(coefficient >= 0 for coefficient in total.values())


def nonnegative_by_quotients(value: SymbolicSize) -> bool:
    """The same, with quotients by numbers that are not rounded: each is as bad as it can be.

    Of ``q = p // d``, ``q * d`` is at most ``p`` and at least ``p - d + 1``.
    """
    atoms = value.assumptions.atoms
    for number in sorted({number for monomial in value.terms for number in monomial}, reverse=True):
        divisor, dividend = atoms[number].divisor, atoms[number].dividend
        if dividend is None or not isinstance(divisor, int):
            continue
        result: SizeLike = 0
        for monomial, coefficient in value.terms.items():
            rest = without(monomial, (number,))
            if rest is None:
                result += value.assumptions.size({monomial: coefficient * divisor})
                continue
            if any(atoms[other].low < 0 for other in rest) or number in rest:
                return False
            limit = dividend if coefficient < 0 else dividend - divisor + 1
            result += value.assumptions.size({rest: coefficient}) * limit
        if not isinstance(result, SymbolicSize):
            return bool(result >= 0)
        if result.low >= 0 or shifted_nonnegative(result):
            return True
        value = result
    return False


def surely_at_most(low: SizeLike, high: SizeLike) -> bool:
    """Whether ``low <= high`` for all sizes; nothing is assumed."""
    rest = high - low
    return rest >= 0 if isinstance(rest, int) else proven_nonnegative(rest)


def surely_equal(one: SizeLike, other: SizeLike) -> bool:
    """Whether two values are equal, or were assumed to be; nothing is assumed.

    What is only a choice asks this: else sizes that happen to be typical would be the only ones.
    """
    rest = other - one
    if not isinstance(rest, SymbolicSize):
        return rest == 0
    if rest.typical:
        return False
    zero = rest.assumptions.zero
    return rest.key in zero or (-rest).key in zero


def surely_same_shape(one: Sequence[SizeLike], other: Sequence[SizeLike]) -> bool:
    """Whether shapes are equal, or were assumed to be; nothing is assumed."""
    return len(one) == len(other) and all(map(surely_equal, one, other))


@overload
def lower_bound(one: int, other: int) -> int: ...
@overload
def lower_bound(one: SizeLike, other: SizeLike) -> SizeLike: ...
def lower_bound(one: SizeLike, other: SizeLike) -> SizeLike:
    """The smaller one of two values, or a number that neither is below; nothing is assumed."""
    if isinstance(one, int) and isinstance(other, int):
        return min(one, other)
    for smaller, greater in ((one, other), (other, one)):
        if surely_at_most(smaller, greater):
            return smaller
    low = min(bounds_of(one)[0], bounds_of(other)[0])
    return max(low, 0) if proven_nonnegative(one) and proven_nonnegative(other) else low


@overload
def upper_bound(one: int, other: int) -> int: ...
@overload
def upper_bound(one: SizeLike, other: SizeLike) -> SizeLike: ...
def upper_bound(one: SizeLike, other: SizeLike) -> SizeLike:
    """The greater one of two values, or a number that neither is above; nothing is assumed."""
    if isinstance(one, int) and isinstance(other, int):
        return max(one, other)
    for smaller, greater in ((one, other), (other, one)):
        if surely_at_most(smaller, greater):
            return greater
    return max(bounds_of(one)[1], bounds_of(other)[1])


def bounds_of(value: SizeLike) -> tuple[int, int]:
    """The bounds of a value."""
    return (value.low, value.high) if isinstance(value, SymbolicSize) else (value, value)


@overload
def common_divisor(one: int, other: int) -> int: ...
@overload
def common_divisor(one: SizeLike, other: SizeLike) -> SizeLike: ...
def common_divisor(one: SizeLike, other: SizeLike) -> SizeLike:
    """A common divisor, the greatest one of numbers; 1 if none is known."""
    if isinstance(one, int) and isinstance(other, int):
        return gcd(one, other)
    for divisor, multiple in ((one, other), (other, one)):
        rest = multiple % divisor if proven_nonnegative(divisor - 1) else 1
        if isinstance(rest, int) and rest == 0:
            return divisor
    return 1


def is_not_zero(value: SizeLike) -> bool:
    """Whether a value is no number, or not 0; nothing is assumed."""
    return isinstance(value, SymbolicSize) or value != 0


def is_one(value: SizeLike) -> bool:
    """Whether a value is the number 1; nothing is assumed."""
    return not isinstance(value, SymbolicSize) and value == 1


def divides(divisor: int, value: SizeLike) -> bool:
    """Whether a number is known to divide a value; nothing is assumed."""
    rest = value % divisor
    return isinstance(rest, int) and rest == 0


def is_symbolic(value: object) -> bool:
    """Whether this is a size and no number."""
    return isinstance(value, SymbolicSize)


def has_symbolic(sizes: Iterable[SizeLike]) -> bool:
    """Whether one of several sizes is no number."""
    return SymbolicSize in map(type, sizes)
