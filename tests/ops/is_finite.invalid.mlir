// is_finite_i1
// error@4:28: stablehlo.is_finite I1: x = tensor<2xi32>
func.func @main(%a: tensor<2xi32>) {
  %0 = stablehlo.is_finite %a : (tensor<2xi32>) -> tensor<2xi1>
  return
}
// -----
// is_finite_result
// error@4:33: stablehlo.is_finite: y = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.is_finite %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// is_finite_c1
// error@4:33: stablehlo.is_finite C1: type = tensor<3xi1>, expected = tensor<2xi1>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.is_finite %a : (tensor<2xf32>) -> tensor<3xi1>
  return
}
