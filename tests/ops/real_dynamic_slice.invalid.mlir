// real_dynamic_slice_i1
// error@4:37: stablehlo.real_dynamic_slice I1: operand = tensor<2xindex>
func.func @main(%a: tensor<2xindex>, %b: tensor<1xi64>) {
  %0 = stablehlo.real_dynamic_slice %a, %b, %b, %b : (tensor<2xindex>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi64>
  return
}
// -----
// real_dynamic_slice_i2
// error@4:41: stablehlo.real_dynamic_slice I2: start_indices = tensor<i64>
func.func @main(%a: tensor<2xi64>, %b: tensor<i64>, %c: tensor<1xi64>) {
  %0 = stablehlo.real_dynamic_slice %a, %b, %c, %c : (tensor<2xi64>, tensor<i64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi64>
  return
}
// -----
// real_dynamic_slice_c1
// error@4:8: stablehlo.real_dynamic_slice C1: operand = i64, result = i32
func.func @main(%a: tensor<2xi64>, %b: tensor<1xi64>) {
  %0 = stablehlo.real_dynamic_slice %a, %b, %b, %b : (tensor<2xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi32>
  return
}
// -----
// real_dynamic_slice_c2 types
// error@4:8: stablehlo.real_dynamic_slice C2: types = [tensor<1xi64>, tensor<1xi32>, tensor<1xi64>], rank = 1
func.func @main(%a: tensor<2xi64>, %b: tensor<1xi64>, %c: tensor<1xi32>) {
  %0 = stablehlo.real_dynamic_slice %a, %b, %c, %b : (tensor<2xi64>, tensor<1xi64>, tensor<1xi32>, tensor<1xi64>) -> tensor<?xi64>
  return
}
// -----
// real_dynamic_slice_c2 size
// error@4:8: stablehlo.real_dynamic_slice C2: types = [tensor<2xi64>, tensor<2xi64>, tensor<2xi64>], rank = 1
func.func @main(%a: tensor<2xi64>, %b: tensor<2xi64>) {
  %0 = stablehlo.real_dynamic_slice %a, %b, %b, %b : (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xi64>
  return
}
// -----
