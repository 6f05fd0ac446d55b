// compare_i1
// error@4:30: stablehlo.compare I1: lhs = tensor<2xindex>
func.func @main(%a: tensor<2xindex>, %b: tensor<2xf32>) {
  %0 = stablehlo.compare LT, %a, %b : (tensor<2xindex>, tensor<2xf32>) -> tensor<2xi1>
  return
}
// -----
// compare_i2
// error@4:34: stablehlo.compare I2: rhs = tensor<2xindex>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xindex>) {
  %0 = stablehlo.compare LT, %a, %b : (tensor<2xf32>, tensor<2xindex>) -> tensor<2xi1>
  return
}
// -----
// compare_i3
// error@4:8: stablehlo.compare I3: expected the attribute comparison_direction, a stablehlo comparison_direction
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.compare"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return
}
// -----
// compare_result
// error@4:39: stablehlo.compare: result = tensor<2xi8>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = stablehlo.compare LT, %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi8>
  return
}
// -----
// compare_c1
// error@4:8: stablehlo.compare C1: lhs = f32, rhs = f64
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  %0 = stablehlo.compare LT, %a, %b : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xi1>
  return
}
// -----
// compare_c2
// error@4:8: stablehlo.compare C2: lhs = [2], rhs = [3]
func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  %0 = stablehlo.compare LT, %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xi1>
  return
}
// -----
// compare_c2 result
// error@4:39: stablehlo.compare C2: type = tensor<3xi1>, expected = tensor<2xi1>
func.func @main(%a: tensor<2xf32>, %b: tensor<?xf32>) {
  %0 = stablehlo.compare LT, %a, %b : (tensor<2xf32>, tensor<?xf32>) -> tensor<3xi1>
  return
}
// -----
// compare_c3
// error@4:8: stablehlo.compare C3: compare_type = UNSIGNED, lhs = i32
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) {
  %0 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return
}
// -----
// compare_c3 boolean
// error@4:8: stablehlo.compare C3: compare_type = SIGNED, lhs = i1
func.func @main(%a: tensor<2xi1>, %b: tensor<2xi1>) {
  %0 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}
// -----
// compare_c3 complex
// error@4:8: stablehlo.compare C3: compare_type = TOTALORDER, lhs = complex<f32>
func.func @main(%a: tensor<2xcomplex<f32>>, %b: tensor<2xcomplex<f32>>) {
  %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  return
}
// -----
// compare_i4
// error@4:44: stablehlo.compare I4: compare_type = 1 : i32
func.func @main(%arg0: tensor<i8>, %arg1: tensor<i8>) {
  %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = 1 : i32, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i8>, tensor<i8>) -> tensor<i1>
  return
}
// -----
// compare_c2: a size beyond a bound
// error@4:8: stablehlo.compare C2: lhs = [3], rhs = [-1]
func.func @main(%a: tensor<3xf32>, %b: tensor<?xf32, #stablehlo.bounds<2>>) {
  %0 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xf32>, tensor<?xf32, #stablehlo.bounds<2>>) -> tensor<3xi1>
  return
}
