// dynamic_reshape_i1
// error@4:34: stablehlo.dynamic_reshape I1: operand = tensor<2xindex>
func.func @main(%a: tensor<2xindex>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<2xindex>, tensor<1xi64>) -> tensor<2xi64>
  return
}
// -----
// dynamic_reshape_i2
// error@4:38: stablehlo.dynamic_reshape I2: output_shape = tensor<1x1xi64>
func.func @main(%a: tensor<2xi64>, %b: tensor<1x1xi64>) {
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<2xi64>, tensor<1x1xi64>) -> tensor<2xi64>
  return
}
// -----
// dynamic_reshape_c1
// error@4:8: stablehlo.dynamic_reshape C1: operand = i64, result = i32
func.func @main(%a: tensor<2xi64>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<2xi64>, tensor<1xi64>) -> tensor<2xi32>
  return
}
// -----
// dynamic_reshape_c2
// error@4:8: stablehlo.dynamic_reshape C2: operand = 2, result = 3
func.func @main(%a: tensor<2xi64>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<2xi64>, tensor<1xi64>) -> tensor<3xi64>
  return
}
// -----
// dynamic_reshape_c2 constant shape
// error@5:8: stablehlo.dynamic_reshape C2: operand = 2, result = 3
func.func @main(%a: tensor<2xi64>) {
  %b = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xi64>
  return
}
// -----
// dynamic_reshape_c3
// error@4:8: stablehlo.dynamic_reshape C3: operand = tensor<?x1x!quant.uniform<i8:f32:0, {1.000000e+00,2.000000e+00}>>, result = tensor<2x2x!quant.uniform<i8:f32:1, {1.000000e+00,2.000000e+00}>>
func.func @main(%a: tensor<?x1x!quant.uniform<i8:f32:0, {1.0, 2.0}>>, %b: tensor<2xi64>) {
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<?x1x!quant.uniform<i8:f32:0, {1.0, 2.0}>>, tensor<2xi64>) -> tensor<2x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
  return
}
// -----
// dynamic_reshape_c4
// error@4:8: stablehlo.dynamic_reshape C4: size = 1, result = [1, 2]
func.func @main(%a: tensor<2xi64>, %b: tensor<1xi64>) {
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<2xi64>, tensor<1xi64>) -> tensor<1x2xi64>
  return
}
// -----
// dynamic_reshape_c4 constant shape
// error@5:8: stablehlo.dynamic_reshape C4: size = 2, output_shape = [2, 1], result = [1, 2]
func.func @main(%a: tensor<2xi64>) {
  %b = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %a, %b : (tensor<2xi64>, tensor<2xi64>) -> tensor<1x2xi64>
  return
}
// -----
// dynamic_reshape_c1: quantized and not
// error@4:8: stablehlo.dynamic_reshape C1: operand = !quant.uniform<i8:f32, 5.000000e-01>, result = i64
func.func @main(%a: tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<1xi64>) {
  %0 = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1xi64>) -> tensor<6xi64>
  return
}
// -----
// dynamic_reshape_c3: other slices, of static shapes
// error@4:8: stablehlo.dynamic_reshape C3: operand = tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, result = tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
func.func @main(%a: tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, %s: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_reshape"(%a, %s) : (tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2xi64>) -> tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
  return
}
