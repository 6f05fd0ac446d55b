// types: tensor<2x3xf32>, tensor<2x2x1x1xf32>
module {
  func.func @main(%arg0: tensor<?x?xf32>, %arg1: tensor<2x2x1x1xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?x?x?xf32>) {
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
    %2 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %c = stablehlo.constant dense<0> : tensor<2xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.dynamic_pad %arg0, %cst, %4, %c, %c : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    %6 = stablehlo.multiply %2, %3 : tensor<1xi32>
    %7 = stablehlo.dynamic_reshape %arg0, %6 : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
    %8 = stablehlo.concatenate %6, %2, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %arg0, %8, dims = [1, 2] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %10 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
    return %5, %10, %7, %9 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?x?x?xf32>
  }
}
