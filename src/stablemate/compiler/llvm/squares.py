"""Squares: as many vectors as a vector has lanes, transposed by shuffles.

A square is stored by ``for i < n : unroll { for j < n : vector { store b[i + s * j] = value } }``:
lanes are far apart in memory, the iterations of the outer loop are neighbours.
"""

from __future__ import annotations

from stablemate.compiler.nest.expressions import terms_of
from stablemate.compiler.nest.statements import Loop, Store


def square_of(loop: Loop) -> tuple[Loop, Store] | None:
    """The inner loop and the store of a square; None if an unrolled loop is none."""
    if len(loop.body) != 1:
        return None
    (inner,) = loop.body
    if not isinstance(inner, Loop) or inner.kind != "vector" or inner.extent != loop.extent:
        return None
    if loop.extent == 1 or len(inner.body) != 1:
        return None
    (store,) = inner.body
    if not isinstance(store, Store) or store.buffer.scope == "register":
        return None
    terms = dict(terms_of(store.place)[1])
    others = [atom for atom in terms if atom not in (loop.atom, inner.atom)]
    is_linear = all(atom.loops.isdisjoint((loop.atom, inner.atom)) for atom in others)
    far = terms.get(inner.atom, 0) not in (0, 1)
    return (inner, store) if far and is_linear and terms.get(loop.atom) == 1 else None


def exchanges(lanes: int) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """The stages of a transposition of ``lanes`` vectors.

    Each is a distance and two orders of the lanes of a pair of vectors that are so far apart: what
    the first and what the second one becomes.
    """
    stages: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []
    distance = 1
    while distance < lanes:
        first = [i + lanes - distance if i & distance else i for i in range(lanes)]
        second = [i + lanes if i & distance else i + distance for i in range(lanes)]
        stages.append((distance, tuple(first), tuple(second)))
        distance *= 2
    return stages
