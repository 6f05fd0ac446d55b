// reverse_i1
// error@4:26: stablehlo.reverse I1: operand = tensor<2xindex>
func.func @main(%a: tensor<2xindex>) {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<2xindex>
  return
}
// -----
// reverse_c1
// error@4:43: stablehlo.reverse C1: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.reverse %a, dims = [0] : (tensor<2xf32>) -> tensor<3xf32>
  return
}
// -----
// reverse_c2
// error@4:8: stablehlo.reverse C2: dimensions = [0, 0]
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.reverse %a, dims = [0, 0] : tensor<2xf32>
  return
}
// -----
// reverse_c3
// error@4:8: stablehlo.reverse C3: dimensions = [1], rank = 1
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.reverse %a, dims = [1] : tensor<2xf32>
  return
}
// -----
// -----
// reverse_i2
// error@4:37: stablehlo.reverse I2: dimensions = 1 : i32
func.func @main(%arg0: tensor<3x2xi32>) {
  %0 = "stablehlo.reverse"(%arg0) <{dimensions = 1 : i32}> : (tensor<3x2xi32>) -> tensor<3x2xi32>
  return
}
