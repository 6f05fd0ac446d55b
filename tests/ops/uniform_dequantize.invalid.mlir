// uniform_dequantize_i1
// error@4:37: stablehlo.uniform_dequantize I1: operand = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.uniform_dequantize %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// uniform_dequantize_c1
// error@4:42: stablehlo.uniform_dequantize C1: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xf32>
  return
}
// -----
// uniform_dequantize_c2
// error@4:42: stablehlo.uniform_dequantize C2: type = tensor<2xf64>, expected = tensor<2xf32>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xf64>
  return
}
// -----
// uniform_dequantize_c1: a bound of the operand that is less than a size of the result
// error@4:42: stablehlo.uniform_dequantize C1: type = tensor<5xf32>, expected = tensor<?xf32, #stablehlo.bounds<4>>
func.func @main(%a: tensor<?x!quant.uniform<i8:f32, 5.000000e-01>, #stablehlo.bounds<4>>) {
  %0 = stablehlo.uniform_dequantize %a : (tensor<?x!quant.uniform<i8:f32, 5.000000e-01>, #stablehlo.bounds<4>>) -> tensor<5xf32>
  return
}
