// types: tensor<4xf32>
module {
  func.func @main(%arg0: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %1 = call @f(%0, %arg0) : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }
  func.func private @f(%arg0: tensor<i32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %0 = call @g(%arg0) : (tensor<i32>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %3 = stablehlo.concatenate %arg1, %2, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    return %3 : tensor<?xf32>
  }
  func.func private @g(%arg0: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<i32>
    return %0 : tensor<i32>
  }
}
