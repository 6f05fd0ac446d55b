// dot_i1
// error@4:24: stablehlo.dot I1: lhs = tensor<2xindex>
func.func @main(%a: tensor<2xindex>, %b: tensor<2xf32>) {
  %0 = "stablehlo.dot"(%a, %b) : (tensor<2xindex>, tensor<2xf32>) -> tensor<f32>
  return
}
// -----
// dot_i2
// error@4:28: stablehlo.dot I2: rhs = tensor<2xindex>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xindex>) {
  %0 = "stablehlo.dot"(%a, %b) : (tensor<2xf32>, tensor<2xindex>) -> tensor<f32>
  return
}
// -----
// dot_c1
// error@4:8: stablehlo.dot C1: lhs = 3, rhs = 1
func.func @main(%a: tensor<1x2x2xf32>, %b: tensor<2xf32>) {
  %0 = "stablehlo.dot"(%a, %b) : (tensor<1x2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  return
}
// -----
// dot_c1 of a scalar
// error@4:8: stablehlo.dot C1: lhs = 1, rhs = 0
func.func @main(%a: tensor<2xf32>, %b: tensor<f32>) {
  %0 = "stablehlo.dot"(%a, %b) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}
// -----
// dot_c2
// error@4:8: stablehlo.dot C2: lhs = 3, rhs = 2
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  %0 = "stablehlo.dot"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
// -----
// dot_c3
// error@4:8: stablehlo.dot C3: size = 3
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = "stablehlo.dot"(%a, %b) <{precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}
// -----
// dot_c4
// error@4:34: stablehlo.dot C4: type = tensor<2x3xf32>, expected = tensor<2x4xf32>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.dot"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  return
}
