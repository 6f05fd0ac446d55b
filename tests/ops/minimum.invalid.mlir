// minimum_i1
// error@4:26: stablehlo.minimum I1: lhs = tensor<2xindex>
func.func @main(%a: tensor<2xindex>, %b: tensor<2xi1>) {
  %0 = stablehlo.minimum %a, %b : (tensor<2xindex>, tensor<2xi1>) -> tensor<2xi1>
  return
}
// -----
// minimum_i2
// error@4:30: stablehlo.minimum I2: rhs = tensor<2xindex>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xindex>) {
  %0 = stablehlo.minimum %a, %b : (tensor<2xi1>, tensor<2xindex>) -> tensor<2xi1>
  return
}
// -----
// minimum_c1
// error@4:8: stablehlo.minimum C1: lhs = tensor<2xi1>, rhs = tensor<2xi8>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xi8>) {
  %0 = stablehlo.minimum %a, %b : (tensor<2xi1>, tensor<2xi8>) -> tensor<2xi1>
  return
}
// -----
// minimum_c1 shape
// error@4:8: stablehlo.minimum C1: lhs = tensor<2xi1>, rhs = tensor<?x3xi1>
func.func @main(%a: tensor<2xi1>, %b: tensor<?x3xi1>) {
  %0 = stablehlo.minimum %a, %b : (tensor<2xi1>, tensor<?x3xi1>) -> tensor<2xi1>
  return
}
// -----
// minimum_c1 result
// error@4:35: stablehlo.minimum C1: type = tensor<3xi1>, expected = tensor<2xi1>
func.func @main(%a: tensor<2xi1>, %b: tensor<?xi1>) {
  %0 = stablehlo.minimum %a, %b : (tensor<2xi1>, tensor<?xi1>) -> tensor<3xi1>
  return
}
