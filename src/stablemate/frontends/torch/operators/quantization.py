"""Quantized numbers of PT2E as integers with scales, and products of 8-bit floats.

Source: PyTorch, torch.ao.quantization, "PyTorch 2 Export Quantization"; torch._scaled_mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.contraction import matmul
from stablemate.frontends.tensor_functions.graph import Number
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.frontends.torch.call import Call, Operand
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import F16, F32, F64, ElementType, IntegerType

INT32: Final = IntegerType(32)
UINT8: Final = IntegerType(8, "unsigned")
EPSILON: Final = 2.0**-23  # of float32, the least scale of a token
SCALES_OF_ROWS: Final = (0, 1)  # recipes of scales: one of all, one of each row
LEAST_TOKEN: Final = 1e-5  # the least maximum of a token


@lowers(
    "quantized_decomposed.quantize_per_tensor", "quantized_decomposed.quantize_per_tensor.tensor",
    "quantized_decomposed.quantize_per_tensor.tensor2",
)  # fmt: skip
def quantize_per_tensor(
    call: Call, input: Tensor, scale: Operand, zero_point: Operand, quant_min: Operand,
    quant_max: Operand, dtype: ElementType,
) -> Tensor:  # fmt: skip
    """clamp(round(input * (1 / scale)) + zero_point)."""
    inverse = (1.0 / single(call, scale, F64)).convert(F32)
    steps = f.round_half_even(input.convert(F32) * inverse)
    return clamp_quantized(call, steps + single(call, zero_point, F32), quant_min, quant_max)


def single(call: Call, operand: Operand, element: ElementType) -> Tensor:
    """A number, or a tensor with one element, as a scalar."""
    x = call.tensor(operand, element)
    return m.reshape(x, ())


def clamp_quantized(call: Call, x: Tensor, low: Operand, high: Operand) -> Tensor:
    """Floats between two bounds, as quantized numbers."""
    least, most = (single(call, bound, x.element) for bound in (low, high))
    return call.cast(f.clamp(least, x, most))


@lowers(
    "quantized_decomposed.dequantize_per_tensor",
    "quantized_decomposed.dequantize_per_tensor.tensor",
    "quantized_decomposed.dequantize_per_tensor.tensor2",
)
def dequantize_per_tensor(
    call: Call, input: Tensor, scale: Operand, zero_point: Operand, *_: object
) -> Tensor:
    """(input - zero_point) * scale."""
    x = call.to_compute_type(input.convert(call.element))
    distance = (x - single(call, zero_point, x.element)).convert(call.element)
    scaled = call.to_compute_type(distance) * single(call, scale, x.element)
    return scaled.convert(call.element)


@lowers("quantized_decomposed.quantize_per_channel")
def quantize_per_channel(
    call: Call, input: Tensor, scales: Tensor, zero_points: Tensor, axis: int, quant_min: int,
    quant_max: int, dtype: ElementType,
) -> Tensor:  # fmt: skip
    """clamp(round(input * (1 / scales)) + zero_points), with numbers for each channel."""
    inverse, zeros = along(input, 1.0 / scales, axis), along(input, zero_points, axis)
    steps = f.round_half_even(product(call, input.convert(F32), inverse))
    return clamp_quantized(call, total(call, steps, zeros), quant_min, quant_max)


def along(x: Tensor, row: Tensor, axis: int) -> Tensor:
    """A number for each index of a dimension, repeated to the shape of a tensor."""
    return m.flatten(row).broadcast(x.shape, [x.dimension(axis)])


def product(call: Call, x: Tensor, y: Tensor) -> Tensor:
    """The product, in the type that PyTorch promotes both to."""
    one, other = call.promote(x, y)
    return one * other


def total(call: Call, x: Tensor, y: Tensor) -> Tensor:
    """The sum, in the type that PyTorch promotes both to."""
    one, other = call.promote(x, y)
    return one + other


@lowers("quantized_decomposed.dequantize_per_channel")
def dequantize_per_channel(
    call: Call, input: Tensor, scales: Tensor, zero_points: Tensor | None, axis: int, *_: object
) -> Tensor:
    """(input - zero_points) * scales, with numbers for each channel."""
    zeros = None if zero_points is None else along(input, zero_points, axis)
    return dequantize_scaled(call, input, along(input, scales, axis), zeros)


def dequantize_scaled(call: Call, x: Tensor, scales: Tensor, zeros: Tensor | None) -> Tensor:
    """The products of scales and distances from zero points."""
    if zeros is not None:
        one, other = call.promote(x, zeros)
        x = one - other
    return product(call, x, scales).convert(call.element)


@lowers("quantized_decomposed.quantize_per_token")
def quantize_per_token(
    call: Call, input: Tensor, scales: Tensor, zero_points: Tensor, quant_min: int,
    quant_max: int, dtype: ElementType,
) -> Tensor:  # fmt: skip
    """clamp(round(input * (1 / scales) + zero_points)), with numbers for each row."""
    steps = total(call, product(call, input, 1.0 / scales), zero_points)
    return clamp_quantized(call, f.round_half_even(steps), quant_min, quant_max)


@lowers("quantized_decomposed.dequantize_per_token")
def dequantize_per_token(
    call: Call, input: Tensor, scales: Tensor, zero_points: Tensor, *_: object
) -> Tensor:
    """(input - zero_points) * scales, with numbers for each row."""
    return dequantize_scaled(call, input, scales, zero_points)


@lowers("quantized_decomposed.quantize_per_channel_group")
def quantize_per_channel_group(
    call: Call, input: Tensor, scales: Tensor, zero_points: Tensor, quant_min: int,
    quant_max: int, dtype: ElementType, group_size: int = 128,
) -> Tensor:  # fmt: skip
    """clamp(round(input * (1 / scales) + zero_points)), with numbers for each group of a row."""
    groups = group_rows(input, scales, group_size)
    inverse, zeros = m.reshape(1.0 / scales, (scales.size, 1)), m.reshape(
        zero_points, (zero_points.size, 1)
    )  # fmt: skip
    steps = f.round_half_even(total(call, product(call, groups, inverse), zeros))
    return m.reshape(clamp_quantized(call, steps, quant_min, quant_max), call.shape)


def group_rows(x: Tensor, scales: Tensor, group_size: int) -> Tensor:
    """The groups of a matrix, one a row; a matrix with one scale a row has whole rows as groups."""
    columns = x.shape[-1]
    is_single = isinstance(columns, int) and group_size > columns and scales.shape[-1] == 1
    size = columns if is_single else group_size
    return m.reshape(x, (prod(x.shape) // size, size))


@lowers("quantized_decomposed.dequantize_per_channel_group")
def dequantize_per_channel_group(
    call: Call, input: Tensor, scales: Tensor, zero_points: Tensor | None, quant_min: int,
    quant_max: int, dtype: ElementType, group_size: int = 128, *_: object,
) -> Tensor:  # fmt: skip
    """(input - zero_points) * scales, with numbers for each group of a row."""
    zeros = None if zero_points is None else m.reshape(zero_points, (zero_points.size, 1))
    groups = group_rows(input, scales, group_size)
    return m.reshape(
        dequantize_scaled(call, groups, m.reshape(scales, (scales.size, 1)), zeros), call.shape
    )


@lowers("quantized_decomposed.fake_quant_per_channel")
def fake_quant_per_channel(
    call: Call, input: Tensor, scales: Tensor, zero_points: Tensor, axis: int, quant_min: int,
    quant_max: int,
) -> Tensor:  # fmt: skip
    """Floats rounded to those that quantized numbers stand for."""
    scale = along(input, scales.convert(F32), axis)
    zero = along(input, zero_points.convert(INT32).convert(F32), axis)
    steps = f.round_half_even(input * (1.0 / scale)) + zero
    return (clamp_quantized(call, steps, quant_min, quant_max) - zero) * scale


@lowers("quantized_decomposed.choose_qparams.tensor")
def choose_qparams(
    call: Call, input: Tensor, quant_min: int, quant_max: int, eps: float, dtype: ElementType
) -> list[Tensor]:
    """The scale and the zero point with which a range of integers covers all elements."""
    x = call.to_compute_type(input)
    least, most = f.minimum(r.minimum_over(x), 0), f.maximum(r.maximum_over(x), 0)
    scale = f.maximum((most - least) / float(quant_max - quant_min), eps)
    steps = f.round_half_even(least / scale).convert(INT32)
    zero = f.clamp(quant_min, quant_min - steps, quant_max)
    return parameters(call, scale, zero)


def parameters(call: Call, scale: Tensor, zero_point: Tensor) -> list[Tensor]:
    """Scales and zero points in the types that PyTorch infers."""
    pairs = zip((scale, zero_point), call.types, strict=True)
    return [m.reshape(x.convert(row[1]), row[0]) for x, row in pairs if row is not None]


@lowers("quantized_decomposed.choose_qparams_symmetric.tensor")
def choose_qparams_symmetric(
    call: Call, input: Tensor, quant_min: int, quant_max: int, eps: float, dtype: ElementType
) -> list[Tensor]:
    """The scale with which a range of integers around a middle covers all elements."""
    x = call.to_compute_type(input)
    most = r.maximum_over(abs(x))
    scale = f.maximum(most / (float(quant_max - quant_min) / 2), eps)
    middle = 128 if dtype == UINT8 else 0
    return parameters(call, scale, full(call.graph, (), middle, INT32))


@lowers("quantized_decomposed.choose_qparams_per_token")
def choose_qparams_per_token(call: Call, input: Tensor, dtype: ElementType) -> list[Tensor]:
    """The scale of each row, with zero points of 0."""
    most = r.maximum_over(abs(input), [-1])
    wide = most.convert(F32) if most.element == F16 else most
    scale = f.maximum(wide, LEAST_TOKEN) / 127
    return parameters(call, scale, m.filled_like(scale, 0))


@lowers("quantized_decomposed.choose_qparams_per_token_asymmetric")
def choose_qparams_per_token_asymmetric(
    call: Call, input: Tensor, dtype: ElementType
) -> list[Tensor]:
    """The scale and the zero point of each row."""
    low, high = -128, 127
    least = f.minimum(r.minimum_over(input, [-1]), 0)
    most = f.maximum(r.maximum_over(input, [-1]), 0)
    scale = f.maximum((most - least) / (high - low), EPSILON)
    from_least, from_most = least / scale, most / scale
    is_least = ((from_least + low) + (from_most + high)) > 0
    zero = f.select(is_least, low - from_least, high - from_most)
    return parameters(call, scale, f.round_half_even(f.clamp(low, zero, high)))


@lowers("quantized_decomposed.convert_element_type.no_fuse")
def convert_element_type(call: Call, input: Tensor, dtype: ElementType) -> Tensor:
    """The elements as another type."""
    return input.convert(dtype)


@lowers("_scaled_mm")
def scaled_mm(
    call: Call, self: Tensor, mat2: Tensor, scale_a: Tensor, scale_b: Tensor,
    bias: Tensor | None = None, scale_result: Tensor | None = None, *_: Number | None,
) -> Tensor:  # fmt: skip
    """(self @ mat2) * scale_a * scale_b + bias, of floats of 8 bits; scales of rows or of all."""
    result = matmul(self.convert(F32), mat2.convert(F32))
    for scale in (scale_a, scale_b):
        shape = result.shape[: result.rank - 2]
        result = result * (scale if scale.rank == 2 else m.reshape(scale, shape))
    if bias is not None:
        result = result + bias.convert(F32)
    if scale_result is not None:
        result = result / m.reshape(scale_result, ())
    return call.cast(result)


@lowers("_scaled_mm_v2")
def scaled_mm_v2(
    call: Call, self: Tensor, mat2: Tensor, scale_a: Sequence[Tensor], recipe_a: Sequence[int],
    swizzle_a: Sequence[int], scale_b: Sequence[Tensor], recipe_b: Sequence[int],
    swizzle_b: Sequence[int], bias: Tensor | None, *_: object,
) -> Tensor:  # fmt: skip
    """The same; scales of blocks are refused."""
    if any(recipe not in SCALES_OF_ROWS for recipe in (*recipe_a, *recipe_b)):
        call.refuse("scales are those of rows or of all; PyTorch has no others on the CPU")
    return scaled_mm(call, self, mat2, scale_a[0], scale_b[0], bias)
