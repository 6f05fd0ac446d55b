// A value of CHLO that StableHLO takes many times.
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>) {
  %2 = chlo.tan %x : tensor<8xf32> -> tensor<8xf32> loc("c")
  %3 = stablehlo.add %2, %x : tensor<8xf32> loc("d")
  %4 = stablehlo.add %2, %2 : tensor<8xf32> loc("e")
  %5 = stablehlo.sine %2 : tensor<8xf32> loc("f")
  %6 = stablehlo.add %2, %x : tensor<8xf32> loc("f")
  return %2 : tensor<8xf32> loc("g")
}
