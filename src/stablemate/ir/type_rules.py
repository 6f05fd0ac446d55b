"""The rules of types: what a type must satisfy beyond its syntax.

Numbered rules are the specification's, of quantized types; the others are MLIR's, of its own types.

Source: StableHLO specification, "Types"; MLIR language reference, builtin and quant dialects.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias, cast

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.source import Span
from stablemate.ir.definition import (
    Check,
    Constraint,
    Violation,
    constraint,
    fact_texts,
    holds,
)
from stablemate.ir.shapes import same_size
from stablemate.ir.types import (
    DYNAMIC,
    BoundsAttribute,
    FunctionType,
    FutureType,
    MemRefType,
    OpaqueType,
    TensorType,
    TupleType,
    Type,
    UnrankedTensorType,
    VectorType,
)
from stablemate.numerics.elements import (
    FLOAT_STORAGE,
    AnyQuantizedType,
    CalibratedType,
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
    float_info,
    storage_range,
)

POINTER: Final = re.compile(r"!llvm\.ptr\b")
MAXIMUM_STORAGE_BITS: Final = 32  # as in MLIR, for widths that the specification does not know
WIDEST_INTEGER: Final = 64  # bits of the integers of the specification
FLOATS_OF_STORAGE: Final = ("f4E2M1FN", "f8E4M3FN", "f8E5M2")


# ---- quantized element types


@constraint("quantized element type storage_type")
def storage_is_integer(element: QuantizedType) -> Check:
    """storage_type is an integer type of at most 32 bits, or i64 or ui64"""
    storage = element.storage
    if isinstance(storage, IntegerType):
        fits = storage.width <= MAXIMUM_STORAGE_BITS or storage.width == WIDEST_INTEGER
    else:
        fits = storage.name in FLOATS_OF_STORAGE  # printed and read; no operation takes it
    return holds(fits, storage_type=storage)


@constraint("quantized element type C1")
def minimum_is_stored(element: QuantizedType) -> Check:
    """type(storage_min) = storage_type"""
    return holds(is_stored(element, element.storage_min), storage_min=element.storage_min)


@constraint("quantized element type C2")
def maximum_is_stored(element: QuantizedType) -> Check:
    """type(storage_max) = storage_type"""
    return holds(is_stored(element, element.storage_max), storage_max=element.storage_max)


@constraint("quantized element type C3")
def range_is_stored(element: QuantizedType) -> Check:
    """min_value(storage_type) <= storage_min < storage_max <= max_value(storage_type)"""
    low, high = storage_range(element.storage)
    fits = low <= element.storage_min < element.storage_max <= high
    return holds(fits, storage_min=element.storage_min, storage_max=element.storage_max)


@constraint("quantized element type expressed_type")
def expressed_is_storable(element: QuantizedType) -> Check:
    """expressed_type is a floating-point type that arrays can hold"""
    return holds(element.expressed.name in FLOAT_STORAGE, expressed_type=element.expressed)


@constraint("quantized element type C5")
def scales_are_positive(element: QuantizedType) -> Check:
    """0 < scales"""
    wrong = [scale for scale in element.scales if scale <= 0]
    return holds(not wrong, scales=wrong)


@constraint("quantized element type C6")
def scales_are_finite(element: QuantizedType) -> Check:
    """is_finite(scales...)"""
    wrong = [scale for scale in element.scales if not math.isfinite(scale)]
    return holds(not wrong, scales=wrong)


@constraint("quantized element type C4")
def scales_are_expressed(element: QuantizedType) -> Check:
    """type(scales...) = expressed_type"""
    if element.expressed.name not in FLOAT_STORAGE:
        return None
    info = float_info(element.expressed.dtype)
    low, high = float(info.smallest_subnormal), float(info.max)
    wrong = [scale for scale in element.scales if not low <= scale <= high]
    return holds(not wrong, scales=wrong, expressed_type=element.expressed)


@constraint("quantized element type C8")
def zero_points_are_stored(element: QuantizedType) -> Check:
    """type(zero_points...) = storage_type"""
    wrong = [zero_point for zero_point in element.zero_points if not is_stored(element, zero_point)]
    return holds(not wrong, zero_points=wrong, storage_type=element.storage)


@constraint("quantized element type C7")
def zero_points_are_in_range(element: QuantizedType) -> Check:
    """storage_min <= zero_points <= storage_max"""
    low, high = element.storage_min, element.storage_max
    wrong = [zero_point for zero_point in element.zero_points if not low <= zero_point <= high]
    return holds(not wrong, zero_points=wrong, storage_min=low, storage_max=high)


@constraint("quantized element type C9")
def parameters_are_pairs(element: QuantizedType) -> Check:
    """size(scales) = size(zero_points)"""
    scales, zero_points = len(element.scales), len(element.zero_points)
    return holds(scales == zero_points, scales=scales, zero_points=zero_points)


@constraint("quantized element type C10")
def one_scale_per_tensor(element: QuantizedType) -> Check:
    """if is_empty(quantization_dimension), then size(scales) = 1"""
    fits = not element.is_per_tensor or len(element.scales) == 1
    return holds(fits, scales=list(element.scales))


@constraint("quantized element type C11")
def axis_is_not_negative(element: QuantizedType) -> Check:
    """0 <= quantization_dimension"""
    axis = element.quantization_dimension
    return holds(axis is None or axis >= 0, quantization_dimension=axis)


@constraint("quantized element type blocks")
def blocks_have_sizes(element: QuantizedType) -> Check:
    """a block has a positive size along each dimension"""
    fits = all(axis >= 0 and size > 0 for axis, size in element.blocks)
    return holds(fits, blocks=element.blocks)


@constraint("quantized element type block dimensions")
def block_dimensions_are_unique(element: QuantizedType) -> Check:
    """is_unique(dimensions of the block)"""
    axes = [axis for axis, _ in element.blocks]
    return holds(len({*axes}) == len(axes), blocks=element.blocks)


def is_stored(element: QuantizedType, value: object) -> bool:
    """Whether a constant is of the storage type, its range aside."""
    return isinstance(value, int) or isinstance(element.storage, FloatType)


# ---- tensors


@constraint("quantized tensor type C12")
def axis_exists(tensor: TensorType) -> Check:
    """quantization_dimension < rank(self)"""
    element = tensor.element_type
    if not isinstance(element, QuantizedType) or element.quantization_dimension is None:
        return None
    axis, rank = element.quantization_dimension, tensor.rank
    return holds(axis < rank, quantization_dimension=axis, rank=rank)


@constraint("quantized tensor type C13")
def scales_fit_axis(tensor: TensorType) -> Check:
    """dim(self, quantization_dimension) = size(scales)"""
    element = tensor.element_type
    if not isinstance(element, QuantizedType) or element.quantization_dimension is None:
        return None
    if element.quantization_dimension >= tensor.rank:
        return None  # C12 reports it
    size, scales = tensor.shape[element.quantization_dimension], len(element.scales)
    return holds(same_size(size, scales), dim=size, scales=scales)


@constraint("quantized tensor type blocks")
def scales_fit_blocks(tensor: TensorType) -> Check:
    """dim(self, d) = dim(scales, d) * block_size(d) for the dimensions of blocks; for the others,
    dim(scales, d) = 1
    """
    element = tensor.element_type
    if not isinstance(element, QuantizedType) or not element.block_shape:
        return None
    sizes, scales = dict(element.blocks), element.block_shape
    fits = len(scales) == tensor.rank and all(
        same_size(size, scales[d] * sizes[d]) if d in sizes else scales[d] == 1
        for d, size in enumerate(tensor.shape)
    )
    fits = fits and all(d < tensor.rank for d in sizes)
    return holds(fits, shape=tensor.shape, blocks=element.blocks, scales=scales)


@constraint("tensor type bounds")
def bounds_fit_shape(tensor: TensorType) -> Check:
    """size(bounds) = rank(self), and only dynamic dimensions are bounded"""
    bounds = tensor.encoding.bounds if isinstance(tensor.encoding, BoundsAttribute) else None
    fits = bounds is None or (
        len(bounds) == tensor.rank
        and all(
            bound == DYNAMIC or size == DYNAMIC
            for bound, size in zip(bounds, tensor.shape, strict=True)
        )
    )
    return holds(fits, type=tensor)


@constraint("tensor type bound sizes")
def bounds_are_sizes(tensor: TensorType) -> Check:
    """0 <= bounds..."""
    wrong = [bound for bound in tensor.bounds if bound != DYNAMIC and bound < 0]
    return holds(not wrong, bounds=wrong)


# ---- other types


@constraint("calibrated type")
def minimum_is_smaller(element: CalibratedType) -> Check:
    """minimum < maximum"""
    fits = element.minimum < element.maximum
    return holds(fits, minimum=element.minimum, maximum=element.maximum)


@constraint("future type")
def future_of_tensors(future: FutureType) -> Check:
    """a future holds tensors"""
    wrong = [item_type for item_type in future.types if not isinstance(item_type, TensorType)]
    return holds(bool(future.types) and not wrong, types=future.types)


@constraint("buffer type")
def buffer_of_numbers(buffer: MemRefType) -> Check:
    """the elements of a buffer are integers, floats, complex numbers, vectors or buffers"""
    element: object = buffer.element_type
    scalar = isinstance(element, IntegerType | FloatType | IndexType | ComplexType)
    fits = scalar or isinstance(element, VectorType | MemRefType)
    return holds(fits, element_type=element)


@constraint("vector type")
def vector_has_elements(vector: VectorType) -> Check:
    """the sizes of a vector are positive"""
    return holds(all(size > 0 for size in vector.shape), shape=vector.shape)


@constraint("vector type")
def vector_of_scalars(vector: VectorType) -> Check:
    """the elements of a vector are integers, floats or pointers of LLVM"""
    element: object = vector.element_type
    is_pointer = isinstance(element, OpaqueType) and bool(POINTER.match(element.text))
    fits = isinstance(element, IntegerType | FloatType | IndexType) or is_pointer
    return holds(fits, element_type=element)


def rules(*checks: Callable[[Any], Check]) -> tuple[Constraint, ...]:
    """The constraints of these functions; each may assume that those before it hold."""
    return tuple(cast(Any, check).constraint for check in checks)


TYPE_RULES: Final[dict[type, tuple[Constraint, ...]]] = {
    QuantizedType: rules(
        storage_is_integer,
        minimum_is_stored,
        maximum_is_stored,
        range_is_stored,
        scales_are_positive,
        scales_are_finite,
        scales_are_expressed,
        zero_points_are_stored,
        zero_points_are_in_range,
        parameters_are_pairs,
        one_scale_per_tensor,
        axis_is_not_negative,
        blocks_have_sizes,
        block_dimensions_are_unique,
        expressed_is_storable,
    ),
    AnyQuantizedType: rules(
        storage_is_integer, minimum_is_stored, maximum_is_stored, range_is_stored
    ),
    CalibratedType: rules(minimum_is_smaller),
    TensorType: rules(
        bounds_fit_shape, bounds_are_sizes, axis_exists, scales_fit_axis, scales_fit_blocks
    ),
    FutureType: rules(future_of_tensors),
    MemRefType: rules(buffer_of_numbers),
    VectorType: rules(vector_has_elements, vector_of_scalars),
}

# The rules that upstream checks only at operations which compute with values of the type.
LENIENT_TYPES: Final = frozenset(
    [
        "quantized element type C7",
        "quantized tensor type C12",
        "quantized tensor type C13",
        "quantized tensor type blocks",
    ]
)

# The rules that upstream never checks.
UNCHECKED_TYPES: Final = frozenset(
    [
        "quantized element type block dimensions",
        "quantized element type expressed_type",
        "tensor type bound sizes",
    ]
)

# The rules that upstream checks in texts only, not in bytecode.
CHECKED_IN_TEXT: Final = frozenset(
    [
        "quantized element type storage_type",
        "quantized element type C3",
        "quantized element type C4",
        "quantized element type C5",
        "quantized element type C6",
        "quantized element type blocks",
        "tensor type bounds",
        "calibrated type",
        "vector type",
    ]
)

# Types that break these rules are read; the verifier judges the operations that have them.
WARNED_TYPES: Final = LENIENT_TYPES | UNCHECKED_TYPES

BrokenRule: TypeAlias = tuple[Constraint, Violation]  # a rule, and the facts that break it


def broken_rule(value_type: Type) -> BrokenRule | None:
    """The first rule that a type or a part of it breaks, if there is one."""
    for part in component_types(value_type):
        for rule in TYPE_RULES.get(type(part), ()):
            violation = rule.check(part)
            if violation is not None:
                return rule, violation
    return None


def rule_diagnostic(broken: BrokenRule, span: Span | None) -> Diagnostic:
    """The diagnostic of a broken rule."""
    rule, violation = broken
    return Diagnostic(rule.formula, rule.label, span, fact_texts(violation))


def component_types(value_type: Type) -> Iterator[Type]:
    """A type and all types in it; an element type comes before its tensor type."""
    pending: list[Type] = [value_type]
    while pending:
        part = pending.pop()
        match part:
            case TensorType() | UnrankedTensorType() | VectorType() | MemRefType():
                yield part.element_type
            case TupleType() | FutureType():
                pending += reversed(part.types)
            case FunctionType():
                pending += reversed(part.inputs + part.results)
            case _:
                pass
        yield part


class TypeChecker:
    """Checks the types of one module, each once; types are distinguished by identity.

    Attributes:
        broken: The rules that are broken, by the identity of the type.
    """

    def __init__(self) -> None:
        self.broken: dict[int, BrokenRule] = {}
        self.sound: set[int] = set()

    def broken_rule(self, value_type: Type) -> BrokenRule | None:
        """The first rule that a type breaks, if there is one."""
        key = id(value_type)
        if key in self.sound:
            return None
        if key not in self.broken:
            broken = broken_rule(value_type)
            if broken is None:
                self.sound.add(key)
                return None
            self.broken[key] = broken
        return self.broken[key]

    def is_misused(self, value_type: Type) -> bool:
        """Whether a type breaks a rule that upstream checks where operations compute with it.

        It does not look into futures.
        """
        broken = None if isinstance(value_type, FutureType) else self.broken.get(id(value_type))
        unchecked = UNCHECKED_TYPES | CHECKED_IN_TEXT
        return broken is not None and broken[0].label not in unchecked
