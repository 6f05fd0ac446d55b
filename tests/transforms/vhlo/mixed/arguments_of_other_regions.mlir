// Arguments of a region of Shardy, taken in another order.
module @m { sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>) {
  %1:2 = sdy.manual_computation(%x, %y) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32> loc("q"), %arg2: tensor<4xf32> loc("q2")) {
    %2 = stablehlo.add %arg2, %arg1 : tensor<4xf32> loc("r")
    %3 = stablehlo.add %arg1, %arg2 : tensor<4xf32> loc("s")
    sdy.return %3, %arg1 : tensor<4xf32>, tensor<4xf32> loc("t")
  } : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) loc("u")
  %4 = stablehlo.add %1#1, %1#0 : tensor<8xf32> loc("v")
  return %4 : tensor<8xf32> loc("g")
} }
