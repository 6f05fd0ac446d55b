// The specification's example.
func.func @round_nearest_even_example() {
  %a = stablehlo.constant dense<[-2.5, 0.4, 0.5, 0.6, 2.5]> : tensor<5xf64>
  %0 = stablehlo.round_nearest_even %a : tensor<5xf64>
  check.expect_eq_const %0, dense<[-2.0, 0.0, 0.0, 1.0, 2.0]> : tensor<5xf64>
  return
}

func.func @round_nearest_even_signed_zero() {
  %a = stablehlo.constant dense<[-0.4, -0.5, 0.5]> : tensor<3xf32>
  %0 = stablehlo.round_nearest_even %a : tensor<3xf32>
  %bits = stablehlo.bitcast_convert %0 : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %bits, dense<[-2147483648, -2147483648, 0]> : tensor<3xi32>
  return
}

func.func @round_nearest_even_narrow() {
  %a = stablehlo.constant dense<[1.5, 2.5, -3.5]> : tensor<3xbf16>
  %0 = stablehlo.round_nearest_even %a : tensor<3xbf16>
  check.expect_eq_const %0, dense<[2.0, 2.0, -4.0]> : tensor<3xbf16>
  return
}

func.func @round_nearest_even_quantized() {
  %a = stablehlo.constant() <{value = dense<[3, -3, 5]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.round_nearest_even %a : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[4, -4, 4]> : tensor<3xi8>
  return
}
