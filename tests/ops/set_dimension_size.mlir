// The elements beyond the size are no longer there.
func.func @set_dimension_size_smaller() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.set_dimension_size %a, %n, dim = 1 : (tensor<2x3xi64>, tensor<i32>) -> tensor<2x?xi64, #stablehlo.bounds<?, 3>>
  %1 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x?xi64, #stablehlo.bounds<?, 3>>) -> tensor<i32>
  check.expect_eq_const %1, dense<2> : tensor<i32>
  %2 = stablehlo.slice %0 [0:2, 0:2] : (tensor<2x?xi64, #stablehlo.bounds<?, 3>>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[1, 2], [4, 5]]> : tensor<2x2xi64>
  return
}

func.func @set_dimension_size_to_zero() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %n = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<3xi64>, tensor<i32>) -> tensor<?xi64, #stablehlo.bounds<3>>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?xi64, #stablehlo.bounds<3>>) -> tensor<i32>
  check.expect_eq_const %1, dense<0> : tensor<i32>
  return
}

// Set to its bound by a constant, the dimension is static.
func.func @set_dimension_size_to_the_bound() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<3xi64>, tensor<i32>) -> tensor<3xi64>
  check.expect_eq_const %0, dense<[1, 2, 3]> : tensor<3xi64>
  return
}

// The elements that are there stay when the size grows again.
func.func @set_dimension_size_larger() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %m = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<3xi64>, tensor<i32>) -> tensor<?xi64, #stablehlo.bounds<3>>
  %1 = stablehlo.set_dimension_size %0, %m, dim = 0 : (tensor<?xi64, #stablehlo.bounds<3>>, tensor<i32>) -> tensor<3xi64>
  %2 = stablehlo.slice %1 [0:2] : (tensor<3xi64>) -> tensor<2xi64>
  check.expect_eq_const %2, dense<[1, 2]> : tensor<2xi64>
  return
}
