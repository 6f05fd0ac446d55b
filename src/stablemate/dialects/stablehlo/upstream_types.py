"""Relations between types as upstream's verifier has them, where the specification has others.

Each function says which relation of upstream it is. Bounds count where upstream compares inferred
types, and are ignored where it compares shapes.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.regions import function_type
from stablemate.ir.core import Region
from stablemate.ir.shapes import same_shape, within_bounds
from stablemate.ir.types import (
    DYNAMIC,
    MemRefType,
    TensorType,
    Type,
    UnrankedTensorType,
    VectorType,
)
from stablemate.numerics.elements import (
    AnyQuantizedType,
    CalibratedType,
    ComplexType,
    FloatType,
    IntegerType,
    QuantizedType,
)

SHAPED = (TensorType, UnrankedTensorType, MemRefType, VectorType)
QUANTIZED = (QuantizedType, AnyQuantizedType, CalibratedType)


# ---- shapes


def have_compatible_shapes(a: Type, b: Type) -> bool:
    """``verifyCompatibleShape``: sizes agree where both types have them; bounds do not count."""
    if not isinstance(a, SHAPED) or not isinstance(b, SHAPED):
        return isinstance(a, SHAPED) == isinstance(b, SHAPED)
    x, y = getattr(a, "shape", None), getattr(b, "shape", None)
    return x is None or y is None or same_shape(x, y)


def fit_bounds(a: Type, b: Type) -> bool:
    """``verifyCompatibleShapeWithBounds``: so do sizes and the bounds of the other type."""
    if not have_compatible_shapes(a, b):
        return False
    if not isinstance(a, TensorType) or not isinstance(b, TensorType):
        return True
    return within_bounds(a, b) and within_bounds(b, a)


# ---- inferred types


def are_compatible(a: Sequence[Type], b: Sequence[Type]) -> bool:
    """``isCompatibleForHloTypeInference``: shapes with bounds, and elements up to parameters."""
    return len(a) == len(b) and all(is_compatible(x, y) for x, y in zip(a, b, strict=True))


def is_compatible(a: Type, b: Type) -> bool:
    """The same relation of two types."""
    shaped = isinstance(a, SHAPED) and isinstance(b, SHAPED)
    return (not shaped or fit_bounds(a, b)) and has_compatible_elements(a, b)


def has_compatible_elements(a: Type, b: Type) -> bool:
    """``isCompatibleElementTypeForHloTypeInference``: of quantized types, scales and zero points
    may differ, and how many of them there are unless the scales belong to an axis.
    """
    x, y = element_of(a), element_of(b)
    if not isinstance(x, QUANTIZED) or not isinstance(y, QUANTIZED):
        return x == y
    return stored_as(x) == stored_as(y) and is_per_axis(x) == is_per_axis(y)


def element_of(value_type: Type) -> object:
    """The element type of a type with a shape; other types are themselves."""
    return value_type.element_type if isinstance(value_type, SHAPED) else value_type


def stored_as(element: QuantizedType | AnyQuantizedType | CalibratedType) -> object:
    """The facts that compatible quantized types share: storage, its range, the expressed type."""
    if isinstance(element, CalibratedType):
        return element.expressed
    storage = element.storage
    if isinstance(storage, IntegerType) and not element.unsigned_by_type:
        storage = IntegerType(storage.width)  # u8 is an i8 with another range there
    return storage, element.storage_min, element.storage_max, element.expressed


def is_per_axis(element: object) -> bool:
    """Whether scales of quantized elements belong to an axis."""
    return isinstance(element, QuantizedType) and element.is_per_axis


def has_same_parameters(a: Type, b: Type) -> bool:
    """``verifyQPerTensorScaleAndZeroPointConstraints`` and the same per axis: two types that are
    quantized per tensor are equal, and two per axis agree in as many scales as both have.
    """
    x, y = element_of(a), element_of(b)
    if not isinstance(x, QuantizedType) or not isinstance(y, QuantizedType):
        return True
    if x.is_per_tensor and y.is_per_tensor:
        return x == y
    if not (x.is_per_axis and y.is_per_axis):
        return True
    parameters = zip(x.scales, x.zero_points, y.scales, y.zero_points, strict=False)
    return all((s, z) == (t, w) for s, z, t, w in parameters)


# ---- reducers


def is_promotable(x: object, y: object) -> bool:
    """``isPromotableElementType``: floats in any precision, others to as many bits or more."""
    match x, y:
        case (FloatType(), FloatType()):
            return True
        case (IntegerType(), IntegerType()):
            return x.bits <= y.bits
        case (ComplexType(), ComplexType()):
            return x.bits <= y.bits
        case (QuantizedType(), QuantizedType()):
            return x.expressed == y.expressed and x.storage.bits <= y.storage.bits
        case _:
            return False


def agree(a: Type, b: Type, *, in_any_precision: bool = False) -> bool:
    """``compatibleShapeAndElementType``: compatible shapes and the same elements.

    Args:
        a: A type.
        b: Another one.
        in_any_precision: Whether all floats are the same.
    """
    x, y = element_of(a), element_of(b)
    floats = in_any_precision and isinstance(x, FloatType) and isinstance(y, FloatType)
    return have_compatible_shapes(a, b) and (floats or x == y)


def is_truth_value(value_type: Type) -> bool:
    """Whether a type is that of one integer of one bit, of any sign and encoding."""
    return (
        isinstance(value_type, TensorType | MemRefType | VectorType)
        and value_type.shape == ()
        and isinstance(value_type.element_type, IntegerType)
        and value_type.element_type.width == 1
    )


def reduces(
    inputs: Sequence[Type],
    init_values: Sequence[Type],
    body: Region,
    kept: Sequence[int],
) -> bool:
    """``verifyReducerShape``: whether a region may be the reducer of tensors.

    Args:
        inputs: The types of the tensors.
        init_values: The types of the initial values.
        body: The region.
        kept: The sizes that the dimensions of the region's arguments may have.
    """
    reducer, count = function_type(body), len(inputs)
    if len(reducer.inputs) != 2 * count or len(reducer.results) != count or not count:
        return False
    groups = zip(
        reducer.results,
        reducer.inputs[:count],
        reducer.inputs[count:],
        inputs,
        init_values,
        strict=True,
    )
    return all(
        isinstance(result, SHAPED)
        and isinstance(argument, TensorType)
        and agree(result, accumulator)
        and agree(result, argument, in_any_precision=True)
        and have_compatible_shapes(init_value, result)
        and is_promotable(element_of(init_value), element_of(result))
        and is_promotable(element_of(value_type), argument.element_type)
        and fits_in(argument.shape, kept)
        for result, accumulator, argument, value_type, init_value in groups
    )


def fits_in(argument: Sequence[int], kept: Sequence[int]) -> bool:
    """Whether the sizes of an argument are, in their order, some of the sizes kept."""
    sizes = iter(kept)
    return all(
        any(size == other or DYNAMIC in (size, other) for other in sizes) for size in argument
    )
