// The specification's example.
func.func @dynamic_reshape_example() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %a, %shape : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<3x2xi64>
  check.expect_eq_const %0, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  return
}

func.func @dynamic_reshape_computed_shape() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %n = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2x3xi64>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m = stablehlo.constant dense<2> : tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %m, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %a, %shape : (tensor<2x3xi64>, tensor<2xi32>) -> tensor<?x?xi64>
  %1 = stablehlo.slice %0 [0:3, 1:2] : (tensor<?x?xi64>) -> tensor<3x1xi64>
  check.expect_eq_const %1, dense<[[2], [4], [6]]> : tensor<3x1xi64>
  return
}

func.func @dynamic_reshape_to_scalar() {
  %a = stablehlo.constant dense<7> : tensor<1x1xi64>
  %shape = stablehlo.constant dense<> : tensor<0xi64>
  %0 = stablehlo.dynamic_reshape %a, %shape : (tensor<1x1xi64>, tensor<0xi64>) -> tensor<i64>
  check.expect_eq_const %0, dense<7> : tensor<i64>
  return
}
