// types: !stablehlo.token, tensor<4xf32>
module {
  func.func @main(%arg0: !stablehlo.token, %arg1: tensor<?xf32>) -> (!stablehlo.token, tensor<?xf32>) {
    %0 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %1:2 = call @f(%arg0, %0, %arg1) : (!stablehlo.token, tensor<i32>, tensor<?xf32>) -> (!stablehlo.token, tensor<?xf32>)
    return %1#0, %1#1 : !stablehlo.token, tensor<?xf32>
  }
  func.func private @f(%arg0: !stablehlo.token, %arg1: tensor<i32>, %arg2: tensor<?xf32>) -> (!stablehlo.token, tensor<?xf32>) {
    return %arg0, %arg2 : !stablehlo.token, tensor<?xf32>
  }
}
