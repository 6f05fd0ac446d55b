// broadcast_i1
// error@4:28: stablehlo.broadcast I1: operand = !stablehlo.token
func.func @main(%a: !stablehlo.token) -> tensor<2xf32> {
  %0 = stablehlo.broadcast %a, sizes = [2] : (!stablehlo.token) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// broadcast_c1
// error@4:8: stablehlo.broadcast C1: broadcast_sizes = [-1]
func.func @main(%a: tensor<f32>) -> tensor<?xf32> {
  %0 = stablehlo.broadcast %a, sizes = [-1] : (tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// broadcast_c2
// error@4:46: stablehlo.broadcast C2: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<f32>) -> tensor<2xf64> {
  %0 = stablehlo.broadcast %a, sizes = [2] : (tensor<f32>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
// -----
// broadcast_c3
// error@4:46: stablehlo.broadcast C3: type = tensor<3x2xf32>, expected = tensor<2x3xf32>
func.func @main(%a: tensor<3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.broadcast %a, sizes = [2] : (tensor<3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// -----
