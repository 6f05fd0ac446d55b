// types: tensor<4xf32>
module {
  func.func @main(%arg0: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    %0 = chlo.erf %arg0 : tensor<?xf32> -> tensor<?xf32>
    %1 = chlo.broadcast_add %arg0, %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    return %0, %1 : tensor<?xf32>, tensor<?xf32>
  }
}
