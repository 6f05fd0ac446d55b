// Expected values were computed in 60 digits.
func.func @erf_inv_f64() {
  %a = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 0.1, 0.5, 0.9, 0.99, 0.9966,
      0.99999, 0.999999, 0.9999999999, 0.9999999999999999, 0.9999999999999998,
      0.9999999999999991, -0.3, -0.999]> : tensor<17xf64>
  %0 = chlo.erf_inv %a : tensor<17xf64> -> tensor<17xf64>
  %expected = stablehlo.constant dense<[
      5.0e-324, 1.9719203645301425e-308, 8.86226925452758e-301, 8.86226925452758e-21,
      0.08885599049425769, 0.4769362762044699, 1.1630871536766743, 1.8213863677184494,
      2.071150939906553, 3.123413274341571, 3.458910737275499, 4.572824958544925,
      5.8635847487551676, 5.805018683193453, 5.686128441310391, -0.2724627147267543,
      -2.3267537655135246]> : tensor<17xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<17xf64>, tensor<17xf64>
  return
}

func.func @erf_inv_f32() {
  %a = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 0.1, 0.5, 0.9, 0.99, 0.9966, 0.9999, 0.99999994,
      0.9999999, 0.9999995, -0.3, -0.999]> : tensor<14xf32>
  %0 = chlo.erf_inv %a : tensor<14xf32> -> tensor<14xf32>
  %expected = stablehlo.constant dense<[
      1.0e-45, 1.0417547e-38, 8.862269e-21, 0.08885599, 0.47693628, 1.1630871, 1.8213866,
      2.071149, 2.7510355, 3.832507, 3.7439213, 3.5605698, -0.27246273, -2.3267562]> : tensor<14xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<14xf32>, tensor<14xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @erf_inv_bf16() {
  %a = stablehlo.constant dense<[0.5, -0.25, 0.996094, 0.015625]> : tensor<4xbf16>
  %0 = chlo.erf_inv %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.476562, -0.225586, 2.04688, 0.013855]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @erf_inv_special_values() {
  %a = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.0000001, 0x7FC00000]> : tensor<6xf32>
  %0 = chlo.erf_inv %a : tensor<6xf32> -> tensor<6xf32>
  %expected = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<6xf32>, tensor<6xf32>
  return
}
