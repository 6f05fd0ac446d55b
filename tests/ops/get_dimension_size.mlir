// The specification's example.
func.func @get_dimension_size_example() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %0 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2x3xi64>) -> tensor<i32>
  check.expect_eq_const %0, dense<3> : tensor<i32>
  return
}

func.func @get_dimension_size_dynamic() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %shape = stablehlo.constant dense<[6, 1]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %a, %shape : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<?x?xi64>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x?xi64>) -> tensor<i32>
  check.expect_eq_const %1, dense<6> : tensor<i32>
  return
}
