// The specification's example.
func.func @convolution_example() {
  %lhs = stablehlo.constant dense<[[[[1], [2], [5], [6]], [[3], [4], [7], [8]], [[10], [11], [14], [15]], [[12], [13], [16], [17]]]]> : tensor<1x4x4x1xi64>
  %rhs = stablehlo.constant dense<1> : tensor<3x3x1x1xi64>
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], pad = [[0, 0], [0, 0]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
  check.expect_eq_const %0, dense<[[[[10], [26]], [[46], [62]]]]> : tensor<1x2x2x1xi64>
  return
}

// Strides, padding and dilations, one at a time, and defaults where an attribute is absent.
func.func @convolution_windows() {
  %x = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
  %k = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x3x1xi32>
  check.expect_eq_const %0, dense<[[[21], [32], [43]]]> : tensor<1x3x1xi32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x3x1xi32>
  check.expect_eq_const %1, dense<[[[10], [32], [4]]]> : tensor<1x3x1xi32>
  %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[-1, -1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x1x1xi32>
  check.expect_eq_const %2, dense<[[[32]]]> : tensor<1x1x1xi32>
  %3 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x6x1xi32>
  check.expect_eq_const %3, dense<[[[1], [20], [2], [30], [3], [40]]]> : tensor<1x6x1xi32>
  %4 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x2x1xi32>
  check.expect_eq_const %4, dense<[[[31], [42]]]> : tensor<1x2x1xi32>
  %5 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x3x1xi32>
  check.expect_eq_const %5, dense<[[[12], [23], [34]]]> : tensor<1x3x1xi32>
  return
}

// Padding that dilated elements are cut off by: of 1 0 2 0 3 0 4, with -2 and -1, remain 2 0 3 0.
func.func @convolution_negative_padding_of_dilated_elements() {
  %x = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
  %k = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[-2, -1]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x3x1xi32>
  check.expect_eq_const %0, dense<[[[2], [30], [3]]]> : tensor<1x3x1xi32>
  return
}

// Dimensions in other orders: features before spatial dimensions, and the batch last.
func.func @convolution_dimension_numbers() {
  %x = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
  %k = stablehlo.constant dense<[[[1, 10], [100, 1000]]]> : tensor<1x2x2xi32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x2xi32>, tensor<1x2x2xi32>) -> tensor<2x1x1xi32>
  check.expect_eq_const %0, dense<[[[4321]], [[8765]]]> : tensor<2x1x1xi32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [0, f, b]x[o, 0, i]->[f, 0, b], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x2xi32>, tensor<1x2x2xi32>) -> tensor<1x1x2xi32>
  check.expect_eq_const %1, dense<[[[7531, 8642]]]> : tensor<1x1x2xi32>
  return
}

// Two spatial dimensions with different windows.
func.func @convolution_two_spatial_dimensions() {
  %x = stablehlo.constant dense<[[[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]]]]> : tensor<1x2x3x1xf32>
  %k = stablehlo.constant dense<[[[[1.0]], [[10.0]]]]> : tensor<1x2x1x1xf32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 2], pad = [[0, 1], [1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x3x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x3x2x1xf32>
  check.expect_eq_const %0, dense<[[[[10.0], [32.0]], [[40.0], [65.0]], [[0.0], [0.0]]]]> : tensor<1x3x2x1xf32>
  return
}

// Without spatial dimensions it is a product of matrices.
func.func @convolution_no_spatial_dimensions() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %k = stablehlo.constant dense<[[1, 10], [100, 1000]]> : tensor<2x2xi32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[201, 2010], [403, 4030]]> : tensor<2x2xi32>
  return
}

// Feature groups: one feature each, as in depthwise convolutions, and two.
func.func @convolution_feature_groups() {
  %x = stablehlo.constant dense<[[[1, 10], [2, 20]]]> : tensor<1x2x2xi32>
  %k = stablehlo.constant dense<[[[1, 1]], [[1, 2]]]> : tensor<2x1x2xi32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x2xi32>, tensor<2x1x2xi32>) -> tensor<1x1x2xi32>
  check.expect_eq_const %0, dense<[[[3, 50]]]> : tensor<1x1x2xi32>
  %k4 = stablehlo.constant dense<[[[1, 2, 3, 4]], [[0, 0, 0, 0]]]> : tensor<2x1x4xi32>
  %1 = stablehlo.convolution(%x, %k4) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x2xi32>, tensor<2x1x4xi32>) -> tensor<1x1x4xi32>
  check.expect_eq_const %1, dense<[[[1, 2, 30, 40]]]> : tensor<1x1x4xi32>
  %y = stablehlo.constant dense<[[1, 2, 3, 4]]> : tensor<1x4xi32>
  %l = stablehlo.constant dense<[[1, 10], [100, 1000]]> : tensor<2x2xi32>
  %2 = stablehlo.convolution(%y, %l) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x4xi32>, tensor<2x2xi32>) -> tensor<1x2xi32>
  check.expect_eq_const %2, dense<[[201, 4030]]> : tensor<1x2xi32>
  return
}

// Batch groups: each part of the batch goes with its part of the output features.
func.func @convolution_batch_groups() {
  %x = stablehlo.constant dense<[[3], [4], [5], [6]]> : tensor<4x1xi32>
  %k = stablehlo.constant dense<[[1, 10]]> : tensor<1x2xi32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x1xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[3, 50], [4, 60]]> : tensor<2x2xi32>
  return
}

// Windows that do not fit give an empty result, no features give zeros.
func.func @convolution_empty() {
  %x = stablehlo.constant dense<[[[1], [2]]]> : tensor<1x2x1xi32>
  %k = stablehlo.constant dense<1> : tensor<3x1x1xi32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xi32>, tensor<3x1x1xi32>) -> tensor<1x0x1xi32>
  check.expect_eq_const %0, dense<> : tensor<1x0x1xi32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[-2, -3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xi32>, tensor<3x1x1xi32>) -> tensor<1x0x1xi32>
  check.expect_eq_const %1, dense<> : tensor<1x0x1xi32>
  %y = stablehlo.constant dense<> : tensor<1x3x0xf32>
  %l = stablehlo.constant dense<> : tensor<2x0x1xf32>
  %2 = stablehlo.convolution(%y, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x0xf32>, tensor<2x0x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %2, dense<0.0> : tensor<1x2x1xf32>
  return
}

// Integers wrap, or accumulate in the wider type of the result; booleans are `and` and `or`.
func.func @convolution_integers() {
  %x = stablehlo.constant dense<[[[100], [100]]]> : tensor<1x2x1xi8>
  %k = stablehlo.constant dense<[[[100]], [[100]]]> : tensor<2x1x1xi8>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xi8>, tensor<2x1x1xi8>) -> tensor<1x1x1xi8>
  check.expect_eq_const %0, dense<32> : tensor<1x1x1xi8>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xi8>, tensor<2x1x1xi8>) -> tensor<1x1x1xi32>
  check.expect_eq_const %1, dense<20000> : tensor<1x1x1xi32>
  %p = stablehlo.constant dense<[[[true], [false], [false]]]> : tensor<1x3x1xi1>
  %q = stablehlo.constant dense<true> : tensor<2x1x1xi1>
  %2 = stablehlo.convolution(%p, %q) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xi1>, tensor<2x1x1xi1>) -> tensor<1x2x1xi1>
  check.expect_eq_const %2, dense<[[[true], [false]]]> : tensor<1x2x1xi1>
  return
}

// Narrow floats are added up in the type of the result.
func.func @convolution_narrow_floats() {
  %x = stablehlo.constant dense<[[[256.0], [1.0], [1.0]]]> : tensor<1x3x1xbf16>
  %k = stablehlo.constant dense<1.0> : tensor<3x1x1xbf16>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xbf16>, tensor<3x1x1xbf16>) -> tensor<1x1x1xf32>
  check.expect_eq_const %0, dense<258.0> : tensor<1x1x1xf32>
  %l = stablehlo.constant dense<[[[1.0]], [[1.0]], [[0.0]]]> : tensor<3x1x1xbf16>
  %1 = stablehlo.convolution(%x, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xbf16>, tensor<3x1x1xbf16>) -> tensor<1x1x1xf32>
  check.expect_eq_const %1, dense<257.0> : tensor<1x1x1xf32>
  return
}

// Quantized, with a scale per output feature; padding stands for 0.0, not for the stored 0.
// lhs stands for 2.0, the two rows of rhs for 0.5, 0.25 and 1.0, 1.0.
func.func @convolution_quantized() {
  %x = stablehlo.constant() <{value = dense<[[[5]]]> : tensor<1x1x1xi8>}> : () -> tensor<1x1x1x!quant.uniform<i8:f32, 5.000000e-01:1>>
  %k = stablehlo.constant() <{value = dense<[[[1, 1]], [[2, 4]]]> : tensor<2x1x2xi8>}> : () -> tensor<2x1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01}>>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x1x!quant.uniform<i8:f32, 5.000000e-01:1>>, tensor<2x1x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01}>>) -> tensor<1x2x2x!quant.uniform<i8:f32, 2.500000e-01>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<1x2x2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1x2x2xf32>
  check.expect_eq_const %1, dense<[[[2.0, 2.0], [1.0, 0.5]]]> : tensor<1x2x2xf32>
  return
}

// Hybrid: only rhs is quantized; it is dequantized first.
func.func @convolution_hybrid() {
  %x = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xf32>
  %k = stablehlo.constant() <{value = dense<[[1], [2]]> : tensor<2x1xi8>}> : () -> tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01:-1>>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2xf32>, tensor<2x1x!quant.uniform<i8:f32, 5.000000e-01:-1>>) -> tensor<1x1xf32>
  check.expect_eq_const %0, dense<4.5> : tensor<1x1xf32>
  return
}
