"""What limits of executors ask of an operation and of the arrays that it runs on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import ml_dtypes
import numpy as np

from stablemate.dialects.chlo.broadcasting import BroadcastBinary
from stablemate.dialects.stablehlo.attributes import ComparisonType
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import TensorType, TupleType
from stablemate.numerics.elements import (
    Array,
    ElementType,
    FloatType,
    QuantizedType,
)
from tests.properties.generation import region_bodies as bodies
from tests.properties.generation.operations import base_name, element_of
from tests.properties.generation.tolerances import is_float, widest

Arrays = Mapping[Value[Any], Array]  # what the values that an operation uses hold
Limit = Callable[[Operation, Arrays], bool]

REDUCING: Final = frozenset(("reduce", "reduce_window", "select_and_scatter"))


def elements(operation: Operation) -> Iterator[ElementType]:
    """The element types of all operands and results, those in regions included."""
    for item in operation.walk():
        for value in (*item.operands, *item.results):
            types = value.type.types if isinstance(value.type, TupleType) else (value.type,)
            yield from (t.element_type for t in types if isinstance(t, TensorType))


def names(operation: Operation) -> set[str]:
    """The names of an operation and those in its regions."""
    return {base_name(item) for item in operation.walk()}


def not_legalized(operation: Operation) -> bool:
    """Operations of CHLO that upstream cannot legalize: shifts that broadcast, and what broadcasts
    along other dimensions than the last ones.
    """
    if operation.name.startswith("chlo.broadcast_shift"):
        return True
    if not isinstance(operation, BroadcastBinary) or operation.broadcast_dimensions is None:
        return False
    ranks = sorted(value.type.rank for value in operation.operands)
    last = tuple(range(ranks[-1] - ranks[0], ranks[-1]))
    return tuple(operation.broadcast_dimensions) != last


def quantized(operation: Operation, arrays: Arrays) -> bool:
    """Quantized tensors: they have none, or others compare them (test_quantized_upstream)."""
    return any(isinstance(element, QuantizedType) for element in elements(operation))


def of_chlo(operation: Operation, arrays: Arrays) -> bool:
    """Operations of CHLO: artifacts have no form for them, and upstream's own passes leave many as
    they are, for want of a shape or a type.
    """
    return any(item.name.startswith("chlo.") for item in operation.walk())


def beyond_poles(operation: Operation, arrays: Arrays) -> bool:
    """Polygamma and zeta where there is no sum: upstream continues the series, and reflects not."""
    if base_name(operation) not in ("polygamma", "zeta"):
        return False
    return bool((widest(arrays[operation.operands[1]]) <= 0).any())


def floats(arrays: Arrays) -> list[Array]:
    """The arrays of floats."""
    return [x for x in arrays.values() if is_float(x.dtype) or x.dtype.kind == "c"]


def unordered_keys(operation: Operation, arrays: Arrays) -> bool:
    """A comparator of floats that puts NaN nowhere: the order is open."""
    if base_name(operation) not in ("sort", "scatter", *REDUCING) or not has_nan(arrays):
        return False
    compares = [item for item in operation.walk() if base_name(item) == "compare"]
    return any(
        is_plain_float(compare)
        for compare in compares
        if compare.operands[0] is not compare.operands[1]
    )


def unordered_fold(operation: Operation, arrays: Arrays) -> bool:
    """A reduction by such a comparator: the result depends on how elements are grouped.

    The interpreter folds by halves, native code one element after the other (docs/choices.md).
    """
    name = base_name(operation)
    return name in ("reduce", "reduce_window") and unordered_keys(operation, arrays)


def unordered_sort(operation: Operation, arrays: Arrays) -> bool:
    """A sort by several keys of which one puts NaN nowhere: what comes out depends on which
    elements are compared (docs/choices.md).
    """
    compares = [item for item in operation.walk() if base_name(item) == "compare"]
    is_sort = base_name(operation) == "sort" and len(compares) > 1
    return is_sort and unordered_keys(operation, arrays)


def is_plain_float(compare: Operation) -> bool:
    """Whether this compares floats, and not in their total order."""
    mode = getattr(compare.attributes.get("compare_type"), "value", None)
    is_total = mode is ComparisonType.TOTALORDER
    return isinstance(element_of(compare.operands[0]), FloatType) and not is_total


def has_nan(arrays: Arrays) -> bool:
    """Whether there is a NaN."""
    return any(bool(np.isnan(widest(x)).any()) for x in floats(arrays))


def assumes_identity(operation: Operation, arrays: Arrays) -> bool:
    """Initial values that are no identity: XLA uses them any number of times."""
    if base_name(operation) not in REDUCING:
        return False
    body = operation.regions[-1]
    n = len(body.block.arguments) // 2
    return any(
        not is_identity(arrays[init], bodies.identity(body, i))
        for i, init in enumerate(operation.operands[-n:])
    )


def is_identity(value: Array, identity: Any) -> bool:
    """Whether a value is what changes nothing, or anything may stand there."""
    return identity is None or bool(value == np.array(identity).astype(value.dtype))


def logistic_overflows(operation: Operation, arrays: Arrays) -> bool:
    """A logistic by steps, of which the exponential overflows where the quotient is a number."""
    element = element_of(operation.results[0])
    if base_name(operation) != "logistic" or not isinstance(element, FloatType):
        return False
    largest = float(np.log(float(ml_dtypes.finfo(element.dtype).max)))
    return bool((widest(arrays[operation.operands[0]]) < -largest).any())
