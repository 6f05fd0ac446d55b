// floor_i1
// error@4:24: stablehlo.floor I1: operand = tensor<2xi32>
func.func @main(%a: tensor<2xi32>) {
  %0 = stablehlo.floor %a : tensor<2xi32>
  return
}
// -----
// floor_c1
// error@4:29: stablehlo.floor C1: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.floor %a : (tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// floor_c1 shape
// error@4:29: stablehlo.floor C1: type = tensor<2x1xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.floor %a : (tensor<2xf32>) -> tensor<2x1xf32>
  return
}
