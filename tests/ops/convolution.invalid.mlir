// convolution_i1
// error@4:32: stablehlo.convolution I1: lhs = tensor<1x8x8x4xindex>
func.func @main(%a: tensor<1x8x8x4xindex>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xindex>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i2
// error@4:36: stablehlo.convolution I2: rhs = tensor<3x3x4x4xindex>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xindex>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xindex>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i3
// error@4:180: stablehlo.convolution I3: window_strides = [1, 1]
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = [1, 1]}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i4
// error@4:180: stablehlo.convolution I4: padding = dense<0> : tensor<4xi64>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<0> : tensor<4xi64>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i5
// error@4:180: stablehlo.convolution I5: lhs_dilation = [1, 1]
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = [1, 1]}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i6
// error@4:180: stablehlo.convolution I6: rhs_dilation = 1 : i64
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, rhs_dilation = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i7
// error@4:180: stablehlo.convolution I7: window_reversal = array<i64: 0, 0>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_reversal = array<i64: 0, 0>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i8
// error@4:8: stablehlo.convolution I8: expected the attribute dimension_numbers, convolution dimension numbers
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i17
// error@4:8: stablehlo.convolution I17: expected the attribute feature_group_count, a 64-bit integer
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i18
// error@4:8: stablehlo.convolution I18: expected the attribute batch_group_count, a 64-bit integer
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i19
// error@4:180: stablehlo.convolution I19: precision_config = 1 : i64
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, precision_config = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c1
// error@4:8: stablehlo.convolution C1: lhs = 4, rhs = 3
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c1 of rank 1
// error@4:8: stablehlo.convolution C1: lhs = 1, rhs = 1
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// convolution_c2
// error@4:8: stablehlo.convolution C2: window_strides = [1], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c3
// error@4:8: stablehlo.convolution C3: window_strides = [1, 0]
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1, 0>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c4
// error@4:8: stablehlo.convolution C4: shape = [3, 2], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<0> : tensor<3x2xi64>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c4 of triples
// error@4:8: stablehlo.convolution C4: shape = [2, 3], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<0> : tensor<2x3xi64>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c5
// error@4:8: stablehlo.convolution C5: lhs_dilation = [1, 1, 1], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1, 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c6
// error@4:8: stablehlo.convolution C6: lhs_dilation = [1, -1]
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, -1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c7
// error@4:8: stablehlo.convolution C7: rhs_dilation = [1], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c8
// error@4:8: stablehlo.convolution C8: rhs_dilation = [0, 1]
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 0, 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c9
// error@4:8: stablehlo.convolution C9: window_reversal = [true], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_reversal = array<i1: true>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c10
// error@4:8: stablehlo.convolution C10: size = 3, groups = 2
func.func @main(%a: tensor<3x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<3x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c11
// error@4:8: stablehlo.convolution C11: size = 5, groups = 2
func.func @main(%a: tensor<1x8x8x5xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64}> : (tensor<1x8x8x5xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c12
// error@4:8: stablehlo.convolution C12: input_spatial_dimensions = [1], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c13
// error@4:8: stablehlo.convolution C13: input_dimensions = [0, 1, 1, 3], N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c13 out of range
// error@4:8: stablehlo.convolution C13: input_dimensions = [0, 1, 4, 3], N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 4], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c14
// error@4:8: stablehlo.convolution C14: lhs = 4, rhs = 3, feature_group_count = 1
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x3x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c15
// error@4:8: stablehlo.convolution C15: size = 4, groups = 3
func.func @main(%a: tensor<3x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 3 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<3x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c16
// error@4:8: stablehlo.convolution C16: size = 4, groups = 3
func.func @main(%a: tensor<1x8x8x12xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64}> : (tensor<1x8x8x12xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c17
// error@4:8: stablehlo.convolution C17: kernel_spatial_dimensions = [0], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c18
// error@4:8: stablehlo.convolution C18: kernel_dimensions = [0, 0, 2, 3], N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c18 out of range
// error@4:8: stablehlo.convolution C18: kernel_dimensions = [0, 1, -1, 3], N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = -1, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c19
// error@4:8: stablehlo.convolution C19: output_spatial_dimensions = [1], N - 2 = 2
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c20
// error@4:8: stablehlo.convolution C20: output_dimensions = [0, 1, 0, 3], N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 0]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c20 out of range
// error@4:8: stablehlo.convolution C20: output_dimensions = [0, 1, 2, 4], N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 4, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c21
// error@4:8: stablehlo.convolution C21: feature_group_count = 0
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 0 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c22
// error@4:8: stablehlo.convolution C22: batch_group_count = 0
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 0 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c23
// error@4:8: stablehlo.convolution C23: feature_group_count = 2, batch_group_count = 2
func.func @main(%a: tensor<2x8x8x8xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64}> : (tensor<2x8x8x8xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c24
// error@4:8: stablehlo.convolution C24: size = 3
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c25
// error@4:183: stablehlo.convolution C25: type = tensor<1x6x7x4xf32>, expected = tensor<1x6x6x4xf32>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x7x4xf32>
  return
}
// -----
// convolution_c25 of the batch
// error@4:183: stablehlo.convolution C25: type = tensor<2x6x6x4xf32>, expected = tensor<1x6x6x4xf32>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<2x6x6x4xf32>
  return
}
// -----
// convolution_c25 of the features
// error@4:183: stablehlo.convolution C25: type = tensor<1x6x6x5xf32>, expected = tensor<1x6x6x4xf32>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x5xf32>
  return
}
// -----
// convolution_c26
// error@4:8: stablehlo.convolution C26: result = 3, N = 4
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6xf32>
  return
}
// -----
// convolution_c27
// error@4:8: stablehlo.convolution C27: lhs = f32, rhs = f64, result = f32
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf64>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf64>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c27 with a narrower result
// error@4:8: stablehlo.convolution C27: lhs = f32, rhs = f32, result = bf16
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xbf16>
  return
}
// -----
// convolution_c28
// error@4:8: stablehlo.convolution C28: lhs = f32, rhs = !quant.uniform<i8:f32, 5.000000e-01>, result = !quant.uniform<i8:f32, 5.000000e-01>
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x4x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1x6x6x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// convolution_c29
// error@4:8: stablehlo.convolution C29: quantization_dimension = 2, expected = 3
func.func @main(%a: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x3x4x4x!quant.uniform<i8:f32:2, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x4x!quant.uniform<i8:f32:2, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>) -> tensor<1x6x6x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// convolution_c30
// error@4:8: stablehlo.convolution C30: quantization_dimension = 0, expected = 3
func.func @main(%a: tensor<4x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x3x4x4x!quant.uniform<i8:f32:3, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x4x!quant.uniform<i8:f32:3, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>) -> tensor<4x6x6x4x!quant.uniform<i8:f32:0, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>
  return
}
// -----
// convolution_c31
// error@4:8: stablehlo.convolution C31: lhs = i8, rhs = i16
func.func @main(%a: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x3x4x4x!quant.uniform<i16:f32, 5.000000e-01>>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x4x!quant.uniform<i16:f32, 5.000000e-01>>) -> tensor<1x6x6x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// convolution_c32
// error@4:8: stablehlo.convolution C32: lhs = f32, rhs = f64, result = f32
func.func @main(%a: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x3x4x4x!quant.uniform<i8:f64, 5.000000e-01>>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x4x!quant.uniform<i8:f64, 5.000000e-01>>) -> tensor<1x6x6x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// convolution_c33
// error@4:8: stablehlo.convolution C33: rhs = !quant.uniform<i8:f32, 5.000000e-01>, result = !quant.uniform<i8:f32:3, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>
func.func @main(%a: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<3x3x4x4x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x3x4x4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1x6x6x4x!quant.uniform<i8:f32:3, {5.000000e-01,5.000000e-01,5.000000e-01,5.000000e-01}>>
  return
}
// -----
// convolution_c34
// error@4:8: stablehlo.convolution C34: lhs = f64, rhs = !quant.uniform<i8:f32, 5.000000e-01>, result = f64
func.func @main(%a: tensor<1x8x8x4xf64>, %b: tensor<3x3x4x4x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf64>, tensor<3x3x4x4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1x6x6x4xf64>
  return
}
// -----
// convolution_i2 with an empty window
// error@4:8: stablehlo.convolution I2: sizes = [0, 3]
func.func @main(%a: tensor<1x8x8x4xf32>, %b: tensor<0x3x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<0x3x4x4xf32>) -> tensor<1x9x6x4xf32>
  return
}
// -----
// convolution_i9: a list for a number
// error@4:164: expected an integer, found '['
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = [3], input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i10: a number for a list
// error@4:194: expected '[', found '1'
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = 1, kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i11: a fraction
// error@4:235: expected an integer, found '2.0'
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2.0, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i12: a string
// error@4:272: expected an integer, found '"a"'
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = "a", kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i13: a list of lists
// error@4:304: expected an integer, found '['
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [[0], [1]], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i14: a string
// error@4:336: expected an integer, found '"0"'
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = "0", output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i15: nothing
// error@4:366: expected an integer, found ','
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = , output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_i16: strings
// error@4:398: expected an integer, found '"1"'
func.func @main(%a: tensor<1x8x8x2xf32>, %b: tensor<3x3x2x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = ["1", "2"]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
// convolution_c31: signed and unsigned
// error@4:8: stablehlo.convolution C31: lhs = ui8, rhs = i8
func.func @main(%a: tensor<1x8x8x2x!quant.uniform<ui8:f32, 5.000000e-01>>, %b: tensor<3x3x2x4x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2x!quant.uniform<ui8:f32, 5.000000e-01>>, tensor<3x3x2x4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1x6x6x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
