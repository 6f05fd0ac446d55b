// The specification's example.
func.func @popcnt_example() {
  %a = stablehlo.constant dense<[0, 1, 2, 127]> : tensor<4xi64>
  %0 = stablehlo.popcnt %a : tensor<4xi64>
  check.expect_eq_const %0, dense<[0, 1, 1, 7]> : tensor<4xi64>
  return
}

func.func @popcnt_negative() {
  %a = stablehlo.constant dense<[-1, -2, -9223372036854775808]> : tensor<3xi64>
  %0 = stablehlo.popcnt %a : tensor<3xi64>
  check.expect_eq_const %0, dense<[64, 63, 1]> : tensor<3xi64>
  return
}

func.func @popcnt_unsigned() {
  %a = stablehlo.constant dense<[255, 128, 3]> : tensor<3xui8>
  %0 = stablehlo.popcnt %a : tensor<3xui8>
  check.expect_eq_const %0, dense<[8, 1, 2]> : tensor<3xui8>
  return
}

// Four bits, not those of the byte that holds them.
func.func @popcnt_narrow() {
  %a = stablehlo.constant dense<[-1, -8, 5]> : tensor<3xi4>
  %0 = stablehlo.popcnt %a : tensor<3xi4>
  check.expect_eq_const %0, dense<[4, 1, 2]> : tensor<3xi4>
  return
}
