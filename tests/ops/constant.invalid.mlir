// constant_c1
// error@4:68: stablehlo.constant C1: type = tensor<i64>, expected = tensor<i32>
func.func @main() {
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i64>
  return
}
// -----
// constant_c1 shape
// error@4:70: stablehlo.constant C1: type = tensor<3xi32>, expected = tensor<2xi32>
func.func @main() {
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<3xi32>
  return
}
// -----
// constant_c1 storage type
// error@4:70: stablehlo.constant C1: type = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, expected = tensor<2xi16>
func.func @main() {
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi16>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
// -----
// constant_c1 dynamic
// error@4:70: stablehlo.constant C1: output = tensor<?xi32>
func.func @main() {
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<?xi32>
  return
}
// -----
// constant_i1 sparse
// error@4:27: stablehlo.constant I1: value = sparse<0, 1.000000e+00> : tensor<4xf32>
func.func @main() {
  %0 = stablehlo.constant sparse<[[0]], [1.0]> : tensor<4xf32>
  return
}
// -----
// constant_i1
// error@4:33: stablehlo.constant I1: value = 1 : i32
func.func @main() {
  %0 = "stablehlo.constant"() <{value = 1 : i32}> : () -> tensor<i32>
  return
}
// -----
// constant_c1: a quantized literal of other parameters
// error@4:33: stablehlo.constant C1: the literal has type tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, the result tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
func.func @main() {
  %0 = "stablehlo.constant"() <{value = dense<[4, 10]> : tensor<2x!quant.uniform<i8:f32, 0.25>>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}
// -----
// constant_c1: a quantized literal and a result of what is stored
// error@4:33: stablehlo.constant C1: the literal has type tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>, the result tensor<2xi8>
func.func @main() {
  %0 = "stablehlo.constant"() <{value = dense<[4, 10]> : tensor<2x!quant.uniform<i8:f32, 0.25>>}> : () -> tensor<2xi8>
  return
}
