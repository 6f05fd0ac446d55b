// types: tensor<8xf32>, tensor<1xi32>
module {
  func.func @main(%arg0: tensor<?xf32>, %arg1: tensor<1xi32>) -> tensor<?xf32> {
    %c = stablehlo.constant dense<3> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.add %arg1, %c : tensor<1xi32>
    %1 = stablehlo.real_dynamic_slice %arg0, %arg1, %0, %c_0 : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }
}
