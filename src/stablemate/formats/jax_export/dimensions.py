"""Sizes of dimensions as symbolic expressions: ``2*b + 1``, ``floordiv(a, 4)``.

An expression is a sum of products of factors, which is the form that JAX writes. At a call the
sizes of the arguments determine the variables: an expression that is linear in a single unknown
variable yields its value. Every expression must then evaluate to the size of the argument.

Source: JAX, shape polymorphism.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Final, NoReturn, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ParseError
from stablemate.diagnostics.integers import parse_integer

TOKENS: Final = re.compile(r"\s*(?:(\d{1,18})|([^\W\d]\w*)|([-+*^(),]))")
MAXIMUM_CALL_DEPTH: Final = 50  # nested calls
LARGEST_POWER: Final = 64
NO_VARIABLES: Final = frozenset[str]()

Values: TypeAlias = Mapping[str, int]


class DivisionByZeroError(ArithmeticError):
    """A dimension divides by zero."""


@dataclass(frozen=True, slots=True)
class SizeFunctionCall:
    """A call of a function of two operands, such as ``floordiv(lhs, rhs)``."""

    function: str
    lhs: SymbolicDimension
    rhs: SymbolicDimension

    def value(self, values: Values) -> int:
        """Evaluates the call.

        Raises:
            DivisionByZeroError: It divides by zero.
        """
        lhs, rhs = self.lhs.value(values), self.rhs.value(values)
        if self.function in ("floordiv", "mod") and rhs == 0:
            raise DivisionByZeroError(f"{self.function}({lhs}, 0)")
        return FUNCTIONS[self.function](lhs, rhs)

    @property
    def variables(self) -> frozenset[str]:
        """The variables in the call."""
        return self.lhs.variables | self.rhs.variables


FUNCTIONS: Final[dict[str, Callable[[int, int], int]]] = {
    "floordiv": lambda lhs, rhs: lhs // rhs,
    "mod": lambda lhs, rhs: lhs % rhs,
    "max": max,
    "min": min,
}
Factor: TypeAlias = str | SizeFunctionCall


@dataclass(frozen=True, slots=True)
class Term:
    """A product of a coefficient and factors, which may repeat."""

    coefficient: int
    factors: tuple[Factor, ...] = ()

    def value(self, values: Values) -> int:
        """Evaluates coefficient times factors for given variables."""
        return self.coefficient * prod(
            values[factor] if isinstance(factor, str) else factor.value(values)
            for factor in self.factors
        )

    @property
    def variables(self) -> frozenset[str]:
        """The variables in the product."""
        names = (
            {factor} if isinstance(factor, str) else factor.variables for factor in self.factors
        )
        return NO_VARIABLES.union(*names)

    def slope(self, variable: str, values: Values) -> int | None:
        """Returns the slope in a variable; None if the term is not linear in it."""
        others = list(self.factors)
        if variable not in others:
            return None
        others.remove(variable)
        rest = Term(self.coefficient, tuple(others))
        return None if variable in rest.variables else rest.value(values)


@dataclass(frozen=True, slots=True)
class SymbolicDimension:
    """The size of a dimension.

    Attributes:
        text: As it was written.
        terms: What is added up.
    """

    text: str
    terms: tuple[Term, ...]

    def __str__(self) -> str:
        return self.text

    @property
    def variables(self) -> frozenset[str]:
        """The variables in the expression; none if it is a number."""
        return NO_VARIABLES.union(*(term.variables for term in self.terms))

    @property
    def size(self) -> int | None:
        """The size if the expression is a number; None if it has variables."""
        return None if self.variables else self.value({})

    def value(self, values: Values) -> int:
        """Evaluates the expression, for values of all variables.

        Raises:
            DivisionByZeroError: It divides by zero.
        """
        return sum(term.value(values) for term in self.terms)

    def solve(self, size: int, values: Values) -> tuple[str, int] | None:
        """Solves for the one variable without a value, given the size of the dimension.

        Returns the variable and its value. Returns None if there are several such variables, the
        expression is not linear in the variable, or no integer solves it.
        """
        unknown = self.variables - values.keys()
        if len(unknown) != 1:
            return None
        (variable,) = unknown
        slope = 0
        for term in self.terms:
            if variable not in term.variables:
                size -= term.value(values)
                continue
            own = term.slope(variable, values)
            if own is None:
                return None
            slope += own
        return (variable, size // slope) if slope and size % slope == 0 else None


def parse_dimension(text: str) -> SymbolicDimension:
    """Parses an expression.

    Raises:
        ParseError: It is none.
    """
    parser = Parser(text)
    dimension = parser.expression(0)
    if parser.token:
        parser.reject("the end")
    return SymbolicDimension(text, dimension.terms)


class Parser:
    """Parses an expression: sums of products of variables, numbers and calls."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.start = 0
        self.token = ""
        self.advance()

    def advance(self) -> str:
        """Moves to the next token, empty at the end, and returns the token before it."""
        token, self.start = self.token, self.position
        match = TOKENS.match(self.text, self.position)
        if match is None:
            self.token = self.text[self.position :][:80].lstrip()[:1]
            if self.token:
                self.reject("a variable, a number or an operator")
            return token
        self.token, self.position = match[match.lastindex or 0], match.end()
        return token

    def reject(self, expected: str) -> NoReturn:
        """Raises a ParseError that names what was expected.

        Raises:
            ParseError: Always.
        """
        actual = repr(self.token) if self.token else "the end"
        raise ParseError(f"dimension {self.text[:80]!r}: expected {expected}, found {actual}")

    def expect(self, token: str) -> None:
        """Consumes a token that must be next."""
        if self.token != token:
            self.reject(repr(token))
        self.advance()

    def expression(self, depth: int) -> SymbolicDimension:
        """Parses a sum of terms."""
        if depth > MAXIMUM_CALL_DEPTH:
            self.reject(f"calls nested at most {MAXIMUM_CALL_DEPTH} deep")
        start = self.start
        sign = -1 if self.token == "-" else 1
        if self.token and self.token in "+-":
            self.advance()
        terms = [self.term(sign, depth)]
        while self.token and self.token in "+-":
            terms.append(self.term(-1 if self.advance() == "-" else 1, depth))
        return SymbolicDimension(self.text[start : self.start].strip(), tuple(terms))

    def term(self, sign: int, depth: int) -> Term:
        """Parses a product of factors."""
        coefficient, factors = sign, list[Factor]()
        while True:
            number, term_factors = self.factor(depth)
            coefficient *= number
            factors += term_factors
            if self.token != "*":
                return Term(coefficient, tuple(factors))
            self.advance()

    def factor(self, depth: int) -> tuple[int, list[Factor]]:
        """Parses a number, or a variable or call with an optional exponent."""
        sign = -1 if self.token == "-" else 1
        if sign < 0:
            self.advance()
        if self.token.isdecimal():
            base: int | Factor = parse_integer(self.advance())
        elif self.token and (self.token[0].isalpha() or self.token[0] == "_"):
            name = self.advance()
            base = self.call(name, depth) if name in FUNCTIONS and self.token == "(" else name
        else:
            self.reject("a variable or a number")
        power = self.power()
        return (sign * base**power, []) if isinstance(base, int) else (sign, [base] * power)

    def power(self) -> int:
        """Parses an exponent; 1 if there is none."""
        if self.token != "^":
            return 1
        self.advance()
        if not self.token.isdecimal() or parse_integer(self.token) > LARGEST_POWER:
            self.reject(f"an exponent of at most {LARGEST_POWER}")
        return int(self.advance())

    def call(self, function: str, depth: int) -> SizeFunctionCall:
        """Parses the two operands of a function."""
        self.expect("(")
        lhs = self.expression(depth + 1)
        self.expect(",")
        rhs = self.expression(depth + 1)
        self.expect(")")
        return SizeFunctionCall(function, lhs, rhs)


def solve(equations: Sequence[tuple[SymbolicDimension, int]]) -> dict[str, int]:
    """Returns the variables that the sizes determine, one after another.

    Args:
        equations: Dimensions, and the sizes that they have.
    """
    values: dict[str, int] = {}
    while solved := list(new_values(equations, values)):
        for variable, value in solved:
            values.setdefault(variable, value)  # the first equation counts, the others are checked
    return values


def new_values(
    equations: Sequence[tuple[SymbolicDimension, int]], values: Values
) -> Iterator[tuple[str, int]]:
    """Yields variables without a value that an equation determines now."""
    for dimension, size in equations:
        try:
            if (value := dimension.solve(size, values)) is not None:
                yield value
        except DivisionByZeroError:
            continue
