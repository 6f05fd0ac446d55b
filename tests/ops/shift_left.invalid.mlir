// shift_left_i1
// error@4:29: stablehlo.shift_left I1: lhs = tensor<2xi1>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xi8>) {
  %0 = stablehlo.shift_left %a, %b : (tensor<2xi1>, tensor<2xi8>) -> tensor<2xi8>
  return
}
// -----
// shift_left_i2
// error@4:33: stablehlo.shift_left I2: rhs = tensor<2xi1>
func.func @main(%a: tensor<2xi8>, %b: tensor<2xi1>) {
  %0 = stablehlo.shift_left %a, %b : (tensor<2xi8>, tensor<2xi1>) -> tensor<2xi8>
  return
}
// -----
// shift_left_c1
// error@4:8: stablehlo.shift_left C1: lhs = tensor<2xi8>, rhs = tensor<2xi16>
func.func @main(%a: tensor<2xi8>, %b: tensor<2xi16>) {
  %0 = stablehlo.shift_left %a, %b : (tensor<2xi8>, tensor<2xi16>) -> tensor<2xi8>
  return
}
// -----
// shift_left_c1 shape
// error@4:8: stablehlo.shift_left C1: lhs = tensor<2xi8>, rhs = tensor<?x3xi8>
func.func @main(%a: tensor<2xi8>, %b: tensor<?x3xi8>) {
  %0 = stablehlo.shift_left %a, %b : (tensor<2xi8>, tensor<?x3xi8>) -> tensor<2xi8>
  return
}
// -----
// shift_left_c1 result
// error@4:38: stablehlo.shift_left C1: type = tensor<3xi8>, expected = tensor<2xi8>
func.func @main(%a: tensor<2xi8>, %b: tensor<?xi8>) {
  %0 = stablehlo.shift_left %a, %b : (tensor<2xi8>, tensor<?xi8>) -> tensor<3xi8>
  return
}
