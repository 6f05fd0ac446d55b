// types: tensor<5xf32>
module {
  func.func @main(%arg0: tensor<?xf32>) -> tensor<5xf32> {
    %0 = stablehlo.add %arg0, %arg0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
}
