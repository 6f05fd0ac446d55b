// The specification's example.
func.func @count_leading_zeros_example() {
  %a = stablehlo.constant dense<[[0, 1], [128, -1]]> : tensor<2x2xi64>
  %0 = stablehlo.count_leading_zeros %a : tensor<2x2xi64>
  check.expect_eq_const %0, dense<[[64, 63], [56, 0]]> : tensor<2x2xi64>
  return
}

func.func @count_leading_zeros_unsigned() {
  %a = stablehlo.constant dense<[0, 1, 127, 128]> : tensor<4xui8>
  %0 = stablehlo.count_leading_zeros %a : tensor<4xui8>
  check.expect_eq_const %0, dense<[8, 7, 1, 0]> : tensor<4xui8>
  return
}

func.func @count_leading_zeros_i16() {
  %a = stablehlo.constant dense<[0, 1, 300, -1]> : tensor<4xi16>
  %0 = stablehlo.count_leading_zeros %a : tensor<4xi16>
  check.expect_eq_const %0, dense<[16, 15, 7, 0]> : tensor<4xi16>
  return
}

func.func @count_leading_zeros_narrow() {
  %a = stablehlo.constant dense<[0, 1, 7, 8]> : tensor<4xui4>
  %0 = stablehlo.count_leading_zeros %a : tensor<4xui4>
  check.expect_eq_const %0, dense<[4, 3, 1, 0]> : tensor<4xui4>
  return
}

// Beyond the precision of a float.
func.func @count_leading_zeros_large() {
  %a = stablehlo.constant dense<[9007199254740993, 18446744073709551615, 4611686018427387905]> : tensor<3xui64>
  %0 = stablehlo.count_leading_zeros %a : tensor<3xui64>
  check.expect_eq_const %0, dense<[10, 0, 1]> : tensor<3xui64>
  return
}
