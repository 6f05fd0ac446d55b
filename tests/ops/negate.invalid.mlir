// negate_i1
// error@4:25: stablehlo.negate I1: operand = tensor<2xi1>
func.func @main(%a: tensor<2xi1>) {
  %0 = stablehlo.negate %a : tensor<2xi1>
  return
}
// -----
// negate_c1
// error@4:30: stablehlo.negate C1: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.negate %a : (tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// negate_c1 shape
// error@4:30: stablehlo.negate C1: type = tensor<2x1xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.negate %a : (tensor<2xf32>) -> tensor<2x1xf32>
  return
}
