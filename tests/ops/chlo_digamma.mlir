// Expected values were computed in 60 digits.
func.func @digamma_f64() {
  %a = stablehlo.constant dense<[
      1.0e-300, 1.0e-10, 0.25, 0.5, 0.99, 1.0, 1.4616, 1.4616321449683622, 1.5, 1.999, 2.0,
      3.5, 6.0, 100.0, 1.0e+20, -1.0e-10, -0.25, -1.25, -7.9, -100.25]> : tensor<20xf64>
  %0 = chlo.digamma %a : tensor<20xf64> -> tensor<20xf64>
  %expected = stablehlo.constant dense<[
      -9.999999999999999e+299, -10000000000.577215, -4.2274535333762655, -1.9635100260214235,
      -0.5937863040555952, -0.5772156649015329, -3.110625123034165e-05,
      -9.241265521729427e-17, 0.03648997397857652, 0.4221391988923556, 0.42278433509846713,
      1.103156640645243, 1.7061176684318005, 4.600161852738087, 46.051701859880914,
      9999999999.422785, 2.9141391202135276, 3.714139120213528, -7.540007224419479,
      7.754238959208646]> : tensor<20xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<20xf64>, tensor<20xf64>
  return
}

func.func @digamma_f32() {
  %a = stablehlo.constant dense<[
      1.0e-30, 1.0e-10, 0.25, 0.5, 0.99, 1.0, 1.4616, 1.4616321, 1.5, 1.999, 2.0, 3.5, 6.0,
      100.0, 1.0e+20, -1.0e-10, -0.25, -0.504083, -1.25, -7.9, -100.25]> : tensor<21xf32>
  %0 = chlo.digamma %a : tensor<21xf32> -> tensor<21xf32>
  %expected = stablehlo.constant dense<[
      -1.0e+30, -10000000000.0, -4.2274537, -1.96351, -0.5937863, -0.5772157, -3.1158484e-05,
      -1.2036052e-08, 0.036489975, 0.42213917, 0.42278433, 1.1031567, 1.7061176, 4.600162,
      46.0517, 10000000000.0, 2.914139, 2.7259856e-07, 3.7141392, -7.540017, 7.754239]> : tensor<21xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<21xf32>, tensor<21xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @digamma_bf16() {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.0, 3.0]> : tensor<4xbf16>
  %0 = chlo.digamma %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[-1.96094, 0.036377, 0.421875, 0.921875]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @digamma_special_values() {
  %a = stablehlo.constant dense<[0.0, -0.0, -1.0, -7.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %0 = chlo.digamma %a : tensor<7xf32> -> tensor<7xf32>
  %expected = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<7xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<7xf32>, tensor<7xf32>
  return
}
