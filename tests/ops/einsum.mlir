// Names in both operands and the result are a batch, others are summed or kept.
func.func @einsum_products() {
  %lhs = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %rhs = stablehlo.constant dense<[[1, 0], [0, 1], [10, 100]]> : tensor<3x2xi32>
  %0 = stablehlo.einsum %lhs, %rhs, config = "ab,bc->ac" : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[31, 302], [64, 605]]> : tensor<2x2xi32>
  %1 = stablehlo.einsum %lhs, %rhs, config = "ab,bc->ca" : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[31, 64], [302, 605]]> : tensor<2x2xi32>
  %2 = stablehlo.einsum %lhs, %rhs, config = "ab,ba->a" : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2xi32>
  check.expect_eq_const %2, dense<[31, 605]> : tensor<2xi32>
  return
}

// Without an arrow the result has the names that occur once, in alphabetical order.
func.func @einsum_without_arrow() {
  %lhs = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %0 = stablehlo.einsum %lhs, %rhs, config = "b,ba" : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[201.0, 2010.0]> : tensor<2xf32>
  return
}

// `...` stands for further dimensions, which broadcast.
func.func @einsum_ellipsis() {
  %lhs = stablehlo.constant dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi32>
  %rhs = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi32>
  %0 = stablehlo.einsum %lhs, %rhs, config = "...ab,bc->...ac" : (tensor<2x2x1xi32>, tensor<1x2xi32>) -> tensor<2x2x2xi32>
  check.expect_eq_const %0, dense<[[[5, 6], [10, 12]], [[15, 18], [20, 24]]]> : tensor<2x2x2xi32>
  return
}
