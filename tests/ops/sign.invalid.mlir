// sign_i1
// error@4:23: stablehlo.sign I1: operand = tensor<2xui32>
func.func @main(%a: tensor<2xui32>) {
  %0 = stablehlo.sign %a : tensor<2xui32>
  return
}
// -----
// sign_c1
// error@4:28: stablehlo.sign C1: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.sign %a : (tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// sign_c1 shape
// error@4:28: stablehlo.sign C1: type = tensor<2x1xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.sign %a : (tensor<2xf32>) -> tensor<2x1xf32>
  return
}
