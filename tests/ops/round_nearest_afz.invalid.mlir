// round_nearest_afz_i1
// error@4:36: stablehlo.round_nearest_afz I1: operand = tensor<2xcomplex<f32>>
func.func @main(%a: tensor<2xcomplex<f32>>) {
  %0 = stablehlo.round_nearest_afz %a : tensor<2xcomplex<f32>>
  return
}
// -----
// round_nearest_afz_c1
// error@4:41: stablehlo.round_nearest_afz C1: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.round_nearest_afz %a : (tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// round_nearest_afz_c1 shape
// error@4:41: stablehlo.round_nearest_afz C1: type = tensor<2x1xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.round_nearest_afz %a : (tensor<2xf32>) -> tensor<2x1xf32>
  return
}
