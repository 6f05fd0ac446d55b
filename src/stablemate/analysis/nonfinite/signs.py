"""Signs: which numbers are NaN, infinite or denormal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from stablemate.compiler.runtime.native.statistics_kernels import DENORMALS, INFINITIES, NANS, ZEROS
from stablemate.numerics.elements import Array, ComplexType, DType, ElementType, FloatType

# Whether rows of a surveyor have some of them.
SIGNS: Final[Mapping[str, Callable[[Array], Array]]] = {
    "nan": lambda rows: rows[:, NANS] > 0,
    "inf": lambda rows: rows[:, INFINITIES] > 0,
    "denormal": lambda rows: rows[:, DENORMALS] > rows[:, ZEROS],
}


def has_signs(element: ElementType) -> bool:
    """Whether elements of a type can be NaN, infinite or denormal."""
    return isinstance(element, FloatType | ComplexType)


def elements_of(kind: str, value: object, element: ElementType) -> Array | None:
    """Which elements of a value are of a kind; None if none can be."""
    if not has_signs(element):
        return None
    array = np.asarray(value)
    if isinstance(element, ComplexType):
        part = np.finfo(array.dtype).dtype
        real, imaginary = (
            of_kind(kind, component, part) for component in (np.real(array), np.imag(array))
        )
        return np.logical_or(real, imaginary)
    return of_kind(kind, array, array.dtype)


def of_kind(kind: str, array: Array, dtype: DType) -> Array:
    """Which real numbers are of a kind."""
    import ml_dtypes

    wide = array if array.dtype.name in ("float32", "float64") else array.astype(np.float32)
    match kind:
        case "nan":
            return np.asarray(np.isnan(wide))
        case "inf":
            return np.asarray(np.isinf(wide))
        case _:
            size = np.abs(wide)
            tiny = float(ml_dtypes.finfo(dtype).smallest_normal)
            return np.asarray(np.logical_and(size < tiny, size != 0))
