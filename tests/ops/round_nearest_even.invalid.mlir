// round_nearest_even_i1
// error@4:37: stablehlo.round_nearest_even I1: operand = tensor<2xi8>
func.func @main(%a: tensor<2xi8>) {
  %0 = stablehlo.round_nearest_even %a : tensor<2xi8>
  return
}
// -----
// round_nearest_even_c1
// error@4:42: stablehlo.round_nearest_even C1: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.round_nearest_even %a : (tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// round_nearest_even_c1 shape
// error@4:42: stablehlo.round_nearest_even C1: type = tensor<2x1xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.round_nearest_even %a : (tensor<2xf32>) -> tensor<2x1xf32>
  return
}
