"""Splits dimensions where guards on their indices change value.

Padding and concatenation ask of every element where it comes from. Between two cuts all elements
give the same answer, so that a piece has no guard left: what stands in the middle of a stencil is
plain loads, and each operand of a concatenation is copied to its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Final

from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.numerics.symbolic_sizes import is_symbolic

GUARDS: Final = frozenset({"sle", "slt"})
# Each piece is code without comparisons of indices: ``python -m benchmarks.heuristics`` measures
# both.
MAX_SEGMENTS: Final = 12  # pieces of one kernel
MIN_ELEMENTS: Final = 512  # elements: fewer are not worth the code
Segment = tuple[int, int]  # where it begins, how many indices it has


def segments_of(
    extents: Sequence[tuple[Expression, int]], expressions: Iterable[Expression]
) -> dict[Expression, list[Segment]]:
    """For each loop's index that is worth cutting, the pieces of its range.

    Args:
        extents: The index of each loop and how often it runs, outermost first.
        expressions: What is computed inside the loops.
    """
    elements = prod(extent for _, extent in extents)
    if not is_symbolic(elements) and elements < MIN_ELEMENTS:
        return {}
    cuts: dict[Expression, set[int]] = {atom: {0} for atom, _ in extents}
    for atom, cut in boundaries(expressions):
        if atom in cuts:
            cuts[atom].add(cut)
    segments_by_atom: dict[Expression, list[Segment]] = {}
    left = MAX_SEGMENTS
    for atom, extent in reversed(extents):
        inside = sorted(cut for cut in cuts[atom] if 0 <= cut < extent)
        ends = [*inside[1:], extent]
        segments = [(begin, end - begin) for begin, end in zip(inside, ends, strict=True)]
        if len(segments) > left:
            segments = around_longest(segments)
        if 1 < len(segments) <= left:
            segments_by_atom[atom] = segments
            left //= len(segments)
    return segments_by_atom


def guarded_indices(expressions: Iterable[Expression]) -> set[Expression]:
    """The indices that guards among these expressions depend on, each on one alone."""
    return {atom for atom, _ in boundaries(expressions)}


def boundaries(expressions: Iterable[Expression]) -> Iterator[tuple[Expression, int]]:
    """The index of each guard that depends on one alone, and where it changes."""
    for expression in expressions:
        if expression.operator in GUARDS and expression.operands[0].type == "index":
            atom, cut = guard_boundary(expression)
            if atom is not None:
                yield atom, cut


def guard_boundary(guard: Expression) -> tuple[Expression | None, int]:
    """The index that a guard depends on, and the first value at which the guard changes.

    There is none if it depends on more than one index, or on none.
    """
    lhs, rhs = guard.operands
    (low, left), (high, right) = terms_of(lhs), terms_of(rhs)
    if len(left) + len(right) != 1:
        return None, 0
    # low + a * i <= high + b * i, one of the factors is 0: factor * i <= room
    (atom, factor), room = (*left, *right)[0], high - low - (guard.operator == "slt")
    cut = first_beyond(factor if left else -factor, room)
    while atom.operator in ("least", "greatest"):  # a bound changes nothing but where it holds
        room, terms = terms_of(atom.operands[0])
        if len(terms) != 1:
            return None, 0
        ((atom, factor),) = terms
        cut = first_beyond(factor, cut - 1 - room)
    return atom, cut


def first_beyond(factor: int, room: int) -> int:
    """The smallest i at which ``factor * i <= room`` changes."""
    return room // factor + 1 if factor > 0 else -(room // -factor)


def around_longest(segments: Sequence[Segment]) -> list[Segment]:
    """The longest segment, and what is before and after it."""
    begin, size = max(segments, key=lambda segment: segment[1])
    end = sum(segments[-1])
    three = [(0, begin), (begin, size), (begin + size, end - begin - size)]
    return [segment for segment in three if segment[1]]
