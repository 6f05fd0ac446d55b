// Casts are where the value is made, not where it is used.
func.func @main(%x: tensor<8xf32>, %p: tensor<i1>) -> (tensor<8xf32>) {
  %2 = chlo.tan %x : tensor<8xf32> -> tensor<8xf32> loc("c")
  %3 = "stablehlo.if"(%p) ({
     %4 = chlo.tan %2 : tensor<8xf32> -> tensor<8xf32> loc("d")
     %5 = stablehlo.add %2, %4 : tensor<8xf32> loc("e")
     stablehlo.return %5 : tensor<8xf32> loc("f")
  }, {
     stablehlo.return %2 : tensor<8xf32> loc("h")
  }) : (tensor<i1>) -> tensor<8xf32> loc("i")
  return %3 : tensor<8xf32> loc("g")
}
