// The specification's example, with the output dimensions that its result has: the dilated lhs is
// 1 0 2 0 5 0 6 in each direction, and windows start at -1 and 3.
func.func @dynamic_conv_example() {
  %lhs = stablehlo.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>
  %rhs = stablehlo.constant dense<1> : tensor<3x3x1x1xi64>
  %padding = stablehlo.constant dense<1> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 4, 4>}> : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>, tensor<2x2xi64>) -> tensor<1x2x2x1xi64>
  check.expect_eq_const %0, dense<[[[[1], [5]], [[10], [14]]]]> : tensor<1x2x2x1xi64>
  return
}

// A padding that is computed, of another integer type; the sizes of the result are open till then.
func.func @dynamic_conv_computed_padding() {
  %x = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
  %k = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %one = stablehlo.constant dense<1> : tensor<1x2xi32>
  %padding = stablehlo.negate %one : tensor<1x2xi32>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %padding) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1xi32>, tensor<2x1x1xi32>, tensor<1x2xi32>) -> tensor<1x?x1xi32>
  %1 = stablehlo.reshape %0 : (tensor<1x?x1xi32>) -> tensor<1xi32>
  check.expect_eq_const %1, dense<32> : tensor<1xi32>
  return
}

// Quantized: 0 * 1 + 1 * 2, 1 * 1 + 2 * 2 and 2 * 1 + 0 * 2, with what is padded standing for 0,
// in steps of 0.5 from 1 on.
func.func @dynamic_conv_quantized() {
  %x = stablehlo.constant() <{value = dense<[[[3], [5]]]> : tensor<1x2x1xi8>}> : () -> tensor<1x2x1x!quant.uniform<i8:f32, 5.000000e-01:1>>
  %k = stablehlo.constant() <{value = dense<[[[2]], [[4]]]> : tensor<2x1x1xi8>}> : () -> tensor<2x1x1x!quant.uniform<i8:f32, 5.000000e-01>>
  %padding = stablehlo.constant dense<1> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %padding) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x2x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x1x1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x2xi64>) -> tensor<1x3x1x!quant.uniform<i8:f32, 5.000000e-01:1>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<1x3x1x!quant.uniform<i8:f32, 5.000000e-01:1>>) -> tensor<1x3x1xi8>
  check.expect_eq_const %1, dense<[[[5], [11], [5]]]> : tensor<1x3x1xi8>
  return
}

// Hybrid: the weights stand for 1 and 2.
func.func @dynamic_conv_hybrid() {
  %x = stablehlo.constant dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %k = stablehlo.constant() <{value = dense<[[[2]], [[4]]]> : tensor<2x1x1xi8>}> : () -> tensor<2x1x1x!quant.uniform<i8:f32, 5.000000e-01>>
  %padding = stablehlo.constant dense<0> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %padding) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x2x1xf32>, tensor<2x1x1x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1x2xi64>) -> tensor<1x1x1xf32>
  check.expect_eq_const %0, dense<5.0> : tensor<1x1x1xf32>
  return
}
