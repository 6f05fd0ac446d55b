func.func @constant_example() {
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func @constant_splat() {
  %0 = chlo.constant dense<1.5> : tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[1.5, 1.5], [1.5, 1.5]]> : tensor<2x2xf32>
  return
}
