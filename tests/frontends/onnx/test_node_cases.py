"""A few of ONNX's own cases of each operator; ``tools.onnx_operators`` runs all of them."""

from __future__ import annotations

from typing import Final

import pytest

pytest.importorskip("onnx")
from tools.onnx_operators import cases, outcome_of

# Cases of each family that run in little time.
QUICK: Final = """
abs add add_bcast argmax_default_axis_example averagepool_2d_ceil basic_conv_with_padding
batchnorm_epsilon bitshift_left_uint8 cast_FLOAT_to_FLOAT8E4M3FN cast_e8m0_FLOAT_to_FLOAT8E8M0
clip_example compress_0 concat_2d_axis_0 constantofshape_int_zeros convtranspose_pads
cumsum_1d_exclusive depthtospace_crd_mode_example det_nd dft einsum_batch_diagonal
expand_dim_changed gather_negative_indices gathernd_example_int32 gemm_all_attributes
group_normalization_epsilon layer_normalization_4d_axis1 lrn matmul_bcast maxpool_2d_ceil
maxpool_with_argmax_2d_precomputed_strides maxunpool_export_with_output_shape
mod_mixed_sign_int64 nonzero_example onehot_negative_indices pow_bcast_array prelu_broadcast
reduce_log_sum_exp_negative_axes_keepdims_random reflect_pad reshape_negative_dim
reversesequence_batch scatter_elements_with_reduction_max sce_NCd1_mean_weight_negative_ii
slice_neg_steps softmax_axis_1 split_zero_size_splits_opset18 squeeze stft string_concat
strnormalizer_export_monday_casesensintive_lower tfidfvectorizer_tf_uniandbigrams_skip5 tile
top_k_smallest training_dropout_zero_ratio_mask tril_pos unique_not_sorted_without_axis
unsqueeze_two_axes adam where_example
"""


@pytest.mark.standard
def test_cases_of_operators_pass() -> None:
    names = QUICK.split()
    pattern = f"^test_({'|'.join(names)})$"
    outcomes = [
        outcome_of(case, model, "interpreter") for case, model in cases(("node",), (), pattern)
    ]
    assert {outcome.case.removeprefix("test_") for outcome in outcomes} == set(names)
    assert [outcome for outcome in outcomes if outcome.failure] == []


@pytest.mark.standard
@pytest.mark.parametrize("kind", ["simple", "pytorch-operator", "pytorch-converted"])
def test_cases_of_graphs_pass(kind: str) -> None:
    outcomes = [outcome_of(case, model, "interpreter") for case, model in cases((kind,), (), "")]
    failures = [outcome for outcome in outcomes if outcome.failure]
    assert [f for f in failures if "no translation of the operator" not in f.failure] == []
