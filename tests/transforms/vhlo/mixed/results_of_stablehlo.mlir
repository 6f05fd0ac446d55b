// Casts of results of StableHLO.
func.func @main(%x: tensor<2x3xui64>) -> (tensor<2xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<2xf32> loc("z")
  %0, %1 = stablehlo.rng_bit_generator %x, algorithm = DEFAULT : (tensor<2x3xui64>) -> (tensor<2x3xui64>, tensor<2xui64>) loc("a")
  %2 = chlo.broadcast_add %1, %1 : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64> loc("c")
  %3 = chlo.broadcast_add %0, %0 : (tensor<2x3xui64>, tensor<2x3xui64>) -> tensor<2x3xui64> loc("c")
  return %c : tensor<2xf32> loc("g")
}
