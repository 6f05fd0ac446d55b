// Shardings of JAX, and CHLO beside StableHLO.
module @m { sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %0 = stablehlo.add %x, %y {foo.bar} : tensor<8x8xf32> loc("a")
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32> loc("b")
  %2 = chlo.tan %1 : tensor<8x8xf32> -> tensor<8x8xf32> loc("c")
  %3 = chlo.tan %2 : tensor<8x8xf32> -> tensor<8x8xf32> loc("d")
  %4 = stablehlo.add %3, %1 : tensor<8x8xf32> loc("e")
  %5 = stablehlo.add %3, %1 : tensor<8x8xf32> loc("f")
  return %5 : tensor<8x8xf32> loc("g")
} }
