"""Relations between types that may have dynamic dimensions.

Source: StableHLO specification, "Dynamism"; bounds as in ``#stablehlo.bounds``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stablemate.ir.types import (
    DYNAMIC,
    BoundsAttribute,
    TensorType,
    Type,
    UnrankedTensorType,
)
from stablemate.numerics.symbolic_sizes import surely_same_shape


def remaining_dimensions(rank: int, removed: Iterable[int]) -> tuple[int, ...]:
    """The dimensions of a tensor of a rank that are not among some, in order."""
    found = frozenset(removed)
    return tuple([d for d in range(rank) if d not in found])


def same_size(a: int, b: int) -> bool:
    """Whether two dimension sizes can be equal at run time."""
    return a == b or DYNAMIC in (a, b)


def same_shape(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether two shapes can be equal at run time."""
    return len(a) == len(b) and all(same_size(x, y) for x, y in zip(a, b, strict=True))


def same_sizes(a: TensorType, b: TensorType) -> bool:
    """Whether two tensors can have the same shape at run time, also within their bounds."""
    return same_shape(a.shape, b.shape) and within_bounds(a, b) and within_bounds(b, a)


def surely_same_type(one: Type, other: Type) -> bool:
    """Whether types are equal, also for sizes that are not known yet; nothing is assumed."""
    if isinstance(one, TensorType) and isinstance(other, TensorType):
        return surely_same_shape(one.shape, other.shape) and one == other
    return one == other


def compatible(declared: Type, inferred: Type) -> bool:
    """Whether a declared type is compatible with an inferred one."""
    if declared is inferred:
        return True
    match declared, inferred:
        case TensorType() as a, TensorType() as b:
            return a.element_type == b.element_type and same_sizes(a, b)
        case (UnrankedTensorType() as a, TensorType() | UnrankedTensorType() as b) | (
            TensorType() as a,
            UnrankedTensorType() as b,
        ):
            return a.element_type == b.element_type
        case _:  # tuples and futures do not hide sizes
            return declared == inferred


def within_bounds(sizes: TensorType, bounds: TensorType) -> bool:
    """Whether no static size of one type exceeds a bound of the other."""
    return all(
        bound == DYNAMIC or size == DYNAMIC or size <= bound
        for size, bound in zip(sizes.shape, bounds.bounds, strict=False)
    )


def most_specific(types: Sequence[TensorType]) -> TensorType:
    """The type of a value that is of all these types: static sizes and smallest bounds win.

    The types have the same rank and compatible shapes.
    """
    first = types[0]
    if all(other == first for other in types[1:]):
        return first
    shape, bounds = list(first.shape), list(first.bounds or (DYNAMIC,) * first.rank)
    for other in types[1:]:
        for i, size in enumerate(other.shape):
            bound = other.bounds[i] if other.bounds else DYNAMIC
            shape[i] = size if shape[i] == DYNAMIC else shape[i]
            present = [b for b in (bounds[i], bound) if b != DYNAMIC]
            bounds[i] = min(present, default=DYNAMIC)
    return bound_dimensions(first.with_shape(shape), bounds)


def bound_dimensions(tensor_type: TensorType, bounds: Sequence[int]) -> TensorType:
    """The type with bounds for its dynamic dimensions; DYNAMIC where there is none."""
    dynamic_bounds = tuple(
        bound if size == DYNAMIC else DYNAMIC
        for size, bound in zip(tensor_type.shape, bounds, strict=True)
    )
    encoding = (
        BoundsAttribute(dynamic_bounds)
        if any(bound != DYNAMIC for bound in dynamic_bounds)
        else None
    )
    return TensorType(tensor_type.shape, tensor_type.element_type, encoding)
