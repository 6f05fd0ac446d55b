// broadcast_in_dim_i1
// error@4:35: stablehlo.broadcast_in_dim I1: operand = tensor<2xindex>
func.func @main(%a: tensor<2xindex>) -> tensor<2xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xindex>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// broadcast_in_dim_i2
// error@4:43: stablehlo.broadcast_in_dim I2: broadcast_dimensions = array<i32: 0>
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i32: 0>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// broadcast_in_dim result without a bound
// error@4:52: stablehlo.broadcast_in_dim: result = tensor<?xf32>
func.func @main(%a: tensor<2xf32>) -> tensor<?xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// broadcast_in_dim_c1
// error@4:8: stablehlo.broadcast_in_dim C1: operand = f32, result = f64
func.func @main(%a: tensor<2xf32>) -> tensor<2xf64> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xf32>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
// -----
// broadcast_in_dim_c1 per-tensor quantized
// error@4:8: stablehlo.broadcast_in_dim C1: operand = !quant.uniform<i8:f32, 1.000000e+00>, result = !quant.uniform<i8:f32, 2.000000e+00>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 1.0>>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x!quant.uniform<i8:f32, 2.0>>
  return
}
// -----
// broadcast_in_dim_c2
// error@4:8: stablehlo.broadcast_in_dim C2: size = 2, rank = 1
func.func @main(%a: tensor<2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// broadcast_in_dim_c3
// error@4:8: stablehlo.broadcast_in_dim C3: broadcast_dimensions = [1], rank = 1
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// broadcast_in_dim_c3 negative
// error@4:8: stablehlo.broadcast_in_dim C3: broadcast_dimensions = [-1], rank = 1
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [-1] : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// broadcast_in_dim_c4
// error@4:8: stablehlo.broadcast_in_dim C4: broadcast_dimensions = [0, 0]
func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// broadcast_in_dim_c5
// error@4:8: stablehlo.broadcast_in_dim C5: operand = [2], result = [3, 2], dimensions = [0]
func.func @main(%a: tensor<2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// -----
// broadcast_in_dim_c6
// error@4:8: stablehlo.broadcast_in_dim C6: operand = !quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00}>, result = !quant.uniform<i8:f32:1, {1.000000e+00,2.000000e+00}>
func.func @main(%a: tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
  return
}
// -----
// broadcast_in_dim_c6 scales
// error@4:8: stablehlo.broadcast_in_dim C6: operand = !quant.uniform<i8:f32:0, {1.000000e+00}>, result = !quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00}>
func.func @main(%a: tensor<1x!quant.uniform<i8:f32:0, {1.0}>>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<1x!quant.uniform<i8:f32:0, {1.0}>>) -> tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  return
}
// -----
