// cholesky_i1
// error@4:29: stablehlo.cholesky I1: a = tensor<3x3xi32>
func.func @main(%a: tensor<3x3xi32>) {
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x3xi32>) -> tensor<3x3xi32>
  return
}
// -----
// cholesky_i1 quantized per axis
// error@4:29: stablehlo.cholesky I1: a = tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @main(%a: tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) {
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
  return
}
// -----
// cholesky_i2
// error@4:35: stablehlo.cholesky I2: lower = 1 : i64
func.func @main(%a: tensor<3x3xf32>) {
  %0 = "stablehlo.cholesky"(%a) <{lower = 1 : i64}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}
// -----
// cholesky_c1
// error@4:52: stablehlo.cholesky C1: type = tensor<3x3xf64>, expected = tensor<3x3xf32>
func.func @main(%a: tensor<3x3xf32>) {
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x3xf32>) -> tensor<3x3xf64>
  return
}
// -----
// cholesky_c1 by shape
// error@4:52: stablehlo.cholesky C1: type = tensor<1x3x3xf32>, expected = tensor<3x3xf32>
func.func @main(%a: tensor<3x3xf32>) {
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x3xf32>) -> tensor<1x3x3xf32>
  return
}
// -----
// cholesky_c2
// error@4:8: stablehlo.cholesky C2: rank = 1
func.func @main(%a: tensor<3xf32>) {
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3xf32>) -> tensor<3xf32>
  return
}
// -----
// cholesky_c3
// error@4:8: stablehlo.cholesky C3: shape = [2, 3]
func.func @main(%a: tensor<2x3xf32>) {
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
