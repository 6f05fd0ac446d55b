// Joins two images into a batch before the last layer; the dimension to join along does not exist.
module @bad {
  func.func public @main(%a: tensor<1x784xf32>, %b: tensor<1x784xf32>, %w: tensor<784x10xf32>) -> tensor<2x10xf32> {
    %0 = stablehlo.concatenate %a, %b, dim = 3 : (tensor<1x784xf32>, tensor<1x784xf32>) -> tensor<2x784xf32>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<2x784xf32>, tensor<784x10xf32>) -> tensor<2x10xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x10xf32>
    %2 = stablehlo.maximum %1, %cst : tensor<2x10xf32>
    return %2 : tensor<2x10xf32>
  }
}
