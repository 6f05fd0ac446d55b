// not_i1
// error@4:22: stablehlo.not I1: operand = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.not %a : tensor<2xf32>
  return
}
// -----
// not_c1
// error@4:27: stablehlo.not C1: type = tensor<2xi8>, expected = tensor<2xi1>
func.func @main(%a: tensor<2xi1>) {
  %0 = stablehlo.not %a : (tensor<2xi1>) -> tensor<2xi8>
  return
}
// -----
// not_c1 shape
// error@4:27: stablehlo.not C1: type = tensor<2x1xi1>, expected = tensor<2xi1>
func.func @main(%a: tensor<2xi1>) {
  %0 = stablehlo.not %a : (tensor<2xi1>) -> tensor<2x1xi1>
  return
}
