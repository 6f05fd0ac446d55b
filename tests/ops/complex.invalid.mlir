// complex_i1
// error@4:26: stablehlo.complex I1: lhs = tensor<2xf16>
func.func @main(%a: tensor<2xf16>, %b: tensor<2xf32>) {
  %0 = stablehlo.complex %a, %b : (tensor<2xf16>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  return
}
// -----
// complex_i2
// error@4:30: stablehlo.complex I2: rhs = tensor<2xi32>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  %0 = stablehlo.complex %a, %b : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xcomplex<f32>>
  return
}
// -----
// complex_c1
// error@4:8: stablehlo.complex C1: lhs = tensor<2xf32>, rhs = tensor<2xf64>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  %0 = stablehlo.complex %a, %b : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xcomplex<f32>>
  return
}
// -----
// complex_c2
// error@4:35: stablehlo.complex C2: type = tensor<3xcomplex<f32>>, expected = tensor<2xcomplex<f32>>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = stablehlo.complex %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xcomplex<f32>>
  return
}
// -----
// complex_c3
// error@4:35: stablehlo.complex C3: type = tensor<2xcomplex<f64>>, expected = tensor<2xcomplex<f32>>
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = stablehlo.complex %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f64>>
  return
}
// -----
// complex_c1: a size beyond a bound
// error@4:8: stablehlo.complex C1: lhs = tensor<5xf32>, rhs = tensor<?xf32, #stablehlo.bounds<4>>
func.func @main(%a: tensor<5xf32>, %b: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.complex"(%a, %b) : (tensor<5xf32>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<5xcomplex<f32>>
  return
}
