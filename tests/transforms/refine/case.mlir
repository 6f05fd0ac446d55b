// types: tensor<i32>, tensor<4x5xf32>, tensor<4x5xf32>
module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<?x?xf32>, %arg2: tensor<4x?xf32>) -> tensor<?x?xf32> {
    %0 = "stablehlo.case"(%arg0) ({
      stablehlo.return %arg1 : tensor<?x?xf32>
    }, {
      %1 = stablehlo.negate %arg2 : tensor<4x?xf32>
      stablehlo.return %1 : tensor<4x?xf32>
    }) : (tensor<i32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
}
