"""Programs whose executions are traced."""

# A product, a collective of two processes and a sum of rows.
REDUCED = """func.func @main(%x: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1]
    : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>
  return %1, %2 : tensor<256x256xf32>, tensor<256xf32>
}"""
PRODUCT = """func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}"""
