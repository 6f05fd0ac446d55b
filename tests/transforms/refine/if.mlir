// types: tensor<i1>, tensor<4xf32>
module {
  func.func @main(%arg0: tensor<i1>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %0 = "stablehlo.if"(%arg0) ({
      %1 = stablehlo.add %arg1, %arg1 : tensor<?xf32>
      stablehlo.return %1 : tensor<?xf32>
    }, {
      stablehlo.return %arg1 : tensor<?xf32>
    }) : (tensor<i1>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}
