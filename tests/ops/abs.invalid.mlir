// abs_i1
// error@4:22: stablehlo.abs I1: operand = tensor<2xui32>
func.func @main(%a: tensor<2xui32>) {
  %0 = stablehlo.abs %a : tensor<2xui32>
  return
}
// -----
// abs_c1
// error@4:27: stablehlo.abs C1: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.abs %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}
// -----
// abs_c2
// error@4:27: stablehlo.abs C2: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xcomplex<f32>>) {
  %0 = stablehlo.abs %a : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}
