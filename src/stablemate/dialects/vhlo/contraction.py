"""Dots, convolutions, linear algebra, normalization.

Source: StableHLO, VHLO operations.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.vhlo import kinds
from stablemate.dialects.vhlo.definition import revision

BINARY: Final = "lhs, rhs -> result"
NORMALIZATION: Final = {"epsilon": kinds.F32, "feature_index": kinds.I64}
DOT: Final = {
    "lhs_batching_dimensions": kinds.NUMBERS,
    "lhs_contracting_dimensions": kinds.NUMBERS,
    "precision_config": kinds.PRECISIONS,
    "rhs_batching_dimensions": kinds.NUMBERS,
    "rhs_contracting_dimensions": kinds.NUMBERS,
}
ALGORITHM: Final = {
    "accumulation_type": kinds.TYPE,
    "allow_imprecise_accumulation": kinds.BOOLEAN_OR_ABSENT,
    "lhs_component_count": kinds.I64_OR_ABSENT,
    "lhs_precision_type": kinds.TYPE,
    "num_primitive_operations": kinds.I64_OR_ABSENT,
    "rhs_component_count": kinds.I64_OR_ABSENT,
    "rhs_precision_type": kinds.TYPE,
}
CONVOLUTION: Final = {
    "batch_group_count": kinds.I64,
    "feature_group_count": kinds.I64,
    "input_batch_dimension": kinds.I64,
    "input_feature_dimension": kinds.I64,
    "input_spatial_dimensions": kinds.NUMBERS,
    "kernel_input_feature_dimension": kinds.I64,
    "kernel_output_feature_dimension": kinds.I64,
    "kernel_spatial_dimensions": kinds.NUMBERS,
    "lhs_dilation": kinds.NUMBERS,
    "output_batch_dimension": kinds.I64,
    "output_feature_dimension": kinds.I64,
    "output_spatial_dimensions": kinds.NUMBERS,
    "precision_config": kinds.PRECISIONS,
    "rhs_dilation": kinds.NUMBERS,
    "window_reversal": kinds.FLAGS,
    "window_strides": kinds.NUMBERS,
}
PADDED_CONVOLUTION: Final = {**CONVOLUTION, "padding": kinds.NUMBERS}

OPERATIONS: Final = (
    revision(
        "batch_norm_grad_v1",
        "operand, scale, mean, variance, grad_output -> grad_operand, grad_scale, grad_offset",
        attributes=NORMALIZATION,
    ),
    revision(
        "batch_norm_inference_v1",
        "operand, scale, offset, mean, variance -> result",
        attributes=NORMALIZATION,
    ),
    revision(
        "batch_norm_training_v1",
        "operand, scale, offset -> output, batch_mean, batch_var",
        attributes=NORMALIZATION,
    ),
    revision("cholesky_v1", "a -> result", attributes={"lower": kinds.BOOLEAN}),
    revision("convolution_v1", BINARY, attributes=PADDED_CONVOLUTION),
    revision("dot_v1", BINARY, attributes={"precision_config": kinds.PRECISIONS}),
    revision("dot_general_v1", BINARY, until="1.5.0", attributes=DOT),
    revision("dot_general_v2", BINARY, since="1.6.0", attributes={**DOT, **ALGORITHM}),
    revision(
        "dynamic_conv_v1",
        "lhs, rhs, d_padding -> result",
        until="0.19.0",
        attributes=PADDED_CONVOLUTION,
    ),
    revision(
        "dynamic_conv_v2", "lhs, rhs, padding -> result", since="0.20.0", attributes=CONVOLUTION
    ),
    revision("einsum_v1", BINARY, attributes={"einsum_config": kinds.STRING}),
    revision(
        "fft_v1",
        "operand -> result",
        attributes={"fft_length": kinds.NUMBERS, "fft_type": kinds.FFT},
    ),
    revision(
        "triangular_solve_v1",
        "a, b -> result",
        attributes={
            "left_side": kinds.BOOLEAN,
            "lower": kinds.BOOLEAN,
            "transpose_a": kinds.TRANSPOSE,
            "unit_diagonal": kinds.BOOLEAN,
        },
    ),
    revision("unary_einsum_v1", "operand -> result", attributes={"einsum_config": kinds.STRING}),
)
