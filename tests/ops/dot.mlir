// Vectors and matrices; the inner dimensions are contracted.
func.func @dot_ranks() {
  %v = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %m = stablehlo.constant dense<[[3, 4], [5, 6]]> : tensor<2x2xi32>
  %0 = stablehlo.dot %v, %v : (tensor<2xi32>, tensor<2xi32>) -> tensor<i32>
  check.expect_eq_const %0, dense<5> : tensor<i32>
  %1 = stablehlo.dot %m, %v : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %1, dense<[11, 17]> : tensor<2xi32>
  %2 = stablehlo.dot %v, %m : (tensor<2xi32>, tensor<2x2xi32>) -> tensor<2xi32>
  check.expect_eq_const %2, dense<[13, 16]> : tensor<2xi32>
  %3 = stablehlo.dot %m, %m, precision = [DEFAULT, HIGHEST] : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %3, dense<[[29, 36], [45, 56]]> : tensor<2x2xi32>
  return
}
