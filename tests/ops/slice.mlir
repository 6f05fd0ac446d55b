// The specification's example.
func.func @slice_example() {
  %a = stablehlo.constant dense<[[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]> : tensor<3x4xi64>
  %0 = stablehlo.slice %a [1:3, 2:4] : (tensor<3x4xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %0, dense<1> : tensor<2x2xi64>
  return
}

// The last stride may reach beyond the limit.
func.func @slice_strides() {
  %a = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12, 13]]> : tensor<2x7xi64>
  %0 = stablehlo.slice %a [0:2:3, 1:7:4] : (tensor<2x7xi64>) -> tensor<1x2xi64>
  check.expect_eq_const %0, dense<[[1, 5]]> : tensor<1x2xi64>
  return
}

func.func @slice_nothing() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.slice %a [2:2] : (tensor<2xi64>) -> tensor<0xi64>
  check.expect_eq_const %0, dense<> : tensor<0xi64>
  return
}

func.func @slice_scalar() {
  %a = stablehlo.constant dense<1.0> : tensor<f16>
  %0 = stablehlo.slice %a [] : (tensor<f16>) -> tensor<f16>
  check.expect_eq_const %0, dense<1.0> : tensor<f16>
  return
}

// A limit within the bound also cuts off what a bounded dimension holds.
func.func @slice_bounded() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<4xi64>, tensor<i32>) -> tensor<?xi64, #stablehlo.bounds<4>>
  %1 = stablehlo.slice %0 [1:3] : (tensor<?xi64, #stablehlo.bounds<4>>) -> tensor<2xi64>
  check.expect_eq_const %1, dense<[2, 3]> : tensor<2xi64>
  return
}
