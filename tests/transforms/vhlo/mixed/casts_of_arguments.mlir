// Arguments that both sides take.
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>) {
  %2 = chlo.tan %y : tensor<8xf32> -> tensor<8xf32> loc("c")
  %3 = chlo.tan %x : tensor<8xf32> -> tensor<8xf32> loc("d")
  %4 = stablehlo.add %3, %y : tensor<8xf32> loc("e")
  %5 = stablehlo.add %4, %x : tensor<8xf32> loc("f")
  %6 = chlo.tan %x : tensor<8xf32> -> tensor<8xf32> loc("h")
  return %5 : tensor<8xf32> loc("g")
}
