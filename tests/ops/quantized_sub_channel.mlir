// Two blocks of two columns: (2 - 0) * 0.5, (4 - 0) * 0.5, (2 - 1) * 0.25, (5 - 1) * 0.25.
func.func @dequantize_sub_channel() {
  %0 = stablehlo.constant() <{value = dense<[[2, 4, 2, 5]]> : tensor<1x4xi8>}> : () -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>) -> tensor<1x4xf32>
  check.expect_eq_const %1, dense<[[1.0, 2.0, 0.25, 1.0]]> : tensor<1x4xf32>
  return
}

// Blocks of one row and two columns, four bits: 1 / 0.5 = 2, 1 / 0.25 + 1 = 5, 1 / 1 = 1, 1 / 2 = 0.5 to 0.
func.func @quantize_sub_channel() {
  %0 = stablehlo.constant dense<1.0> : tensor<2x4xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i4:f32:{0:1, 1:2}, {{0.5, 0.25:1}, {1.0, 2.0}}>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2x4x!quant.uniform<i4:f32:{0:1, 1:2}, {{0.5, 0.25:1}, {1.0, 2.0}}>>) -> tensor<2x4xi4>
  check.expect_eq_const %2, dense<[[2, 2, 5, 5], [1, 1, 0, 0]]> : tensor<2x4xi4>
  return
}

// From blocks to one scale: [1, 2, 0.25, 1] / 0.25.
func.func @requantize_sub_channel() {
  %0 = stablehlo.constant() <{value = dense<[[2, 4, 2, 5]]> : tensor<1x4xi8>}> : () -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>
  %1 = stablehlo.uniform_quantize %0 : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>) -> tensor<1x4x!quant.uniform<i8:f32, 0.25>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<1x4x!quant.uniform<i8:f32, 0.25>>) -> tensor<1x4xi8>
  check.expect_eq_const %2, dense<[[4, 8, 1, 4]]> : tensor<1x4xi8>
  return
}

// [1, 2, 0.25, 1] twice is [2, 4, 0.5, 2]: over 0.5, and over 0.25 with zero point 1.
func.func @add_sub_channel() {
  %0 = stablehlo.constant() <{value = dense<[[2, 4, 2, 5]]> : tensor<1x4xi8>}> : () -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>
  %1 = stablehlo.add %0, %0 : tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>) -> tensor<1x4xi8>
  check.expect_eq_const %2, dense<[[4, 8, 3, 9]]> : tensor<1x4xi8>
  return
}

// The blocks move with the dimensions.
func.func @transpose_sub_channel() {
  %0 = stablehlo.constant() <{value = dense<[[2, 4, 2, 5]]> : tensor<1x4xi8>}> : () -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>) -> tensor<4x1x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25:1}}>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<4x1x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25:1}}>>) -> tensor<4x1xf32>
  check.expect_eq_const %2, dense<[[1.0], [2.0], [0.25], [1.0]]> : tensor<4x1xf32>
  return
}

// A block becomes a row.
func.func @reshape_sub_channel() {
  %0 = stablehlo.constant() <{value = dense<[[2, 4, 2, 5]]> : tensor<1x4xi8>}> : () -> tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>
  %1 = stablehlo.reshape %0 : (tensor<1x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>) -> tensor<2x2x!quant.uniform<i8:f32:{0:1}, {{0.5}, {0.25:1}}>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x2x!quant.uniform<i8:f32:{0:1}, {{0.5}, {0.25:1}}>>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[1.0, 2.0], [0.25, 1.0]]> : tensor<2x2xf32>
  return
}

func.func @broadcast_in_dim_sub_channel() {
  %0 = stablehlo.constant() <{value = dense<[2, 4, 2, 5]> : tensor<4xi8>}> : () -> tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5, 0.25:1}>>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4x!quant.uniform<i8:f32:{0:2}, {0.5, 0.25:1}>>) -> tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x4x!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25:1}}>>) -> tensor<2x4xf32>
  check.expect_eq_const %2, dense<[[1.0, 2.0, 0.25, 1.0], [1.0, 2.0, 0.25, 1.0]]> : tensor<2x4xf32>
  return
}

// Weights in blocks along the contracting dimension: 1 * (2 * 0.5) + 2 * (4 * 0.5) + 3 * (1 * 0.25) + 4 * (4 * 0.25).
func.func @dot_general_hybrid_sub_channel() {
  %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %1 = stablehlo.constant() <{value = dense<[[2], [4], [1], [4]]> : tensor<4x1xi4>}> : () -> tensor<4x1x!quant.uniform<i4:f32:{0:2, 1:1}, {{0.5}, {0.25}}>>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x1x!quant.uniform<i4:f32:{0:2, 1:1}, {{0.5}, {0.25}}>>) -> tensor<1x1xf32>
  check.expect_eq_const %2, dense<[[9.75]]> : tensor<1x1xf32>
  return
}

// The same operands quantized, the result per tensor: 9.75 / 0.5 = 19.5 to 20.
func.func @dot_general_static_range_sub_channel() {
  %0 = stablehlo.constant() <{value = dense<[[1, 2, 3, 4]]> : tensor<1x4xi8>}> : () -> tensor<1x4x!quant.uniform<i8:f32, 1.0>>
  %1 = stablehlo.constant() <{value = dense<[[2], [4], [1], [4]]> : tensor<4x1xi8>}> : () -> tensor<4x1x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<1x4x!quant.uniform<i8:f32, 1.0>>, tensor<4x1x!quant.uniform<i8:f32:{0:2}, {{0.5}, {0.25}}>>) -> tensor<1x1x!quant.uniform<i8:f32, 0.5>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<1x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x1xi8>
  check.expect_eq_const %3, dense<[[20]]> : tensor<1x1xi8>
  return
}

// Kernel positions are blocks: 1 * (2 * 0.5) + 2 * (4 * 0.25) = 3, 2 + 3 = 5.
func.func @convolution_hybrid_sub_channel() {
  %0 = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %1 = stablehlo.constant() <{value = dense<[[[2]], [[4]]]> : tensor<2x1x1xi8>}> : () -> tensor<2x1x1x!quant.uniform<i8:f32:{0:1}, {{{0.5}}, {{0.25}}}>>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<2x1x1x!quant.uniform<i8:f32:{0:1}, {{{0.5}}, {{0.25}}}>>) -> tensor<1x2x1xf32>
  check.expect_eq_const %2, dense<[[[3.0], [5.0]]]> : tensor<1x2x1xf32>
  return
}

// Carried through control flow and calls.
func.func @control_flow_sub_channel() {
  %0 = stablehlo.constant() <{value = dense<[2, 4]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25:1}>>
  %p = stablehlo.constant dense<true> : tensor<i1>
  %1 = "stablehlo.if"(%p) ({
    %3 = func.call @twice_sub_channel(%0) : (tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25:1}>>) -> tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25:1}>>
    stablehlo.return %3 : tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25:1}>>
  }, {
    stablehlo.return %0 : tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25:1}>>
  }) : (tensor<i1>) -> tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25:1}>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25:1}>>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[2.0, 1.5]> : tensor<2xf32>
  return
}

func.func private @twice_sub_channel(%x: tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25:1}>>) -> tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25:1}>> {
  %0 = stablehlo.add %x, %x : tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25:1}>>
  return %0 : tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25:1}>>
}
