"""Chooses the donated arguments whose memory results get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from stablemate.ir.attributes import IntegerAttribute

ALIAS: Final = "tf.aliasing_output"
DONORS: Final = (ALIAS, "jax.buffer_donor")


def donated_arguments(attributes: Sequence[Mapping[str, Any]]) -> dict[int, int | None]:
    """The positions of donated arguments, each with the result that the caller pairs it with."""
    return {
        position: result_of(attributes_.get(ALIAS))
        for position, attributes_ in enumerate(attributes)
        if any(attributes_.get(name) is not None for name in DONORS)
    }


def result_of(attribute: Any) -> int | None:
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
