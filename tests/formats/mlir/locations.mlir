#loc = loc("model.py":1:2)
#loc1 = loc("model.py":10:4 to :9)
module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<2xf32> loc("x"(#loc)), %arg1: tensor<2xf32> loc(unknown)) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<2xf32> loc(#loc5)
    %1 = stablehlo.multiply %0, %arg1 : tensor<2xf32> loc(#loc1)
    %cst = stablehlo.constant dense<0.0> : tensor<f32> loc(unknown)
    %2 = stablehlo.reduce(%1 init: %cst) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
     reducer(%a: tensor<f32> loc("a"), %b: tensor<f32> loc(unknown))  {
      %3 = stablehlo.subtract %a, %b : tensor<f32> loc(callsite("callee" at #loc))
      stablehlo.return %3 : tensor<f32> loc(#loc)
    } loc(fused["p", "q"])
    return %1 : tensor<2xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc5 = loc("jit(f)/add"(#loc1))
