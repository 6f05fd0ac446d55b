// Expected values were computed in 60 digits.
func.func @sinh_f64() {
  %a = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 0.0001, 0.12, 0.5, 1.0, 20.0,
      22.5, 700.5, 710.4, -3.0]> : tensor<13xf64>
  %0 = chlo.sinh %a : tensor<13xf64> -> tensor<13xf64>
  %expected = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 0.00010000000016666667,
      0.12028820743110907, 0.5210953054937474, 1.1752011936438014, 242582597.70489514,
      2955261031.5116453, 8.360929810337492e+303, 1.6663642832806496e+308,
      -10.017874927409903]> : tensor<13xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<13xf64>, tensor<13xf64>
  return
}

func.func @sinh_f32() {
  %a = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 0.0001, 0.12, 0.5, 1.0, 20.0, 85.5, 88.9, 89.41598,
      -3.0]> : tensor<12xf32>
  %0 = chlo.sinh %a : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 0.0001, 0.12028821, 0.5210953, 1.1752012, 242582600.0,
      6.778728e+36, 2.031188e+38, 3.4027937e+38, -10.017875]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<12xf32>, tensor<12xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @sinh_bf16() {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.0, 3.0]> : tensor<4xbf16>
  %0 = chlo.sinh %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.519531, 2.125, 3.625, 10.0]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @sinh_special_values() {
  %a = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 90.0]> : tensor<6xf32>
  %0 = chlo.sinh %a : tensor<6xf32> -> tensor<6xf32>
  %expected = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800000]> : tensor<6xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<6xf32>, tensor<6xf32>
  return
}

// Near branch points and cuts, where squares underflow or overflow.
func.func @sinh_complex_f64() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999999999998, 1.0e-09),
      (1.0000000000000009, -1.0e-09), (-1.0, 3.0e-08), (0.5, 1.0e-300), (2.0, 1.0e-300),
      (1.0e-07, 1.0000000000000009), (-1.0e-07, 0.9999999999999998), (1.0e-300, -1.0e-300),
      (0.001, 0.001), (88.0, 1.5707963267948966), (709.9, 0.5)]> : tensor<14xcomplex<f64>>
  %0 = chlo.sinh %a : tensor<14xcomplex<f64>> -> tensor<14xcomplex<f64>>
  %expected = stablehlo.constant dense<[
      (0.504895714387995, 0.2789791283502615), (0.8860929093625314, 2.139040009980677),
      (-6.548120040911002, 7.619231720321411), (1.1752011936438012, 1.5430806348152437e-09),
      (1.175201193643803, -1.543080634815245e-09),
      (-1.175201193643801, 4.6292419044457305e-08),
      (0.5210953054937474, 1.1276259652063808e-300),
      (3.6268604078470186, 3.7621956910836315e-300),
      (5.4030230586813985e-08, 0.8414709848079012),
      (-5.403023058681408e-08, 0.8414709848079006), (1.0e-300, -1.0e-300),
      (0.0009999996666666333, 0.0010000003333333),
      (5.056677632585315e+21, 8.258181274970009e+37),
      (8.869735975099369e+307, 4.845558847453827e+307)]> : tensor<14xcomplex<f64>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<14xcomplex<f64>>, tensor<14xcomplex<f64>>
  return
}

func.func @sinh_complex_f32() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999, 1.0e-09), (1.0000005, -1.0e-09),
      (-1.0, 3.0e-08), (0.5, 1.0e-37), (2.0, 1.0e-37), (1.0e-07, 1.0000005),
      (-1.0e-07, 0.9999999), (1.0e-37, -1.0e-37), (0.001, 0.001), (88.0, 1.5707964),
      (89.0, 0.5)]> : tensor<14xcomplex<f32>>
  %0 = chlo.sinh %a : tensor<14xcomplex<f32>> -> tensor<14xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (0.5048957, 0.27897912), (0.8860929, 2.13904), (-6.54812, 7.6192317),
      (1.175201, 1.5430804e-09), (1.1752019, -1.5430811e-09), (-1.1752012, 4.6292417e-08),
      (0.5210953, 1.127626e-37), (3.6268604, 3.762196e-37), (5.4030192e-08, 0.84147125),
      (-5.403024e-08, 0.8414709), (1.0e-37, -1.0e-37), (0.0009999997, 0.0010000004),
      (-3.6097658e+30, 8.2581813e+37), (1.9700029e+38, 1.0762175e+38)]> : tensor<14xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<14xcomplex<f32>>, tensor<14xcomplex<f32>>
  return
}

// The sign of zero chooses the side of a cut (C11, Annex G).
func.func @sinh_complex_special_values() {
  %a = stablehlo.constant dense<[(0x7F800000, 0.0), (0xFF800000, 0.0), (0.0, -0.0)]> : tensor<3xcomplex<f32>>
  %0 = chlo.sinh %a : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0x7F800000, 0.0), (0xFF800000, 0.0), (0.0, -0.0)]> : tensor<3xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
  return
}
