"""Finds vectors that can be transposed in registers by shuffles.

A square is stored by ``for i < m : unroll { for j < n : vector { store b[i + s * j] = value } }``:
lanes are far apart in memory, the iterations of the outer loop are neighbors. It may be made of
several, one beside the other: m is n or a multiple of it.
"""

from __future__ import annotations

from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.statements import Loop, StoreElement


def match_register_transpose(loop: Loop) -> tuple[Loop, StoreElement] | None:
    """The inner loop and the store of a square; None if an unrolled loop is none."""
    if len(loop.body) != 1:
        return None
    (inner,) = loop.body
    if not isinstance(inner, Loop) or inner.kind != "vector" or loop.extent % inner.extent:
        return None
    if inner.extent == 1 or len(inner.body) != 1:
        return None
    (store,) = inner.body
    if not isinstance(store, StoreElement) or store.buffer.scope == "register":
        return None
    terms = dict(terms_of(store.place)[1])
    others = [atom for atom in terms if atom not in (loop.atom, inner.atom)]
    handed = [atom for atom in others if is_scaled(atom, inner)]
    is_linear = all(
        atom.loops.isdisjoint((loop.atom, inner.atom)) for atom in others if atom not in handed
    )
    far = terms.get(inner.atom, 0) not in (0, 1) or handed
    return (inner, store) if far and is_linear and terms.get(loop.atom) == 1 else None


def is_scaled(atom: Expression, loop: Loop) -> bool:
    """Whether an atom is the index of a loop times a parameter of the function."""
    return atom.operator == "scaled" and terms_of(atom.operands[0])[1][0][0] is loop.atom


def shuffle_stages(lanes: int, side: int) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """The stages of a transposition of ``side`` vectors, ``side`` lanes of each by themselves.

    Each is a distance and two orders of the lanes of a pair of vectors that are so far apart: what
    the first and what the second one becomes.
    """
    stages: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []
    distance = 1
    while distance < side:
        first = [i + lanes - distance if i & distance else i for i in range(lanes)]
        second = [i + lanes if i & distance else i + distance for i in range(lanes)]
        stages.append((distance, tuple(first), tuple(second)))
        distance *= 2
    return stages
