// Casts of arguments stand in the reverse order.
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>) {
  %2 = chlo.tan %z : tensor<8xf32> -> tensor<8xf32> loc("c")
  %3 = chlo.tan %x : tensor<8xf32> -> tensor<8xf32> loc("d")
  %4 = chlo.tan %y : tensor<8xf32> -> tensor<8xf32> loc("d")
  return %x : tensor<8xf32> loc("g")
}
