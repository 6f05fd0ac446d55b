// real_i1
// error@4:23: stablehlo.real I1: operand = tensor<2xi32>
func.func @main(%a: tensor<2xi32>) {
  %0 = stablehlo.real %a : (tensor<2xi32>) -> tensor<2xf32>
  return
}
// -----
// real_c1
// error@4:28: stablehlo.real C1: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xcomplex<f32>>) {
  %0 = stablehlo.real %a : (tensor<2xcomplex<f32>>) -> tensor<3xf32>
  return
}
// -----
// real_c2
// error@4:28: stablehlo.real C2: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xcomplex<f32>>) {
  %0 = stablehlo.real %a : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}
