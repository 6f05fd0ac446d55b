// uniform_quantize_i1
// error@4:35: stablehlo.uniform_quantize I1: operand = tensor<2xi32>
func.func @main(%a: tensor<2xi32>) {
  %0 = stablehlo.uniform_quantize %a : (tensor<2xi32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// uniform_quantize_result
// error@4:40: stablehlo.uniform_quantize: result = tensor<2xi8>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2xi8>
  return
}
// -----
// uniform_quantize_c1
// error@4:8: stablehlo.uniform_quantize C1: operand = [2], result = [3]
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// uniform_quantize_c2
// error@4:8: stablehlo.uniform_quantize C2: operand = f64, result = !quant.uniform<i8:f32, 5.000000e-01>
func.func @main(%a: tensor<2xf64>) {
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf64>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// uniform_quantize_c2 requantize
// error@4:8: stablehlo.uniform_quantize C2: operand = !quant.uniform<i8:f64, 5.000000e-01>, result = !quant.uniform<i8:f32, 5.000000e-01>
func.func @main(%a: tensor<2x!quant.uniform<i8:f64, 5.000000e-01>>) {
  %0 = stablehlo.uniform_quantize %a : (tensor<2x!quant.uniform<i8:f64, 5.000000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
