// convert_i1
// error@4:26: stablehlo.convert I1: operand = tensor<2xindex>
func.func @main(%a: tensor<2xindex>) {
  %0 = stablehlo.convert %a : (tensor<2xindex>) -> tensor<2xf32>
  return
}
// -----
// convert_result
// error@4:31: stablehlo.convert: result = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// convert_c1
// error@4:8: stablehlo.convert C1: operand = [2], result = [3]
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<3xf64>
  return
}
