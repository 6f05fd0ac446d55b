// The specification's example.
func.func @or_example() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %b = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %0 = stablehlo.or %a, %b : tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[5, 6], [7, 12]]> : tensor<2x2xi32>
  return
}

func.func @or_booleans() {
  %a = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %b = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %0 = stablehlo.or %a, %b : tensor<4xi1>
  check.expect_eq_const %0, dense<[false, true, true, true]> : tensor<4xi1>
  return
}

func.func @or_unsigned() {
  %a = stablehlo.constant dense<[255, 10]> : tensor<2xui8>
  %b = stablehlo.constant dense<[5, 5]> : tensor<2xui8>
  %0 = stablehlo.or %a, %b : tensor<2xui8>
  check.expect_eq_const %0, dense<[255, 15]> : tensor<2xui8>
  return
}

func.func @or_narrow() {
  %a = stablehlo.constant dense<[-8, 5]> : tensor<2xi4>
  %b = stablehlo.constant dense<[7, 3]> : tensor<2xi4>
  %0 = stablehlo.or %a, %b : tensor<2xi4>
  check.expect_eq_const %0, dense<[-1, 7]> : tensor<2xi4>
  return
}
