// A region of Shardy.
module @m { sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>) {
  %0 = stablehlo.sine %x : tensor<8xf32> loc("f")
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32> loc("q")) {
    %2 = stablehlo.add %arg1, %arg1 : tensor<4xf32> loc("r")
    %3 = stablehlo.sine %2 : tensor<4xf32> loc("s")
    sdy.return %3 : tensor<4xf32> loc("t")
  } : (tensor<8xf32>) -> tensor<8xf32> loc("u")
  %4 = stablehlo.add %1, %x : tensor<8xf32> loc("v")
  return %4 : tensor<8xf32> loc("g")
} }
