// remainder_i1
// error@4:28: stablehlo.remainder I1: lhs = tensor<2xi1>
func.func @main(%a: tensor<2xi1>, %b: tensor<2xf32>) {
  %0 = stablehlo.remainder %a, %b : (tensor<2xi1>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// remainder_i2
// error@4:32: stablehlo.remainder I2: rhs = tensor<2xi1>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xi1>) {
  %0 = stablehlo.remainder %a, %b : (tensor<2xf32>, tensor<2xi1>) -> tensor<2xf32>
  return
}
// -----
// remainder_c1
// error@4:8: stablehlo.remainder C1: lhs = tensor<2xf32>, rhs = tensor<2xf64>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  %0 = stablehlo.remainder %a, %b : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}
// -----
// remainder_c1 shape
// error@4:8: stablehlo.remainder C1: lhs = tensor<2xf32>, rhs = tensor<?x3xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<?x3xf32>) {
  %0 = stablehlo.remainder %a, %b : (tensor<2xf32>, tensor<?x3xf32>) -> tensor<2xf32>
  return
}
// -----
// remainder_c1 result
// error@4:37: stablehlo.remainder C1: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<?xf32>) {
  %0 = stablehlo.remainder %a, %b : (tensor<2xf32>, tensor<?xf32>) -> tensor<3xf32>
  return
}
