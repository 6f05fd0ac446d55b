// ceil_i1
// error@4:23: stablehlo.ceil I1: operand = tensor<2xi32>
func.func @main(%a: tensor<2xi32>) {
  %0 = stablehlo.ceil %a : tensor<2xi32>
  return
}
// -----
// ceil_c1
// error@4:28: stablehlo.ceil C1: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.ceil %a : (tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// ceil_c1 shape
// error@4:28: stablehlo.ceil C1: type = tensor<2x1xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.ceil %a : (tensor<2xf32>) -> tensor<2x1xf32>
  return
}
// -----
// ceil_c1 storage type
// error@4:28: stablehlo.ceil C1: type = tensor<2x!quant.uniform<i16:f32, 5.000000e-01>>, expected = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.ceil %a : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<i16:f32, 5.000000e-01>>
  return
}
