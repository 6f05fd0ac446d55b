// Equality: of numbers, of zeros of either sign.
func.func @check_equal() {
  %a = stablehlo.constant dense<[1.0, -0.0, 0x7F800000]> : tensor<3xf32>
  %b = stablehlo.constant dense<[1.0, 0.0, 0x7F800000]> : tensor<3xf32>
  check.expect_eq %a, %b : tensor<3xf32>
  check.expect_eq_const %a, dense<[1.0, 0.0, 0x7F800000]> : tensor<3xf32>
  %c = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  check.expect_eq_const %c, dense<[true, false]> : tensor<2xi1>
  %e = stablehlo.constant dense<> : tensor<0x2xi4>
  check.expect_eq %e, %e : tensor<0x2xi4>
  return
}

// Near enough: within a tolerance, equal infinities, both NaN, part by part.
func.func @check_almost_equal() {
  %a = stablehlo.constant dense<[1.0, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %b = stablehlo.constant dense<[1.00005, 0xFF800000, 0xFFC00000]> : tensor<3xf32>
  check.expect_almost_eq %a, %b : tensor<3xf32>
  check.expect_almost_eq_const %a, dense<[1.4, 0xFF800000, 0x7FC00000]> : tensor<3xf32>, tolerance = 0.5
  %c = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  check.expect_almost_eq_const %c, dense<(1.25, 1.75)> : tensor<complex<f32>>, tolerance = 0.25
  return
}

// Units in the last place: across zero, in narrow formats, no more and no less than allowed.
func.func @check_close() {
  %a = stablehlo.constant dense<[1.0, 0x00000001, 0x7FC00000, 0x7F800000]> : tensor<4xf32>
  %b = stablehlo.constant dense<[0x3F800002, 0x80000001, 0x7FC00001, 0x7F800000]> : tensor<4xf32>
  check.expect_close %a, %b, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  %c = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xbf16>
  %d = stablehlo.constant dense<[0x3F81, 0xBF81]> : tensor<2xbf16>
  check.expect_close %c, %d, max_ulp_difference = 1, min_ulp_difference = 1 : tensor<2xbf16>, tensor<2xbf16>
  %e = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f64>>
  check.expect_close %e, %e, max_ulp_difference = 0 : tensor<complex<f64>>, tensor<complex<f64>>
  return
}
