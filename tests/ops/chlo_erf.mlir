// Expected values were computed in 60 digits.
func.func @erf_f64() {
  %a = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 0.001, 0.5, 0.98, 1.0, 1.0000001,
      1.2, 2.0, 3.5, 5.9, -0.7, -2.0]> : tensor<15xf64>
  %0 = chlo.erf %a : tensor<15xf64> -> tensor<15xf64>
  %expected = stablehlo.constant dense<[
      5.0e-324, 2.5107269871883543e-308, 1.1283791670955126e-300, 1.1283791670955125e-20,
      0.0011283787909692365, 0.5204998778130465, 0.8342315043402079, 0.8427007929497149,
      0.8427008344604605, 0.9103139782296353, 0.9953222650189527, 0.9999992569016276,
      0.9999999999999999, -0.6778011938374184, -0.9953222650189527]> : tensor<15xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xf64>, tensor<15xf64>
  return
}

func.func @erf_f32() {
  %a = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 0.001, 0.5, 0.91, 0.92, 0.93, 1.2, 2.0, 3.5, 3.9,
      -0.7, -2.0]> : tensor<14xf32>
  %0 = chlo.erf %a : tensor<14xf32> -> tensor<14xf32>
  %expected = stablehlo.constant dense<[
      1.0e-45, 1.3264034e-38, 1.1283791e-20, 0.0011283788, 0.5204999, 0.80188286, 0.8067677,
      0.81156355, 0.91031396, 0.9953223, 0.9999993, 0.99999994, -0.6778012, -0.9953223]> : tensor<14xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<14xf32>, tensor<14xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @erf_bf16() {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.0, 3.0]> : tensor<4xbf16>
  %0 = chlo.erf %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.519531, 0.964844, 0.996094, 1.0]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @erf_special_values() {
  %a = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 100.0, 0x7FC00000]> : tensor<6xf32>
  %0 = chlo.erf %a : tensor<6xf32> -> tensor<6xf32>
  %expected = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.0, 0x7FC00000]> : tensor<6xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<6xf32>, tensor<6xf32>
  return
}
