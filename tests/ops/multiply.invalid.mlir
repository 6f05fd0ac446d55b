// multiply_i1
// error@4:27: stablehlo.multiply I1: lhs = tensor<2xindex>
func.func @main(%a: tensor<2xindex>, %b: tensor<2xi1>) {
  %0 = stablehlo.multiply %a, %b : (tensor<2xindex>, tensor<2xi1>) -> tensor<2xi1>
  return
}
// -----
// multiply_i2
// error@4:31: stablehlo.multiply I2: rhs = tensor<2xindex>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xindex>) {
  %0 = stablehlo.multiply %a, %b : (tensor<2xi1>, tensor<2xindex>) -> tensor<2xi1>
  return
}
// -----
// multiply_c1
// error@4:8: stablehlo.multiply C1: lhs = tensor<2xi1>, rhs = tensor<2xi8>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xi8>) {
  %0 = stablehlo.multiply %a, %b : (tensor<2xi1>, tensor<2xi8>) -> tensor<2xi1>
  return
}
// -----
// multiply_c1 shape
// error@4:8: stablehlo.multiply C1: lhs = tensor<2xi1>, rhs = tensor<?x3xi1>
func.func @main(%a: tensor<2xi1>, %b: tensor<?x3xi1>) {
  %0 = stablehlo.multiply %a, %b : (tensor<2xi1>, tensor<?x3xi1>) -> tensor<2xi1>
  return
}
// -----
// multiply_c1 result
// error@4:36: stablehlo.multiply C1: type = tensor<3xi1>, expected = tensor<2xi1>
func.func @main(%a: tensor<2xi1>, %b: tensor<?xi1>) {
  %0 = stablehlo.multiply %a, %b : (tensor<2xi1>, tensor<?xi1>) -> tensor<3xi1>
  return
}
// -----
// multiply_c1 storage type
// error@4:8: stablehlo.multiply C1: lhs = tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, rhs = tensor<2x!quant.uniform<i16:f32, 5.000000e-01>>
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<2x!quant.uniform<i16:f32, 5.000000e-01>>) {
  %0 = stablehlo.multiply %a, %b : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<2x!quant.uniform<i16:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}
