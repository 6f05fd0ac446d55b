"""Chooses the donated arguments whose memory results get."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from stablemate.compiler.plan.argument_reuse import ALIAS, DONOR
from stablemate.ir.attributes import IntegerAttribute


def donated_arguments(
    attributes: Sequence[Mapping[str, object]], arguments: Sequence[int], results: Sequence[int]
) -> dict[int, int | None]:
    """The positions of donated arguments, each with the result that the caller pairs it with.

    An argument for which the caller names no result is donated if there is a result of its size
    that is no other argument's, as in XLA's pass ``OptimizeInputOutputBufferAlias``.

    Args:
        attributes: The attributes of the arguments.
        arguments: The bytes of each argument on one device.
        results: The bytes of each result on one device.
    """
    donated: dict[int, int | None] = {
        position: result_of(attributes_[ALIAS])
        for position, attributes_ in enumerate(attributes)
        if attributes_.get(ALIAS) is not None
    }
    paired = set(donated.values())
    free = Counter(size for number, size in enumerate(results) if number not in paired)
    for position, attributes_ in enumerate(attributes):
        size = arguments[position]
        if position not in donated and attributes_.get(DONOR) is not None and free[size] > 0:
            donated[position] = None
            free[size] -= 1
    return donated


def result_of(attribute: object) -> int | None:
    """The number of a result, if this is one."""
    return int(attribute.value) if isinstance(attribute, IntegerAttribute) else None


def donors(donated: Mapping[int, int | None], pairs: Sequence[tuple[int, int]]) -> dict[int, int]:
    """The argument whose memory each result gets, by result.

    Args:
        donated: The donated arguments, each with the result that the caller pairs it with.
        pairs: The pairs of an argument and a result that may share memory; the caller's pairs
            among them come first.
    """
    chosen: dict[int, int] = {}
    ordered = sorted(pairs, key=lambda pair: donated.get(pair[0]) != pair[1])
    for argument, result in ordered:
        if argument in donated and result not in chosen and argument not in chosen.values():
            chosen[result] = argument
    return chosen
