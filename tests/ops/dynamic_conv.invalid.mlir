// dynamic_conv_i1
// error@4:33: stablehlo.dynamic_conv I1: lhs = tensor<1x8x8x4xindex>
func.func @main(%a: tensor<1x8x8x4xindex>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xindex>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i2
// error@4:37: stablehlo.dynamic_conv I2: rhs = tensor<3x3x4x4xindex>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xindex>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xindex>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i3
// error@4:41: stablehlo.dynamic_conv I3: padding = tensor<2x2xf32>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xf32>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i4
// error@4:185: stablehlo.dynamic_conv I4: window_strides = [1, 1]
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = [1, 1]}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i5
// error@4:185: stablehlo.dynamic_conv I5: lhs_dilation = [1, 1]
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = [1, 1]}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i6
// error@4:185: stablehlo.dynamic_conv I6: rhs_dilation = 1 : i64
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, rhs_dilation = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i7
// error@4:185: stablehlo.dynamic_conv I7: window_reversal = array<i64: 0, 0>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_reversal = array<i64: 0, 0>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i8
// error@4:8: stablehlo.dynamic_conv I8: expected the attribute dimension_numbers, convolution dimension numbers
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i17
// error@4:8: stablehlo.dynamic_conv I17: expected the attribute feature_group_count, a 64-bit integer
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i18
// error@4:8: stablehlo.dynamic_conv I18: expected the attribute batch_group_count, a 64-bit integer
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i19
// error@4:185: stablehlo.dynamic_conv I19: precision_config = 1 : i64
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, precision_config = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c1
// error@4:8: stablehlo.dynamic_conv C1: lhs = 4, rhs = 3
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c1 of rank 1
// error@4:8: stablehlo.dynamic_conv C1: lhs = 1, rhs = 1
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<4xf32>, tensor<4xf32>, tensor<2x2xi64>) -> tensor<4xf32>
  return
}
// -----
// dynamic_conv_c2
// error@4:8: stablehlo.dynamic_conv C2: window_strides = [1], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c3
// error@4:8: stablehlo.dynamic_conv C3: window_strides = [1, 0]
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1, 0>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c4
// error@4:8: stablehlo.dynamic_conv C4: shape = [3, 2], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<3x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<3x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c4 of triples
// error@4:8: stablehlo.dynamic_conv C4: shape = [2, 3], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x3xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x3xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c5
// error@4:8: stablehlo.dynamic_conv C5: lhs_dilation = [1, 1, 1], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1, 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c6
// error@4:8: stablehlo.dynamic_conv C6: lhs_dilation = [1, -1]
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, -1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c7
// error@4:8: stablehlo.dynamic_conv C7: rhs_dilation = [1], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c8
// error@4:8: stablehlo.dynamic_conv C8: rhs_dilation = [0, 1]
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 0, 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c9
// error@4:8: stablehlo.dynamic_conv C9: window_reversal = [true], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_reversal = array<i1: true>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c10
// error@4:8: stablehlo.dynamic_conv C10: size = 3, groups = 2
func.func @main(%a: tensor<3x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<3x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c11
// error@4:8: stablehlo.dynamic_conv C11: size = 5, groups = 2
func.func @main(%a: tensor<1x8x8x5xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64}> : (tensor<1x8x8x5xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c12
// error@4:8: stablehlo.dynamic_conv C12: input_spatial_dimensions = [1], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c13
// error@4:8: stablehlo.dynamic_conv C13: input_dimensions = [0, 1, 1, 3], N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c13 out of range
// error@4:8: stablehlo.dynamic_conv C13: input_dimensions = [0, 1, 4, 3], N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 4], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c14
// error@4:8: stablehlo.dynamic_conv C14: lhs = 4, rhs = 3, feature_group_count = 1
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x3x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x3x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c15
// error@4:8: stablehlo.dynamic_conv C15: size = 4, groups = 3
func.func @main(%a: tensor<3x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 3 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<3x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c16
// error@4:8: stablehlo.dynamic_conv C16: size = 4, groups = 3
func.func @main(%a: tensor<1x8x8x12xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64}> : (tensor<1x8x8x12xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c17
// error@4:8: stablehlo.dynamic_conv C17: kernel_spatial_dimensions = [0], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c18
// error@4:8: stablehlo.dynamic_conv C18: kernel_dimensions = [0, 0, 2, 3], N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c18 out of range
// error@4:8: stablehlo.dynamic_conv C18: kernel_dimensions = [0, 1, -1, 3], N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = -1, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c19
// error@4:8: stablehlo.dynamic_conv C19: output_spatial_dimensions = [1], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c20
// error@4:8: stablehlo.dynamic_conv C20: output_dimensions = [0, 1, 0, 3], N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 0]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c20 out of range
// error@4:8: stablehlo.dynamic_conv C20: output_dimensions = [0, 1, 2, 4], N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 4, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c21
// error@4:8: stablehlo.dynamic_conv C21: feature_group_count = 0
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 0 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c22
// error@4:8: stablehlo.dynamic_conv C22: batch_group_count = 0
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 0 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c23
// error@4:8: stablehlo.dynamic_conv C23: feature_group_count = 2, batch_group_count = 2
func.func @main(%a: tensor<2x8x8x8xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64}> : (tensor<2x8x8x8xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c24
// error@4:8: stablehlo.dynamic_conv C24: size = 3
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c25 of the batch
// error@4:188: stablehlo.dynamic_conv C25: type = tensor<2x6x6x4xf32>, expected = tensor<1x?x?x4xf32>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<2x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c25 of the features
// error@4:188: stablehlo.dynamic_conv C25: type = tensor<1x6x6x5xf32>, expected = tensor<1x?x?x4xf32>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x5xf32>
  return
}
// -----
// dynamic_conv_c26
// error@5:8: stablehlo.dynamic_conv C26: result = 3, N = 4
// error@5:188: stablehlo.dynamic_conv C25: type = tensor<1x6x6xf32>, expected = tensor<1x?x?x4xf32>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6xf32>
  return
}
// -----
// dynamic_conv_c27
// error@4:8: stablehlo.dynamic_conv C27: lhs = f32, rhs = f64, result = f32
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf64>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf64>, tensor<2x2xi64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_c27 with a narrower result
// error@4:8: stablehlo.dynamic_conv C27: lhs = f32, rhs = f32, result = bf16
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x6x6x4xbf16>
  return
}
// -----
// dynamic_conv_c28
// error@4:8: stablehlo.dynamic_conv C28: lhs = f32, rhs = !quant.uniform<i8:f32, 5.000000e-01>, result = !quant.uniform<i8:f32, 5.000000e-01>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4x!quant.uniform<i8:f32, 5.000000e-01>>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<1x6x6x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// dynamic_conv_c29
// error@4:8: stablehlo.dynamic_conv C29: quantization_dimension = 2, expected = 3
func.func @main(%a: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x3x4x4x!quant.uniform<i8:f32:2, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x4x!quant.uniform<i8:f32:2, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>, tensor<2x2xi64>) -> tensor<1x6x6x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// dynamic_conv_c30
// error@4:8: stablehlo.dynamic_conv C30: quantization_dimension = 0, expected = 3
func.func @main(%a: tensor<4x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x3x4x4x!quant.uniform<i8:f32:3, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x4x!quant.uniform<i8:f32:3, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>, tensor<2x2xi64>) -> tensor<4x6x6x4x!quant.uniform<i8:f32:0, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>
  return
}
// -----
// dynamic_conv_c31
// error@4:8: stablehlo.dynamic_conv C31: lhs = i8, rhs = i16
func.func @main(%a: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x3x4x4x!quant.uniform<i16:f32, 5.000000e-01>>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x4x!quant.uniform<i16:f32, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<1x6x6x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// dynamic_conv_c32
// error@4:8: stablehlo.dynamic_conv C32: lhs = f32, rhs = f64, result = f32
func.func @main(%a: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x3x4x4x!quant.uniform<i8:f64, 5.000000e-01>>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x4x!quant.uniform<i8:f64, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<1x6x6x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// dynamic_conv_c33
// error@4:8: stablehlo.dynamic_conv C33: rhs = !quant.uniform<i8:f32, 5.000000e-01>, result = !quant.uniform<i8:f32:3, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>
func.func @main(%a: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x3x4x4x!quant.uniform<i8:f32, 5.000000e-01>>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<1x6x6x4x!quant.uniform<i8:f32:3, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>
  return
}
// -----
// dynamic_conv_c34
// error@4:8: stablehlo.dynamic_conv C34: lhs = f64, rhs = !quant.uniform<i8:f32, 5.000000e-01>, result = f64
func.func @main(%a: tensor<1x8x8x4xf64>, %b: tensor<3x3x4x4x!quant.uniform<i8:f32, 5.000000e-01>>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf64>, tensor<3x3x4x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x2xi64>) -> tensor<1x6x6x4xf64>
  return
}
// -----
// dynamic_conv_i2 with an empty window
// error@4:8: stablehlo.dynamic_conv I2: sizes = [0, 3]
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<0x3x4x4xf32>, %c: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<0x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x9x6x4xf32>
  return
}
// -----
// dynamic_conv_i9: a list for a number
// error@4:169: expected an integer, found '['
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>, %p: tensor<2x2xi32>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = [3], input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i10: a number for a list
// error@4:199: expected '[', found '1'
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>, %p: tensor<2x2xi32>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = 1, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i11: a fraction
// error@4:240: expected an integer, found '2.0'
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>, %p: tensor<2x2xi32>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2.0, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i12: a string
// error@4:277: expected an integer, found '"a"'
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>, %p: tensor<2x2xi32>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = "a", kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i13: a list of lists
// error@4:309: expected an integer, found '['
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>, %p: tensor<2x2xi32>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [[0], [1]], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i14: a string
// error@4:341: expected an integer, found '"0"'
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>, %p: tensor<2x2xi32>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = "0", output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i15: nothing
// error@4:371: expected an integer, found ','
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>, %p: tensor<2x2xi32>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = , output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i16: strings
// error@4:403: expected an integer, found '"1"'
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>, %p: tensor<2x2xi32>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = ["1", "2"]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// dynamic_conv_i2: a window of size 0
// error@5:8: stablehlo.dynamic_conv I2: sizes = [0, 0]
func.func @main(%a: tensor<1x4x4x1xf32>, %k: tensor<0x0x1x1xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%a, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x4x1xf32>, tensor<0x0x1x1xf32>, tensor<2x2xi64>) -> tensor<1x?x?x1xf32>
  return
}
// -----
// dynamic_conv_i2: a window of size 0 beside an unknown one
// error@5:8: stablehlo.dynamic_conv I2: sizes = [-1, 0]
func.func @main(%a: tensor<1x4x4x1xf32>, %k: tensor<?x0x1x1xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%a, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x4x1xf32>, tensor<?x0x1x1xf32>, tensor<2x2xi64>) -> tensor<1x?x?x1xf32>
  return
}
