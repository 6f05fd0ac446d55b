// The specification's example.
func.func @shift_right_arithmetic_example() {
  %a = stablehlo.constant dense<[-1, 0, 8]> : tensor<3xi64>
  %b = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %0 = stablehlo.shift_right_arithmetic %a, %b : tensor<3xi64>
  check.expect_eq_const %0, dense<[-1, 0, 1]> : tensor<3xi64>
  return
}

func.func @shift_right_arithmetic_out_of_range() {
  %a = stablehlo.constant dense<[-5, 5, -5]> : tensor<3xi8>
  %b = stablehlo.constant dense<[8, 100, -1]> : tensor<3xi8>
  %0 = stablehlo.shift_right_arithmetic %a, %b : tensor<3xi8>
  check.expect_eq_const %0, dense<[-1, 0, -1]> : tensor<3xi8>
  return
}

// The highest bit counts as the sign.
func.func @shift_right_arithmetic_unsigned() {
  %a = stablehlo.constant dense<[128, 128, 64]> : tensor<3xui8>
  %b = stablehlo.constant dense<[1, 9, 1]> : tensor<3xui8>
  %0 = stablehlo.shift_right_arithmetic %a, %b : tensor<3xui8>
  check.expect_eq_const %0, dense<[192, 255, 32]> : tensor<3xui8>
  return
}

func.func @shift_right_arithmetic_narrow() {
  %a = stablehlo.constant dense<[-8, 7, -8]> : tensor<3xi4>
  %b = stablehlo.constant dense<[1, 1, 4]> : tensor<3xi4>
  %0 = stablehlo.shift_right_arithmetic %a, %b : tensor<3xi4>
  check.expect_eq_const %0, dense<[-4, 3, -1]> : tensor<3xi4>
  return
}
