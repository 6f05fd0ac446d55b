// get_dimension_size_i1
// error@4:37: stablehlo.get_dimension_size I1: operand = tensor<2xindex>
func.func @main(%a: tensor<2xindex>) {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<2xindex>) -> tensor<i32>
  return
}
// -----
// get_dimension_size_c1
// error@4:8: stablehlo.get_dimension_size C1: dimension = 1, rank = 1
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2xf32>) -> tensor<i32>
  return
}
// -----
// get_dimension_size_c1 negative
// error@4:8: stablehlo.get_dimension_size C1: dimension = -1, rank = 1
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.get_dimension_size %a, dim = -1 : (tensor<2xf32>) -> tensor<i32>
  return
}
// -----
// get_dimension_size result
// error@4:51: stablehlo.get_dimension_size: result = tensor<i64>
func.func @main(%a: tensor<2xf32>) {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<2xf32>) -> tensor<i64>
  return
}
// -----
// -----
// get_dimension_size_i2
// error@4:48: stablehlo.get_dimension_size I2: dimension = 1 : i32
func.func @main(%arg0: tensor<?xi64>) {
  %0 = "stablehlo.get_dimension_size"(%arg0) <{dimension = 1 : i32}> : (tensor<?xi64>) -> tensor<i32>
  return
}
