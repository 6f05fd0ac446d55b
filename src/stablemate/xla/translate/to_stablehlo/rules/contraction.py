"""Dots and convolutions.

Source: XLA, operation semantics, Dot, DotGeneral, RaggedDot, ScaledDot, Conv.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from stablemate.dialects.chlo import attributes as chlo
from stablemate.dialects.stablehlo.attributes import (
    ConvDimensionNumbers,
    DotAlgorithm,
    DotDimensionNumbers,
    Precision,
)
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import (
    BF16,
    BOOLEAN,
    F16,
    F32,
    F64,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
)
from stablemate.xla.translate.to_stablehlo.step import Fields, Rules, TranslationStep, Values
from stablemate.xla.translate.to_stablehlo.windows import fields_of, windows
from stablemate.xla.values import ConvolutionDimensions

# Makes an operation of two operands; the types of its results are stated or not.
Multiply: TypeAlias = Callable[
    [Value[TensorType], Value[TensorType], Sequence[TensorType] | None], Value[TensorType]
]

TF32: Final = FloatType("tf32")
# Operands, accumulation, primitive operations of the algorithms that name them.
ALGORITHMS: Final = {
    "dot_any_f8_any_f8_f32": (None, F32, 1, False),
    "dot_any_f8_any_f8_f32_fast_accum": (None, F32, 1, True),
    "dot_f16_f16_f16": (F16, F16, 1, False),
    "dot_f16_f16_f32": (F16, F32, 1, False),
    "dot_bf16_bf16_bf16": (BF16, BF16, 1, False),
    "dot_bf16_bf16_f32": (BF16, F32, 1, False),
    "dot_bf16_bf16_f32_x3": (BF16, F32, 3, False),
    "dot_bf16_bf16_f32_x6": (BF16, F32, 6, False),
    "dot_bf16_bf16_f32_x9": (BF16, F32, 9, False),
    "dot_tf32_tf32_f32": (TF32, F32, 1, False),
    "dot_tf32_tf32_f32_x3": (TF32, F32, 3, False),
    "dot_f32_f32_f32": (F32, F32, 1, False),
    "dot_f64_f64_f64": (F64, F64, 1, False),
}
KINDS: Final = (IntegerType, FloatType, ComplexType)
SIDES: Final = ("lhs_batch_dims", "rhs_batch_dims", "lhs_contracting_dims", "rhs_contracting_dims")


def dot(step: TranslationStep) -> Values:
    """``dot_general``; the element type of the result may be another."""
    if step.get("algorithm", "unset") == "unset":
        return [in_type_of_products(step, partial(dot_of, step))]
    lhs, rhs = alike(step, step.array(0), step.array(1))
    return [dot_of(step, lhs, rhs, declared_result(step))]


def alike(
    step: TranslationStep, lhs: Value[TensorType], rhs: Value[TensorType]
) -> tuple[Value[TensorType], Value[TensorType]]:
    """The operands in one element type: of two different ones, the result's or the wider one."""
    first, second = lhs.type.element_type, rhs.type.element_type
    if first == second:
        return lhs, rhs
    if step.shape is not None:
        element = step.result_type.element_type
        convertible = all(holds(element, operand) for operand in (first, second))
    else:
        convertible = isinstance(first, FloatType) and isinstance(second, FloatType)
        element = max(first, second, key=lambda one: one.bits)
    if not convertible:
        return lhs, rhs
    return step.convert(lhs, element), step.convert(rhs, element)


def in_type_of_products(step: TranslationStep, multiply: Multiply) -> Value[TensorType]:
    """The sums of products of two operands, as XLA multiplies and adds different element types.

    XLA does so in the widest of the three element types, narrow floats in 32 bits, and rounds the
    sums once; sums that become integers are rounded to the widest type first.
    """
    lhs, rhs = step.array(0), step.array(1)
    if step.shape is None:
        return multiply(*alike(step, lhs, rhs), None)
    first, second = lhs.type.element_type, rhs.type.element_type
    declared, result = step.result_type, step.result_type.element_type
    element = widest(first, second, result)
    if element is None or (first == second and is_multiplied(first, result)):
        return multiply(lhs, rhs, [declared])
    narrow = isinstance(element, FloatType) and element.bits < F32.bits
    sums = F32 if narrow else element
    if first != second or not is_multiplied(first, sums):
        lhs, rhs = (multiplied_as(step, operand, element, sums) for operand in (lhs, rhs))
    value = multiply(lhs, rhs, [declared.with_element(sums)])
    if kind_of(result) < kind_of(element):
        value = step.convert(value, element)
    return step.convert(value, result)


def multiplied_as(
    step: TranslationStep, operand: Value[TensorType], element: ElementType, sums: ElementType
) -> Value[TensorType]:
    """An operand in the element type of sums; integers are rounded to a narrow float first."""
    if kind_of(operand.type.element_type) < kind_of(element):
        operand = step.convert(operand, element)
    return step.convert(operand, sums)


def is_multiplied(operand: ElementType, result: ElementType) -> bool:
    """Whether StableHLO's operation on operands of one type has XLA's result in another."""
    if operand == result:
        return True
    if BOOLEAN in (operand, result):
        return False
    rounded = isinstance(result, FloatType) and result.bits < F32.bits
    return type(operand) is type(result) and operand.bits <= result.bits and not rounded


def widest(*elements: ElementType) -> ElementType | None:
    """The widest of some types: complex, then float, then integer; None if one is no number."""
    if not all(isinstance(element, KINDS) for element in elements):
        return None
    return max(elements, key=lambda element: (kind_of(element), element.bits))


def kind_of(element: ElementType) -> int:
    """The place of a type among integers, floats, complex numbers."""
    return next((i for i, kind in enumerate(KINDS) if isinstance(element, kind)), len(KINDS))


def holds(element: ElementType, operand: ElementType) -> bool:
    """Whether XLA multiplies operands of one type in another: complex, float, integer."""
    return kind_of(operand) <= kind_of(element) < len(KINDS)


def dot_of(
    step: TranslationStep,
    lhs: Value[TensorType],
    rhs: Value[TensorType],
    results: Sequence[TensorType] | None,
) -> Value[TensorType]:
    """The dot of two arrays by the dimension numbers of the instruction."""
    algorithm = step.get("algorithm", "unset")
    is_free = algorithm == "unset"  # an algorithm says more than precisions do
    fields: Fields = {
        "lhs": lhs,
        "rhs": rhs,
        "dot_dimension_numbers": DotDimensionNumbers(*(step.get(side, ()) for side in SIDES)),
        "precision_config": precisions(step) if is_free else None,
        "algorithm": None
        if is_free
        else algorithm_attribute(algorithm, lhs.type.element_type, rhs.type.element_type),
    }
    return step.one("stablehlo.dot_general", results=results, **fields)


def declared_result(step: TranslationStep) -> list[TensorType] | None:
    """The stated type of the result; None if it is to follow from the operands."""
    return None if step.shape is None else [step.result_type]


def precisions(step: TranslationStep) -> list[Precision] | None:
    """``precision_config`` of the two operands; None if none was stated."""
    names: Sequence[str] = step.get("operand_precision", ())
    return [Precision[name.upper()] for name in names] or None


def algorithm_attribute(name: str, lhs: ElementType, rhs: ElementType) -> DotAlgorithm:
    """The algorithm of a name."""
    operands, accumulation, count, imprecise = ALGORITHMS[name]
    return DotAlgorithm(
        operands or lhs,
        operands or rhs,
        accumulation,
        num_primitive_operations=count,
        allow_imprecise_accumulation=imprecise,
    )


def ragged_dot(step: TranslationStep) -> Values:
    """CHLO's ``ragged_dot``."""
    ragged = ("lhs_ragged_dims", "rhs_group_dims")
    numbers = (step.get(name, ()) for name in (*SIDES, *ragged))
    names: Sequence[str] = step.get("operand_precision", ())
    fields: Fields = {
        "lhs": step.array(0),
        "rhs": step.array(1),
        "group_sizes": step.array(2),
        "ragged_dot_dimension_numbers": chlo.RaggedDotDimensionNumbers(*numbers),
        "precision_config": [chlo.Precision[name.upper()] for name in names] or None,
    }
    return [step.one("chlo.ragged_dot", results=declared_result(step), **fields)]


def scaled_dot(step: TranslationStep) -> Values:
    """The dot of the operands times their scales, each of which applies to a block.

    Products are formed in the element type of the result.
    """
    lhs, lhs_scale, rhs, rhs_scale = step.arrays(0, 4)
    element = BF16 if step.shape is None else step.result_type.element_type
    sides = (
        scale_operand(step, lhs, lhs_scale, element),
        scale_operand(step, rhs, rhs_scale, element),
    )
    return [dot_of(step, *sides, declared_result(step))]


def scale_operand(
    step: TranslationStep,
    operand: Value[TensorType],
    scale: Value[TensorType],
    element: ElementType,
) -> Value[TensorType]:
    """The operand times its scales, each repeated for a block of elements; a scalar is none."""
    wide = step.convert(operand, element)
    if not scale.type.rank:
        return wide
    sizes, counts = operand.type.shape, scale.type.shape
    fits = len(sizes) == len(counts) and all(
        count and size % count == 0 for size, count in zip(sizes, counts, strict=True)
    )
    if not fits:
        step.refuse("each scale stands for a block of the operand", operand=sizes, scale=counts)
    blocks = [
        part for size, count in zip(sizes, counts, strict=True) for part in (count, size // count)
    ]
    spread = step.spread(scale, blocks, range(0, len(blocks), 2)) if blocks else scale
    factors = step.convert(step.reshape(spread, sizes), element)
    return step.one("stablehlo.multiply", lhs=wide, rhs=factors)


def convolution(step: TranslationStep) -> Values:
    """``convolution``."""
    return [in_type_of_products(step, partial(convolution_of, step))]


def convolution_of(
    step: TranslationStep,
    lhs: Value[TensorType],
    rhs: Value[TensorType],
    results: Sequence[TensorType] | None,
) -> Value[TensorType]:
    """The convolution of two arrays by the window and the labels of the instruction."""
    moves = fields_of(windows(step, max(lhs.type.rank - 2, 0)))
    fields: Fields = {
        "lhs": lhs,
        "rhs": rhs,
        "window_strides": moves.strides,
        "padding": moves.padding,
        "lhs_dilation": moves.base_dilations,
        "rhs_dilation": moves.dilations,
        "window_reversal": moves.reversal,
        "dimension_numbers": dimension_numbers(step.need("dim_labels")),
        "feature_group_count": step.get("feature_group_count", 1),
        "batch_group_count": step.get("batch_group_count", 1),
        "precision_config": precisions(step),
    }
    return step.one("stablehlo.convolution", results=results, **fields)


def dimension_numbers(labels: ConvolutionDimensions) -> ConvDimensionNumbers:
    """The attribute ``dimension_numbers`` that labels such as ``bf01_oi01->bf01`` state."""
    return ConvDimensionNumbers(
        labels.input_batch,
        labels.input_feature,
        labels.input_spatial,
        labels.kernel_input_feature,
        labels.kernel_output_feature,
        labels.kernel_spatial,
        labels.output_batch,
        labels.output_feature,
        labels.output_spatial,
    )


RULES: Final[Rules] = {
    "dot": dot,
    "ragged-dot": ragged_dot,
    "scaled-dot": scaled_dot,
    "convolution": convolution,
}
