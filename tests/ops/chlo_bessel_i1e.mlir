// Expected values were computed in 60 digits.
func.func @bessel_i1e_f64() {
  %a = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 0.5, 1.0, 3.21, 7.999, 8.0, 8.5,
      20.0, 500.0, -2.0]> : tensor<13xf64>
  %0 = chlo.bessel_i1e %a : tensor<13xf64> -> tensor<13xf64>
  %expected = stablehlo.constant dense<[
      0.0, 1.1125369292536007e-308, 5.0e-301, 5.0e-21, 0.1564208031848717,
      0.20791041534970844, 0.19278859307637666, 0.13414997242586205, 0.13414249329269817,
      0.13054935509459586, 0.08750622218328867, 0.017827851852898056, -0.21526928924893765]> : tensor<13xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<13xf64>, tensor<13xf64>
  return
}

func.func @bessel_i1e_f32() {
  %a = stablehlo.constant dense<[1.0e-45, 1.1754944e-38, 1.0e-20, 0.5, 1.0, 3.21, 7.999, 8.0, 8.5, 20.0, 500.0, -2.0]> : tensor<12xf32>
  %0 = chlo.bessel_i1e %a : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      0.0, 5.877472e-39, 5.0e-21, 0.1564208, 0.20791042, 0.19278859, 0.13414997, 0.13414249,
      0.13054936, 0.08750622, 0.017827852, -0.21526928]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<12xf32>, tensor<12xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @bessel_i1e_bf16() {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.0, 3.0]> : tensor<4xbf16>
  %0 = chlo.bessel_i1e %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.15625, 0.21875, 0.214844, 0.197266]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @bessel_i1e_special_values() {
  %a = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  %0 = chlo.bessel_i1e %a : tensor<5xf32> -> tensor<5xf32>
  %expected = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 0x7FC00000]> : tensor<5xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<5xf32>, tensor<5xf32>
  return
}
