// types: tensor<4xf32>
module {
  func.func @main(%arg0: tensor<?xf32>) -> tensor<?xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %1:2 = stablehlo.while(%iterArg = %c, %iterArg_1 = %arg0) : tensor<i32>, tensor<?xf32>
    cond {
      %2 = stablehlo.compare LT, %iterArg, %0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.add %iterArg, %c_0 : tensor<i32>
      %3 = stablehlo.add %iterArg_1, %iterArg_1 : tensor<?xf32>
      stablehlo.return %2, %3 : tensor<i32>, tensor<?xf32>
    }
    return %1#1 : tensor<?xf32>
  }
}
