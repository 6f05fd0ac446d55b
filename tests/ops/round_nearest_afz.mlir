// The specification's example.
func.func @round_nearest_afz_example() {
  %a = stablehlo.constant dense<[-2.5, 0.4, 0.5, 0.6, 2.5]> : tensor<5xf64>
  %0 = stablehlo.round_nearest_afz %a : tensor<5xf64>
  check.expect_eq_const %0, dense<[-3.0, 0.0, 1.0, 1.0, 3.0]> : tensor<5xf64>
  return
}

// Adding a half would round: 0.49999997, 8388609 and -0.4 give 0, 8388609 and -0.
func.func @round_nearest_afz_just_below_half() {
  %a = stablehlo.constant dense<[0x3EFFFFFF, 0x4B000001, -0.4]> : tensor<3xf32>
  %0 = stablehlo.round_nearest_afz %a : tensor<3xf32>
  %bits = stablehlo.bitcast_convert %0 : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %bits, dense<[0, 1258291201, -2147483648]> : tensor<3xi32>
  return
}

func.func @round_nearest_afz_infinity() {
  %a = stablehlo.constant dense<[0x7C00, 0xFC00]> : tensor<2xf16>
  %0 = stablehlo.round_nearest_afz %a : tensor<2xf16>
  check.expect_eq_const %0, dense<[0x7C00, 0xFC00]> : tensor<2xf16>
  return
}

func.func @round_nearest_afz_quantized() {
  %a = stablehlo.constant() <{value = dense<[3, -3, 5]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %0 = stablehlo.round_nearest_afz %a : tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>
  %stored = stablehlo.bitcast_convert %0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[4, -4, 6]> : tensor<3xi8>
  return
}
