// Casts of results that StableHLO takes in order.
func.func @main(%x: tensor<8xf32>, %p: tensor<i1>) -> (tensor<2xf32>) {
  %2:2 = chlo.top_k(%x, k=2) : tensor<8xf32> -> (tensor<2xf32>, tensor<2xi32>) loc("c")
  %4 = stablehlo.sine %2#0 : tensor<2xf32> loc("d")
  %3 = stablehlo.add %2#1, %2#1 : tensor<2xi32> loc("d")
  return %2#0 : tensor<2xf32> loc("g")
}
