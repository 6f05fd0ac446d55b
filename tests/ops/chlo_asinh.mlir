// Expected values were computed in 60 digits.
func.func @asinh_f64() {
  %a = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 1.0e-08, 0.06, 0.5, 1.0, 10.0,
      1.152921504606847e+18, 1.5e+308, -0.25, -1000000000.0]> : tensor<13xf64>
  %0 = chlo.asinh %a : tensor<13xf64> -> tensor<13xf64>
  %expected = stablehlo.constant dense<[
      5.0e-324, 2.2250738585072014e-308, 1.0e-300, 1.0e-20, 1.0e-08, 0.05996405819533394,
      0.48121182505960347, 0.881373587019543, 2.99822295029797, 42.281978014156664,
      710.2948209308341, -0.24746646154726346, -21.416413017506358]> : tensor<13xf64>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<13xf64>, tensor<13xf64>
  return
}

func.func @asinh_f32() {
  %a = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 0.0001, 0.12, 0.5, 1.0, 10.0, 268435460.0, 3.0e+38,
      -0.25, -1000000000.0]> : tensor<12xf32>
  %0 = chlo.asinh %a : tensor<12xf32> -> tensor<12xf32>
  %expected = stablehlo.constant dense<[
      1.0e-45, 1.1754944e-38, 1.0e-20, 0.0001, 0.11971385, 0.4812118, 0.8813736, 2.998223,
      20.101269, 89.28999, -0.24746646, -21.416412]> : tensor<12xf32>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<12xf32>, tensor<12xf32>
  return
}

// Computed in 32 bits or more, rounded at the end.
func.func @asinh_bf16() {
  %a = stablehlo.constant dense<[0.5, 1.5, 2.0, 3.0]> : tensor<4xbf16>
  %0 = chlo.asinh %a : tensor<4xbf16> -> tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.480469, 1.19531, 1.44531, 1.82031]> : tensor<4xbf16>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

func.func @asinh_special_values() {
  %a = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  %0 = chlo.asinh %a : tensor<5xf32> -> tensor<5xf32>
  %expected = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  check.expect_close %0, %expected, max_ulp_difference = 0 : tensor<5xf32>, tensor<5xf32>
  return
}

// Near branch points and cuts, where squares underflow or overflow.
func.func @asinh_complex_f64() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999999999998, 1.0e-09),
      (1.0000000000000009, -1.0e-09), (-1.0, 3.0e-08), (0.5, 1.0e-300), (2.0, 1.0e-300),
      (1.0e-07, 1.0000000000000009), (-1.0e-07, 0.9999999999999998), (1.0e-300, -1.0e-300),
      (0.001, 0.001), (1.0e+300, -1.0e+300), (1.0e-300, 1.0e+300), (100000.0, 1.0e-05)]> : tensor<15xcomplex<f64>>
  %0 = chlo.asinh %a : tensor<15xcomplex<f64>> -> tensor<15xcomplex<f64>>
  %expected = stablehlo.constant dense<[
      (0.4926756834207706, 0.2243284526346675), (-1.6004100552346137, 0.8877651461839051),
      (2.2999140408792695, -0.9176168533514787), (0.8813735870195428, 7.071067811865477e-10),
      (0.8813735870195436, -7.071067811865472e-10),
      (-0.8813735870195432, 2.1213203435596422e-08),
      (0.48121182505960347, 8.94427190999916e-301),
      (1.4436354751788103, 4.47213595499958e-301),
      (0.00031622777005640263, 1.5704800990329193),
      (-0.0003162277683009859, 1.570480099031164), (1.0e-300, -1.0e-300),
      (0.0010000003333330333, 0.0009999996666663668),
      (691.8152486690536, -0.7853981633974483), (691.4686750787737, 1.5707963267948966),
      (12.206072645555174, 9.999999999500001e-11)]> : tensor<15xcomplex<f64>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xcomplex<f64>>, tensor<15xcomplex<f64>>
  return
}

func.func @asinh_complex_f32() {
  %a = stablehlo.constant dense<[
      (0.5, 0.25), (-1.5, 2.0), (3.0, -4.0), (0.9999999, 1.0e-09), (1.0000005, -1.0e-09),
      (-1.0, 3.0e-08), (0.5, 1.0e-37), (2.0, 1.0e-37), (1.0e-07, 1.0000005),
      (-1.0e-07, 0.9999999), (1.0e-37, -1.0e-37), (0.001, 0.001), (1.0e+37, -1.0e+37),
      (1.0e-37, 1.0e+37), (100000.0, 1.0e-05)]> : tensor<15xcomplex<f32>>
  %0 = chlo.asinh %a : tensor<15xcomplex<f32>> -> tensor<15xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (0.4926757, 0.22432846), (-1.6004101, 0.88776517), (2.2999141, -0.91761684),
      (0.8813735, 7.071068e-10), (0.88137394, -7.071066e-10), (-0.8813736, 2.1213202e-08),
      (0.4812118, 8.944272e-38), (1.4436355, 4.472136e-38), (0.000981859, 1.5706944),
      (-0.00019075925, 1.5702721), (1.0e-37, -1.0e-37), (0.0010000004, 0.0009999997),
      (86.23537, -0.7853982), (85.888794, 1.5707964), (12.206073, 9.9999994e-11)]> : tensor<15xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 3 : tensor<15xcomplex<f32>>, tensor<15xcomplex<f32>>
  return
}

// The sign of zero chooses the side of a cut (C11, Annex G).
func.func @asinh_complex_special_values() {
  %a = stablehlo.constant dense<[(0.0, 2.0), (-0.0, 2.0), (0.0, -2.0), (0x7F800000, 1.0)]> : tensor<4xcomplex<f32>>
  %0 = chlo.asinh %a : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[
      (1.316958, 1.5707964), (-1.316958, 1.5707964), (1.316958, -1.5707964),
      (0x7F800000, 0.0)]> : tensor<4xcomplex<f32>>
  check.expect_close %0, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}
