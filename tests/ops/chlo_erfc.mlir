// Expected values were computed in 60 digits.
func.func @erfc_f64() {
  %a = stablehlo.constant dense<[
      1.0e-300, 0.25, 0.499, 0.5, 0.75, 1.0, 2.0, 4.0, 10.8, 22.3, 26.5, 26.6, 27.2, -0.3,
      -2.0, -5.5]> : tensor<16xf64>
  %0 = chlo.erfc %a : tensor<16xf64> -> tensor<16xf64>
  %expected = stablehlo.constant dense<[
      1.0, 0.7236736098317631, 0.48037934401053156, 0.4795001221869535, 0.28884436634648486,
      0.15729920705028513, 0.004677734981047266, 1.541725790028002e-08,
      1.1482879122081691e-52, 2.706336070622242e-218, 2.2109076642637343e-307,
      1.088512588544227e-309, 1.0e-323, 1.3286267594591274, 1.9953222650189528,
      1.9999999999999927]> : tensor<16xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<16xf64>, tensor<16xf64>
  return
}

func.func @erfc_f32() {
  %a = stablehlo.constant dense<[1.0e-30, 0.25, 0.499, 0.5, 0.75, 1.0, 2.0, 4.0, 7.6, 9.1, 9.2, 10.0, -0.3, -2.0, -4.0]> : tensor<15xf32>
  %0 = chlo.erfc %a : tensor<15xf32> -> tensor<15xf32>
  %expected = stablehlo.constant dense<[
      1.0, 0.7236736, 0.48037934, 0.47950011, 0.28884438, 0.1572992, 0.004677735,
      1.5417259e-08, 6.054544e-27, 6.6968536e-38, 1.0627354e-38, 1.0e-45, 1.3286268,
      1.9953222, 2.0]> : tensor<15xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xf32>, tensor<15xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @erfc_bf16() {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.0, 3.0]> : tensor<4xbf16>
  %0 = chlo.erfc %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.480469, 0.0339355, 0.00466919, 2.20537e-05]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @erfc_special_values() {
  %a = stablehlo.constant dense<[0.0, 0x7F800000, 0xFF800000, 12.0, 0x7FC00000]> : tensor<5xf32>
  %0 = chlo.erfc %a : tensor<5xf32> -> tensor<5xf32>
  %expected = stablehlo.constant dense<[1.0, 0.0, 2.0, 0.0, 0x7FC00000]> : tensor<5xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<5xf32>, tensor<5xf32>
  return
}
