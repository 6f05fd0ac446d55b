"""The functions that every carrier has, and from which others are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.functions.number import N


@dataclass(frozen=True, slots=True)
class Elementary(Generic[N]):
    """The elementary functions of a carrier.

    Attributes:
        log: The natural logarithm.
        power: A positive number to the power of another.
        tan: The tangent.
    """

    log: Callable[[N], N]
    power: Callable[[N, N], N]
    tan: Callable[[N], N]
