// dynamic_iota_i1
// error@4:31: stablehlo.dynamic_iota I1: output_shape = tensor<2x1xi64>
func.func @main(%a: tensor<2x1xi64>) {
  %0 = stablehlo.dynamic_iota %a, dim = 0 : (tensor<2x1xi64>) -> tensor<?x?xi64>
  return
}
// -----
// dynamic_iota_c1
// error@4:8: stablehlo.dynamic_iota C1: iota_dimension = 2, size = 2
func.func @main(%a: tensor<2xi64>) {
  %0 = stablehlo.dynamic_iota %a, dim = 2 : (tensor<2xi64>) -> tensor<?x?xi64>
  return
}
// -----
// dynamic_iota_c2
// error@4:8: stablehlo.dynamic_iota C2: size = 2, result = [-1]
func.func @main(%a: tensor<2xi64>) {
  %0 = stablehlo.dynamic_iota %a, dim = 0 : (tensor<2xi64>) -> tensor<?xi64>
  return
}
// -----
// dynamic_iota_result
// error@4:45: stablehlo.dynamic_iota: result = tensor<2xi1>
func.func @main(%a: tensor<1xi64>) {
  %0 = stablehlo.dynamic_iota %a, dim = 0 : (tensor<1xi64>) -> tensor<2xi1>
  return
}
// -----
// dynamic_iota_c2 known sizes
// error@5:8: stablehlo.dynamic_iota C2: size = 1, output_shape = [2], result = [3]
func.func @main() {
  %n = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi64>) -> tensor<3xi64>
  return
}
// -----
// dynamic_iota_i2
// error@4:42: stablehlo.dynamic_iota I2: iota_dimension = 1 : i32
func.func @main(%arg0: tensor<1xi32>) {
  %0 = "stablehlo.dynamic_iota"(%arg0) <{iota_dimension = 1 : i32}> : (tensor<1xi32>) -> tensor<?xi32>
  return
}
// -----
// dynamic_iota_c1: fewer sizes than dimensions
// error@5:8: stablehlo.dynamic_iota C1: iota_dimension = 1, size = 1
// error@5:8: stablehlo.dynamic_iota C2: size = 1, result = [4, 5]
func.func @main(%a: tensor<1xi32>) {
  %0 = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 1 : i64}> : (tensor<1xi32>) -> tensor<4x5xf32>
  return
}
// -----
// dynamic_iota: two results
// error@4:10: stablehlo.dynamic_iota: number = 2
func.func @main(%a: tensor<1xi32>) {
  %0:2 = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> (tensor<?xi32>, tensor<?xi32>)
  return
}
