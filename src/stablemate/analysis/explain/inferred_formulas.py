"""Formulas of the constraints that fix the types of results.

The verifier compares declared types of results with inferred ones (``Op.infer``), so these
constraints have no method of their own on the class of the operation.

Source: StableHLO specification, constraints of each operation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.definition import OperationDefinition

WINDOWS: Final = (
    "dim(result, result_dim) = dim(lhs, input_batch_dimension) / batch_group_count if result_dim = "
    "output_batch_dimension, dim(rhs, kernel_output_feature_dimension) if result_dim = "
    "output_feature_dimension, num_windows otherwise, where output_spatial_dimensions[spatial_dim] "
    "= result_dim, lhs_dim = input_spatial_dimensions[spatial_dim], rhs_dim = "
    "kernel_spatial_dimensions[spatial_dim], dilated_input_shape[lhs_dim] = dim(lhs, lhs_dim) = 0 "
    "? 0 : (dim(lhs, lhs_dim) - 1) * lhs_dilation[spatial_dim] + 1, padded_input_shape[lhs_dim] = "
    "padding[spatial_dim, 0] + dilated_input_shape[lhs_dim] + padding[spatial_dim, 1], "
    "dilated_window_shape[lhs_dim] = dim(rhs, rhs_dim) = 0 ? 0 : (dim(rhs, rhs_dim) - 1) * "
    "rhs_dilation[spatial_dim] + 1, is_empty_window[lhs_dim] = padded_input_shape[lhs_dim] = 0 || "
    "dilated_window_shape[lhs_dim] > padded_input_shape[lhs_dim], num_windows = "
    "is_empty_window[lhs_dim] ? 0 : floor((padded_input_shape[lhs_dim] - "
    "dilated_window_shape[lhs_dim]) / window_strides[spatial_dim]) + 1"
)
GATHERED: Final = (
    "shape(result) = combine(batch_dim_sizes, offset_dim_sizes), where batch_dim_sizes = "
    "shape(start_indices) except that the dimension size of start_indices corresponding to "
    "index_vector_dim is not included, offset_dim_sizes = {sizes} except that the dimension sizes "
    "in slice_sizes corresponding to {dims} are not included, and combine puts batch_dim_sizes at "
    "axes corresponding to batch_dims and offset_dim_sizes at axes corresponding to offset_dims"
)
PART_OF_COMPLEX: Final = (
    "element_type(result) = complex_element_type(element_type(operand)) if is_complex(operand), "
    "element_type(operand) otherwise"
)
FORMULAS: Final[Mapping[str, str]] = {
    "stablehlo.abs/C1": "shape(result) = shape(operand)",
    "stablehlo.abs/C2": (
        "baseline_element_type(result) = complex_element_type(element_type(operand)) if "
        "is_complex(operand), baseline_element_type(operand) otherwise"
    ),
    "stablehlo.all_reduce/C6": "shape(results...) = shape(operands...)",
    "stablehlo.all_reduce/C7": "element_type(results...) = E",
    "stablehlo.all_to_all/C9": (
        "type(results...) = type(operands...) except, if split_dimension != concat_dimension, "
        "dim(results..., split_dimension) = dim(operands..., split_dimension) / split_count and "
        "dim(results..., concat_dimension) = dim(operands..., concat_dimension) * split_count"
    ),
    "stablehlo.batch_norm_inference/C7": "baseline_type(operand) = baseline_type(result)",
    "stablehlo.batch_norm_training/C5": "size(batch_mean) = dim(operand, feature_index)",
    "stablehlo.batch_norm_training/C6": "size(batch_var) = dim(operand, feature_index)",
    "stablehlo.batch_norm_training/C7": "baseline_type(output) = baseline_type(operand)",
    "stablehlo.case/C4": "type(results...) = output_types(branches[0])",
    "stablehlo.cholesky/C1": "baseline_type(a) = baseline_type(result)",
    "stablehlo.clamp/C4": "baseline_type(operand) = baseline_type(result)",
    "stablehlo.collective_permute/C5": "type(result) = type(operand)",
    "stablehlo.complex/C2": "shape(result) = shape(lhs)",
    "stablehlo.complex/C3": "element_type(result) = complex<E>, where E = element_type(lhs)",
    "stablehlo.concatenate/C5": "element_type(result) = element_type(inputs[0])",
    "stablehlo.concatenate/C6": (
        "shape(result) = shape(inputs[0]) except dim(result, dimension) = dim(inputs[0], "
        "dimension) + ..."
    ),
    "stablehlo.constant/C1": "type(value) = type(output)",
    "stablehlo.convolution/C25": WINDOWS,
    "stablehlo.dot_general/C12": (
        "shape(result) = dim(lhs, lhs_batching_dimensions) + dim(lhs, lhs_result_dimensions) + "
        "dim(rhs, rhs_result_dimensions)"
    ),
    "stablehlo.dynamic_conv/C25": WINDOWS,
    "stablehlo.dynamic_gather/C13": GATHERED.format(
        sizes="shape(slice_sizes)", dims="collapsed_slice_dims"
    ),
    "stablehlo.dynamic_gather/C14": "element_type(operand) = element_type(result)",
    "stablehlo.dynamic_update_slice/C1": "type(operand) = type(result)",
    "stablehlo.dynamic_slice/C1": "element_type(operand) = element_type(result)",
    "stablehlo.dynamic_slice/C5": "shape(result) = slice_sizes",
    "stablehlo.gather/C22": GATHERED.format(
        sizes="slice_sizes", dims="collapsed_slice_dims and operand_batching_dims"
    ),
    "stablehlo.gather/C23": "element_type(operand) = element_type(result)",
    "stablehlo.get_tuple_element/C2": "type(result) = tuple_element_types(operand)[index]",
    "stablehlo.if/C3": "type(results...) = output_types(true_branch)",
    "stablehlo.imag/C1": "shape(result) = shape(operand)",
    "stablehlo.imag/C2": PART_OF_COMPLEX,
    "stablehlo.is_finite/C1": "shape(x) = shape(y)",
    "stablehlo.real/C1": "shape(result) = shape(operand)",
    "stablehlo.real/C2": PART_OF_COMPLEX,
    "stablehlo.reduce/C7": (
        "shape(results...) = shape(inputs...) except that the dimension sizes of inputs... "
        "corresponding to dimensions are not included"
    ),
    "stablehlo.reduce/C8": "element_type(results[i]) = Ei for all i in [0,N)",
    "stablehlo.reduce_precision/C1": "baseline_type(operand) = baseline_type(output)",
    "stablehlo.reduce_window/C15": (
        "shape(results[0]) = num_windows, where dilated_input_shape = shape(inputs[0]) = 0 ? 0 : "
        "(shape(inputs[0]) - 1) * base_dilations + 1, padded_input_shape = padding[:, 0] + "
        "dilated_input_shape + padding[:, 1], dilated_window_shape = (window_dimensions - 1) * "
        "window_dilations + 1, is_empty_window = padded_input_shape = 0 || dilated_window_shape > "
        "padded_input_shape, num_windows = is_empty_window ? 0 : floor((padded_input_shape - "
        "dilated_window_shape) / window_strides) + 1"
    ),
    "stablehlo.reduce_window/C16": "element_type(results[i]) = Ei for all i in [0,N)",
    "stablehlo.reverse/C1": "type(operand) = type(result)",
    "stablehlo.rng/C3": "shape(result) = shape",
    "stablehlo.rng_bit_generator/C1": "type(initial_state) = type(output_state)",
    "stablehlo.scatter/C24": "shape(inputs...) = shape(results...)",
    "stablehlo.scatter/C25": "element_type(results[i]) = Ei for all i in [0,N)",
    "stablehlo.select_and_scatter/C11": "shape(operand) = shape(result)",
    "stablehlo.select_and_scatter/C12": "element_type(result) = E",
    "stablehlo.slice/C1": "element_type(operand) = element_type(result)",
    "stablehlo.slice/C5": "shape(result) = ceil((limit_indices - start_indices) / strides)",
    "stablehlo.sort/C2": "type(inputs...) = type(results...)",
    "stablehlo.transpose/C1": "element_type(result) = element_type(operand)",
    "stablehlo.transpose/C3": "shape(result) = dim(operand, permutation...)",
    "stablehlo.triangular_solve/C4": "baseline_type(b) = baseline_type(result)",
    "stablehlo.tuple/C1": "type(result) = tuple<E0, ..., EN-1>, where Ei = type(val[i])",
    "stablehlo.uniform_dequantize/C1": "shape(operand) = shape(result)",
    "stablehlo.uniform_dequantize/C2": "element_type(result) = expressed_type(operand)",
    "stablehlo.while/C3": "type(results...) = type(operand...)",
}  # fmt: skip


def inferred_formula(definition: OperationDefinition, label: str) -> str | None:
    """The formula of a constraint that fixes types of results; None if the class states it.

    An elementwise operation of one operand gives that operand's type: of quantized ones the
    baseline type, since each of them has scales of its own.
    """
    stated = FORMULAS.get(f"{definition.name}/{label}")
    if stated is not None or label != "C1" or definition.family != "elementwise":
        return stated
    if len(definition.operands) != 1 or len(definition.results) != 1:
        return None
    operand, result = definition.operands[0], definition.results[0]
    of = "baseline_type" if "quantized" in operand.types.description else "type"
    return f"{of}({operand.name}) = {of}({result.name})"
