// Expected values were computed in 60 digits.
func.func @cosh_f64() {
  %a = stablehlo.constant dense<[1.0e-300, 0.0001, 0.5, 1.0, 20.0, 22.5, 700.0, 709.5, 710.4, -3.0]> : tensor<10xf64>
  %0 = chlo.cosh %a : tensor<10xf64> -> tensor<10xf64>
  %expected = stablehlo.constant dense<[
      1.0, 1.000000005, 1.1276259652063807, 1.5430806348152437, 242582597.70489514,
      2955261031.5116453, 5.0711602736750225e+303, 6.774931596573164e+307,
      1.6663642832806496e+308, 10.067661995777765]> : tensor<10xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<10xf64>, tensor<10xf64>
  return
}

func.func @cosh_f32() {
  %a = stablehlo.constant dense<[1.0e-30, 0.0001, 0.5, 1.0, 20.0, 85.5, 88.9, 89.4, 89.41598, -3.0]> : tensor<10xf32>
  %0 = chlo.cosh %a : tensor<10xf32> -> tensor<10xf32>
  %expected = stablehlo.constant dense<[
      1.0, 1.0, 1.127626, 1.5430807, 242582600.0, 6.778728e+36, 2.031188e+38, 3.3488627e+38,
      3.4027937e+38, 10.067662]> : tensor<10xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<10xf32>, tensor<10xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @cosh_bf16() {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.0, 3.0]> : tensor<4xbf16>
  %0 = chlo.cosh %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[1.125, 2.35938, 3.76562, 10.0625]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @cosh_special_values() {
  %a = stablehlo.constant dense<[0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 90.0]> : tensor<5xf32>
  %0 = chlo.cosh %a : tensor<5xf32> -> tensor<5xf32>
  %expected = stablehlo.constant dense<[1.0, 0x7F800000, 0x7F800000, 0x7FC00000, 0x7F800000]> : tensor<5xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<5xf32>, tensor<5xf32>
  return
}

// Near branch points and cuts, where squares underflow or overflow.
func.func @cosh_complex_f64() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999999999998, 1.0e-09),
      (1.0000000000000009, -1.0e-09), (-1.0, 3.0e-08), (0.5, 1.0e-300), (2.0, 1.0e-300),
      (1.0e-07, 1.0000000000000009), (-1.0e-07, 0.9999999999999998), (1.0e-300, -1.0e-300),
      (0.001, 0.001), (88.0, 1.5707963267948966), (709.9, 0.5)]> : tensor<14xcomplex<f64>>
  %0 = chlo.cosh %a : tensor<14xcomplex<f64>> -> tensor<14xcomplex<f64>>
  %expected = stablehlo.constant dense<[
      (1.0925708047319176, 0.12892104172809826), (-0.9789478196465577, -1.9361483295105073),
      (-6.580663040551157, 7.581552742746545), (1.5430806348152435, 1.1752011936438013e-09),
      (1.5430806348152448, -1.175201193643803e-09),
      (1.543080634815243, -3.525603580931404e-08),
      (1.1276259652063807, 5.210953054937474e-301),
      (3.7621956910836314, 3.626860407847019e-300),
      (0.5403023058681417, 8.414709848078984e-08),
      (0.5403023058681427, -8.414709848078977e-08), (1.0, -0.0),
      (0.9999999999998334, 9.99999999999989e-07),
      (5.056677632585315e+21, 8.258181274970009e+37),
      (8.869735975099369e+307, 4.845558847453827e+307)]> : tensor<14xcomplex<f64>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<14xcomplex<f64>>, tensor<14xcomplex<f64>>
  return
}

func.func @cosh_complex_f32() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999, 1.0e-09), (1.0000005, -1.0e-09),
      (-1.0, 3.0e-08), (0.5, 1.0e-37), (2.0, 1.0e-37), (1.0e-07, 1.0000005),
      (-1.0e-07, 0.9999999), (1.0e-37, -1.0e-37), (0.001, 0.001), (88.0, 1.5707964),
      (89.0, 0.5)]> : tensor<14xcomplex<f32>>
  %0 = chlo.cosh %a : tensor<14xcomplex<f32>> -> tensor<14xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (1.0925708, 0.12892105), (-0.9789478, -1.9361483), (-6.580663, 7.5815525),
      (1.5430804, 1.1752009e-09), (1.5430812, -1.1752019e-09), (1.5430807, -3.5256036e-08),
      (1.127626, 5.210953e-38), (3.7621956, 3.6268604e-37), (0.5403019, 8.4147125e-08),
      (0.5403024, -8.4147096e-08), (1.0, -0.0), (1.0, 1.0000001e-06),
      (-3.6097658e+30, 8.2581813e+37), (1.9700029e+38, 1.0762175e+38)]> : tensor<14xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<14xcomplex<f32>>, tensor<14xcomplex<f32>>
  return
}

// The sign of zero chooses the side of a cut (C11, Annex G).
func.func @cosh_complex_special_values() {
  %a = stablehlo.constant dense<[(0x7F800000, 0.0), (0xFF800000, 0.0)]> : tensor<2xcomplex<f32>>
  %0 = chlo.cosh %a : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0x7F800000, 0.0), (0x7F800000, -0.0)]> : tensor<2xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  return
}
