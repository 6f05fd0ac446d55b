"""Digits of an index: the loops of a dimension, cut where what is read changes.

An element of a matrix may be computed by quotients and remainders of its index: those of groups
that share a scale, or of bytes that hold several elements. Cut into digits at these divisors, the
index counts groups, places in memory and the parts of a byte by loops of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import gcd, prod
from typing import Final

from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.statements import substitute_expression
from stablemate.compiler.schedule.boundary_splitting import GUARDS
from stablemate.compiler.schedule.schedule import LoopDimension, LoopScheduler, subexpressions
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import is_symbolic

# An index in digits is a few loops without divisions instead of one with a division for each cut;
# each digit that is unrolled is code.
MOST_CUTS: Final = 8  # of an index; a shape that needs more is read element by element
MOST_UNROLLED: Final = 16  # values of a digit that are written into code
LEAST_COMMON: Final = 16  # length of a digit that divides the length of another cut
DIVISIONS: Final = frozenset({"quotient", "remainder"})


@dataclass(frozen=True, slots=True)
class IndexDigits:
    """The digits of an index, the most significant first.

    Attributes:
        digits: A loop for each.
    """

    digits: Sequence[LoopDimension]

    @property
    def number(self) -> Expression:
        """Composes the index from all of its digits."""
        return self.number_of({})

    def number_of(self, values: Mapping[Expression, Expression]) -> Expression:
        """The index with other values in the places of some digits, given by their atoms."""
        weight, parts = prod(digit.extent for digit in self.digits), list[tuple[Expression, int]]()
        for digit in self.digits:
            weight //= digit.extent
            parts.append((values.get(digit.atom, digit.index), weight))
        return self.digits[0].index.table.weighted_sum(0, parts)

    def cut(self, scheduler: LoopScheduler, atom: Expression, length: int) -> IndexDigits:
        """The same index with one digit as two, of which the lower one has a length."""
        digits: list[LoopDimension] = []
        for digit in self.digits:
            extents = (digit.extent // length, length) if digit.atom is atom else (digit.extent,)
            digits += (
                [digit]
                if len(extents) == 1
                else [LoopDimension(scheduler.index(extent), extent) for extent in extents]
            )
        return IndexDigits(digits)

    def without(self, atoms: Mapping[Expression, object]) -> list[LoopDimension]:
        """The digits whose atoms are not among some."""
        return [digit for digit in self.digits if digit.atom not in atoms]


def whole_index(scheduler: LoopScheduler, extent: int) -> IndexDigits:
    """An index of one digit."""
    return IndexDigits([LoopDimension(scheduler.index(extent), extent)])


def cut_indices(
    scheduler: LoopScheduler,
    indices: Sequence[IndexDigits],
    value: Callable[[Sequence[IndexDigits]], Expression],
) -> list[IndexDigits] | None:
    """Cuts indices until no quotient or remainder of a digit is left that a cut would remove.

    Args:
        scheduler: Makes loops.
        indices: The indices.
        value: What is read at them.

    Returns:
        The indices; None if there are too many cuts.
    """
    result = list(indices)
    for _ in range(MOST_CUTS):
        digits = [digit for index in result for digit in index.digits]
        cut = next(cuts_of(value(result), digits), None)
        if cut is None:
            return result
        result = [index.cut(scheduler, *cut) for index in result]
    return None


def cuts_of(value: Expression, digits: Sequence[LoopDimension]) -> Iterator[tuple[Expression, int]]:
    """The digits that an expression divides or compares with numbers, each with the length.

    Comparisons come first: the pieces that they tell apart are longer than groups.
    """
    extents = {digit.atom: digit.extent for digit in digits}
    parts = subexpressions([value])
    guarded = [pair for part in parts for pair in guarded_lengths(part) if is_cut(*pair, extents)]
    divided = [pair for part in parts for pair in divided_lengths(part)]
    for atom, length in (*guarded, *divided):
        extent = extents.get(atom, 1)
        common = gcd(length, extent)  # lengths that cross one another are cut at both
        if 1 < common < extent and (common == length or common >= LEAST_COMMON):
            yield atom, common


def is_cut(atom: Expression, length: int, extents: Mapping[Expression, int]) -> bool:
    """Whether a digit is cut where it is compared; short ones only in halves."""
    extent = extents.get(atom, 0)
    return extent > MOST_UNROLLED or extent == 2 * length


def divided_lengths(part: Expression) -> list[tuple[Expression, int]]:
    """The indices that a quotient or remainder is taken of, each with its divisor."""
    if part.operator not in DIVISIONS or is_symbolic(part.detail):
        return []
    _, terms = terms_of(part.operands[0])
    return [(atom, part.detail // c) for atom, c in terms if part.detail % c == 0]


def guarded_lengths(part: Expression) -> list[tuple[Expression, int]]:
    """The indices that are compared with a number, each with its first value beyond."""
    if part.operator not in GUARDS or part.operands[0].type != "index":
        return []
    (low, left), (high, right) = map(terms_of, part.operands)
    if bool(left) == bool(right):
        return []
    room = high - low if left else low - high
    boundary = room + ((part.operator == "sle") == bool(left))
    terms = (*left, *right)
    return [(atom, boundary // c) for atom, c in terms if c > 0 == boundary % c]


def unrolled_digits(value: Expression, digits: Sequence[LoopDimension]) -> list[LoopDimension]:
    """The digits whose values are written into code.

    They are short, and the largest buffer is not read by them, or comparisons depend on them; of
    those only as many as it takes, the most significant first.
    """
    loaded = {atom for load in main_loads(value) for atom, _ in terms_of(load.operands[0])[1]}
    short = [digit for digit in digits if 1 < digit.extent <= MOST_UNROLLED]
    result = [digit for digit in short if digit.atom not in loaded | guarded_atoms(value)]
    for digit in short:
        read = (substitute_expression(value, one, {}) for one in digit_values(result))
        if any(digit.atom in guarded_atoms(part) for part in read):
            result.append(digit)
    return result


def guarded_atoms(value: Expression) -> set[Expression]:
    """The indices on which comparisons of indices depend."""
    return {
        atom
        for part in subexpressions([value])
        if part.operator in GUARDS and part.operands[0].type == "index"
        for atom in part.loops
    }


def main_loads(value: Expression) -> list[Expression]:
    """The loads of the largest buffer that an expression reads."""
    loads = [part for part in subexpressions([value]) if part.operator == "load"]
    largest = max((load.detail for load in loads), key=lambda buffer: buffer.bytes, default=None)
    return [load for load in loads if load.detail is largest]


def digit_values(digits: Sequence[LoopDimension]) -> list[dict[Expression, Expression]]:
    """All values of some digits, by their atoms."""
    return [
        {
            digit.atom: digit.index.table.sum(number, ())
            for digit, number in zip(digits, numbers, strict=True)
        }
        for numbers in product(*[range(digit.extent) for digit in digits])
    ]
