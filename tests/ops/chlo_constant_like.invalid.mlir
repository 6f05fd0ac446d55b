// constant_like value
// error@4:35: chlo.constant_like: value = "x"
func.func @main(%a: tensor<2xf32>) {
  %0 = "chlo.constant_like"(%a) <{value = "x"}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// constant_like element type
// error@4:8: chlo.constant_like element type: value = f32, result = f64
func.func @main(%a: tensor<2xf32>) {
  %0 = "chlo.constant_like"(%a) <{value = 3.200000e+00 : f32}> : (tensor<2xf32>) -> tensor<2xf64>
  return
}
// -----
// constant_like shape
// error@4:8: chlo.constant_like shape: operand = [2], result = [3]
func.func @main(%a: tensor<2xf32>) {
  %0 = "chlo.constant_like"(%a) <{value = 3.200000e+00 : f32}> : (tensor<2xf32>) -> tensor<3xf32>
  return
}
// -----
// constant result
// error@4:67: chlo.constant: type = tensor<3xf32>, expected = tensor<2xf32>
func.func @main() {
  %0 = "chlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}
// -----
// constant: the type of the literal, sizes too
// error@4:65: chlo.constant: type = tensor<?xi32>, expected = tensor<2xi32>
func.func @main() {
  %0 = "chlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<?xi32>
  return
}
