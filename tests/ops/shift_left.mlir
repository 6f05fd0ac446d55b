// The specification's example.
func.func @shift_left_example() {
  %a = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi64>
  %b = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %0 = stablehlo.shift_left %a, %b : tensor<3xi64>
  check.expect_eq_const %0, dense<[-2, 0, 8]> : tensor<3xi64>
  return
}

func.func @shift_left_out_of_range() {
  %a = stablehlo.constant dense<[1, 1, 1]> : tensor<3xi8>
  %b = stablehlo.constant dense<[8, 100, -1]> : tensor<3xi8>
  %0 = stablehlo.shift_left %a, %b : tensor<3xi8>
  check.expect_eq_const %0, dense<[0, 0, 0]> : tensor<3xi8>
  return
}

func.func @shift_left_narrow() {
  %a = stablehlo.constant dense<[1, 3, 1, 1]> : tensor<4xi4>
  %b = stablehlo.constant dense<[3, 3, 4, -1]> : tensor<4xi4>
  %0 = stablehlo.shift_left %a, %b : tensor<4xi4>
  check.expect_eq_const %0, dense<[-8, -8, 0, 0]> : tensor<4xi4>
  return
}

func.func @shift_left_unsigned() {
  %a = stablehlo.constant dense<[255, 1]> : tensor<2xui8>
  %b = stablehlo.constant dense<[4, 7]> : tensor<2xui8>
  %0 = stablehlo.shift_left %a, %b : tensor<2xui8>
  check.expect_eq_const %0, dense<[240, 128]> : tensor<2xui8>
  return
}
