// Ranges in locations.
func.func @main(%o: tensor<3xi32> loc("a":1:2 to 3:4)) -> tensor<3xi32> {
  %0 = stablehlo.add %o, %o : tensor<3xi32> loc(fused["x", callsite("b":1:2 to :7 at "c"("f":1:2 to 2:3))])
  return %0 : tensor<3xi32> }
