"""Functions in twice the precision, for results that remain after others cancel.

A pair is a rounded number and the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from stablemate.numerics.functions.arithmetic import polynomial, two_product, two_sum
from stablemate.numerics.functions.logarithm import precise_logarithm
from stablemate.transforms.chlo.arithmetic import (
    sqrt,
    where,
)
from stablemate.transforms.chlo.expressions import TensorExpression


class Pair(NamedTuple):
    """A rounded number, and the rest."""

    value: TensorExpression
    rest: TensorExpression

    @property
    def total(self) -> TensorExpression:
        """Rounds the pair to one number."""
        return self.value + self.rest


def pair(x: TensorExpression, rest: float = 0.0) -> Pair:
    """A number as a pair."""
    return Pair(x, x.constant(rest))


def sum_of(a: Pair, b: Pair) -> Pair:
    """The sum of two pairs."""
    value, lost = two_sum(a.value, b.value)
    return Pair(value, lost + (a.rest + b.rest))


def negative(a: Pair) -> Pair:
    """The pair with the other sign."""
    return Pair(-a.value, -a.rest)


def product_of(a: Pair, b: Pair) -> Pair:
    """The product of two pairs that are far from overflow."""
    value, lost = two_product(a.value, b.value)
    return Pair(value, lost + (a.value * b.rest + a.rest * b.value))


def quotient_of(a: Pair, b: Pair) -> Pair:
    """The quotient of two pairs that are far from overflow."""
    value = a.value / b.value
    product, lost = two_product(value, b.value)
    rest = ((a.value - product) - lost + (a.rest - value * b.rest)) / b.value
    return Pair(value, rest)


def root_of(a: Pair) -> Pair:
    """The square root of a positive pair that is far from underflow."""
    root = sqrt(a.value)
    square, lost = two_product(root, root)
    return Pair(root, (((a.value - square) - lost) + a.rest) / (2.0 * root))


def logarithm(x: TensorExpression) -> Pair:
    """The logarithm of a positive number."""
    return Pair(*precise_logarithm(x))


def select_pair(which: TensorExpression, yes: Pair, no: Pair) -> Pair:
    """One of two pairs, element by element."""
    return Pair(where(which, yes.value, no.value), where(which, yes.rest, no.rest))


def last_step(x: TensorExpression, coefficients: Sequence[float]) -> Pair:
    """A polynomial, with what is lost in the last step of Horner's rule."""
    first, *others = coefficients
    value, lost = two_product(x, polynomial(x, others))
    return sum_of(pair(x.constant(first)), Pair(value, lost))
