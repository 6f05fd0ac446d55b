// reshape_i1
// error@4:26: stablehlo.reshape I1: operand = !stablehlo.token
func.func @main(%a: !stablehlo.token) {
  %0 = stablehlo.reshape %a : (!stablehlo.token) -> tensor<f32>
  return
}
// -----
// reshape result without a bound
// error@4:31: stablehlo.reshape: result = tensor<?xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<?xf32>
  return
}
// -----
// reshape_c1
// error@4:8: stablehlo.reshape C1: operand = f32, result = f64
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<2x1xf64>
  return
}
// -----
// reshape_c1 scales
// error@4:8: stablehlo.reshape C1: operand = !quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00}>, result = !quant.uniform<i8:f32:0, {1.000000e+00,1.000000e+00}>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) {
  %0 = stablehlo.reshape %a : (tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<2x1x!quant.uniform<i8:f32:0, {1.0, 1.0}>>
  return
}
// -----
// reshape_c2
// error@4:8: stablehlo.reshape C2: operand = 6, result = 4
func.func @main(%a: tensor<2x3xf32>) {
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}
// -----
// reshape_c3
// error@4:8: stablehlo.reshape C3: operand = tensor<2x3x!quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00}>>, result = tensor<3x2x!quant.uniform<i8:f32:1, {1.000000e+00,2.000000e+00}>>
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) {
  %0 = stablehlo.reshape %a : (tensor<2x3x!quant.uniform<i8:f32:0, {1.0, 2.0}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
  return
}
// -----
// reshape_c3: beside a dynamic dimension
// error@4:8: stablehlo.reshape C3: operand = tensor<?x1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.000000e+00}>>, result = tensor<1x2x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.000000e+00}>>
func.func @main(%a: tensor<?x1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.000000e+00}>>) {
  %0 = "stablehlo.reshape"(%a) : (tensor<?x1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.000000e+00}>>) -> tensor<1x2x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.000000e+00}>>
  return
}
// -----
// reshape_c1: scales, of a dynamic shape
// error@5:8: stablehlo.reshape C1: operand = !quant.uniform<i8:f32:0, {5.000000e-01}>, result = !quant.uniform<i8:f32:2, {5.000000e-01,2.000000e+00}>
// error@5:8: stablehlo.reshape C3: operand = tensor<?x1x2x!quant.uniform<i8:f32:0, {5.000000e-01}>>, result = tensor<1x2x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.000000e+00}>>
func.func @main(%a: tensor<?x1x2x!quant.uniform<i8:f32:0, {5.000000e-01}>>) {
  %0 = "stablehlo.reshape"(%a) : (tensor<?x1x2x!quant.uniform<i8:f32:0, {5.000000e-01}>>) -> tensor<1x2x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.000000e+00}>>
  return
}
// -----
// reshape_c1: the result stores unsigned numbers, of a dynamic shape
// error@4:8: stablehlo.reshape C1: operand = !quant.uniform<i8:f32, 5.000000e-01>, result = !quant.uniform<u8:f32, 5.000000e-01>
func.func @main(%a: tensor<?x2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.reshape"(%a) : (tensor<?x2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x2x!quant.uniform<u8:f32, 5.000000e-01>>
  return
}
// -----
// reshape_c1: the result stores fewer numbers, of a dynamic shape
// error@4:8: stablehlo.reshape C1: operand = !quant.uniform<i8:f32, 5.000000e-01>, result = !quant.uniform<i8<-127:127>:f32, 5.000000e-01>
func.func @main(%a: tensor<?x2x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = "stablehlo.reshape"(%a) : (tensor<?x2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x2x!quant.uniform<i8<-127:127>:f32, 5.000000e-01>>
  return
}
