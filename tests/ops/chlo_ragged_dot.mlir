// Rows 0 and 1 by the first matrix, row 2 by the second one; row 3 is in no group.
func.func @ragged_dot_rows() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  %rhs = stablehlo.constant dense<[[[1, 0], [0, 1]], [[10, 0], [0, 100]]]> : tensor<2x2x2xi32>
  %sizes = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x2xi32>, tensor<2x2x2xi32>, tensor<2xi64>) -> tensor<4x2xi32>
  check.expect_eq_const %0, dense<[[1, 2], [3, 4], [50, 600], [0, 0]]> : tensor<4x2xi32>
  return
}

// Another group's infinity does not reach a row.
func.func @ragged_dot_rows_with_infinity() {
  %lhs = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %rhs = stablehlo.constant dense<[[[3.0]], [[0x7F800000]]]> : tensor<2x1x1xf32>
  %sizes = stablehlo.constant dense<1> : tensor<2xi32>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<2x1xf32>, tensor<2x1x1xf32>, tensor<2xi32>) -> tensor<2x1xf32>
  check.expect_eq_const %0, dense<[[3.0], [0x7F800000]]> : tensor<2x1xf32>
  return
}

// Each batch has groups of its own; the precision is handed on.
func.func @ragged_dot_rows_in_batches() {
  %lhs = stablehlo.constant dense<[[[1], [2], [3]], [[4], [5], [6]]]> : tensor<2x3x1xi32>
  %rhs = stablehlo.constant dense<[[[[1]], [[10]]], [[[100]], [[1000]]]]> : tensor<2x2x1x1xi32>
  %sizes = stablehlo.constant dense<[[1, 2], [2, 1]]> : tensor<2x2xi64>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{precision_config = [#chlo<precision HIGHEST>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x3x1xi32>, tensor<2x2x1x1xi32>, tensor<2x2xi64>) -> tensor<2x3x1xi32>
  check.expect_eq_const %0, dense<[[[1], [200], [300]], [[40], [50], [6000]]]> : tensor<2x3x1xi32>
  return
}

// A dot for each group of terms; the last term is in no group, the second group is empty.
func.func @ragged_dot_terms() {
  %lhs = stablehlo.constant dense<[[1, 2, 3, 4]]> : tensor<1x4xi32>
  %rhs = stablehlo.constant dense<[[1], [10], [100], [1000]]> : tensor<4x1xi32>
  %sizes = stablehlo.constant dense<[2, 0, 1]> : tensor<3xi32>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<1x4xi32>, tensor<4x1xi32>, tensor<3xi32>) -> tensor<3x1x1xi32>
  check.expect_eq_const %0, dense<[[[21]], [[0]], [[300]]]> : tensor<3x1x1xi32>
  return
}

func.func @ragged_dot_terms_in_batches() {
  %lhs = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %rhs = stablehlo.constant dense<[[[1], [10]], [[100], [1000]]]> : tensor<2x2x1xi32>
  %sizes = stablehlo.constant dense<[[1, 1], [2, 0]]> : tensor<2x2xi64>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>}> : (tensor<2x1x2xi32>, tensor<2x2x1xi32>, tensor<2x2xi64>) -> tensor<2x2x1x1xi32>
  check.expect_eq_const %0, dense<[[[[1]], [[4300]]], [[[20]], [[0]]]]> : tensor<2x2x1x1xi32>
  return
}

// Groups of batches change nothing.
func.func @ragged_dot_batches() {
  %lhs = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %rhs = stablehlo.constant dense<[[[1], [10]], [[100], [1000]]]> : tensor<2x2x1xi32>
  %sizes = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<2x1x2xi32>, tensor<2x2x1xi32>, tensor<2xi64>) -> tensor<2x1x1xi32>
  check.expect_eq_const %0, dense<[[[21]], [[4300]]]> : tensor<2x1x1xi32>
  return
}
