"""Steps that append operations on quantized tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from stablemate.dialects.stablehlo.attributes import DotDimensionNumbers
from stablemate.ir.core import Block
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import (
    BF16,
    F16,
    F32,
    F64,
    I2,
    I4,
    I8,
    I16,
    I32,
    UI2,
    UI4,
    UI8,
    UI16,
    ElementType,
    FloatType,
    IntegerType,
    QuantizedType,
)
from tests.properties.generation import data_movement as movement
from tests.properties.generation import elementwise, indexing, reductions
from tests.properties.generation.program_builder import MAXIMUM_SIZE, Draft, Tensor

STORAGE: Final = ((I8, 50), (UI8, 12), (I4, 10), (I16, 10), (I32, 5), (I2, 4), (UI4, 4), (UI16, 5))
EXPRESSED: Final = ((F32, 70), (F16, 10), (BF16, 10), (F64, 10))
SCALES: Final = (0.5, 1.0, 0.25, 2.0, 0.125, 4.0, 0.1, 0.3, 0.007, 1.7)
NEAR: Final = 9  # zero points are seldom far from zero
UNARY: Final = (
    "abs", "cbrt", "ceil", "cosine", "exponential", "exponential_minus_one", "floor", "log",
    "log_plus_one", "logistic", "negate", "round_nearest_afz", "round_nearest_even", "rsqrt",
    "sign", "sine", "sqrt", "tan", "tanh",
)  # fmt: skip
BINARY: Final = (
    "add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder", "power", "atan2",
)  # fmt: skip


@dataclass
class Quantizing(Draft):
    """A draft that takes one quantized element type where any element type would do.

    Attributes:
        wanted: The element type.
    """

    wanted: QuantizedType = field(kw_only=True)

    def element(self, among: Sequence[ElementType]) -> ElementType:
        """The quantized one if any would do."""
        return self.wanted if is_any(among) else super().element(among)

    def operand(
        self,
        elements: Sequence[ElementType],
        accepts: Callable[[TensorType], bool] = lambda _: True,
        make: Callable[[], Sequence[int]] | None = None,
        kind: str = "any",
    ) -> Tensor:
        """A tensor of the quantized type if any would do."""
        among = [self.wanted] if is_any(elements) else elements
        return super().operand(among, accepts, make, kind)

    def inner(self, block: Block, scope: list[Tensor]) -> Draft:
        """The draft of a block inside."""
        inner = super().inner(block, scope)
        rest = (inner.choices, inner.block, inner.arrays, inner.pool, inner.functions)
        return Quantizing(*rest, inner.prefix, inner.depth, wanted=self.wanted)


def is_any(elements: Sequence[ElementType]) -> bool:
    """Whether integers and floats both would do."""
    return I8 in elements and F32 in elements


def range_of(draft: Draft, storage: IntegerType) -> tuple[int, int]:
    """The smallest and the largest number that is stored: all there are, or fewer."""
    low, high = storage.minimum, storage.maximum
    if storage not in (I2, UI2) and draft.choices.chance(20):
        return low + 1, high - 1
    return low, high


def parameters(draft: Draft, low: int, high: int, count: int) -> tuple[list[float], list[int]]:
    """So many scales and zero points."""
    choices = draft.choices
    ends = [(max(low, -NEAR), min(high, NEAR)), (low, high)]
    scales = [choices.of(SCALES) for _ in range(count)]
    return scales, [choices.integer(*choices.of(ends)) for _ in range(count)]


def element_of(
    draft: Draft,
    shape: Sequence[int] = (),
    storage: IntegerType | None = None,
    expressed: FloatType | None = None,
    *,
    axis: int | None = None,
) -> QuantizedType:
    """A quantized element type, per tensor or along a dimension of a shape."""
    storage = storage or draft.choices.weighted(STORAGE)
    expressed = expressed or draft.choices.weighted(EXPRESSED)
    low, high = range_of(draft, storage)
    count = 1 if axis is None else shape[axis]
    scales, zero_points = parameters(draft, low, high, count)
    return QuantizedType(storage, expressed, tuple(scales), tuple(zero_points), low, high, axis)


def any_of(draft: Draft, shape: Sequence[int], expressed: FloatType | None = None) -> QuantizedType:
    """A quantized element type for tensors of a shape, per tensor or per axis."""
    axes = [d for d, size in enumerate(shape) if size > 0]
    axis = draft.choices.of(axes) if axes and draft.choices.chance(40) else None
    return element_of(draft, shape, expressed=expressed, axis=axis)


def quantized(draft: Draft, *, per_tensor: bool = False) -> Tensor:
    """A quantized tensor: one in scope, or a new one."""
    collected = [
        value
        for value in draft.pool
        if isinstance(value.type.element_type, QuantizedType)
        and (value.type.element_type.is_per_tensor or not per_tensor)
    ]
    if collected and not draft.choices.chance(40):
        return draft.choices.of(collected[::-1])
    shape = draft.shape()
    element = element_of(draft) if per_tensor else any_of(draft, shape)
    return draft.fresh(tensor(element, *shape))


def per_tensor_of(draft: Draft, value: Tensor) -> QuantizedType:
    """The element type of a tensor that is quantized as a whole."""
    element = value.type.element_type
    assert isinstance(element, QuantizedType)
    return element


def uniform_quantize(draft: Draft) -> None:
    """Floats, or other quantized elements, as quantized ones."""
    if draft.choices.chance(40):
        operand = quantized(draft)
        expressed = per_tensor_of(draft, operand).expressed
    else:
        operand = draft.operand((F32, F64, F16, BF16))
        expressed = operand.type.element_type  # type: ignore[assignment]
    result = any_of(draft, operand.type.shape, expressed)
    draft.emit("uniform_quantize", operand=operand, results=[operand.type.with_element(result)])


def uniform_dequantize(draft: Draft) -> None:
    """Quantized elements as floats."""
    draft.emit("uniform_dequantize", operand=quantized(draft))


def unary(draft: Draft) -> None:
    """A function of quantized elements."""
    name = draft.choices.of(UNARY)
    draft.emit(name, operand=quantized(draft, per_tensor=True))


def binary(draft: Draft) -> None:
    """A function of two quantized tensors."""
    name = draft.choices.of(BINARY)
    lhs = quantized(draft, per_tensor=name != "add")
    draft.emit(name, lhs=lhs, rhs=draft.like(lhs.type))


def sibling(draft: Draft, element: QuantizedType, axis: int) -> QuantizedType:
    """The same parameters along another dimension."""
    return QuantizedType(
        *(element.storage, element.expressed, element.scales, element.zero_points),
        *(element.storage_min, element.storage_max, axis),
    )


def transpose(draft: Draft) -> None:
    """A permutation of the dimensions, whose slices stay what they are."""
    operand = quantized(draft)
    element = per_tensor_of(draft, operand)
    order = draft.choices.permutation(range(operand.type.rank))
    if element.quantization_dimension is not None:
        element = sibling(draft, element, order.index(element.quantization_dimension))
    shape = [operand.type.shape[d] for d in order]
    draft.emit("transpose", operand=operand, permutation=order, results=[tensor(element, *shape)])


def dot_general(draft: Draft) -> None:
    """A product of matrices, the right one per tensor or along its columns."""
    rows, terms, columns = (draft.size(1) for _ in range(3))
    storage, expressed = draft.choices.of((I8, I4)), F32
    lhs = element_of(draft, (), storage, expressed)
    axis = 1 if draft.choices.chance(50) else None
    scales, _ = parameters(draft, 0, 0, 1 if axis is None else columns)
    limits = (storage.minimum, storage.maximum)
    zeros = (0,) * len(scales)
    rhs = QuantizedType(storage, expressed, tuple(scales), zeros, *limits, axis)
    result = element_of(draft, (rows, columns), I32 if axis is None else I8, expressed)
    if axis is not None:
        result = element_of(draft, (rows, columns), I32, expressed, axis=1)
    is_hybrid = draft.choices.chance(30)
    left: ElementType = expressed if is_hybrid else lhs
    if rows * columns <= MAXIMUM_SIZE:
        draft.emit(
            "dot_general",
            lhs=draft.like(tensor(left, rows, terms), "small"),
            rhs=draft.like(tensor(rhs, terms, columns)),
            dot_dimension_numbers=DotDimensionNumbers(
                lhs_contracting_dimensions=(1,), rhs_contracting_dimensions=(0,)
            ),
            results=[tensor(expressed if is_hybrid else result, rows, columns)],
        )


OTHERS: Final = (
    *((step, weight) for step, weight in movement.STEPS if step in (
        movement.transpose, movement.reshape, movement.slice_, movement.reverse, movement.pad,
        movement.concatenate, movement.broadcast_in_dim, movement.dynamic_slice,
        movement.dynamic_update_slice, movement.constant, movement.optimization_barrier,
        movement.tuple_, movement.dynamic_reshape, movement.dynamic_pad,
        movement.dynamic_broadcast_in_dim, movement.real_dynamic_slice, movement.broadcast,
    )),
    (elementwise.compare, 8),
    (elementwise.select, 6),
    (elementwise.clamp, 6),
    (indexing.gather, 6),
    (indexing.dynamic_gather, 2),
    (reductions.sort, 4),
    (reductions.reduce, 4),
    (reductions.reduce_window, 3),
)  # fmt: skip


def other(draft: Draft) -> None:
    """An operation that any element type may have, on a quantized type per tensor."""
    collected = [
        value.type.element_type
        for value in draft.pool
        if isinstance(value.type.element_type, QuantizedType)
        and value.type.element_type.is_per_tensor
    ]
    wanted = collected[-1] if collected and draft.choices.chance(70) else element_of(draft)
    rest = (draft.choices, draft.block, draft.arrays, draft.pool, draft.functions)
    draft.choices.weighted(OTHERS)(Quantizing(*rest, draft.prefix, draft.depth, wanted=wanted))


STEPS: Final = (
    (uniform_quantize, 20),
    (uniform_dequantize, 8),
    (unary, 20),
    (binary, 20),
    (transpose, 5),
    (dot_general, 8),
    (other, 40),
)
