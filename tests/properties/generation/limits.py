"""What the other executors do not compute, or compute in ways that are known to be theirs alone.

An operation that is left out is not compared with that executor; programs go on behind it with our
value. Each entry says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.ir.core import Operation
from stablemate.numerics.elements import (
    ComplexType,
    FloatType,
)
from tests.properties.generation import limits_of_reference, limits_of_xla
from tests.properties.generation.executor_limits import (
    Arrays,
    Limit,
    of_chlo,
    quantized,
    unordered_fold,
    unordered_sort,
)
from tests.properties.generation.operations import MOVES, base_name, element_of

LIMITS: Final[Mapping[str, Sequence[Limit]]] = {
    "xla": limits_of_xla.LIMITS,
    "reference": limits_of_reference.LIMITS,
    "fused": (unordered_fold, unordered_sort),
    "unfused": (unordered_fold, unordered_sort),
    "artifact": (of_chlo,),
    **dict.fromkeys(("hlo", "hlo_proto"), (quantized,)),
}


def limit_of(executor: str, operation: Operation, arrays: Arrays) -> str:
    """The name of the first limit that an operation meets; empty if it is compared."""
    for limit in LIMITS.get(executor, ()):
        if limit(operation, arrays):
            return limit.__name__
    return ""


def is_cut(operation: Operation, executor: str) -> bool:
    """Whether what follows uses our value rather than theirs."""
    name = base_name(operation)
    if executor == "reference":
        return True
    results = [element_of(value) for value in operation.results]
    if name in ("rng_bit_generator", "iota", "dynamic_iota"):
        return True  # random bits are unsigned there; iotas would be computed with by its compiler
    return name not in MOVES and any(isinstance(e, FloatType | ComplexType) for e in results)
