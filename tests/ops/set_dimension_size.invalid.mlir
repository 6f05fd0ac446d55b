// set_dimension_size_i2
// error@4:41: stablehlo.set_dimension_size I2: size = tensor<i64>
func.func @main(%a: tensor<2xf32>, %n: tensor<i64>) {
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<2xf32>, tensor<i64>) -> tensor<?xf32>
  return
}
// -----
// set_dimension_size_c1
// error@4:8: stablehlo.set_dimension_size C1: dimension = 1, rank = 1
func.func @main(%a: tensor<2xf32>, %n: tensor<i32>) {
  %0 = stablehlo.set_dimension_size %a, %n, dim = 1 : (tensor<2xf32>, tensor<i32>) -> tensor<?xf32>
  return
}
// -----
// set_dimension_size_c2
// error@4:55: stablehlo.set_dimension_size C2: type = tensor<?xf64>, expected = tensor<?xf32, #stablehlo.bounds<2>>
func.func @main(%a: tensor<2xf32>, %n: tensor<i32>) {
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<2xf32>, tensor<i32>) -> tensor<?xf64>
  return
}
// -----
// set_dimension_size_c3
// error@4:55: stablehlo.set_dimension_size C3: type = tensor<3xf32>, expected = tensor<?xf32, #stablehlo.bounds<2>>
func.func @main(%a: tensor<2xf32>, %n: tensor<i32>) {
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<2xf32>, tensor<i32>) -> tensor<3xf32>
  return
}
// -----
