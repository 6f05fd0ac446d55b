// xor_i1
// error@4:22: stablehlo.xor I1: lhs = tensor<2xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xi1>) {
  %0 = stablehlo.xor %a, %b : (tensor<2xf32>, tensor<2xi1>) -> tensor<2xi1>
  return
}
// -----
// xor_i2
// error@4:26: stablehlo.xor I2: rhs = tensor<2xf32>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xf32>) {
  %0 = stablehlo.xor %a, %b : (tensor<2xi1>, tensor<2xf32>) -> tensor<2xi1>
  return
}
// -----
// xor_c1
// error@4:8: stablehlo.xor C1: lhs = tensor<2xi1>, rhs = tensor<2xi8>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xi8>) {
  %0 = stablehlo.xor %a, %b : (tensor<2xi1>, tensor<2xi8>) -> tensor<2xi1>
  return
}
// -----
// xor_c1 shape
// error@4:8: stablehlo.xor C1: lhs = tensor<2xi1>, rhs = tensor<?x3xi1>
func.func @main(%a: tensor<2xi1>, %b: tensor<?x3xi1>) {
  %0 = stablehlo.xor %a, %b : (tensor<2xi1>, tensor<?x3xi1>) -> tensor<2xi1>
  return
}
// -----
// xor_c1 result
// error@4:31: stablehlo.xor C1: type = tensor<3xi1>, expected = tensor<2xi1>
func.func @main(%a: tensor<2xi1>, %b: tensor<?xi1>) {
  %0 = stablehlo.xor %a, %b : (tensor<2xi1>, tensor<?xi1>) -> tensor<3xi1>
  return
}
