"""Reads and prints affine maps and integer sets as MLIR does.

Dimensions become ``d0``, ``d1``, ..., symbols ``s0``, ``s1``, ..., and expressions are simplified
as they are built.

Source: MLIR affine dialect, "Affine expressions", "Affine maps", "Integer sets".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import count
from math import gcd
from typing import Final, NoReturn

from stablemate.deferred_dataclasses import dataclass

TOKEN: Final = re.compile(r"(?:\s|//[^\n]*)*([A-Za-z_][\w.$]*|\d+|->|.|\Z)", re.DOTALL)
DIVISIONS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
    "mod": lambda a, b: a % b,
}
NO_TOKENS: Final = (".", "!")  # of MLIR
RELATIONS: Final = (">", "<", "=")  # each before "="
FACTORS: Final = ("*", *DIVISIONS)
LONGEST: Final = 18  # digits
CLOSING: Final = {"(": ")", "[": "]"}


class AffineError(Exception):
    """A text that is not an affine map or set.

    Attributes:
        position: Where; unknown if an expression as a whole is wrong.
        is_token: Whether a token is in the place of another one.
    """

    def __init__(
        self, message: str, position: int | None = None, *, is_token: bool = False
    ) -> None:
        super().__init__(message)
        self.position = position
        self.is_token = is_token


@dataclass(frozen=True, slots=True)
class AffineExpression:
    """A sum, product or division, or a leaf: a number, a dimension or a symbol.

    Attributes:
        kind: The operator; ``number``, ``d`` or ``s``.
        number: The number, or the number of the dimension or symbol.
        operands: The two operands.
    """

    kind: str
    number: int = 0
    operands: tuple[AffineExpression, ...] = ()

    @property
    def is_number(self) -> bool:
        """Whether the expression is a number."""
        return self.kind == "number"

    @property
    def is_symbolic(self) -> bool:
        """Whether the expression has no dimensions."""
        return self.kind != "d" and all(operand.is_symbolic for operand in self.operands)

    def is_negated(self) -> bool:
        """Whether the expression is a product with -1."""
        return self.kind == "*" and self.operands[1] == constant(-1)

    def coefficient(self) -> tuple[AffineExpression, int]:
        """The expression as a factor and a number."""
        if self.kind == "*" and self.operands[1].is_number:
            return self.operands[0], self.operands[1].number
        return self, 1

    def divisor(self) -> int:
        """A number that divides the expression for all values of dimensions and symbols."""
        match self.kind:
            case "number":
                return abs(self.number)
            case "*":
                return self.operands[0].divisor() * self.operands[1].divisor()
            case "+" | "mod":
                return gcd(self.operands[0].divisor(), self.operands[1].divisor())
            case _:
                return 1

    def text(self, *, tight: bool = False) -> str:
        """Prints the expression; ``tight`` next to an operator of higher precedence."""
        if self.is_number:
            return str(self.number)
        if not self.operands:
            return f"{self.kind}{self.number}"
        left, right = self.operands
        if self.is_negated():
            written = f"-{left.text(tight=True)}"
        elif self.kind != "+":
            written = f"{left.text(tight=True)} {self.kind} {right.text(tight=True)}"
        else:
            written = f"{left.text()} {right.added_text()}"
        return f"({written})" if tight else written

    def added_text(self) -> str:
        """Prints the expression as a later term of a sum, with its sign."""
        part, number = self.coefficient()
        if self.is_number and self.number < 0:
            return f"- {-self.number}"
        if self.is_negated():
            return f"- {part.text(tight=part.kind == '+')}"
        if number < 0:
            return f"- {part.text(tight=True)} * {-number}"
        return f"+ {self.text()}"


def constant(number: int) -> AffineExpression:
    """Returns a number as an expression."""
    return AffineExpression("number", number)


def add(a: AffineExpression, b: AffineExpression) -> AffineExpression:
    """Returns the simplified sum of two expressions."""
    if a.is_number and b.is_number:
        return constant(a.number + b.number)
    if a.is_number or (a.is_symbolic and not b.is_symbolic):
        return add(b, a)
    if not a.operands and a.kind == b.kind and b.number < a.number:
        return add(b, a)
    if b == constant(0):
        return a
    first, rest = a.operands if a.kind == "+" else (a, constant(0))
    if a.kind == "+" and rest.is_number:
        inner = constant(rest.number + b.number) if b.is_number else rest
        return add(first, inner) if b.is_number else add(add(first, b), inner)
    (x, m), (y, n) = a.coefficient(), b.coefficient()
    if x == y:
        return multiply(x, constant(m + n))
    return remainder(a, b) or AffineExpression("+", 0, (a, b))


def remainder(a: AffineExpression, b: AffineExpression) -> AffineExpression | None:
    """Returns ``a mod q`` for ``a + (a floordiv q) * -q``; None for other sums."""
    part, number = b.coefficient()
    if part.kind == "floordiv" and part.operands == (a, constant(-number)):
        return divide("mod", a, constant(-number))
    return None


def multiply(a: AffineExpression, b: AffineExpression) -> AffineExpression:
    """Returns the simplified product of two expressions.

    Raises:
        AffineError: Both have dimensions.
    """
    if not (a.is_symbolic or b.is_symbolic):
        raise AffineError("one factor of a product has no dimensions")
    if a.is_number and b.is_number:
        return constant(a.number * b.number)
    if a.is_number or not b.is_symbolic:
        return multiply(b, a)
    if b == constant(1):
        return a
    if b == constant(0):
        return b
    part, number = a.coefficient()
    if part is not a:
        if b.is_number:
            return multiply(part, constant(number * b.number))
        return multiply(multiply(part, b), constant(number))
    return AffineExpression("*", 0, (a, b))


def divide(kind: str, a: AffineExpression, b: AffineExpression) -> AffineExpression:
    """Returns ``a floordiv b``, ``a ceildiv b`` or ``a mod b``, simplified.

    Raises:
        AffineError: b has dimensions.
    """
    if not b.is_symbolic:
        raise AffineError(f"the right operand of {kind} has no dimensions")
    quotient = AffineExpression(kind, 0, (a, b))
    if not b.is_number or b.number < 1:
        return quotient
    if a.is_number:
        return constant(DIVISIONS[kind](a.number, b.number))
    if kind == "mod":
        return remainder_of(a, b) or quotient
    part, number = a.coefficient()
    if b.number == 1:
        return a
    if part is not a and number % b.number == 0:
        return multiply(part, constant(number // b.number))
    if kind == "floordiv" and a.kind == "+":
        x, y = a.operands
        if x.divisor() % b.number == 0 or y.divisor() % b.number == 0:
            return add(divide(kind, x, b), divide(kind, y, b))
    return quotient


def remainder_of(a: AffineExpression, b: AffineExpression) -> AffineExpression | None:
    """Returns ``a mod b`` for a number b, if it has a simpler form."""
    if a.divisor() % b.number == 0:
        return constant(0)
    if a.kind == "+":
        x, y = a.operands
        if x.divisor() % b.number == 0:
            return divide("mod", y, b)
        if y.divisor() % b.number == 0:
            return divide("mod", x, b)
    if a.kind == "mod" and a.operands[1].is_number and a.operands[1].number % b.number == 0:
        return divide("mod", a.operands[0], b)
    return None


class AffineReader:
    """Reads a map or a set in a text, up to the bracket that closes it.

    Attributes:
        text: The text.
        token: The next token; empty at the end.
        start: Where it begins.
        names: The dimensions and symbols.
    """

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.token, self.start, self.end = "", position, position
        self.names: dict[str, AffineExpression] = {}
        self.advance()

    def advance(self) -> None:
        """Moves to the next token."""
        match = TOKEN.match(self.text, self.end)
        assert match is not None
        self.token, self.start, self.end = match[1], match.start(1), match.end()

    def at(self, token: str) -> bool:
        """Whether a token is next."""
        return self.token == token

    def take(self) -> str:
        """Consumes the next token and returns it."""
        token = self.token
        self.advance()
        return token

    def reject(self, message: str, *, is_token: bool = True) -> NoReturn:
        """Raises an error at the next token."""
        is_token = is_token and self.token not in NO_TOKENS
        raise AffineError(message, self.start, is_token=is_token)

    def expect(self, token: str) -> None:
        """Consumes a token that must be next."""
        if not self.at(token):
            self.reject(f"expected '{token}', found '{self.token or 'the end'}'")
        self.advance()

    def read_enclosed(self, opening: str, read: Callable[[], str]) -> list[str]:
        """Reads a list in parentheses or brackets."""
        self.expect(opening)
        items: list[str] = []
        while not self.at(CLOSING[opening]):
            if items:
                self.expect(",")
            items.append(read())
        self.advance()
        return items

    def declarations(self, opening: str, letter: str) -> str:
        """Reads the names of dimensions or symbols."""
        numbers = count()

        def name() -> str:
            word = self.token
            if not re.match(r"[A-Za-z_]", word) or word in self.names:
                self.reject(f"'{word}' is not a new name")
            self.advance()
            self.names[word] = AffineExpression(letter, next(numbers))
            return self.names[word].text()

        return f"{opening}{', '.join(self.read_enclosed(opening, name))}{CLOSING[opening]}"

    def read_all(self, arrow: str, item: Callable[[], str], empty: str = "") -> str:
        """Reads dimensions, symbols, and the items after the arrow."""
        head = self.declarations("(", "d")
        if self.at("["):
            symbols = self.declarations("[", "s")
            head += symbols if symbols != "[]" else ""
        self.expect(arrow)
        items = ", ".join(self.read_enclosed("(", item))
        if not self.at(">"):
            self.reject(f"expected '>', found '{self.token or 'the end'}'")
        return f"{head} {arrow} ({items or empty})"

    def condition(self) -> str:
        """Reads ``a >= b``, ``a <= b`` or ``a == b``."""
        left, relation = self.sum(), self.token
        if relation in RELATIONS:
            self.advance()
        if relation not in RELATIONS or not self.at("="):
            self.reject(f"expected '>=', '<=' or '==', found '{self.token}'", is_token=False)
        self.advance()
        right = self.sum()
        if relation == "<":
            left, right = right, left
        difference = add(left, multiply(right, constant(-1)))
        return f"{difference.text()} {'==' if relation == '=' else '>='} 0"

    def sum(self) -> AffineExpression:
        """Parses products joined by ``+`` and ``-``."""
        total = self.product()
        while self.at("+") or self.at("-"):
            sign = 1 if self.take() == "+" else -1
            total = add(total, multiply(self.product(), constant(sign)))
        return total

    def product(self) -> AffineExpression:
        """Reads products, divisions and remainders."""
        result = self.factor()
        while self.token in FACTORS:
            kind, right = self.take(), self.factor()
            result = multiply(result, right) if kind == "*" else divide(kind, result, right)
        return result

    def factor(self) -> AffineExpression:
        """Reads a number, a name, a sum in parentheses, or a negated factor."""
        token = self.token
        if token in self.names:
            self.advance()
            return self.names[token]
        if token == "-":
            self.advance()
            return multiply(self.factor(), constant(-1))
        if token == "(":
            self.advance()
            expression = self.sum()
            self.expect(")")
            return expression
        if not token.isdecimal():
            is_name = re.match(r"[A-Za-z_]", token) is not None and token not in DIVISIONS
            known = f"no dimension or symbol is called '{token}'"
            message = known if is_name else f"expected an affine expression, found '{token}'"
            self.reject(message, is_token=is_name)
        if len(token) > LONGEST:
            self.reject("this integer does not fit into 64 bits", is_token=False)
        self.advance()
        return constant(int(token))


def map_text(text: str, position: int = 0) -> tuple[str, int]:
    """Returns an affine map as MLIR prints it, ``(d0)[s0] -> (d0 + s0)``, and where it ends.

    Args:
        text: A text.
        position: Where the map begins, after its ``<``.

    Raises:
        AffineError: It is none.
    """

    def read(reader: AffineReader) -> str:
        return reader.read_all("->", lambda: reader.sum().text())

    return fixed_point(read, text, position)


def set_text(text: str, position: int = 0) -> tuple[str, int]:
    """Returns an integer set as MLIR prints it, ``(d0) : (d0 >= 0)``, and where it ends.

    Args:
        text: A text.
        position: Where the set begins, after its ``<``.

    Raises:
        AffineError: It is none.
    """

    def read(reader: AffineReader) -> str:
        return reader.read_all(":", reader.condition, empty="0 == 0")

    return fixed_point(read, text, position)


def fixed_point(read: Callable[[AffineReader], str], text: str, position: int) -> tuple[str, int]:
    """Reads and prints a text until it no longer changes; also returns where the first one ends.

    ``(a + 1) + (b + 2)`` is printed as ``a + b + 2 + 1``, which is equivalent and is read as
    ``a + b + 3``: MLIR prints the former, and prints it differently when it reads it again.

    Raises:
        AffineError: It cannot be read.
    """
    reader = AffineReader(text, position)
    try:
        printed, result = "", read(reader)
        while result != printed:
            printed, result = result, read(AffineReader(f"{result}>", 0))
    except RecursionError:
        raise AffineError("this expression is nested too deeply") from None
    return result, reader.end
