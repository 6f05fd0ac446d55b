// collective_permute_c1
// error@4:8: stablehlo.collective_permute C1: source_target_pairs = [1, 3]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%a0) <{source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_permute_c2
// error@4:8: stablehlo.collective_permute C2: source_target_pairs = [[0, 1], [0, 2]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%a0) <{source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_permute_c3
// error@4:8: stablehlo.collective_permute C3: source_target_pairs = [[0, 1], [2, 1]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%a0) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_permute_c4
// error@4:8: stablehlo.collective_permute C4: source_target_pairs = [[0, -1]]
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%a0) <{source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_permute_c5: shape
// error@4:106: stablehlo.collective_permute C5: type = tensor<2x5xf32>, expected = tensor<2x4xf32>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%a0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x5xf32>
  return
}
// -----
// collective_permute_c5: element type
// error@4:106: stablehlo.collective_permute C5: type = tensor<2x4xf64>, expected = tensor<2x4xf32>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%a0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf64>
  return
}
// -----
// collective_permute_i2
// error@4:46: stablehlo.collective_permute I2: source_target_pairs = dense<[0, 1]> : tensor<2xi64>
func.func @main(%a0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%a0) <{source_target_pairs = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
// collective_permute_i1
// error@4:39: stablehlo.collective_permute I1: operand = tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}> : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x4xf32>
  return
}
// -----
// collective_permute_i3
// error@4:48: stablehlo.collective_permute I3: channel_handle = 1 : i32
func.func @main(%arg0: tensor<2x4xf32>) {
  %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = 1 : i32, source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
