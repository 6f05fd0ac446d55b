// A value that both sides take, several times.
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>) {
  %0 = stablehlo.add %x, %x : tensor<8xf32> loc("e")
  %2 = chlo.tan %0 : tensor<8xf32> -> tensor<8xf32> loc("c")
  %3 = chlo.tan %0 : tensor<8xf32> -> tensor<8xf32> loc("d")
  %1 = stablehlo.add %0, %2 : tensor<8xf32> loc("e")
  %4 = stablehlo.add %0, %2 : tensor<8xf32> loc("e")
  %5 = chlo.tan %0 : tensor<8xf32> -> tensor<8xf32> loc("d")
  return %1 : tensor<8xf32> loc("g")
}
