// concatenate_i1
// error@4:30: stablehlo.concatenate I1: inputs = tensor<2xindex>
func.func @main(%a: tensor<2xindex>) {
  %0 = stablehlo.concatenate %a, dim = 0 : (tensor<2xindex>) -> tensor<2xindex>
  return
}
// -----
// concatenate_i2
// error@4:8: stablehlo.concatenate I2: expected the attribute dimension, a 64-bit integer
func.func @main(%a: tensor<2xi64>) {
  %0 = "stablehlo.concatenate"(%a) : (tensor<2xi64>) -> tensor<2xi64>
  return
}
// -----
// concatenate_c1
// error@4:8: stablehlo.concatenate C1: element_types = [i64, i32]
func.func @main(%a: tensor<2xi64>, %b: tensor<2xi32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xi64>, tensor<2xi32>) -> tensor<4xi64>
  return
}
// -----
// concatenate_c2
// error@4:8: stablehlo.concatenate C2: dimension = 0, shapes = [[2, 2], [2, 3]]
func.func @main(%a: tensor<2x2xi64>, %b: tensor<2x3xi64>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x2xi64>, tensor<2x3xi64>) -> tensor<4x2xi64>
  return
}
// -----
// concatenate_c2 rank
// error@4:8: stablehlo.concatenate C2: dimension = 1, shapes = [[2, 2], [2]]
func.func @main(%a: tensor<2x2xi64>, %b: tensor<2xi64>) {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x2xi64>, tensor<2xi64>) -> tensor<2x3xi64>
  return
}
// -----
// concatenate_c2 bound
// error@4:8: stablehlo.concatenate C2: dimension = 0, shapes = [[1, ?], [1, 4]]
func.func @main(%a: tensor<1x?xi64, #stablehlo.bounds<?, 3>>, %b: tensor<1x4xi64>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x?xi64, #stablehlo.bounds<?, 3>>, tensor<1x4xi64>) -> tensor<2x4xi64>
  return
}
// -----
// concatenate_c3
// error@4:8: stablehlo.concatenate C3: size = 0
func.func @main() {
  %0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<0xi64>
  return
}
// -----
// concatenate_c4
// error@4:8: stablehlo.concatenate C4: dimension = 1, rank = 1
func.func @main(%a: tensor<2xi64>) {
  %0 = stablehlo.concatenate %a, %a, dim = 1 : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
  return
}
// -----
// concatenate_c5
// error@4:48: stablehlo.concatenate C5: type = tensor<4xi32>, expected = tensor<4xi64>
func.func @main(%a: tensor<2xi64>) {
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi32>
  return
}
// -----
// concatenate_c6
// error@4:48: stablehlo.concatenate C6: type = tensor<3xi64>, expected = tensor<4xi64>
func.func @main(%a: tensor<2xi64>) {
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2xi64>, tensor<2xi64>) -> tensor<3xi64>
  return
}
// -----
