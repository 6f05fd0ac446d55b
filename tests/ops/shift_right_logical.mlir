// The specification's example.
func.func @shift_right_logical_example() {
  %a = stablehlo.constant dense<[-1, 0, 8]> : tensor<3xi64>
  %b = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %0 = stablehlo.shift_right_logical %a, %b : tensor<3xi64>
  check.expect_eq_const %0, dense<[9223372036854775807, 0, 1]> : tensor<3xi64>
  return
}

func.func @shift_right_logical_out_of_range() {
  %a = stablehlo.constant dense<[-5, 5, -5]> : tensor<3xi8>
  %b = stablehlo.constant dense<[8, 100, -1]> : tensor<3xi8>
  %0 = stablehlo.shift_right_logical %a, %b : tensor<3xi8>
  check.expect_eq_const %0, dense<[0, 0, 0]> : tensor<3xi8>
  return
}

func.func @shift_right_logical_narrow() {
  %a = stablehlo.constant dense<[-8, -1, -1]> : tensor<3xi4>
  %b = stablehlo.constant dense<[1, 3, 4]> : tensor<3xi4>
  %0 = stablehlo.shift_right_logical %a, %b : tensor<3xi4>
  check.expect_eq_const %0, dense<[4, 1, 0]> : tensor<3xi4>
  return
}

func.func @shift_right_logical_unsigned() {
  %a = stablehlo.constant dense<[4294967295]> : tensor<1xui32>
  %b = stablehlo.constant dense<[31]> : tensor<1xui32>
  %0 = stablehlo.shift_right_logical %a, %b : tensor<1xui32>
  check.expect_eq_const %0, dense<[1]> : tensor<1xui32>
  return
}
