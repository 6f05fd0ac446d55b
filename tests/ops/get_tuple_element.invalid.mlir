// get_tuple_element_i1
// error@4:36: stablehlo.get_tuple_element I1: operand = tensor<f32>
func.func @main(%a: tensor<f32>) {
  %0 = stablehlo.get_tuple_element %a[0] : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// get_tuple_element_c1
// error@4:8: stablehlo.get_tuple_element C1: index = 1, size = 1
func.func @main(%a: tuple<tensor<f32>>) {
  %0 = stablehlo.get_tuple_element %a[1] : (tuple<tensor<f32>>) -> tensor<f32>
  return
}
// -----
// get_tuple_element_c2
// error@4:44: stablehlo.get_tuple_element C2: type = tensor<f64>, expected = tensor<f32>
func.func @main(%a: tuple<tensor<f32>>) {
  %0 = stablehlo.get_tuple_element %a[0] : (tuple<tensor<f32>>) -> tensor<f64>
  return
}
// -----
// -----
// get_tuple_element_i2
// error@4:47: stablehlo.get_tuple_element I2: index = 1 : i64
func.func @main(%arg0: tuple<tensor<i64>>) {
  %0 = "stablehlo.get_tuple_element"(%arg0) <{index = 1 : i64}> : (tuple<tensor<i64>>) -> tensor<i64>
  return
}
