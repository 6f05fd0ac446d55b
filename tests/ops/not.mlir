// The specification's example.
func.func @not_integers() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = stablehlo.not %a : tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[-2, -3], [-4, -5]]> : tensor<2x2xi32>
  return
}

// The specification's example.
func.func @not_booleans() {
  %a = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %0 = stablehlo.not %a : tensor<2xi1>
  check.expect_eq_const %0, dense<[false, true]> : tensor<2xi1>
  return
}

func.func @not_unsigned() {
  %a = stablehlo.constant dense<[0, 1, 255]> : tensor<3xui8>
  %0 = stablehlo.not %a : tensor<3xui8>
  check.expect_eq_const %0, dense<[255, 254, 0]> : tensor<3xui8>
  return
}

func.func @not_narrow() {
  %a = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xui2>
  %0 = stablehlo.not %a : tensor<4xui2>
  check.expect_eq_const %0, dense<[3, 2, 1, 0]> : tensor<4xui2>
  return
}
