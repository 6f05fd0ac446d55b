// top_k rank
// error@4:23: chlo.top_k rank: rank = 0
func.func @main(%a: tensor<f32>) {
  %values, %indices = chlo.top_k(%a, k = 1) : tensor<f32> -> (tensor<f32>, tensor<i32>)
  return
}
// -----
// top_k k too large
// error@4:23: chlo.top_k k: k = 9, size = 8
func.func @main(%a: tensor<8xf32>) {
  %values, %indices = chlo.top_k(%a, k = 9) : tensor<8xf32> -> (tensor<9xf32>, tensor<9xi32>)
  return
}
// -----
// top_k k negative
// error@4:23: chlo.top_k k: k = -1, size = 8
func.func @main(%a: tensor<8xf32>) {
  %values, %indices = chlo.top_k(%a, k = -1) : tensor<8xf32> -> (tensor<?xf32>, tensor<?xi32>)
  return
}
// -----
// top_k values
// error@4:47: chlo.top_k: type = tensor<2xf32>, expected = tensor<3xf32>
func.func @main(%a: tensor<8xf32>) {
  %values, %indices = chlo.top_k(%a, k = 3) : tensor<8xf32> -> (tensor<2xf32>, tensor<3xi32>)
  return
}
// -----
// top_k indices
// error@4:47: chlo.top_k: type = tensor<3xi64>, expected = tensor<3xi32>
func.func @main(%a: tensor<8xf32>) {
  %values, %indices = chlo.top_k(%a, k = 3) : tensor<8xf32> -> (tensor<3xf32>, tensor<3xi64>)
  return
}
