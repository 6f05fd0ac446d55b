// Slices of dimension 1: (3 - 1) * 0.5 = 1 and (3 + 2) * 0.25 = 1.25.
func.func @dequantize_last_dimension() {
  %0 = stablehlo.constant() <{value = dense<3> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-2}>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-2}>>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[1.0, 1.25], [1.0, 1.25]]> : tensor<2x2xf32>
  return
}

// From slices along one dimension to slices along the other: 1 = (5 - 1) * 0.25, 1 = 3 - 2 * 1 ...
func.func @requantize_other_dimension() {
  %0 = stablehlo.constant() <{value = dense<[[4, 8], [1, 2]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 2.0}>>
  // [[2, 4], [2, 4]] in slices of dimension 1: 2 / 0.5 + 1 = 5, 4 / 4 = 1.
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 2.0}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 4.0}>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 4.0}>>) -> tensor<2x2xi8>
  check.expect_eq_const %2, dense<[[5, 1], [5, 1]]> : tensor<2x2xi8>
  return
}

// Per axis plus per tensor: 2 * 0.5 + 3 = 4 = 8 * 0.5, 2 * 0.25 + 3 = 3.5 = 14 * 0.25.
func.func @add_to_per_tensor() {
  %0 = stablehlo.constant() <{value = dense<2> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  %1 = stablehlo.constant() <{value = dense<4> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 1.0:1>>
  %2 = stablehlo.add %0, %1 : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2x!quant.uniform<i8:f32, 1.0:1>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2xi8>
  check.expect_eq_const %3, dense<[8, 14]> : tensor<2xi8>
  return
}

// The quantization dimension moves with the dimensions.
func.func @transpose_slices() {
  %0 = stablehlo.constant() <{value = dense<[[2, 4], [6, 8]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[1.0, 1.5], [2.0, 2.0]]> : tensor<2x2xf32>
  return
}

func.func @reshape_slices() {
  %0 = stablehlo.constant() <{value = dense<[[2, 4], [6, 8]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  %1 = stablehlo.reshape %0 : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<1x2x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<1x2x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>) -> tensor<1x2x2xf32>
  check.expect_eq_const %2, dense<[[[1.0, 1.0], [3.0, 2.0]]]> : tensor<1x2x2xf32>
  return
}

func.func @broadcast_slices() {
  %0 = stablehlo.constant() <{value = dense<[2, 8]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[1.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
  return
}

// One slice that is repeated keeps its scale.
func.func @broadcast_one_slice() {
  %0 = stablehlo.constant() <{value = dense<3> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32:0, {0.5:1}>>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<1x!quant.uniform<i8:f32:0, {0.5:1}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5:1, 0.5:1}>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!quant.uniform<i8:f32:0, {0.5:1, 0.5:1}>>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<1.0> : tensor<2xf32>
  return
}

// [[1, 2]] * [[2 * 0.5, 4 * 0.25], [6 * 0.5, 8 * 0.25]] = [[1 + 6, 1 + 4]] = [[7, 5]];
// 7 / 1 + 3 = 10, 5 / 0.5 = 10.
func.func @dot_general_static_range() {
  %0 = stablehlo.constant() <{value = dense<[[2, 3]]> : tensor<1x2xi8>}> : () -> tensor<1x2x!quant.uniform<i8:f32, 1.0:1>>
  %1 = stablehlo.constant() <{value = dense<[[2, 4], [6, 8]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<1x2x!quant.uniform<i8:f32, 1.0:1>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<1x2x!quant.uniform<i8:f32:1, {1.0:3, 0.5}>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<1x2x!quant.uniform<i8:f32:1, {1.0:3, 0.5}>>) -> tensor<1x2xi8>
  check.expect_eq_const %3, dense<10> : tensor<1x2xi8>
  return
}

// The same weights with floats: [[1.5, 2]] gives [[1.5 + 6, 1.5 + 4]].
func.func @dot_general_hybrid() {
  %0 = stablehlo.constant dense<[[1.5, 2.0]]> : tensor<1x2xf32>
  %1 = stablehlo.constant() <{value = dense<[[2, 4], [6, 8]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<1x2xf32>
  check.expect_eq_const %2, dense<[[7.5, 5.5]]> : tensor<1x2xf32>
  return
}

// Windows [1, 2] and [2, 3] of one feature, kernels [2, 4] * 0.5 and [4, 8] * 0.25, both [1, 2]:
// 1 + 4 = 5 and 2 + 6 = 8; over 1 and 0.5.
func.func @convolution_static_range() {
  %0 = stablehlo.constant() <{value = dense<[[[1], [2], [3]]]> : tensor<1x3x1xi8>}> : () -> tensor<1x3x1x!quant.uniform<i8:f32, 1.0>>
  %1 = stablehlo.constant() <{value = dense<[[[2, 4]], [[4, 8]]]> : tensor<2x1x2xi8>}> : () -> tensor<2x1x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1x!quant.uniform<i8:f32, 1.0>>, tensor<2x1x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>) -> tensor<1x2x2x!quant.uniform<i8:f32:2, {1.0, 0.5}>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<1x2x2x!quant.uniform<i8:f32:2, {1.0, 0.5}>>) -> tensor<1x2x2xi8>
  check.expect_eq_const %3, dense<[[[5, 10], [8, 16]]]> : tensor<1x2x2xi8>
  return
}

// Weights only: the zero points of a kernel may differ from zero.
func.func @convolution_hybrid() {
  %0 = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %1 = stablehlo.constant() <{value = dense<[[[3, 4]], [[5, 8]]]> : tensor<2x1x2xi8>}> : () -> tensor<2x1x2x!quant.uniform<i8:f32:2, {0.5:1, 0.25}>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<2x1x2x!quant.uniform<i8:f32:2, {0.5:1, 0.25}>>) -> tensor<1x2x2xf32>
  check.expect_eq_const %2, dense<[[[5.0, 5.0], [8.0, 8.0]]]> : tensor<1x2x2xf32>
  return
}

func.func @dimension_size() {
  %0 = stablehlo.constant() <{value = dense<0> : tensor<2x3xi8>}> : () -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  %1 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<i32>
  check.expect_eq_const %1, dense<3> : tensor<i32>
  return
}
