"""Dots, convolutions, einsums; linear algebra and Fourier transforms.

Source: StableHLO specification, dot_general, convolution, cholesky, triangular_solve, fft; XLA,
operation semantics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from stablemate.dialects.chlo.ragged_dot import RaggedDot
from stablemate.dialects.stablehlo.attributes import DotAlgorithm
from stablemate.dialects.stablehlo.cholesky import Cholesky
from stablemate.dialects.stablehlo.convolution import AnyConvolution, Convolution
from stablemate.dialects.stablehlo.dot import Dot
from stablemate.dialects.stablehlo.dot_general import DotGeneral
from stablemate.dialects.stablehlo.fft import Fft
from stablemate.dialects.stablehlo.triangular_solve import TriangularSolve
from stablemate.numerics.elements import BF16, F16, F32, F64, FloatType
from stablemate.xla.translate.from_stablehlo.body import BuiltInstruction, ComputationBuilder
from stablemate.xla.translate.from_stablehlo.program import Rule
from stablemate.xla.values import ConvolutionDimensions, WindowDimension

TF32: Final = FloatType("tf32")
# Operands, accumulation and primitive operations, with the name of the algorithm.
ALGORITHMS: Final[dict[tuple[object, object, int], str]] = {
    (F16, F16, 1): "dot_f16_f16_f16",
    (F16, F32, 1): "dot_f16_f16_f32",
    (BF16, BF16, 1): "dot_bf16_bf16_bf16",
    (BF16, F32, 1): "dot_bf16_bf16_f32",
    (BF16, F32, 3): "dot_bf16_bf16_f32_x3",
    (BF16, F32, 6): "dot_bf16_bf16_f32_x6",
    (BF16, F32, 9): "dot_bf16_bf16_f32_x9",
    (TF32, F32, 1): "dot_tf32_tf32_f32",
    (TF32, F32, 3): "dot_tf32_tf32_f32_x3",
    (F32, F32, 1): "dot_f32_f32_f32",
    (F64, F64, 1): "dot_f64_f64_f64",
}
FLOAT_8: Final = "dot_any_f8_any_f8_f32"


def precision(config: Any) -> tuple[str, ...] | None:
    """``operand_precision``; None if it is the default for all."""
    words = tuple(precision_.value.lower() for precision_ in config or ())
    return words if any(word != "default" for word in words) else None


def dot(body: ComputationBuilder, operation: Dot) -> BuiltInstruction:
    """``dot`` of the last dimension of lhs with the first of rhs."""
    lhs, rhs = body.all_nodes(operation.operands)
    attributes = {
        "lhs_contracting_dims": (lhs.shape.rank - 1,),
        "rhs_contracting_dims": (0,),
        "operand_precision": precision(operation.precision_config),
    }
    return body.emit("dot", body.shape(operation.results[0]), [lhs, rhs], attributes)


def dot_general(body: ComputationBuilder, operation: DotGeneral) -> BuiltInstruction:
    """``dot``."""
    attributes = {
        **dimensions(operation.dot_dimension_numbers),
        "operand_precision": precision(operation.precision_config),
        "algorithm": algorithm(body, operation.algorithm),
    }
    operands = body.all_nodes(operation.operands)
    return body.emit("dot", body.shape(operation.results[0]), operands, attributes)


def dimensions(numbers: Any) -> dict[str, Any]:
    """The dimension numbers of a dot; batch dimensions only if there are some."""
    return {
        "lhs_batch_dims": tuple(numbers.lhs_batching_dimensions) or None,
        "lhs_contracting_dims": tuple(numbers.lhs_contracting_dimensions),
        "rhs_batch_dims": tuple(numbers.rhs_batching_dimensions) or None,
        "rhs_contracting_dims": tuple(numbers.rhs_contracting_dimensions),
    }


def algorithm(body: ComputationBuilder, algorithm_: DotAlgorithm | None) -> str | None:
    """The name of an algorithm.

    Raises:
        UnsupportedError: It has none.
    """
    if algorithm_ is None:
        return None
    operand, other = algorithm_.lhs_precision_type, algorithm_.rhs_precision_type
    counts = (algorithm_.accumulation_type, algorithm_.num_primitive_operations)
    if is_float_8(operand) and is_float_8(other) and counts == (F32, 1):
        return FLOAT_8 + "_fast_accum" * algorithm_.allow_imprecise_accumulation
    name = ALGORITHMS.get((operand, *counts))
    if name is None or operand != other or algorithm_.allow_imprecise_accumulation:
        raise body.refusal(f"no algorithm is {algorithm_}")
    return name


def is_float_8(element: object) -> bool:
    """Whether this is a float of eight bits."""
    return isinstance(element, FloatType) and element.name.startswith("f8")


def ragged_dot(body: ComputationBuilder, operation: RaggedDot) -> BuiltInstruction:
    """``ragged-dot``."""
    numbers = operation.ragged_dot_dimension_numbers
    attributes = {
        **dimensions(numbers),
        "lhs_ragged_dims": tuple(numbers.lhs_ragged_dimensions),
        "rhs_group_dims": tuple(numbers.rhs_group_dimensions) or None,
        "operand_precision": precision(operation.precision_config),
    }
    operands = body.all_nodes(operation.operands)
    return body.emit("ragged-dot", body.shape(operation.results[0]), operands, attributes)


# ---- convolutions


def convolution(body: ComputationBuilder, operation: Convolution) -> BuiltInstruction:
    """``convolution``."""
    spatial = len(operation.dimension_numbers.kernel_spatial_dimensions)
    padding: Sequence[Sequence[int]] = operation.padding or ((0, 0),) * spatial
    return convolution_of(body, operation, padding)


def convolution_of(
    body: ComputationBuilder, operation: AnyConvolution, padding: Sequence[Sequence[int]]
) -> BuiltInstruction:
    """Emits ``convolution`` with the padding of each spatial dimension."""
    numbers = operation.dimension_numbers
    operands = body.all_nodes(operation.operands[:2])
    spatial: Sequence[int] = numbers.kernel_spatial_dimensions
    sizes = [operands[1].shape.dimensions[d] for d in spatial]
    count = len(sizes)
    window = tuple(
        WindowDimension(size, stride, int(low), int(high), base, dilation, bool(reversal))
        for size, stride, (low, high), base, dilation, reversal in zip(
            sizes,
            operation.window_strides or (1,) * count,
            padding,
            operation.lhs_dilation or (1,) * count,
            operation.rhs_dilation or (1,) * count,
            operation.window_reversal or (False,) * count,
            strict=True,
        )
    )
    attributes = {
        "window": window or None,
        "dim_labels": labels(numbers),
        "feature_group_count": more_than_one(operation.feature_group_count),
        "batch_group_count": more_than_one(operation.batch_group_count),
        "operand_precision": precision(operation.precision_config),
    }
    return body.emit("convolution", body.shape(operation.results[0]), operands, attributes)


def more_than_one(count: int) -> int | None:
    """A number of groups; one is the default."""
    return count if count > 1 else None


def labels(numbers: Any) -> ConvolutionDimensions:
    """Which dimension of a convolution is what."""
    return ConvolutionDimensions(
        numbers.input_batch_dimension,
        numbers.input_feature_dimension,
        tuple(numbers.input_spatial_dimensions),
        numbers.kernel_input_feature_dimension,
        numbers.kernel_output_feature_dimension,
        tuple(numbers.kernel_spatial_dimensions),
        numbers.output_batch_dimension,
        numbers.output_feature_dimension,
        tuple(numbers.output_spatial_dimensions),
    )


# ---- linear algebra, Fourier transforms


def cholesky(body: ComputationBuilder, operation: Cholesky) -> BuiltInstruction:
    """``cholesky``."""
    operand = body.node(operation.a)
    shape = body.shape(operation.results[0])
    return body.emit("cholesky", shape, [operand], {"lower": operation.lower})


def triangular_solve(body: ComputationBuilder, operation: TriangularSolve) -> BuiltInstruction:
    """``triangular-solve``."""
    attributes = {
        "left_side": operation.left_side,
        "lower": operation.lower,
        "unit_diagonal": operation.unit_diagonal,
        "transpose_a": operation.transpose_a.value,
    }
    operands = body.all_nodes(operation.operands)
    return body.emit("triangular-solve", body.shape(operation.results[0]), operands, attributes)


def fft(body: ComputationBuilder, operation: Fft) -> BuiltInstruction:
    """``fft``."""
    attributes = {
        "fft_type": operation.fft_type.value,
        "fft_length": tuple(operation.fft_length),
    }
    operand = body.node(operation.operand)
    return body.emit("fft", body.shape(operation.results[0]), [operand], attributes)


RULES: Final[dict[str, Rule]] = {
    "stablehlo.dot": dot,
    "stablehlo.dot_general": dot_general,
    "stablehlo.convolution": convolution,
    "stablehlo.cholesky": cholesky,
    "stablehlo.triangular_solve": triangular_solve,
    "stablehlo.fft": fft,
    "chlo.ragged_dot": ragged_dot,
}
