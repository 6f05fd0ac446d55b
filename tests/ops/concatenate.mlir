// Along the first dimension (the specification's example).
func.func @concatenate_example() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %b = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>
  check.expect_eq_const %0, dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi64>
  return
}

func.func @concatenate_inner_dimension() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi4>
  %b = stablehlo.constant dense<> : tensor<2x0xi4>
  %0 = stablehlo.concatenate %a, %b, %a, dim = 1 : (tensor<2x2xi4>, tensor<2x0xi4>, tensor<2x2xi4>) -> tensor<2x4xi4>
  check.expect_eq_const %0, dense<[[1, 2, 1, 2], [3, 4, 3, 4]]> : tensor<2x4xi4>
  return
}

func.func @concatenate_one() {
  %a = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xbf16>
  %0 = stablehlo.concatenate %a, dim = 0 : (tensor<2xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %0, dense<[1.0, -0.0]> : tensor<2xbf16>
  return
}

// Bounds add up as sizes do; elements follow one another without a gap.
func.func @concatenate_bounded() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<3xi64>, tensor<i32>) -> tensor<?xi64, #stablehlo.bounds<3>>
  %1 = stablehlo.concatenate %0, %a, dim = 0 : (tensor<?xi64, #stablehlo.bounds<3>>, tensor<3xi64>) -> tensor<?xi64, #stablehlo.bounds<6>>
  %2 = stablehlo.slice %1 [0:5] : (tensor<?xi64, #stablehlo.bounds<6>>) -> tensor<5xi64>
  check.expect_eq_const %2, dense<[1, 2, 1, 2, 3]> : tensor<5xi64>
  return
}
