// atan2_i1
// error@4:24: stablehlo.atan2 I1: lhs = tensor<2xi32>
func.func @main(%a: tensor<2xi32>, %b: tensor<2xf32>) {
  %0 = stablehlo.atan2 %a, %b : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// atan2_i2
// error@4:28: stablehlo.atan2 I2: rhs = tensor<2xi32>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  %0 = stablehlo.atan2 %a, %b : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}
// -----
// atan2_c1
// error@4:8: stablehlo.atan2 C1: lhs = tensor<2xf32>, rhs = tensor<2xf64>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  %0 = stablehlo.atan2 %a, %b : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}
// -----
// atan2_c1 shape
// error@4:8: stablehlo.atan2 C1: lhs = tensor<2xf32>, rhs = tensor<?x3xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<?x3xf32>) {
  %0 = stablehlo.atan2 %a, %b : (tensor<2xf32>, tensor<?x3xf32>) -> tensor<2xf32>
  return
}
// -----
// atan2_c1 result
// error@4:33: stablehlo.atan2 C1: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>, %b: tensor<?xf32>) {
  %0 = stablehlo.atan2 %a, %b : (tensor<2xf32>, tensor<?xf32>) -> tensor<3xf32>
  return
}
