// shift_right_arithmetic_i1
// error@4:41: stablehlo.shift_right_arithmetic I1: lhs = tensor<2xi1>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xi8>) {
  %0 = stablehlo.shift_right_arithmetic %a, %b : (tensor<2xi1>, tensor<2xi8>) -> tensor<2xi8>
  return
}
// -----
// shift_right_arithmetic_i2
// error@4:45: stablehlo.shift_right_arithmetic I2: rhs = tensor<2xi1>
func.func @main(%a: tensor<2xi8>, %b: tensor<2xi1>) {
  %0 = stablehlo.shift_right_arithmetic %a, %b : (tensor<2xi8>, tensor<2xi1>) -> tensor<2xi8>
  return
}
// -----
// shift_right_arithmetic_c1
// error@4:8: stablehlo.shift_right_arithmetic C1: lhs = tensor<2xi8>, rhs = tensor<2xi16>
func.func @main(%a: tensor<2xi8>, %b: tensor<2xi16>) {
  %0 = stablehlo.shift_right_arithmetic %a, %b : (tensor<2xi8>, tensor<2xi16>) -> tensor<2xi8>
  return
}
// -----
// shift_right_arithmetic_c1 shape
// error@4:8: stablehlo.shift_right_arithmetic C1: lhs = tensor<2xi8>, rhs = tensor<?x3xi8>
func.func @main(%a: tensor<2xi8>, %b: tensor<?x3xi8>) {
  %0 = stablehlo.shift_right_arithmetic %a, %b : (tensor<2xi8>, tensor<?x3xi8>) -> tensor<2xi8>
  return
}
// -----
// shift_right_arithmetic_c1 result
// error@4:50: stablehlo.shift_right_arithmetic C1: type = tensor<3xi8>, expected = tensor<2xi8>
func.func @main(%a: tensor<2xi8>, %b: tensor<?xi8>) {
  %0 = stablehlo.shift_right_arithmetic %a, %b : (tensor<2xi8>, tensor<?xi8>) -> tensor<3xi8>
  return
}
